import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { friedman } from './friedman.ts'
import { holm, pairedTest } from './paired-test.ts'
import { averageRanks } from './ranks.ts'
import { chiSquaredTail, fTail, logGamma, normalCdf, studentizedRange, studentTwoSided } from './special.ts'

describe('distribution functions', () => {
  it('ln Γ at integers and halves', () => {
    expect(logGamma(1)).toBeCloseTo(0, 13)
    expect(logGamma(11)).toBeCloseTo(Math.log(3628800), 12)
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13)
  })

  it('the tables of every textbook', () => {
    expect(chiSquaredTail(3.841458820694124, 1)).toBeCloseTo(0.05, 10)
    expect(chiSquaredTail(18.307038053275146, 10)).toBeCloseTo(0.05, 10)
    expect(studentTwoSided(4.302652729911275, 2)).toBeCloseTo(0.05, 10)
    expect(studentTwoSided(2.2281388519649385, 10)).toBeCloseTo(0.05, 10)
    expect(fTail(4.964602743730711, 1, 10)).toBeCloseTo(0.05, 9)
    expect(fTail(2.9782370160823213, 10, 10)).toBeCloseTo(0.05, 6)
    expect(normalCdf(1.959963984540054)).toBeCloseTo(0.975, 12)
    expect(normalCdf(-8)).toBeCloseTo(6.220960574271785e-16, 20)
  })

  it('closed forms: χ² with two degrees of freedom, Student’s t with one (Cauchy)', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 50, noNaN: true }), (x) => {
        expect(chiSquaredTail(x, 2)).toBeCloseTo(Math.exp(-x / 2), 12)
        expect(studentTwoSided(x, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(x), 12)
      }),
    )
  })

  // Demšar 2006, Table 5(a): critical values of the two-tailed Nemenyi test at 0.05.
  it.each([
    [2, 1.96],
    [3, 2.343],
    [4, 2.569],
    [5, 2.728],
    [6, 2.85],
    [7, 2.949],
    [8, 3.031],
    [9, 3.102],
    [10, 3.164],
  ])('Nemenyi for %i methods is %d', (methods, q) => {
    expect(studentizedRange(methods, 0.05) / Math.SQRT2).toBeCloseTo(q, 2)
  })
})

describe('ranks', () => {
  it('share places', () => {
    expect(averageRanks([0.5, 0.9, 0.5, 0.1])).toEqual([2.5, 1, 2.5, 4])
  })

  it('always sum to k(k+1)/2', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 }), (values) => {
        const sum = averageRanks(values).reduce((a, b) => a + b, 0)
        expect(sum).toBeCloseTo((values.length * (values.length + 1)) / 2, 9)
      }),
    )
  })
})

describe('Friedman', () => {
  // Demšar 2006, Table 6: C4.5 and three variants over 14 data sets; χ² = 9.28, F = 3.69, CD = 1.25.
  const AUC = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.59, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1, 1, 1, 1],
    [0.94, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.97],
  ]

  it('gives the figures of Demšar’s example', () => {
    const { ranks, chiSquared, pValue, f, fPValue, criticalDifference } = friedman(AUC)
    expect(ranks.map((rank) => Number(rank.toFixed(3)))).toEqual([3.143, 2, 2.893, 1.964])
    expect(chiSquared).toBeCloseTo(9.28, 2)
    expect(f).toBeCloseTo(3.69, 2)
    expect(fPValue).toBeLessThan(0.05)
    expect(criticalDifference).toBeCloseTo(1.25, 2)
    // χ² with three and F with 3 and 39 degrees of freedom.
    expect(pValue).toBeCloseTo(chiSquaredTail(chiSquared, 3), 12)
    expect(pValue).toBeCloseTo(0.0258, 3)
    expect(fPValue).toBeCloseTo(fTail(f, 3, 39), 12)
    expect(fPValue).toBeCloseTo(0.0197, 3)
  })

  it('is certain where every block has the same order', () => {
    const blocks = Array.from({ length: 4 }, () => [3, 2, 1])
    // χ² = 12·4/12 · (14 − 12) = 8 is the largest there is.
    expect(friedman(blocks)).toMatchObject({ f: Infinity, fPValue: 0 })
    expect(friedman(blocks).chiSquared).toBeCloseTo(8, 12)
  })

  it('finds nothing where all are equal', () => {
    const { chiSquared, pValue } = friedman([
      [1, 1, 1],
      [1, 1, 1],
    ])
    expect(chiSquared).toBeCloseTo(0, 12)
    expect(pValue).toBe(1)
  })
})

describe('paired tests', () => {
  it('by hand: differences 0.02, 0.03, 0.04', () => {
    const { difference, t, pValue } = pairedTest([0.97, 0.96, 0.98], [0.95, 0.93, 0.94])
    expect(difference).toBeCloseTo(0.03, 12)
    expect(t).toBeCloseTo(0.03 / (0.01 / Math.sqrt(3)), 9)
    expect(pValue).toBeCloseTo(0.0351, 3)
  })

  it('knows certain cases and cases without an answer', () => {
    expect(pairedTest([1, 1], [1, 1]).pValue).toBe(1)
    expect(pairedTest([0.75, 0.75], [0.5, 0.5])).toMatchObject({ pValue: 0, t: Infinity })
    expect(pairedTest([0.5, 0.5], [0.75, 0.75])).toMatchObject({ pValue: 0, t: -Infinity, difference: -0.25 })
    expect(pairedTest([1], [0]).pValue).toBeNaN()
    expect(holm([0.9, 0.8])).toEqual([1, 1])
  })

  it('Holm: the textbook example', () => {
    const corrected = holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(12)))
    expect(corrected).toEqual([0.03, 0.06, 0.06, 0.02])
  })
})
