import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  batchRegret,
  explorationRate,
  restartRegret,
  scaledRegret,
  standardRegret,
  uncappedRate,
  varianceFactor,
} from './bounds.ts'
import { Schedule } from './schedule.ts'

const setting = (rho: number) => ({ levels: 3, experts: 10, rho })
const PAPER = { levels: 3, experts: 10, c: 0.1, alpha: 0.8, restarts: true, firstEpoch: 1000 }

describe('the closed forms at K = 3, N = 10, T = 30,000, α = 0.8, c = 0.1', () => {
  it.each([
    [0, 1.718282, 0.00324543],
    [0.1, 1.55062, 0.00341639],
    [1, 0.0416667, 0.02084134],
  ])('ρ = %f: B = %f, γ = %f', (rho, factor, gamma) => {
    expect(varianceFactor(rho, 3)).toBeCloseTo(factor, 5)
    expect(explorationRate(setting(rho), 0.1, 3816.779)).toBeCloseTo(gamma, 8)
    expect(new Schedule({ ...PAPER, horizon: 30_000, rho }).gamma).toBeCloseTo(gamma, 8)
  })

  it('regret terms of Corollary 1', () => {
    expect(restartRegret(setting(0), 30_000, 0.1, 0.8)).toBeCloseTo(0.63489, 5)
    expect(restartRegret(setting(1), 30_000, 0.1, 0.8)).toBeCloseTo(0.09887, 5)
  })
})

describe('relations between the bounds', () => {
  const random = {
    levels: fc.integer({ min: 2, max: 9 }),
    experts: fc.integer({ min: 2, max: 100 }),
    rho: fc.double({ min: 0, max: 1, noNaN: true }),
  }

  it('the best rate balances both terms, and no other rate does better (Theorem 1)', () => {
    fc.assert(
      fc.property(fc.record(random), fc.double({ min: 0.001, max: 1, noNaN: true }), (setting, gamma) => {
        const horizon = 1e6
        const best = batchRegret(setting, explorationRate(setting, 1, horizon), horizon) / horizon
        expect(best).toBeCloseTo(standardRegret(setting, horizon), 9)
        expect(scaledRegret(setting, horizon, 4)).toBeCloseTo(((4 + 1 / 4) / 2) * best, 9)
        expect(batchRegret(setting, gamma, horizon) / horizon).toBeGreaterThanOrEqual(best - 1e-12)
      }),
    )
  })

  it('restarts always cost more regret than none (R₁ > R₂, Corollary 2)', () => {
    const alpha = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.record(random), fc.integer({ min: 1, max: 1e6 }), alpha, (setting, horizon, alpha) => {
        expect(restartRegret(setting, horizon, 0.3, alpha)).toBeGreaterThan(scaledRegret(setting, horizon, 0.3))
      }),
    )
  })

  it('one expert: nothing to explore, nothing to regret', () => {
    expect(explorationRate({ levels: 3, experts: 1, rho: 0 }, 1, 100)).toBe(0)
    expect(batchRegret({ levels: 3, experts: 1, rho: 0 }, 0, 100)).toBe(0)
  })
})

describe('Schedule', () => {
  /** Lengths of the batches over so many rounds. */
  function batches(schedule: Schedule, rounds: number, full: (t: number) => boolean = () => false): number[] {
    const lengths = [0]
    for (let t = 0; t < rounds; t++) {
      lengths[lengths.length - 1]++
      if (schedule.advance(full(t))) lengths.push(0)
    }
    return lengths
  }

  it('restarts when the counter exceeds T^α: batches of ⌊T^α⌋ + 1', () => {
    expect(batches(new Schedule({ ...PAPER, horizon: 30_000, rho: 0 }), 30_000)).toEqual([
      3817, 3817, 3817, 3817, 3817, 3817, 3817, 3281,
    ])
  })

  it('does not restart when the counter only reaches T^α', () => {
    // T^0 = 1 exactly: batches of 2.
    expect(batches(new Schedule({ ...PAPER, alpha: 0, horizon: 100, rho: 0 }), 7)).toEqual([2, 2, 2, 1])
  })

  it('never restarts within a fixed horizon when restarts are off', () => {
    const schedule = new Schedule({ ...PAPER, restarts: false, horizon: 500, rho: 0 })
    expect(schedule.restartInterval).toBe(500)
    expect(batches(schedule, 2000)).toEqual([2000])
  })

  it('doubles the epochs of an unbounded horizon, with a smaller rate each', () => {
    const schedule = new Schedule({ ...PAPER, restarts: false, horizon: 'unbounded', firstEpoch: 100, rho: 0 })
    const rates = [schedule.gamma]
    const lengths = [0]
    for (let t = 0; t < 1500; t++) {
      lengths[lengths.length - 1]++
      if (!schedule.advance(false)) continue
      lengths.push(0)
      rates.push(schedule.gamma)
    }
    expect(lengths).toEqual([100, 200, 400, 800, 0])
    for (let i = 1; i < rates.length; i++) expect(rates[i] / rates[i - 1]).toBeCloseTo(Math.SQRT1_2, 12)
  })

  it('follows the observed share of labels from restart to restart', () => {
    const schedule = new Schedule({ ...PAPER, horizon: 'unbounded', firstEpoch: 64, rho: 'observed' })
    expect(schedule.rho).toBe(0)
    for (let t = 0; t < 4096; t++) schedule.advance(t % 4 === 0)
    expect(schedule.rho).toBeCloseTo(0.25, 2)
  })

  it('remembers that the rate had to be capped', () => {
    const schedule = new Schedule({ ...PAPER, c: 10, alpha: 0.1, horizon: 1000, rho: 0 })
    expect([schedule.gamma, schedule.wasCapped]).toEqual([1, true])
    expect(new Schedule({ ...PAPER, horizon: 1000, rho: 0 }).wasCapped).toBe(false)
    // A rate of exactly 1 needs no cap.
    const c = 1 / explorationRate(setting(0), 1, 1000)
    expect(uncappedRate(setting(0), c, 1000)).toBe(1)
    expect(new Schedule({ ...PAPER, c, restarts: false, horizon: 1000, rho: 0 }).wasCapped).toBe(false)
  })
})
