// Passages of the docs that are made from runs of `pb-oel run` and of the scripts of single studies.
import { PAPER } from '../packages/lab/src/analysis/paper.ts'
import { mean, sampleStd } from '../packages/lab/src/statistics/summary.ts'
import { markdownRow, markdownTable } from './figure-table.ts'

/** A line that holds one command and the accuracies of its runs. */
interface StoredRun {
  readonly command: string
  readonly mean: number
  readonly accuracies: readonly number[]
}

/** The value of an option in the command of a run. */
function optionOf({ command }: StoredRun, option: string): string | undefined {
  return command.match(new RegExp(`--${option} (\\S+)`))?.[1]
}

const TITLES: Readonly<Record<string, string>> = { 'pb-oel': 'PB-OEL', 'pb-oel-plus': 'PB-OEL+' }

/** Pairs of runs, the other scaling and the robust one: means, and the mean of the differences by seed. */
export function scaledRuns(runs: readonly StoredRun[]): string {
  const pairs = runs.flatMap((first, i) => (i % 2 === 0 ? [[first, runs[i + 1]]] : []))
  const lines = pairs.map((pair) => {
    const [other, robust] = pair
    const differences = robust.accuracies.map((value, seed) => value - other.accuracies[seed])
    const middle = mean(differences)
    const error = sampleStd(differences) / Math.sqrt(differences.length)
    const difference = `${middle < 0 ? '−' : '+'}${Math.abs(middle).toFixed(4)} ± ${error.toFixed(4)}`
    const name = `${TITLES[optionOf(other, 'method') ?? '']}, ρ = ${optionOf(other, 'rho')}`
    return markdownRow([name, ...pair.map(({ mean }) => mean.toFixed(4)), difference])
  })
  return markdownTable(['', 'other', '`robust`', 'difference'], lines)
}

interface OutlierRun extends Readonly<Record<'method' | 'scaling', string>> {
  readonly first100: number
  readonly from150: number
}

/** Shares of right levels after an outlier, from the worst to the best place that it came at. */
export function afterOutlier(runs: readonly OutlierRun[]): string {
  const figures = {
    'first 100 answers after the outlier': 'first100',
    'answers 150 to 1,500': 'from150',
  } as const
  const lines = Object.entries(TITLES).flatMap(([method, title]) =>
    Object.entries(figures).map(([name, figure]) => {
      const cells = ['running', 'robust'].map((scaling) => {
        const own = runs.filter((run) => run.method === method && run.scaling === scaling).map((run) => run[figure])
        return [...new Set([Math.min(...own), Math.max(...own)])].map((value) => value.toFixed(2)).join(' to ')
      })
      return markdownRow([`${title}, ${name}`, ...cells])
    }),
  )
  return markdownTable(['', '`running`', '`robust`'], lines)
}

interface TrustRun extends Readonly<Record<'off' | 'on', readonly number[]>> {
  readonly method: string
  readonly worst: number
}

/** Accuracy with and without learning by reliability, a row for each reliability of the worst reviewer. */
export function trusted(runs: readonly TrustRun[]): string {
  const lines = [...new Set(runs.map(({ worst }) => worst))].map((worst) => {
    const own = Object.keys(TITLES).flatMap((method) =>
      runs.filter((run) => run.method === method && run.worst === worst),
    )
    const cells = own.flatMap(({ off, on }) => [off, on]).map((accuracies) => mean(accuracies).toFixed(3))
    return markdownRow([`${Math.round(100 * worst)} %`, ...cells])
  })
  return markdownTable(['the third reviewer is right in', 'PB-OEL, off', 'on', 'PB-OEL+, off', 'on'], lines)
}

/** What `pb-oel robustness --json` prints, as far as its table needs it. */
interface StoredRobustness {
  readonly rows: readonly {
    readonly title: string
    readonly cells: readonly { readonly method: string; readonly accuracy: number; readonly macroF1: number }[]
  }[]
}

/** Accuracy and macro-F1 of each method, a row for each stream. */
export function robustnessRows({ rows }: StoredRobustness): string {
  const lines = rows.map(({ title, cells }) =>
    markdownRow([title, ...cells.map(({ accuracy, macroF1 }) => `${accuracy.toFixed(3)} / ${macroF1.toFixed(3)}`)]),
  )
  return markdownTable(['accuracy / macro-F1', ...rows[0].cells.map(({ method }) => method)], lines)
}

/** Accuracies in double and in single precision: pairs of runs that differ in nothing else. */
export function precisionRows(runs: readonly StoredRun[]): string {
  const lines = runs
    .filter((run) => run.command.includes('precision=double'))
    .map((double) => {
      const single = runs.find(({ command }) => command === double.command.replace('=double', '=single'))
      if (!single) throw new Error(`no run in single precision beside: ${double.command}`)
      const apart = double.accuracies.map((value, seed) => Math.abs(value - single.accuracies[seed]))
      const [, stream] = double.command.match(/run ([^ .]+)/) ?? []
      const names = [stream, optionOf(double, 'method') ?? '', optionOf(double, 'rho') ?? '']
      const figures = [double.mean.toFixed(4), single.mean.toFixed(4), Math.max(...apart).toFixed(5)]
      return markdownRow([...names, ...figures])
    })
  return markdownTable(['stream', 'method', 'ρ', 'double', 'single', 'largest difference of a run'], lines)
}

/** What each reading of CPSSDS is called, by what its command has. */
const READINGS: Readonly<Record<string, string>> = {
  'compat=skm': 'quirks of the port, `--set compat=skm`',
  'chunk=1000': 'chunks of 1,000, `--set chunk=1000`',
  'chunk=5000': 'chunks of 5,000 as in the original notebook, `--set chunk=5000`',
  'base=hoeffding-tree': 'Hoeffding tree as base, `--set base=hoeffding-tree`',
  'full-labels-only':
    'a confirmed level is no label, [`examples/full-labels-only.ts`](../examples/full-labels-only.ts)',
}

interface StoredTable {
  readonly rows: readonly { readonly method: string; readonly rho: number; readonly mean: number }[]
}

/** CPSSDS in the paper, ours, other readings and the one that fits, which is the last result. */
export function readings(results: readonly (StoredTable | StoredRun)[]): string {
  const shares = ['0', '0.01', '0.02', '0.05', '0.1', '0.6', '1']
  const tables = results.filter((one): one is StoredTable => 'rows' in one)
  const runs = results.filter((one): one is StoredRun => 'accuracies' in one)
  const inTable = ({ rows }: StoredTable) =>
    shares.map((rho) => rows.find((row) => row.method === 'cpssds' && row.rho === Number(rho))?.mean)
  const line = (name: string, values: readonly (number | undefined)[]) =>
    markdownRow([name, ...values.map((value) => value?.toFixed(3) ?? '')])
  const others = Object.entries(READINGS).map(([word, name]) => {
    const own = runs.filter(({ command }) => command.includes(word))
    return line(
      name,
      shares.map((rho) => own.find((run) => optionOf(run, 'rho') === rho)?.mean),
    )
  })
  const paper = shares.map((rho) => PAPER.accuracy.cpssds[PAPER.rho.indexOf(Number(rho))])
  return markdownTable(
    ['reading', ...shares.map((rho, i) => (i === 0 ? `ρ = ${rho}` : rho))],
    [
      line("the paper's figures", paper),
      line('ours (chunks of 200, naive Bayes)', inTable(tables[0])),
      ...others,
      line('the reading that fits, `--set compat=paper`', inTable(tables[1])),
    ],
  )
}

/** A line of packages/core/src/rvfl/kernel/testing/soundness-study.ts. */
interface SoundnessRun
  extends Readonly<Record<'ridge' | 'forgetting' | 'smallest' | 'largest' | 'difference' | 'agreement', number>> {
  readonly inputs: string
  readonly finite: boolean
  readonly error: { readonly single: number; readonly double: number }
}

/** Single beside double precision after a million updates, a row for each setting. */
export function soundnessRows(runs: readonly SoundnessRun[]): string {
  const infinite = runs.find(({ finite }) => !finite)
  if (infinite) throw new Error(`numbers of ${infinite.inputs} did not stay finite; the page says that all did`)
  const lines = runs.map(({ inputs, ridge, forgetting, smallest, largest, difference, error, agreement }) => {
    const sizes = [smallest, largest, difference].map((value) => value.toExponential(1))
    const errors = [error.single, error.double].map((value) => value.toFixed(4))
    return markdownRow([inputs, ridge, forgetting, ...sizes, ...errors, `${(100 * agreement).toFixed(2)} %`])
  })
  return markdownTable(
    [
      ...['inputs', 'λ', 'forgetting', 'smallest D_j', 'largest λ·D_j', 'ŷ, single − double'],
      ...['error, single', 'error, double', 'same level'],
    ],
    lines,
  )
}
