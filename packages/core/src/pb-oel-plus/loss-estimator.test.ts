import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scaledCosts, zeroOneCosts } from '../decision/cost-matrix.ts'
import { LossEstimator } from './loss-estimator.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })

/** A distribution over `levels` levels, each at least 0.001. */
const distribution = (levels: number) =>
  fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: levels, maxLength: levels }).map((weights) => {
    const sum = weights.reduce((a, b) => a + b)
    return weights.map((weight) => weight / sum)
  })

/** K, a mixture s, a true level, λ and a rate of wrong answers. */
const setting = fc.integer({ min: 2, max: 5 }).chain((levels) =>
  fc.record({
    s: distribution(levels),
    truth: fc.integer({ min: 0, max: levels - 1 }),
    lambda: unit,
    noise: fc.double({ min: 0, max: 0.4, noNaN: true }),
  }),
)

interface Setting {
  s: number[]
  truth: number
  lambda: number
  noise: number
}

/** E[f(ℓ̂)] over the draw a ~ s and over wrong answers, exactly, by going through all outcomes. */
function expectation(
  estimator: LossEstimator,
  { s, truth, lambda, noise }: Setting,
  f: (losses: Float64Array, action: number) => number,
): number {
  let sum = 0
  for (let a = 0; a < s.length; a++) {
    for (const wrong of [false, true]) {
      const known = (a === truth) !== wrong ? a : -1
      estimator.estimate({ assessed: a, probability: s[a], known, full: false }, lambda, noise)
      sum += s[a] * (wrong ? noise : 1 - noise) * f(estimator.losses, a)
    }
  }
  return sum
}

describe('Lemma 8: the plain estimate charges every level alike', () => {
  it('its expectation is (1 + p_y)·ℓ, wrong answers or not', () => {
    fc.assert(
      fc.property(setting, (given) => {
        const levels = given.s.length
        const estimator = new LossEstimator(zeroOneCosts(levels), levels, 0, true)
        for (let k = 0; k < levels; k++) {
          const expected = expectation(estimator, given, (losses) => losses[k])
          expect(expected).toBeCloseTo(k === given.truth ? 0 : 1 + given.s[given.truth], 7)
        }
      }),
    )
  })
})

describe('Lemma 1: the loss estimate is unbiased', () => {
  it('after right or wrong, for every mixture, true level and λ, wrong answers or not (Lemma 6)', () => {
    fc.assert(
      fc.property(setting, (given) => {
        const levels = given.s.length
        const estimator = new LossEstimator(zeroOneCosts(levels), levels, 0)
        for (let k = 0; k < levels; k++) {
          const expected = expectation(estimator, given, (losses) => losses[k])
          expect(expected).toBeCloseTo(k === given.truth ? 0 : 1, 7)
        }
      }),
    )
  })

  it('after labels that are wrong now and then', () => {
    fc.assert(
      fc.property(setting, ({ s, truth, noise }) => {
        const levels = s.length
        const estimator = new LossEstimator(zeroOneCosts(levels), levels, 0)
        const mean = new Float64Array(levels)
        for (let told = 0; told < levels; told++) {
          const chance = told === truth ? 1 - noise : noise / (levels - 1)
          estimator.estimate({ assessed: 0, probability: 1, known: told, full: true }, 0, noise)
          for (let k = 0; k < levels; k++) mean[k] += chance * estimator.losses[k]
        }
        for (let k = 0; k < levels; k++) expect(mean[k]).toBeCloseTo(k === truth ? 0 : 1, 7)
      }),
    )
  })

  it('with costs, from confirmations alone (λ = 1)', () => {
    const costs = [
      [0, 1, 2],
      [5, 0, 1],
      [10, 5, 0],
    ]
    fc.assert(
      fc.property(distribution(3), fc.integer({ min: 0, max: 2 }), (s, truth) => {
        const estimator = new LossEstimator(scaledCosts(costs, 3), 3, 0)
        for (let k = 0; k < 3; k++) {
          const expected = expectation(estimator, { s, truth, lambda: 1, noise: 0 }, (losses) => losses[k])
          expect(expected).toBeCloseTo(costs[truth][k] / 10, 9)
        }
      }),
    )
  })

  it('a label gives the losses themselves', () => {
    const estimator = new LossEstimator(zeroOneCosts(3), 3, 0)
    estimator.estimate({ assessed: 2, probability: 0.1, known: 1, full: true }, 0.7, 0)
    expect([...estimator.losses]).toEqual([1, 0, 1])
  })

  it('where no expert names the true level, all are charged 1 − λ alike', () => {
    const estimator = new LossEstimator(zeroOneCosts(3), 3, 0)
    const mean = [0, 0]
    for (const a of [0, 1]) {
      estimator.estimate({ assessed: a, probability: 0.5, known: -1, full: false }, 0.75, 0)
      for (const k of [0, 1]) mean[k] += 0.5 * estimator.losses[k]
    }
    expect(mean).toEqual([0.25, 0.25])
  })
})

describe('Lemma 2: the second moment', () => {
  /** Hard votes of 7 experts, their weights, and the rest of a setting. */
  const committee = fc.record({
    votes: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
    q: distribution(7),
    truth: fc.integer({ min: 0, max: 3 }),
    lambda: unit,
  })

  it('E[Σ q ℓ̂²] ≤ λ²(1−s_y)/s_y + (1−λ)²(K−1), and only (1−λ)²(K−1) where s_y = 0', () => {
    fc.assert(
      fc.property(committee, ({ votes, q, truth, lambda }) => {
        const levels = 4
        const s = Array.from({ length: levels }, (_, k) =>
          q.reduce((sum, share, n) => sum + (votes[n] === k ? share : 0), 0),
        )
        const estimator = new LossEstimator(zeroOneCosts(levels), levels, 0)
        let second = 0
        for (let a = 0; a < levels; a++) {
          if (s[a] === 0) continue
          estimator.estimate({ assessed: a, probability: s[a], known: a === truth ? a : -1, full: false }, lambda, 0)
          second += s[a] * q.reduce((sum, share, n) => sum + share * estimator.losses[votes[n]] ** 2, 0)
        }
        const confirmations = s[truth] > 0 ? (lambda ** 2 * (1 - s[truth])) / s[truth] : 0
        expect(second).toBeLessThanOrEqual((confirmations + (1 - lambda) ** 2 * (levels - 1)) * (1 + 1e-9))
      }),
    )
  })
})

describe('Lemma 5: implicit exploration', () => {
  it('estimates low, never by more than the terms charged', () => {
    fc.assert(
      fc.property(setting, fc.double({ min: 0.001, max: 0.2, noNaN: true }), (given, implicit) => {
        const { s, truth, lambda } = given
        const levels = s.length
        const estimator = new LossEstimator(zeroOneCosts(levels), levels, implicit)
        let hidden = 0
        for (let k = 0; k < levels; k++) {
          const expected = expectation(estimator, { ...given, noise: 0 }, (losses) => losses[k])
          const loss = k === truth ? 0 : 1
          expect(expected).toBeLessThanOrEqual(loss + 1e-9)
          hidden += s[k] * (loss - expected)
        }
        const charged =
          (lambda * (1 - s[truth]) * implicit) / (s[truth] + implicit) +
          (1 - lambda) * s.reduce((sum, p) => sum + (p * implicit) / (p + implicit), 0)
        expect(hidden).toBeLessThanOrEqual(charged + 1e-9)
      }),
    )
  })
})
