import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cos, exp, log, power, sigmoid, sin } from './elementary.ts'

/** Distance in units of the last place of the expected value. */
function ulps(found: number, expected: number): number {
  const unit = Math.max(2 ** (Math.floor(Math.log2(Math.abs(expected))) - 52), Number.MIN_VALUE)
  return Math.abs(found - expected) / unit
}

describe('exp', () => {
  it('is within 2 ulp over the whole range', () => {
    fc.assert(fc.property(fc.double({ min: -745, max: 709.7, noNaN: true }), (x) => ulps(exp(x), Math.exp(x)) <= 2))
  })

  it('has the right edges', () => {
    expect([exp(0), exp(-Infinity), exp(Infinity), exp(-746), exp(710), exp(Number.NaN)]).toEqual([
      1,
      0,
      Infinity,
      0,
      Infinity,
      Number.NaN,
    ])
    expect(exp(-745)).toBe(5e-324)
  })
})

describe('log', () => {
  it('is within 2 ulp for numbers of every size', () => {
    const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true })
    fc.assert(fc.property(positive, (x) => x === 1 || ulps(log(x), Math.log(x)) <= 2))
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (x) => x === 1 || ulps(log(x), Math.log(x)) <= 2),
    )
  })

  it('has the right edges', () => {
    expect([log(0), log(1), log(Infinity), log(-1)]).toEqual([-Infinity, 0, Infinity, Number.NaN])
  })

  it('undoes exp', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -700, max: 700, noNaN: true }),
        (x) => Math.abs(log(exp(x)) - x) <= 1e-13 + 1e-15 * Math.abs(x),
      ),
    )
  })
})

describe('power, sigmoid, sine, cosine', () => {
  it('give closed-form values', () => {
    expect(power(30000, 0.8)).toBeCloseTo(3816.779, 3)
    expect(power(2, 10)).toBeCloseTo(1024, 10)
    expect([power(7, 0), power(7, 1), power(1, 5)]).toEqual([1, 7, 1])
    expect(sigmoid(0)).toBe(0.5)
    expect(sigmoid(800)).toBe(1)
    expect(sigmoid(-800)).toBe(0)
  })

  it('sine and cosine are right to 1e-15', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e5, max: 1e5, noNaN: true }), (x) => {
        expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(1e-15)
        expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(1e-15)
      }),
    )
  })
})
