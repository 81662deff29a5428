import { METHODS } from '@pb-oel/core'
import { isBaseline } from '../experiment/method-names.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { mean, sampleStd } from '../statistics/summary.ts'

/** All runs of one method at one share of labels. */
export interface Cell {
  method: string
  rho: number
  mean: number
  std: number
  /** One accuracy per run, in the order of the seeds. */
  accuracies: number[]
  results: ExperimentResult[]
}

/** Methods × ρ on one stream: the paper's Table I. */
export interface AccuracyTable {
  stream: string
  samples: number
  /** Number of levels K. */
  levels: number
  methods: string[]
  rhos: number[]
  cells: Cell[]
  /** Mean over ρ of each method's mean accuracy. */
  averages: Record<string, number>
  /** Share ε of assessments that each method draws at random by rule; null where it has no such rule. */
  epsilons: Record<string, number | null>
  /** Place by average, 1 the best; null for trivial baselines, which are not ranked. */
  ranks: Record<string, number | null>
}

/** Makes one table per stream. */
export function accuracyTables(results: readonly ExperimentResult[]): AccuracyTable[] {
  return [...Map.groupBy(results, ({ streamName }) => streamName)].map(([stream, runs]) => accuracyTable(stream, runs))
}

function accuracyTable(stream: string, results: readonly ExperimentResult[]): AccuracyTable {
  const methods = [...new Set(results.map(({ label }) => label))]
  const rhos = [...new Set(results.map(({ job }) => job.rho))]
  const groups = Map.groupBy(results, ({ label, job }) => `${label}|${job.rho}`)
  const cells = methods.flatMap((method) =>
    rhos.map((rho): Cell => {
      const runs = groups.get(`${method}|${rho}`) ?? []
      const accuracies = runs.map(({ result }) => result.accuracy)
      return { method, rho, mean: mean(accuracies), std: sampleStd(accuracies), accuracies, results: runs }
    }),
  )
  const averages = Object.fromEntries(
    methods.map((method) => [method, mean(cells.filter((cell) => cell.method === method).map((cell) => cell.mean))]),
  )
  const ranked = methods.filter((method) => !isBaseline(method))
  const place = (method: string) => 1 + ranked.filter((other) => averages[other] > averages[method]).length
  const ranks = Object.fromEntries(methods.map((method) => [method, isBaseline(method) ? null : place(method)]))
  const epsilons = Object.fromEntries(
    methods.map((method) => [method, epsilonOf(results.find(({ label }) => label === method) as ExperimentResult)]),
  )
  const { samples, levels } = results[0]
  return { stream, samples, levels, methods, rhos, cells, averages, epsilons, ranks }
}

/** The paper lets all rivals explore by one rule; ours do not, so every comparison says who does. */
function epsilonOf({ job }: ExperimentResult): number | null {
  const option = METHODS.find(({ name }) => name === job.method)?.options.epsilon
  return option ? ((job.options?.epsilon ?? option.default) as number) : null
}

/** The cell of a method at a share of labels. */
export function cellOf(table: AccuracyTable, method: string, rho: number): Cell {
  return table.cells.find((cell) => cell.method === method && cell.rho === rho) as Cell
}

/** The methods with the highest mean accuracy at a share of labels, to the three digits shown; baselines apart. */
export function bestAt(table: AccuracyTable, rho: number): string[] {
  const ranked = table.methods.filter((method) => !isBaseline(method))
  const shown = (method: string) => cellOf(table, method, rho).mean.toFixed(3)
  const best = ranked.map(shown).sort().at(-1)
  return ranked.filter((method) => shown(method) === best)
}

/** The table without the runs behind it: what `pb-oel table --json` prints. */
export function tableJson(table: AccuracyTable) {
  const { stream, samples, levels, averages, epsilons, ranks } = table
  const rows = table.cells.map(({ method, rho, mean, std, accuracies }) => ({ method, rho, mean, std, accuracies }))
  return { stream, samples, levels, rows, averages, epsilons, ranks }
}
