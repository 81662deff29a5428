import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawLevel, mixAdvice } from '../experts/mixture.ts'
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

describe('Hedge with one perfect expert', () => {
  it('moves its odds against each failing expert up at the rate exp(γt/K)', () => {
    const weights = new ExpertWeights(5, 3)
    const advice = hard([1, 0, 0, 2, 2], 3)
    const rate = 0.3 / 3
    for (let t = 1; t <= 200; t++) {
      weights.reward(advice, 0, 1, rate)
      for (const failing of [1, 2, 3, 4]) {
        expect(Math.log(weights.shares[0] / weights.shares[failing]) / (rate * t)).toBeCloseTo(1, 9)
      }
    }
    expect(weights.shares[0]).toBeGreaterThan(0.999)
  })
})
