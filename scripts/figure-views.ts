// Passages of the docs that are made from a stored result, by the name that their marks give (see figures.ts).
import { findMethod } from '../packages/core/src/methods.ts'
import { PAPER, paperAccuracy } from '../packages/lab/src/analysis/paper.ts'
import { mean } from '../packages/lab/src/statistics/summary.ts'
import { arithmeticRows, benchRows, speedLine, speedRows, threadRows } from './bench-views.ts'
import { mutationScores, plantedErrors, runsUnderLoad, seedsPassed, simulatedErrors } from './evidence-views.ts'
import { markdownRow, markdownTable } from './figure-table.ts'
import { calibration, certified, regrets, targets } from './promise-views.ts'
import {
  afterOutlier,
  precisionRows,
  readings,
  robustnessRows,
  scaledRuns,
  soundnessRows,
  trusted,
} from './study-views.ts'

interface Row {
  readonly method: string
  readonly rho: number
  readonly mean: number
}

/** A stored result: the document that a command printed with --json, and the command. */
export interface Stored {
  readonly command: string
  readonly rows: readonly Row[]
}

/** Name of a view → the passage it makes. */
export const VIEWS: Readonly<Record<string, (stored: never) => string>> = {
  'beside-paper': besidePaper,
  'by-share': byShare,
  bench: benchRows,
  streams: byStream,
  arithmetic: arithmeticRows,
  speed: speedRows,
  'speed-line': speedLine,
  threads: threadRows,
  suite: suiteRanks,
  variants: byVariant,
  weaknesses: weaknessRows,
  'without-labels': withoutLabels,
  'suite-streams': suiteStreams,
  'after-outlier': afterOutlier,
  calibration,
  certified,
  cells: cellsOfPlan,
  'mutation-scores': mutationScores,
  'planted-errors': plantedErrors,
  precision: precisionRows,
  readings,
  regrets,
  robustness: robustnessRows,
  'runs-under-load': runsUnderLoad,
  'seeds-passed': seedsPassed,
  'simulated-errors': simulatedErrors,
  scaling: scaledRuns,
  soundness: soundnessRows,
  targets,
  trust: trusted,
  'without-exploring': withoutExploring,
  workers: byWorkers,
}

/** Mean over ρ of each method, and how far it lies from the paper's. */
export function averages({ rows }: Stored): Record<string, number> {
  const result: Record<string, number> = {}
  for (const [method, own] of Map.groupBy(rows ?? [], (row) => row.method)) {
    result[method] = mean(own.map((row) => row.mean))
    const paper = PAPER.accuracy[method]
    if (own.length !== PAPER.rho.length) continue
    if (paper) {
      result[`${method}, paper`] = mean(paper)
      result[`${method}, difference`] = result[method] - result[`${method}, paper`]
    }
  }
  return result
}

/** Our accuracies beside those of the paper, a row for each method, and the averages where every ρ of it is there. */
function besidePaper(stored: Stored): string {
  const shares = [...new Set(stored.rows.map(({ rho }) => rho))]
  const whole = shares.length === PAPER.rho.length
  const all = averages(stored)
  const methods = [...new Set(stored.rows.map(({ method }) => method))].filter((method) => method in PAPER.accuracy)
  const lines = methods.map((method) => {
    const cells = shares.map((rho) => {
      const own = stored.rows.find((row) => row.method === method && row.rho === rho)
      return [own?.mean, paperAccuracy(method, rho)].map((value) => value?.toFixed(3) ?? '').join(' / ')
    })
    const [own, paper, difference] = [all[method], all[`${method}, paper`], all[`${method}, difference`]]
    const sign = difference < 0 ? '-' : '+'
    if (whole) cells.push(`${own.toFixed(3)} / ${paper?.toFixed(3)} (${sign}${Math.abs(difference).toFixed(3)})`)
    return `| ${[method, ...cells].join(' | ')} |`
  })
  const titles = ['method', ...shares.map((rho) => `ρ = ${rho}`), ...(whole ? ['average'] : [])]
  return markdownTable(titles, lines)
}

/** What `pb-oel suite --json` prints, as far as its table needs it. */
interface StoredSuite {
  readonly methods: readonly string[]
  readonly shares: readonly {
    readonly rho: number
    readonly criticalDifference: number
    readonly standings: readonly { readonly method: string; readonly rank: number; readonly worstGap: number }[]
    readonly accuracies: readonly Readonly<Record<string, number | string>>[]
  }[]
}

/** Mean rank and largest distance to the best, a row for each method, the best at the first share of labels first. */
function suiteRanks({ shares }: StoredSuite): string {
  const lines = shares[0].standings.map(({ method }) => {
    const cells = shares.map(({ standings }) => {
      const { rank, worstGap } = standings.find((one) => one.method === method) ?? { rank: 0, worstGap: 0 }
      return `${rank.toFixed(2)}, ${worstGap.toFixed(3)}`
    })
    return `| ${[method, ...cells].join(' | ')} |`
  })
  const differences = shares.map(({ criticalDifference }) => criticalDifference.toFixed(2))
  const titles = ['method', ...shares.map(({ rho }) => `ρ = ${rho}`)]
  return [
    ...[`| ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length)}`, ...lines],
    `| critical difference | ${differences.join(' | ')} |`,
  ].join('\n')
}

/** What packages/lab/scripts/method-plus.ts has stored: figures by setting, for each stream and variant. */
interface StoredVariants {
  readonly rows: readonly Readonly<Record<string, string | number>>[]
}

const shownFigure = (value: string | number) =>
  typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : String(value)

/** A row for each variant, a column for each stream: its figures one behind the other. */
function byVariant({ rows }: StoredVariants): string {
  const streams = [...new Set(rows.map(({ stream }) => stream))]
  const lines = [...new Set(rows.map(({ variant }) => variant))].map((variant) => {
    const cells = streams.map((name) => {
      const {
        stream: _,
        variant: __,
        ...figures
      } = rows.find((row) => row.stream === name && row.variant === variant) ?? {}
      return Object.values(figures).map(shownFigure).join(', ')
    })
    return `| ${[variant, ...cells].join(' | ')} |`
  })
  return [`| ${['', ...streams].join(' | ')} |`, `|${'---|'.repeat(streams.length + 1)}`, ...lines].join('\n')
}

/** A row for each stream and variant, a column for each figure. */
function byStream({ rows }: StoredVariants): string {
  const lines = rows.map((row) => `| ${Object.values(row).map(shownFigure).join(' | ')} |`)
  const [, , ...titles] = Object.keys(rows[0])
  return [`| stream | | ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length + 2)}`, ...lines].join('\n')
}

interface WeaknessRow extends Readonly<Record<'weakness' | 'stream' | 'figure', string>> {
  readonly before: number
  readonly after: number
}

/** What packages/lab/scripts/weaknesses.ts has printed. */
interface StoredWeaknesses {
  readonly rows: readonly WeaknessRow[]
}

function weaknessRows({ rows }: StoredWeaknesses): string {
  const shown = (value: number) => (Number.isInteger(value) && value > 1 ? String(value) : value.toFixed(3))
  const lines = rows.map(
    ({ weakness, stream, figure, before, after }) =>
      `| ${weakness} | ${stream} | ${figure} | ${shown(before)} | ${shown(after)} |`,
  )
  return ['| weakness | stream | figure | before | after |', '|---|---|---|---|---|', ...lines].join('\n')
}

/** A row for each share of labels: our accuracies, then those of the paper. */
function byShare({ rows }: Stored): string {
  const methods = [...new Set(rows.map(({ method }) => method))]
  const published = methods.filter((method) => PAPER.accuracy[method])
  const lines = [...new Set(rows.map(({ rho }) => rho))].map((rho) => {
    const own = methods.map((method) => rows.find((row) => row.method === method && row.rho === rho)?.mean)
    const values = [...own, ...published.map((method) => paperAccuracy(method, rho))]
    return `| ${[rho, ...values.map((value) => value?.toFixed(3) ?? '')].join(' | ')} |`
  })
  const title = (method: string) => findMethod(method).title
  const titles = ['ρ', ...methods.map(title), ...published.map((method) => `paper: ${title(method)}`)]
  return markdownTable(titles, lines)
}

/** What PB-OEL gains over its nearest rival where no label is given, and who else differs most from the paper there. */
function withoutLabels({ rows }: Stored): string {
  const ours = (method: string) => rows.find((row) => row.method === method && row.rho === 0)?.mean ?? Number.NaN
  const paper = (method: string) => paperAccuracy(method, 0) ?? Number.NaN
  const above = (from: (method: string) => number) => (from('pb-oel') - from('rvfl-hddm-np')).toFixed(3)
  const off = Object.keys(PAPER.accuracy)
    .map((method) => ({ method, difference: ours(method) - paper(method) }))
    .sort((a, b) => b.difference - a.difference)
    .map(({ method, difference }) =>
      markdownRow([method, `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`]),
    )
  return [
    `At ρ = 0 PB-OEL is ${above(paper)} above RVFL_HDDM-NP in the paper. Here it is ${above(ours)} above. Ours beside the`,
    'figure of the same method in the paper:',
    '',
    markdownTable(['method', 'difference at ρ = 0'], off),
  ].join('\n')
}

/** Our accuracies and those of the same rivals when they draw no level at random, from two stored tables. */
function withoutExploring([usual, greedy]: readonly [Stored, Stored]): string {
  const shares = [...new Set(greedy.rows.map(({ rho }) => rho))]
  const rivals = new Set(greedy.rows.map(({ method }) => method))
  const at = ({ rows }: Stored, method: string, rho: number) =>
    rows.find((row) => row.method === method && row.rho === rho)?.mean.toFixed(3) ?? ''
  const lines = [...rivals, 'pb-oel', 'pb-oel-plus'].map((method) => {
    const both = (rho: number) => `${at(usual, method, rho)} / ${at(greedy, method, rho)}`
    return markdownRow([method, ...shares.map((rho) => (rivals.has(method) ? both(rho) : at(usual, method, rho)))])
  })
  return markdownTable(['method', ...shares.map((rho) => `ρ = ${rho}`)], lines)
}

/** Accuracies of every stream at the share of labels between none and all, a row for each stream. */
function suiteStreams({ methods, shares }: StoredSuite): string {
  const { accuracies } = shares[1]
  const lines = accuracies.map(
    (row) => `| ${[row.stream, ...methods.map((method) => Number(row[method]).toFixed(3))].join(' | ')} |`,
  )
  return markdownTable(['', ...methods], lines)
}

interface Cell {
  readonly samplesPerSecond?: number
  readonly latency?: number
  readonly processor: { readonly workers?: number; readonly servers?: number }
}

interface StoredCell extends Readonly<Record<'measured' | 'simulated', Cell>> {
  readonly name: string
}

/** Measured beside simulated cells of a cluster; those that check the simulation are bold. */
function cellsOfPlan({ fitted, checked }: Readonly<Record<'fitted' | 'checked', readonly StoredCell[]>>): string {
  const pair = (from: (cell: Cell) => number | undefined, { measured, simulated }: StoredCell) =>
    from(measured) === undefined
      ? '–'
      : [measured, simulated].map((cell) => from(cell)?.toLocaleString('en', { maximumFractionDigits: 3 })).join(' / ')
  const line = (cell: StoredCell, name: string) => {
    const cells = [
      pair(({ samplesPerSecond }) => samplesPerSecond, cell),
      pair(({ latency }) => latency, cell),
      pair(({ processor }) => processor.workers, cell),
      pair(({ processor }) => processor.servers, cell),
    ]
    return `| ${[name, ...cells].join(' | ')} |`
  }
  return markdownTable(
    ['cell', 'samples/s', 'latency, median, ms', 'ms per sample, workers', 'ms per sample, servers'],
    [...fitted.map((cell) => line(cell, cell.name)), ...checked.map((cell) => line(cell, `**${cell.name}**`))],
  )
}

interface Throughput {
  readonly workers: number
  readonly samplesPerSecond: number
}

/** Samples per second over the number of workers, each held to a share of a core, and without a limit. */
function byWorkers(stored: Readonly<Record<'limited' | 'unlimited', readonly Throughput[]>>): string {
  const row = (limit: string) => (one: Throughput) =>
    markdownRow([one.workers, limit, one.samplesPerSecond.toLocaleString('en')])
  const lines = [...stored.limited.map(row('0.12 core')), ...stored.unlimited.map(row('none'))]
  return markdownTable(['workers', 'limit per worker', 'samples/s'], lines)
}
