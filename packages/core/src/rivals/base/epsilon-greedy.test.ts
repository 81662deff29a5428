import { describe, expect, it } from 'vitest'
import { Majority } from '../majority.ts'

const LEVELS = 4
const DRAWS = 20_000

/** How often each level was assessed by a rival whose own choice is level 2, and what it said about that. */
function assessed(epsilon: number, mode: 'full' | 'partial') {
  const warmUp = [{ x: [0], level: 2 }]
  const assessor = new Majority({ channels: 1, levels: LEVELS, epsilon, warmUp, seed: 5 })
  const counts = new Float64Array(LEVELS)
  for (let t = 0; t < DRAWS; t++) counts[assessor.assess(Float64Array.of(0), mode).level]++
  return { counts, probabilities: Array.from(assessor.assess(Float64Array.of(0), mode).probabilities) }
}

describe('an ε-greedy rival', () => {
  it.each(['full', 'partial'] as const)('explores every level alike in a share ε of its assessments, %s', (mode) => {
    const { counts, probabilities } = assessed(0.4, mode)
    for (const [level, expected] of [0.1, 0.1, 0.7, 0.1].entries()) {
      expect(probabilities[level]).toBeCloseTo(expected, 12)
      // Five standard errors.
      const error = Math.sqrt((expected * (1 - expected)) / DRAWS)
      expect(Math.abs(counts[level] / DRAWS - expected)).toBeLessThan(5 * error)
    }
  })

  it('follows its own choice where ε = 0, and only chance where ε = 1', () => {
    expect(Array.from(assessed(0, 'partial').counts)).toEqual([0, 0, DRAWS, 0])
    for (const count of assessed(1, 'partial').counts) expect(Math.abs(count / DRAWS - 1 / LEVELS)).toBeLessThan(0.02)
  })

  it('is as confident of a level that it drew as it is of that level, not of its own choice', () => {
    const warmUp = [2, 2, 2, 1].map((level) => ({ x: [0], level }))
    const assessor = new Majority({ channels: 1, levels: LEVELS, epsilon: 1, warmUp, seed: 5 })
    const seen = new Set<string>()
    for (let t = 0; t < 100; t++) {
      const { level, confidence } = assessor.assess(Float64Array.of(0))
      seen.add(`${level} ${confidence}`)
    }
    expect([...seen].sort()).toEqual(['0 0', '1 0.25', '2 0.75', '3 0'])
  })

  it('explores once in 200 assessments by default, whether a label is promised or not', () => {
    const assessor = new Majority({ channels: 1, levels: LEVELS, warmUp: [{ x: [0], level: 2 }] })
    let other = 0
    for (let t = 0; t < DRAWS; t++) if (assessor.assess(Float64Array.of(0), 'full').level !== 2) other++
    expect(Math.abs(other - (DRAWS * 0.005 * 3) / 4)).toBeLessThan(5 * Math.sqrt(DRAWS * 0.005))
    expect(other).toBeGreaterThan(30)
  })
})
