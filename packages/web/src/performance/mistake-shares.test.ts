import { describe, expect, it } from 'vitest'
import { mistakesOf, mistakesOfAll } from './mistake-shares.ts'

const outcomes = (weight: number, misses: number, falseAlarms: number, wrong: number) => ({
  ...{ weight, misses, falseAlarms, wrong },
  accuracy: 1 - misses - falseAlarms - wrong,
})

describe('directions of mistakes', () => {
  it('"wrong" is a miss at the safest level and a false alarm at the worst, and unknown in between', () => {
    const one = outcomes(10, 0.1, 0.2, 0.3)
    expect(mistakesOf(one, 0, 3)).toMatchObject({ misses: 0.4, falseAlarms: 0.2, untold: 0 })
    expect(mistakesOf(one, 1, 3)).toMatchObject({ misses: 0.1, falseAlarms: 0.2, untold: 0.3 })
    expect(mistakesOf(one, 2, 3)).toMatchObject({ misses: 0.1, falseAlarms: 0.5, untold: 0 })
  })

  it('weighs each level by the samples that its answers stand for', () => {
    const all = mistakesOfAll([outcomes(300, 0, 0, 0.1), outcomes(0, 0, 0, 0), outcomes(100, 0, 0.2, 0)])
    expect(all.weight).toBe(400)
    expect(all.misses).toBeCloseTo(0.075, 12)
    expect(all.falseAlarms).toBeCloseTo(0.05, 12)
    expect(all.accuracy).toBeCloseTo(0.875, 12)
    expect(mistakesOfAll([outcomes(0, 0, 0, 0)])).toMatchObject({ weight: 0, misses: 0 })
  })
})
