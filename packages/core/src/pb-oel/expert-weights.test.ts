import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawLevel, mixAdvice } from '../experts/mixture.ts'
import { Random } from '../math/random.ts'
import { standardRegret } from './bounds.ts'
import { ExpertWeights } from './expert-weights.ts'
import { Schedule } from './schedule.ts'

/** One-hot advice, N × K. */
function hard(votes: readonly number[], levels: number): Float64Array {
  const advice = new Float64Array(votes.length * levels)
  votes.forEach((vote, n) => {
    advice[n * levels + vote] = 1
  })
  return advice
}

const shift = (p: Float64Array, gamma: number) => p.map((s) => (1 - gamma) * s + gamma / p.length)

interface GoldenStep {
  predictions: number[]
  y: number
  full: boolean
  u: number
  p: number[]
  action: number
  logWeights: number[]
  restart: boolean
}

describe('golden vectors of the ensemble level', () => {
  const golden = JSON.parse(readFileSync(new URL('./golden/weights.json', import.meta.url), 'utf8'))
  const { N: experts, K: levels, T: horizon, rho, c, alpha } = golden

  it('mixture, action, log-weights and restarts agree to 1e-9 at every step', () => {
    const schedule = new Schedule({ experts, levels, horizon, rho, c, alpha, restarts: true, firstEpoch: 1 })
    const weights = new ExpertWeights(experts, levels)
    expect(schedule.gamma).toBeCloseTo(golden.gamma, 12)
    expect(schedule.restartInterval).toBeCloseTo(golden.deltaT, 9)
    const s = new Float64Array(levels)
    let restarts = 0
    for (const step of golden.steps as GoldenStep[]) {
      const advice = hard(step.predictions, levels)
      mixAdvice(weights.shares, advice, s)
      const p = step.full ? s : shift(s, schedule.gamma)
      for (const [k, expected] of step.p.entries()) expect(Math.abs(p[k] - expected)).toBeLessThan(1e-9)
      const action = drawLevel(p, step.u)
      expect(action).toBe(step.action)
      const rate = schedule.gamma / levels
      if (step.full) weights.reward(advice, 0, step.y, rate)
      else if (action === step.y) weights.reward(advice, 0, action, rate / p[action])
      if (schedule.advance(step.full)) {
        weights.reset()
        restarts++
        expect(step.restart).toBe(true)
      } else expect(step.restart).toBe(false)
      for (const [n, expected] of step.logWeights.entries())
        expect(Math.abs(weights.logWeights[n] - expected)).toBeLessThan(1e-9)
    }
    expect(restarts).toBe(golden.steps.filter((step: GoldenStep) => step.restart).length)
    expect(restarts).toBeGreaterThan(0)
  })
})

describe('drawLevel', () => {
  it('follows the distribution and never takes a level of probability 0', () => {
    const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 1, noNaN: true })), {
      minLength: 2,
      maxLength: 6,
    })
    const valid = weights.filter((w) => w.some((v) => v > 0))
    fc.assert(
      fc.property(valid, fc.double({ min: 0, max: 1 - 2 ** -53, noNaN: true }), (w, u) => {
        const sum = w.reduce((a, b) => a + b)
        const p = Float64Array.from(w, (v) => v / sum)
        expect(p[drawLevel(p, u)]).toBeGreaterThan(0)
      }),
    )
    expect([0, 0.24, 0.25, 0.99].map((u) => drawLevel(Float64Array.of(0.25, 0, 0.75), u))).toEqual([0, 0, 2, 2])
  })
})

describe('the reward estimate', () => {
  it('is unbiased under right-or-wrong feedback: z-test at 5 standard errors (error rate below 1e-5)', () => {
    const random = new Random(11, 'unbiased')
    const levels = 3
    const gamma = 0.2
    for (let setting = 0; setting < 6; setting++) {
      const advice = new Float64Array(4 * levels)
      for (let n = 0; n < 4; n++) {
        const raw = [random.uniform(), random.uniform(), random.uniform()]
        raw.forEach((value, k) => {
          advice[n * levels + k] = value / (raw[0] + raw[1] + raw[2])
        })
      }
      const truth = setting % levels
      const weights = new ExpertWeights(4, levels)
      const s = new Float64Array(levels)
      mixAdvice(weights.shares, advice, s)
      const p = shift(s, gamma)
      const draws = 40_000
      const sums = new Float64Array(4)
      for (let i = 0; i < draws; i++) {
        const action = drawLevel(p, random.uniform())
        if (action !== truth) continue
        for (let n = 0; n < 4; n++) sums[n] += advice[n * levels + action] / p[action]
      }
      for (let n = 0; n < 4; n++) {
        const xi = advice[n * levels + truth]
        const error = Math.sqrt((xi * xi * (1 / p[truth] - 1)) / draws)
        expect(Math.abs(sums[n] / draws - xi)).toBeLessThan(5 * error)
      }
    }
  })
})

describe('Hedge with one perfect expert', () => {
  it('moves its odds against each failing expert up at the rate exp(γt/K)', () => {
    const weights = new ExpertWeights(5, 3)
    const advice = hard([1, 0, 0, 2, 2], 3)
    const rate = 0.3 / 3
    for (let t = 1; t <= 200; t++) {
      weights.reward(advice, 0, 1, rate)
      expect(Math.log(weights.shares[0] / weights.shares[1]) / (rate * t)).toBeCloseTo(1, 9)
    }
    expect(weights.shares[0]).toBeGreaterThan(0.999)
  })
})

describe('Theorem 1 by simulation', () => {
  const levels = 3
  const experts = 6
  const horizon = 400
  const seeds = 240

  it.each([0, 0.1, 0.5, 1])('mean accuracy over 240 seeds is above the bound, ρ = %f', (rho) => {
    for (const [stream, switches] of [
      ['steady', false],
      ['the best expert changes', true],
    ] as const) {
      const world = new Random(17, stream)
      const truths = Array.from({ length: horizon }, () => world.integer(levels))
      // The stream and what the experts say are fixed; only the actions and the feedback mode are drawn per seed.
      const votes = truths.map((truth, t) =>
        Array.from({ length: experts }, (_, n) => {
          const rank = switches && t > horizon / 2 ? experts - 1 - n : n
          return world.uniform() < 0.35 + 0.1 * rank ? truth : world.integer(levels)
        }),
      )
      const best = Math.max(
        ...Array.from({ length: experts }, (_, n) => votes.filter((vote, t) => vote[n] === truths[t]).length / horizon),
      )
      const bound = best - standardRegret({ levels, experts, rho }, horizon)
      let right = 0
      for (let seed = 0; seed < seeds; seed++) right += play(votes, truths, rho, seed)
      expect(right / seeds / horizon).toBeGreaterThanOrEqual(bound)
      // The bound says something: it lies above guessing when feedback is full.
      if (rho === 1 && !switches) expect(bound).toBeGreaterThan(0.6)
    }
  })

  function play(votes: number[][], truths: number[], rho: number, seed: number): number {
    const random = new Random(seed, 'play')
    const weights = new ExpertWeights(experts, levels)
    const schedule = new Schedule({ levels, experts, horizon, rho, c: 1, alpha: 1, restarts: false, firstEpoch: 1 })
    const { gamma } = schedule
    const s = new Float64Array(levels)
    let right = 0
    truths.forEach((truth, t) => {
      const advice = hard(votes[t], levels)
      const full = random.uniform() < rho
      mixAdvice(weights.shares, advice, s)
      const p = full ? s : shift(s, gamma)
      const action = drawLevel(p, random.uniform())
      if (action === truth) right++
      if (full) weights.reward(advice, 0, truth, gamma / levels)
      else if (action === truth) weights.reward(advice, 0, action, gamma / levels / p[action])
    })
    return right
  }
})
