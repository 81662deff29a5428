import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfusionMatrix } from './confusion.ts'
import { PrequentialMetrics } from './prequential.ts'

function matrixOf(rows: number[][]): ConfusionMatrix {
  const matrix = new ConfusionMatrix(rows.length)
  rows.forEach((row, truth) => {
    row.forEach((count, assessed) => {
      for (let i = 0; i < count; i++) matrix.add(truth, assessed)
    })
  })
  return matrix
}

describe('ConfusionMatrix', () => {
  it('gives the hand-computed figures', () => {
    const matrix = matrixOf([
      [50, 5, 5],
      [10, 20, 0],
      [0, 5, 5],
    ])
    expect(matrix.total).toBe(100)
    expect(matrix.accuracy).toBe(0.75)
    expect(matrix.kappa).toBeCloseTo(0.537037, 6)
    expect(matrix.macroF1).toBeCloseTo(0.666667, 6)
    expect(matrix.gMean).toBeCloseTo(0.652478, 6)
    expect(matrix.balancedAccuracy).toBeCloseTo((50 / 60 + 20 / 30 + 5 / 10) / 3, 12)
    expect(matrix.misses).toBe(15)
    expect(matrix.falseAlarms).toBe(10)
  })

  it('is 0 where nothing can be said', () => {
    const empty = new ConfusionMatrix(3)
    expect([empty.accuracy, empty.kappa, empty.macroF1, empty.gMean, empty.balancedAccuracy]).toEqual([0, 0, 0, 0, 0])
    expect(
      matrixOf([
        [5, 0],
        [0, 0],
      ]).kappa,
    ).toBe(0)
    expect(
      matrixOf([
        [5, 0],
        [3, 0],
      ]).gMean,
    ).toBe(0)
  })

  it('splits every error into misses and false alarms', () => {
    const pair = fc.tuple(fc.nat(3), fc.nat(3))
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1 }), (pairs) => {
        const matrix = new ConfusionMatrix(4)
        for (const [truth, assessed] of pairs) matrix.add(truth, assessed)
        expect(matrix.misses + matrix.falseAlarms).toBe(pairs.filter(([a, b]) => a !== b).length)
        expect(matrix.accuracy).toBeCloseTo(1 - (matrix.misses + matrix.falseAlarms) / pairs.length, 12)
      }),
    )
  })
})

describe('PrequentialMetrics', () => {
  const truths = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
  const assessed = [0, 0, 1, 1, 1, 1, 0, 0, 0, 0]

  it('compares with persistence (κ-temporal)', () => {
    const metrics = new PrequentialMetrics({ levels: 2 })
    for (const [t, truth] of truths.entries()) metrics.add(truth, assessed[t])
    expect(metrics.confusion.accuracy).toBe(0.8)
    expect(metrics.noChangeAccuracy).toBe(0.8)
    expect(metrics.kappaTemporal).toBe(0)
  })

  it('slides its window', () => {
    const metrics = new PrequentialMetrics({ levels: 2, window: 4 })
    const seen: number[] = []
    truths.forEach((truth, t) => {
      metrics.add(truth, assessed[t])
      const from = Math.max(0, t - 3)
      const right = truths.slice(from, t + 1).filter((value, i) => value === assessed[from + i]).length
      expect(metrics.windowAccuracy).toBeCloseTo(right / (t + 1 - from), 12)
      seen.push(metrics.windowAccuracy)
    })
    expect(Math.min(...seen)).toBeLessThan(1)
  })

  it('counts the running majority without peeking', () => {
    const metrics = new PrequentialMetrics({ levels: 2 })
    for (const truth of [1, 1, 0, 1]) metrics.add(truth, 0)
    // Before each: 0 (nothing seen), 1, 1, 1.
    expect(metrics.majorityAccuracy).toBe(2 / 4)
  })
})
