import { describe, expect, it } from 'vitest'
import { sigmoid } from '../../math/elementary.ts'
import { Random } from '../../math/random.ts'
import { logisticError } from './testing/exact-logistic.ts'
import { logistic } from './twin.ts'

describe('logistic', () => {
  it('is exact at 0 and flat beyond ±700', () => {
    expect(logistic(0)).toBe(0.5)
    expect(logistic(1e8)).toBe(1)
    expect(logistic(-1e8)).toBe(logistic(-700))
    expect(logistic(-700)).toBeGreaterThan(0)
    expect(logistic(-700)).toBeLessThan(1e-303)
  })

  it('is within 2 ulp of the true value', () => {
    const random = new Random(1, 'points')
    let worst = 0
    for (const range of [0.05, 1, 10, 40, 700]) {
      for (let i = 0; i < 300; i++) {
        const a = random.between(-range, range)
        worst = Math.max(worst, logisticError(a, logistic(a)))
      }
    }
    expect(worst).toBeLessThanOrEqual(2)
  })

  it('has the bits of sigmoid', () => {
    const random = new Random(2, 'points')
    for (let i = 0; i < 10_000; i++) {
      const a = random.between(-700, 700) * random.uniform()
      expect(logistic(a)).toBe(sigmoid(a))
    }
  })
})

describe('logisticError', () => {
  it('sees a change of one unit in the last place', () => {
    // 1 / (1 + e^−1) = 0.73105857863000487925…; its nearest number is within half a unit.
    expect(logisticError(1, 0.7310585786300049)).toBeLessThan(0.5)
    expect(logisticError(1, 0.7310585786300049 + 2 ** -53)).toBeGreaterThan(0.5)
    expect(logisticError(-40, 4.248354255291589e-18)).toBeLessThan(0.5)
  })
})
