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
    }
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
