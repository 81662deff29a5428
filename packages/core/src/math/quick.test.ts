import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp, log } from './elementary.ts'
import { quickExp, quickLog } from './quick.ts'

const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true })

describe('quickLog', () => {
  it('is the logarithm to 1e-15', () => {
    fc.assert(
      fc.property(finite(-700, 700), (y) => {
        const x = exp(y)
        expect(Math.abs(quickLog(x) - log(x))).toBeLessThan(1e-15 * Math.max(1, Math.abs(y) / 4))
      }),
      { numRuns: 2000 },
    )
  })

  it('is close to 0 near 1', () => {
    expect(quickLog(1)).toBeCloseTo(0, 15)
    expect(quickLog(1 + 2 ** -20)).toBeCloseTo(2 ** -20 - 2 ** -41, 15)
  })

  it('leaves the edges to log', () => {
    expect(quickLog(0)).toBe(-Infinity)
    expect(quickLog(-1)).toBeNaN()
    expect(quickLog(Infinity)).toBe(Infinity)
    expect(quickLog(5e-324)).toBe(log(5e-324))
  })
})

describe('quickExp', () => {
  it('is the exponential to 1e-15', () => {
    fc.assert(
      fc.property(finite(-700, 700), (x) => {
        expect(Math.abs(quickExp(x) / exp(x) - 1)).toBeLessThan(1e-15)
      }),
      { numRuns: 2000 },
    )
  })

  it('has the exact values and edges', () => {
    expect(quickExp(0)).toBe(1)
    expect(quickExp(-Infinity)).toBe(0)
    expect(quickExp(-800)).toBe(0)
    expect(quickExp(-720)).toBe(exp(-720))
    expect(quickExp(Number.NaN)).toBeNaN()
  })
})
