import { describe, expect, it } from 'vitest'
import { entropy, gini, hoeffdingBound } from './merit.ts'

describe('hoeffdingBound', () => {
  it('has the values of the specification', () => {
    expect(hoeffdingBound(1, 1e-7, 200)).toBeCloseTo(0.2007367, 7)
    expect(hoeffdingBound(1, 0.01, 50)).toBeCloseTo(0.2145966, 7)
  })

  it('falls below the tie threshold of 0.05 at the weights of the specification', () => {
    const first = (range: number, confidence: number) => {
      let n = 1
      while (hoeffdingBound(range, confidence, n) >= 0.05) n++
      return n
    }
    expect(first(1, 1e-7)).toBe(3224)
    expect(first(1, 0.01)).toBe(922)
    expect(first(Math.log2(3), 1e-7)).toBe(8099)
  })
})

describe('impurity', () => {
  it('is 0 for one class and largest for equal ones', () => {
    expect(entropy(Float64Array.of(5, 0, 0))).toBeCloseTo(0, 15)
    expect(entropy(Float64Array.of(0, 0))).toBe(0)
    expect(entropy(Float64Array.of(3, 3, 3, 3))).toBeCloseTo(2, 14)
    expect(gini(Float64Array.of(5, 0))).toBe(0)
    expect(gini(Float64Array.of(0, 0))).toBe(0)
    expect(gini(Float64Array.of(2, 2))).toBe(0.5)
  })

  it('looks at the part it is given', () => {
    expect(entropy(Float64Array.of(9, 1, 3, 9), 1, 2)).toBeCloseTo(0.8112781244591328, 14)
    expect(gini(Float64Array.of(9, 1, 3, 9), 1, 2)).toBeCloseTo(0.375, 15)
  })
})
