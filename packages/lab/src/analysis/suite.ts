import { friedman } from '../statistics/friedman.ts'
import { averageRanks } from '../statistics/ranks.ts'
import { mean } from '../statistics/summary.ts'
import { type AccuracyTable, cellOf } from './accuracy-table.ts'
import type { StreamComparison } from './comparison.ts'

/** How one method stands over all streams of a suite at one share of labels. */
export interface SuiteStanding {
  method: string
  /** Mean rank over the streams, 1 the best; equal accuracies share a place. */
  rank: number
  /** Streams on which no method is better, to three digits. */
  first: number
  /** Accuracy averaged over the streams. */
  mean: number
  /** The stream on which it is furthest behind the best method, and by how much. */
  worstGap: number
  worstStream: string
}

/** All streams of a suite at one share of labels. */
export interface SuiteShare {
  rho: number
  /** Methods by mean rank, the best first. */
  standings: SuiteStanding[]
  /** Friedman's test and the critical difference of Nemenyi; undefined for one stream or one method. */
  test: StreamComparison | undefined
}

/** Methods over all streams of a suite. */
export interface Suite {
  streams: string[]
  methods: string[]
  /** One entry per share of labels. */
  shares: SuiteShare[]
  /** Streams with two levels, on which "wrong" tells a method that uses it the label. */
  twoLevels: string[]
}

/**
 * Compares methods over many streams, one share of labels at a time. Baselines are ranked too: a method that does not
 * beat them has no claim to be first.
 *
 * @param tables one per stream, with the same methods and shares
 */
export function compareSuite(tables: readonly AccuracyTable[]): Suite {
  const { methods, rhos } = tables[0]
  return {
    streams: tables.map(({ stream }) => stream),
    methods,
    shares: rhos.map((rho) => compareShare(tables, rho)),
    twoLevels: tables.filter(({ levels }) => levels === 2).map(({ stream }) => stream),
  }
}

function compareShare(tables: readonly AccuracyTable[], rho: number): SuiteShare {
  const { methods } = tables[0]
  const streams = tables.map(({ stream }) => stream)
  const accuracies = tables.map((table) => methods.map((method) => cellOf(table, method, rho).mean))
  const ranks = accuracies.map((row) => averageRanks(row))
  const standings = methods.map((method, i): SuiteStanding => {
    const gaps = accuracies.map((row) => Math.max(...row) - row[i])
    const worst = gaps.indexOf(Math.max(...gaps))
    return {
      method,
      rank: mean(ranks.map((row) => row[i])),
      first: accuracies.filter((row) => Math.max(...row).toFixed(3) === row[i].toFixed(3)).length,
      mean: mean(accuracies.map((row) => row[i])),
      worstGap: gaps[worst],
      worstStream: streams[worst],
    }
  })
  const comparable = streams.length > 1 && methods.length > 1
  return {
    rho,
    standings: standings.sort((a, b) => a.rank - b.rank || b.mean - a.mean),
    test: comparable ? { ...friedman(accuracies), methods, streams } : undefined,
  }
}

/** What a reader must know of streams with two levels; empty where there are none. */
export function twoLevelsWords({ twoLevels }: Suite): string {
  if (twoLevels.length === 0) return ''
  const streams = twoLevels.length === 1 ? 'a stream' : 'streams'
  return (
    `${twoLevels.join(', ')}: ${streams} with two levels. There "wrong" names the other level. PB-OEL+ takes it as a ` +
    'label; the rivals learn from labels and confirmations only and are not told.'
  )
}

/** A suite as `pb-oel suite --json` prints it: standings, tests, and the accuracies behind them. */
export function suiteJson(suite: Suite, tables: readonly AccuracyTable[]) {
  const { streams, methods, twoLevels } = suite
  return {
    streams: tables.map(({ stream, samples, levels }) => ({ stream, samples, levels })),
    methods,
    twoLevels,
    shares: suite.shares.map(({ rho, standings, test }) => ({
      rho,
      standings,
      ...(test && { criticalDifference: test.criticalDifference, chiSquared: test.chiSquared, pValue: test.pValue }),
      accuracies: streams.map((stream, i) => ({
        stream,
        ...Object.fromEntries(methods.map((method) => [method, cellOf(tables[i], method, rho).mean])),
      })),
    })),
  }
}
