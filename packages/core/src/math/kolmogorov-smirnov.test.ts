import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapProbability, kolmogorovSmirnov, largestGap } from './kolmogorov-smirnov.ts'

describe('kolmogorovSmirnov', () => {
  it('is exact for small samples', () => {
    const separate = kolmogorovSmirnov(Float64Array.of(3, 1, 2), Float64Array.of(6, 4, 5))
    expect(separate.statistic).toBe(1)
    expect(separate.probability).toBeCloseTo(0.1, 14)
    const overlapping = kolmogorovSmirnov(Float64Array.of(1, 2, 3, 4), Float64Array.of(3, 4, 5, 6))
    expect(overlapping.statistic).toBe(0.5)
    expect(overlapping.probability).toBeCloseTo(27 / 35, 14)
  })

  it('gives 1 for identical samples, however many ties', () => {
    const sample = Float64Array.of(0, 0, 1, 1, 1, 2)
    expect(kolmogorovSmirnov(sample, sample)).toEqual({ statistic: 0, probability: 1 })
  })

  it('gives the share of one order among all when two samples are apart', () => {
    // Two of the C(2n, n) orders have D = 1. The direct recursion keeps it where 1 − u would be 0.
    let orders = 1
    for (let i = 1; i <= 118; i++) orders *= (118 + i) / i
    const { probability } = kolmogorovSmirnov(new Float64Array(118), new Float64Array(118).fill(1))
    expect(probability / (2 / orders)).toBeCloseTo(1, 10)
  })

  it('counts orders: equals brute force over all of them', () => {
    const brute = (gap: number, n: number, m: number): number => {
      let hits = 0
      let all = 0
      for (let mask = 0; mask < 2 ** (n + m); mask++) {
        const a: number[] = []
        const b: number[] = []
        for (let i = 0; i < n + m; i++) (mask & (1 << i) ? a : b).push(i)
        if (a.length !== n) continue
        all++
        if (largestGap(Float64Array.from(a), Float64Array.from(b)) >= gap) hits++
      }
      return hits / all
    }
    for (const [n, m] of [
      [3, 5],
      [4, 6],
      [5, 5],
    ]) {
      for (let gap = 1; gap <= n * m; gap++) expect(gapProbability(gap, n, m)).toBeCloseTo(brute(gap, n, m), 13)
    }
  })

  it('goes over into its limit without a step', () => {
    // 2000 · 2000 is exact, 2001 · 2000 is the limit.
    for (const statistic of [0.02, 0.04, 0.06]) {
      const exact = gapProbability(Math.round(statistic * 2000) * 2000, 2000, 2000)
      const limit = gapProbability(statistic * 2001 * 2000, 2001, 2000)
      expect(Math.abs(limit - exact)).toBeLessThan(0.02)
    }
  })

  it('does not depend on the order of values or samples', () => {
    const values = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(values, values, (a, b) => {
        const forward = kolmogorovSmirnov(Float64Array.from(a), Float64Array.from(b))
        const backward = kolmogorovSmirnov(Float64Array.from(b.toReversed()), Float64Array.from(a.toReversed()))
        expect(backward.statistic).toBeCloseTo(forward.statistic, 14)
        expect(backward.probability).toBeCloseTo(forward.probability, 12)
        expect(forward.probability).toBeGreaterThan(0)
        expect(forward.probability).toBeLessThanOrEqual(1 + 1e-15)
      }),
    )
  })
})
