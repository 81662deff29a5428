import { describe, expect, it } from 'vitest'
import { fittedExponent, interleave, ratioResult, spread, timeResults } from './measure.ts'

describe('spread', () => {
  it('is the median with the 10th and 90th percentile', () => {
    const values = Array.from({ length: 101 }, (_, i) => 100 - i)
    expect(spread(values)).toEqual({ median: 50, low: 10, high: 90 })
    expect(spread([3])).toEqual({ median: 3, low: 3, high: 3 })
  })
})

describe('fittedExponent', () => {
  it('finds the power of a power law', () => {
    expect(fittedExponent([124, 224, 524].map((d) => [d, 3 * d * d]))).toBeCloseTo(2, 12)
    expect(
      fittedExponent([
        [1, 5],
        [10, 50],
      ]),
    ).toBeCloseTo(1, 12)
  })
})

describe('results', () => {
  const slow = { name: 'slow', times: [40, 80, 40] }
  const fast = { name: 'fast', times: [10, 20, 20] }

  it('compare within a round, not across rounds', () => {
    expect(ratioResult('x', fast, slow)).toMatchObject({ variant: 'fast : slow', median: 4, low: 2, high: 4 })
    expect(timeResults('x', [slow, fast], 'D=1 ').map(({ variant, ratio }) => [variant, ratio])).toEqual([
      ['D=1 slow', 1],
      ['D=1 fast', 4],
    ])
  })

  it('have no ratio when there is nothing beside them', () => {
    expect(timeResults('x', [slow])[0]).not.toHaveProperty('ratio')
  })
})

describe('interleave', () => {
  it('runs every variant in every round', () => {
    const runs = [0, 0]
    const timings = interleave(
      [0, 1].map((i) => ({ name: String(i), run: () => void runs[i]++ })),
      0,
    )
    expect(timings.map(({ name, times }) => [name, times.length])).toEqual([
      ['0', 7],
      ['1', 7],
    ])
    expect(Math.min(...runs)).toBeGreaterThan(14)
  })
})
