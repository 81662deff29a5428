import { describe, expect, it } from 'vitest'
import { madeUpResult, tableResults } from '../testing/results.ts'
import { accuracyTables, bestAt, cellOf, tableJson } from './accuracy-table.ts'
import { compareOverStreams, rivalTests } from './comparison.ts'
import { averageCurve, driftMarks, restartMarks } from './curves.ts'
import { bestPoint, landscapes, regions } from './landscape.ts'
import { isPaperStream, PAPER, paperAccuracy } from './paper.ts'

const RHOS = [0, 0.5]
const MEANS = { 'pb-oel': [0.9, 0.95], srp: [0.7, 0.96], arf: [0.9, 0.93], 'no-change': [0.97, 0.99] }
const [table] = accuracyTables(tableResults('dive', RHOS, MEANS))

describe('the table', () => {
  it('has mean, sample deviation, average and rank, and leaves baselines unranked', () => {
    expect(cellOf(table, 'srp', 0.5).mean).toBeCloseTo(0.96, 12)
    expect(cellOf(table, 'srp', 0.5).std).toBeCloseTo(0.01 * Math.SQRT2, 12)
    expect(table.averages['pb-oel']).toBeCloseTo(0.925, 12)
    expect(table.ranks).toEqual({ 'pb-oel': 1, srp: 3, arf: 2, 'no-change': null })
    expect(bestAt(table, 0)).toEqual(['pb-oel', 'arf'])
    expect(bestAt(table, 0.5)).toEqual(['srp'])
  })

  it('says by how much each method explores by rule, also where its options say so', () => {
    const runs = tableResults('dive', [0], { 'pb-oel': [0.9], srp: [0.8], arf: [0.7] })
    const own = runs.map((run) =>
      run.label === 'arf' ? { ...run, job: { ...run.job, options: { epsilon: 0 } } } : run,
    )
    expect(accuracyTables(own)[0].epsilons).toEqual({ 'pb-oel': null, srp: 0.005, arf: 0 })
  })

  it('prints the agreed fields', () => {
    const { rows, ranks } = tableJson(table)
    expect(Object.keys(rows[0])).toEqual(['method', 'rho', 'mean', 'std', 'accuracies'])
    expect(rows).toHaveLength(8)
    expect(ranks['pb-oel']).toBe(1)
  })
})

describe('comparisons', () => {
  it('PB-OEL against each: wins, ties, losses, and one pair per seed', () => {
    const [srp, arf] = rivalTests(table, 'pb-oel')
    expect(srp).toMatchObject({ rival: 'srp', wins: [0], ties: [], losses: [0.5], pairs: 2 })
    expect(arf).toMatchObject({ rival: 'arf', wins: [0.5], ties: [0], losses: [] })
    expect(srp.difference).toBeCloseTo((0.2 - 0.01) / 2, 12)
    expect(srp.corrected).toBeGreaterThanOrEqual(srp.pValue)
  })

  it('over streams: mean ranks, without baselines, only for what all streams have', () => {
    const others = accuracyTables(
      tableResults('sea', RHOS, { 'pb-oel': [0.8, 0.8], srp: [0.9, 0.9], rvfl: [0.1, 0.1] }),
    )
    const comparison = compareOverStreams([table, ...others])
    expect(comparison).toMatchObject({ methods: ['pb-oel', 'srp'], ranks: [1.5, 1.5], streams: ['dive', 'sea'] })
    expect(compareOverStreams([table])).toBeUndefined()
  })
})

describe('landscapes', () => {
  const point = (c: number, alpha: number, accuracy: number, reason?: string) => {
    const made = madeUpResult({ accuracy, variant: { c, alpha } })
    return reason
      ? { ...made, result: { ...made.result, bound: { ...made.result.bound, applies: false, reason } } }
      : made
  }
  const [landscape] = landscapes([
    point(0.1, 0.8, 0.9),
    point(0.1, 0, 0.7),
    point(10, 0.8, 0.5),
    point(10, 0, 0.3, 'the exploration rate is capped at 1'),
  ])

  it('knows axes, best point, regions and where γ was cut', () => {
    expect(landscape).toMatchObject({ cs: [0.1, 10], alphas: [0, 0.8] })
    // The region reaches from α = 0.5 to 0.9 and up to c = 0.5, all of them within.
    const edges = [0.5, 0.51].flatMap((c) => [0.5, 0.9, 0.91].map((alpha) => point(c, alpha, c + alpha)))
    expect(regions(landscapes(edges)[0]).recommended).toBeCloseTo((1 + 1.4) / 2, 12)
    expect(bestPoint(landscape)).toMatchObject({ c: 0.1, alpha: 0.8 })
    const { recommended, elsewhere, capped } = regions(landscape)
    expect([recommended, elsewhere, capped].map((value) => Number(value.toFixed(6)))).toEqual([0.9, 0.5, 0.3])
  })
})

describe('curves', () => {
  it('average over runs', () => {
    const curve = averageCurve([madeUpResult({ accuracy: 0.8 }), madeUpResult({ accuracy: 0.9 })], 'accuracy')
    expect(curve?.samples).toEqual([500, 1000])
    expect(curve?.mean[1]).toBeCloseTo(0.85, 12)
    expect(curve?.std[1]).toBeCloseTo(0.1 / Math.SQRT2, 12)
    const without = madeUpResult({ accuracy: 0.9 })
    expect(averageCurve([{ ...without, trace: { ...without.trace, bound: [] } }], 'bound')).toBeUndefined()
  })

  it('mark refitted networks and restarts', () => {
    expect(driftMarks(madeUpResult({ accuracy: 1 }).trace)).toEqual([
      { samples: 500, networks: 1 },
      { samples: 1000, networks: 2 },
    ])
    // ⌊100^0.5⌋ + 1 = 11 samples per batch.
    expect(restartMarks(100, 0.5)).toEqual([11, 22, 33, 44, 55, 66, 77, 88, 99])
    expect(restartMarks(100, 1)).toEqual([])
  })
})

describe('the paper', () => {
  it('its averages follow from its cells', () => {
    const average = (method: string) => PAPER.accuracy[method].reduce((sum, value) => sum + value, 0) / 9
    const printed = {
      'ob-adwin': 0.893,
      oadac2: 0.919,
      cpssds: 0.529,
      arf: 0.921,
      srp: 0.939,
      'roale-di': 0.878,
      rvfl: 0.578,
      'rvfl-hddm-np': 0.941,
      'pb-oel': 0.971,
    }
    for (const [method, value] of Object.entries(printed))
      expect(Math.abs(average(method) - value)).toBeLessThan(0.0011)
    for (const method of Object.keys(printed)) expect(PAPER.std[method]).toHaveLength(9)
    expect(paperAccuracy('srp', 0.04)).toBe(0.97)
    expect(paperAccuracy('srp', 0.01)).toBe(0.926)
    expect(PAPER.std.srp.slice(0, 3)).toEqual([0.032, 0.015, 0.006])
    expect(['dive', 'Jiaolong_DSMS_V2', 'skydive', 'sea'].map(isPaperStream)).toEqual([true, true, false, false])
    expect(paperAccuracy('srp', 0.07)).toBeUndefined()
    expect(paperAccuracy('flip', 0)).toBeUndefined()
  })
})
