import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Curve, DIVE_CURVES } from './dive-curves.ts'

describe('Curve', () => {
  it('is straight between knots, constant outside, and jumps where two knots share a row', () => {
    const curve = new Curve([10, 0, 20, 5, 20, 8, 30, 6])
    expect([0, 10, 12, 19, 20, 25, 30, 99].map((row) => curve.at(row))).toEqual([0, 0, 1, 4.5, 8, 7, 6, 6])
  })

  it('gives the same value whatever was asked before', () => {
    const knots = [0, 3, 4, -1, 4, 2, 9, 7]
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 15 }), { minLength: 1 }), (rows) => {
        const curve = new Curve(knots)
        for (const row of rows) expect(curve.at(row)).toBe(new Curve(knots).at(row))
      }),
    )
  })
})

describe('curves of the dive', () => {
  it.each(Object.entries(DIVE_CURVES))('%s has pairs of finite numbers in order of rows', (_, knots) => {
    expect(knots.length % 2).toBe(0)
    expect(knots.every(Number.isFinite)).toBe(true)
    for (let i = 2; i < knots.length; i += 2) expect(knots[i]).toBeGreaterThanOrEqual(knots[i - 2])
    expect(knots[knots.length - 2]).toBeLessThan(30_000)
  })
})
