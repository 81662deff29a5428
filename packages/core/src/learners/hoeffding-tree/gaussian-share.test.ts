import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalCdf } from '../../math/erf.ts'
import { gaussianShare } from './gaussian-share.ts'

describe('gaussianShare', () => {
  it('is the normal distribution to 1e-15', () => {
    fc.assert(
      fc.property(fc.double({ min: -9, max: 9, noNaN: true }), (z) => {
        expect(Math.abs(gaussianShare(z) - normalCdf(z))).toBeLessThan(1e-15)
      }),
      { numRuns: 3000 },
    )
  })

  it('leaves a trace far below and none above', () => {
    expect(gaussianShare(-12)).toBe(normalCdf(-12))
    expect(gaussianShare(-12)).toBeGreaterThan(0)
    expect(gaussianShare(9)).toBe(1)
    expect(gaussianShare(-Infinity)).toBe(0)
    expect(gaussianShare(Infinity)).toBe(1)
  })
})
