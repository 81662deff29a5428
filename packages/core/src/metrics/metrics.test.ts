import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { beyond, ConfusionMatrix } from './confusion.ts'
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

  it('gives the hand-computed figures where levels are assessed more or less often than they occur', () => {
    const matrix = matrixOf([
      [20, 15, 5],
      [2, 30, 8],
      [1, 4, 15],
    ])
    // Rows sum to 40, 40, 20 and columns to 23, 49, 28: chance agrees in (40·23 + 40·49 + 20·28)/100² = 0.344.
    expect(matrix.kappa).toBeCloseTo((0.65 - 0.344) / (1 - 0.344), 12)
    expect(matrix.macroF1).toBeCloseTo((40 / 63 + 60 / 89 + 30 / 48) / 3, 12)
    expect(matrix.gMean).toBeCloseTo(Math.cbrt((20 / 40) * (30 / 40) * (15 / 20)), 12)
    expect(matrix.balancedAccuracy).toBeCloseTo((0.5 + 0.75 + 0.75) / 3, 12)
    expect([matrix.misses, matrix.falseAlarms]).toEqual([7, 28])
  })

  it('counts by weight, and leaves a level that never occurred out of the recalls', () => {
    const matrix = new ConfusionMatrix(3)
    matrix.add(0, 0, 3)
    matrix.add(0, 2)
    matrix.add(1, 1, 0.5)
    matrix.add(1, 0, 1.5)
    expect([matrix.total, matrix.misses, matrix.falseAlarms]).toEqual([6, 1.5, 1])
    expect(matrix.accuracy).toBeCloseTo(3.5 / 6, 12)
    expect(matrix.balancedAccuracy).toBeCloseTo((3 / 4 + 1 / 4) / 2, 12)
    expect(matrix.gMean).toBeCloseTo(Math.sqrt((3 / 4) * (1 / 4)), 12)
  })

  it('goes on from its saved state', () => {
    const matrix = matrixOf([
      [3, 1],
      [2, 4],
    ])
    const writer = new StateWriter()
    matrix.transfer(writer)
    const copy = new ConfusionMatrix(2)
    copy.transfer(new StateReader(writer.finish()))
    expect(copy.counts).toEqual(Float64Array.of(3, 1, 2, 4))
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

it('beyond: how much of the way from the baseline to 1 was gone', () => {
  expect([beyond(0.75, 0.5), beyond(0.25, 0.5), beyond(1, 1), beyond(0.5, 1)]).toEqual([0.5, -0.5, 0, 0])
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

  it('has a window of a thousand samples unless told otherwise', () => {
    const metrics = new PrequentialMetrics({ levels: 2 })
    for (let t = 0; t < 1000; t++) metrics.add(0, t === 0 ? 1 : 0)
    expect(metrics.windowAccuracy).toBe(0.999)
    metrics.add(0, 0)
    expect(metrics.windowAccuracy).toBe(1)
  })

  it('counts the running majority without peeking', () => {
    const metrics = new PrequentialMetrics({ levels: 2 })
    for (const truth of [1, 1, 0, 1]) metrics.add(truth, 0)
    // Before each: 0 (nothing seen), 1, 1, 1.
    expect(metrics.majorityAccuracy).toBe(2 / 4)
  })

  it('breaks a tie for the lower level, and begins with the level before', () => {
    const metrics = new PrequentialMetrics({ levels: 3, previous: 2 })
    for (const truth of [2, 1, 1, 0]) metrics.add(truth, truth)
    // The majority before each: 0 (nothing seen), 2, 1 (1 and 2 were seen once), 1. Only the third is right.
    expect(metrics.majorityAccuracy).toBe(1 / 4)
    expect(metrics.noChangeAccuracy).toBe(2 / 4)
    expect(metrics.kappaTemporal).toBe(1)
  })

  it('says 0 before any sample, and goes on from its saved state', () => {
    const metrics = new PrequentialMetrics({ levels: 2, window: 4 })
    expect([metrics.windowAccuracy, metrics.noChangeAccuracy, metrics.majorityAccuracy]).toEqual([0, 0, 0])
    for (const [t, truth] of truths.slice(0, 7).entries()) metrics.add(truth, assessed[t])
    const writer = new StateWriter()
    metrics.transfer(writer)
    const copy = new PrequentialMetrics({ levels: 2, window: 4 })
    copy.transfer(new StateReader(writer.finish()))
    for (const one of [metrics, copy]) for (let t = 7; t < 10; t++) one.add(truths[t], assessed[t])
    expect(copy).toEqual(metrics)
  })
})
