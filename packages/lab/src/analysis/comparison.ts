import { isBaseline } from '../experiment/method-names.ts'
import { type FriedmanResult, friedman } from '../statistics/friedman.ts'
import { holm, type PairedTest, pairedTest } from '../statistics/paired-test.ts'
import { mean } from '../statistics/summary.ts'
import type { AccuracyTable } from './accuracy-table.ts'

/** A method against a rival over the runs of one stream. */
export interface RivalTest extends PairedTest {
  rival: string
  /** p value with Holm's correction over all rivals of the stream. */
  corrected: number
  /** Values of ρ at which the method's mean is higher, equal (to three digits) and lower. */
  wins: number[]
  ties: number[]
  losses: number[]
}

/**
 * Tests `method` against every other: one pair per seed, each the accuracy averaged over ρ, since the shares of one
 * seed are no independent runs.
 */
export function rivalTests(table: AccuracyTable, method: string): RivalTest[] {
  const perSeed = (name: string) => {
    const cells = table.cells.filter((cell) => cell.method === name)
    return cells[0].accuracies.map((_, seed) => mean(cells.map(({ accuracies }) => accuracies[seed])))
  }
  const own = table.cells.filter((cell) => cell.method === method)
  const tests = table.methods
    .filter((rival) => rival !== method)
    .map((rival) => {
      const other = table.cells.filter((cell) => cell.method === rival)
      const gap = (i: number) => Number(own[i].mean.toFixed(3)) - Number(other[i].mean.toFixed(3))
      const where = (holds: (gap: number) => boolean) => table.rhos.filter((_, i) => holds(gap(i)))
      return {
        ...pairedTest(perSeed(method), perSeed(rival)),
        rival,
        wins: where((value) => value > 0),
        ties: where((value) => value === 0),
        losses: where((value) => value < 0),
      }
    })
  const corrected = holm(tests.map(({ pValue }) => pValue))
  return tests.map((test, i) => ({ ...test, corrected: corrected[i] }))
}

/** Methods compared over several streams. */
export interface StreamComparison extends FriedmanResult {
  methods: string[]
  streams: string[]
}

/**
 * Friedman test with one block per stream, over the methods all streams have; undefined for fewer than two of either.
 */
export function compareOverStreams(tables: readonly AccuracyTable[]): StreamComparison | undefined {
  const methods = (tables[0]?.methods ?? []).filter(
    (method) => !isBaseline(method) && tables.every((table) => table.methods.includes(method)),
  )
  if (tables.length < 2 || methods.length < 2) return undefined
  const result = friedman(tables.map(({ averages }) => methods.map((method) => averages[method])))
  return { ...result, methods, streams: tables.map(({ stream }) => stream) }
}
