import { describe, expect, it } from 'vitest'
import { deviation } from './unusual.ts'

describe('how unusual a value is', () => {
  it('is its distance from the mean of those before in their standard deviations', () => {
    // Mean 2, variance ((1)² + 0 + 1²) / 3 = 2/3; 4 is 2 away.
    expect(deviation([1, 2, 3, 4])).toBeCloseTo(2 / Math.sqrt(2 / 3), 12)
    expect(deviation([5, 5, 5, 9])).toBe(0)
    expect(deviation([1])).toBe(0)
  })
})
