import { expect, it } from 'vitest'
import { drawLevel, mixAdvice } from './mixture.ts'

it('mixes advice by shares', () => {
  const out = Float64Array.of(9, 9, 9)
  mixAdvice(Float64Array.of(0.25, 0.75), Float64Array.of(1, 0, 0, 0.5, 0, 0.5), out)
  expect([...out]).toEqual([0.625, 0, 0.375])
})

it('draws the first level whose cumulative probability exceeds the number drawn, never one that is impossible', () => {
  const p = Float64Array.of(0.25, 0.25, 0, 0.5)
  const drawn = [0, 0.2, 0.25, 0.49, 0.5, 0.99].map((u) => drawLevel(p, u))
  expect(drawn).toEqual([0, 0, 1, 1, 3, 3])
  // Rounding can leave the sum below the number drawn.
  expect(drawLevel(Float64Array.of(0.5, 0.4, 0), 0.95)).toBe(1)
})
