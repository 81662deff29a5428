import { describe, expect, it } from 'vitest'
import { erf, erfc, normalCdf, normalPdf } from './erf.ts'

describe('erf', () => {
  it('has the tabulated values', () => {
    // Abramowitz and Stegun, table 7.1, and the specification.
    expect(erf(0)).toBe(0)
    expect(erf(0.5)).toBeCloseTo(0.5204998778130465, 15)
    expect(erf(1)).toBeCloseTo(0.8427007929497149, 15)
    expect(erf(2)).toBeCloseTo(0.9953222650189527, 15)
    expect(erf(-1)).toBe(-erf(1))
    expect(erf(-4)).toBe(-erf(4))
    expect(erf(Infinity)).toBe(1)
  })

  it('keeps the relative precision of its complement', () => {
    const close = (x: number, value: number) => expect(Math.abs(erfc(x) / value - 1)).toBeLessThan(1e-13)
    close(1, 0.15729920705028513)
    close(3, 2.209049699858544e-5)
    close(5, 1.5374597944280349e-12)
    close(10, 2.088487583762545e-45)
    expect(erfc(-3)).toBeCloseTo(2 - 2.209049699858544e-5, 15)
    expect(erfc(30)).toBe(0)
  })

  it('is continuous where the formula changes, at 2', () => {
    expect(Math.abs(erf(2) - erf(2 - 1e-12))).toBeLessThan(1e-13)
    expect(Math.abs(erfc(2) / erfc(2 - 1e-14) - 1)).toBeLessThan(2e-13)
  })
})

describe('the normal distribution', () => {
  it('has the tabulated values', () => {
    expect(normalCdf(0)).toBe(0.5)
    expect(normalCdf(1)).toBeCloseTo(0.8413447460685429, 15)
    expect(normalCdf(1.96)).toBeCloseTo(0.97500210485178, 14)
    expect(normalCdf(-Infinity)).toBe(0)
    expect(normalPdf(0)).toBeCloseTo(0.3989422804014327, 15)
    expect(normalPdf(2)).toBeCloseTo(0.05399096651318806, 16)
  })

  it('is the integral of its density', () => {
    // Simpson's rule, error below 1e-12 for this step.
    let area = 0
    const step = 1 / 128
    for (let z = -1; z < 2; z += step) {
      area += (step / 6) * (normalPdf(z) + 4 * normalPdf(z + step / 2) + normalPdf(z + step))
    }
    expect(area).toBeCloseTo(normalCdf(2) - normalCdf(-1), 11)
  })
})
