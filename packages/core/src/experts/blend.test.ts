import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { Blend } from './blend.ts'

const LEVELS = 3

function predict(blend: Blend, confidences: readonly number[]): Float64Array {
  const out = new Float64Array(LEVELS)
  blend.predict(Float64Array.from(confidences), out)
  return out
}

/** Confidences of 0.8 for one level and 0.1 for each other. */
const sure = (level: number): number[] => [0, 1, 2].map((k) => (k === level ? 0.8 : 0.1))

describe('Blend', () => {
  it('begins as a product of the experts: with two of them their confidences are multiplied', () => {
    const p = predict(new Blend(2, LEVELS), [0.5, 0.3, 0.2, 0.6, 0.2, 0.2])
    const products = [0.5 * 0.6, 0.3 * 0.2, 0.2 * 0.2]
    const sum = products[0] + products[1] + products[2]
    for (const [k, product] of products.entries()) expect(p[k]).toBeCloseTo(product / sum, 9)
  })

  it('a level that one expert rules out is not ruled out for the others', () => {
    expect(predict(new Blend(2, LEVELS), [1, 0, 0, 0, 1, 0])[1]).toBeCloseTo(0.5, 1)
  })

  it('each step lowers the loss of the sample it was told about', () => {
    const random = new Random(3, 'blend')
    let moved = 0
    for (let trial = 0; trial < 200; trial++) {
      const blend = new Blend(4, LEVELS)
      const confidences = Array.from({ length: 4 }, () => sure(Math.floor(random.uniform() * LEVELS))).flat()
      const level = trial % LEVELS
      const before = predict(blend, confidences)[level]
      if (trial % 2 === 0) blend.teach(level)
      else blend.refute(level)
      const after = predict(blend, confidences)[level]
      if (trial % 2 === 0) expect(after).toBeGreaterThanOrEqual(before)
      else expect(after).toBeLessThanOrEqual(before)
      if (after !== before) moved++
    }
    // Where as many experts name each level nothing moves.
    expect(moved).toBeGreaterThan(150)
  })

  it('follows the gradient of the likelihood of what was told, in steps of AdaGrad', () => {
    const rounds = [
      { confidences: [0.5, 0.3, 0.2, 0.1, 0.2, 0.7], level: 2, told: 'label' },
      { confidences: [0.6, 0.399, 0.001, 0.3, 0.3, 0.4], level: 0, told: 'rejection' },
      // p of level 1 is nearly 1: the gradient of a rejection is bounded there.
      { confidences: [0.01, 0.98, 0.01, 0.005, 0.99, 0.005], level: 1, told: 'rejection' },
      { confidences: [0.2, 0.5, 0.3, 0.3, 0.4, 0.3], level: 1, told: 'label' },
    ]
    const [beta, squares] = [
      [1, 1],
      [0, 0],
    ]
    const mixture = (confidences: number[], coefficients: number[]) => {
      const powers = [0, 1, 2].map(
        (k) =>
          Math.max(confidences[k], 0.01) ** coefficients[0] * Math.max(confidences[3 + k], 0.01) ** coefficients[1],
      )
      return powers.map((power) => power / (powers[0] + powers[1] + powers[2]))
    }
    const blend = new Blend(2, LEVELS)
    for (const { confidences, level, told } of rounds) {
      const p = mixture(confidences, beta)
      for (const [k, share] of predict(blend, confidences).entries()) expect(share).toBeCloseTo(p[k], 6)
      const loss = (q: number) => (told === 'label' ? -Math.log(q) : -Math.log(1 - q))
      // −ln(1 − p) has slope 1/(1 − p), which counts as at most 20.
      const bounded = told === 'label' ? 1 : Math.min(1, (1 - p[level]) * 20)
      const gradient = beta.map((_, n) => {
        const [up, down] = [1e-6, -1e-6].map((step) => loss(mixture(confidences, beta.with(n, beta[n] + step))[level]))
        return (bounded * (up - down)) / 2e-6
      })
      for (const n of [0, 1]) {
        squares[n] = 0.999 * squares[n] + gradient[n] ** 2
        beta[n] -= (0.05 * gradient[n]) / Math.sqrt(1 + squares[n])
      }
      if (told === 'label') blend.teach(level)
      else blend.refute(level)
    }
  })

  it('stays a distribution where coefficients are so large that a product of confidences vanishes', () => {
    const writer = new StateWriter()
    writer.fill(Float64Array.of(400, 400))
    writer.fill(new Float64Array(2))
    const blend = new Blend(2, LEVELS)
    blend.transfer(new StateReader(writer.finish()))
    const p = predict(blend, [0.01, 0.04, 0.01, 0.01, 0.04, 0.01])
    for (const [k, expected] of [0, 1, 0].entries()) expect(p[k]).toBeCloseTo(expected, 12)
  })

  it.each(['labels', 'rejections'])('finds the one expert that knows among three that guess, from %s', (told) => {
    const random = new Random(5, told)
    const blend = new Blend(4, LEVELS)
    let right = 0
    for (let t = 0; t < 3000; t++) {
      const truth = Math.floor(random.uniform() * LEVELS)
      const guesses = Array.from({ length: 3 }, () => sure(Math.floor(random.uniform() * LEVELS)))
      const p = predict(blend, [...guesses, sure(random.uniform() < 0.95 ? truth : (truth + 1) % LEVELS)].flat())
      const level = p.indexOf(Math.max(...p))
      if (t >= 2000 && level === truth) right++
      if (told === 'labels' || level === truth) blend.teach(truth)
      else blend.refute(level)
    }
    expect(right / 1000).toBeGreaterThan(0.93)
  })

  it('beats every one of five experts that err independently', () => {
    const random = new Random(6, 'independent')
    const blend = new Blend(5, LEVELS)
    let right = 0
    for (let t = 0; t < 4000; t++) {
      const truth = Math.floor(random.uniform() * LEVELS)
      const experts = Array.from({ length: 5 }, () =>
        sure(random.uniform() < 0.7 ? truth : Math.floor(random.uniform() * LEVELS)),
      )
      const p = predict(blend, experts.flat())
      if (t >= 2000 && p.indexOf(Math.max(...p)) === truth) right++
      blend.teach(truth)
    }
    // Each expert is right in 0.8 of the rounds.
    expect(right / 2000).toBeGreaterThan(0.88)
  })

  it('goes on from its state with the same bits', () => {
    const blend = new Blend(2, LEVELS)
    for (let t = 0; t < 20; t++) {
      predict(blend, [...sure(t % LEVELS), ...sure((t + 1) % LEVELS)])
      blend.teach(t % LEVELS)
    }
    const writer = new StateWriter()
    blend.transfer(writer)
    const copy = new Blend(2, LEVELS)
    copy.transfer(new StateReader(writer.finish()))
    const confidences = [...sure(0), ...sure(1)]
    expect(predict(copy, confidences)).toEqual(predict(blend, confidences))
  })
})
