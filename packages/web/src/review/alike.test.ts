import { describe, expect, it } from 'vitest'
import { areAlike } from './alike.ts'

describe('two questions', () => {
  const one = { assessment: 100, level: 2, likely: 2 }

  it.each([
    [{ ...one, assessment: 120 }, true],
    [{ ...one, assessment: 80 }, true],
    [{ ...one, assessment: 121 }, false],
    [{ ...one, level: 1 }, false],
    [{ ...one, likely: 1 }, false],
  ])('about a level of 2: %j', (other, alike) => {
    expect(areAlike(one, other)).toBe(alike)
    expect(areAlike(other, one)).toBe(alike)
  })
})
