import { spread } from '../src/measure.ts'
import { describe } from '../src/report.ts'
import type { Figure } from './once.ts'
import { titleOf } from './pairs.ts'
import { type Compared, type Goal, goals, type Summary, summarise } from './summary.ts'
import type { Turn } from './turns.ts'

/** Everything that was measured. */
export interface Findings {
  readonly command: string
  readonly versions: Readonly<Record<string, string>>
  readonly skipped: readonly string[]
  readonly compared: readonly Compared[]
  readonly searched: readonly Turn[]
  readonly memories: readonly Figure[]
  readonly starts: readonly Figure[]
  readonly lines: readonly Figure[]
}

/** What each task is called. */
const TASKS: Record<string, string> = {
  'rvfl-step': 'RVFL ensemble step, N=10, D=124',
  'rvfl-step-quick': 'RVFL ensemble step, single precision and fused arithmetic',
  'pb-oel-quick': 'PB-OEL loop, ρ = 0.05, single precision and fused arithmetic',
  'pb-oel': 'PB-OEL loop, ρ = 0.05',
  tree: 'Hoeffding tree',
  arf: 'ARF (10)',
  srp: 'SRP (10)',
  adwin: 'ADWIN',
  'hddm-a': 'HDDM_A',
  'hddm-w': 'HDDM_W',
}

/** Every repetition, one per row; round 0 is the search for Vowpal Wabbit's best settings. */
export function turnsCsv({ compared, searched }: Findings): string {
  const turns = [...compared.flatMap(({ turns }) => turns), ...searched]
  return csv([
    ['task', 'stream', 'side', 'round', 'samples', 'seconds', 'accuracy', 'drifts'],
    ...turns.map(({ task, stream, side, round, answer }) => {
      const { samples = '', seconds = '', accuracy = '', drifts = '' } = answer
      return [task, stream, side, round, samples, seconds, accuracy, drifts]
    }),
  ])
}

/** Every other figure, one per row. */
export function figuresCsv({ memories, starts, lines }: Findings): string {
  const rows = Object.entries({ bytes: memories, 'start seconds': starts, lines }).flatMap(([figure, all]) =>
    all.map(({ what, side, value }) => [figure, what, titleOf(side), value]),
  )
  return csv([['figure', 'what', 'side', 'value'], ...rows])
}

function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => (String(value).includes(',') ? `"${value}"` : value)
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`
}

/** The findings as Markdown: machine, versions, goals, one table per question. */
export function markdown(findings: Findings): string {
  const { versions, skipped, compared, memories, starts, lines, command } = findings
  const { machine, date } = describe([])
  const summaries = compared.flatMap(summarise)
  const feedback = summaries.filter(({ task }) => task === 'right-wrong')
  const timed = summaries.filter(({ task }) => task !== 'right-wrong')
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `Measured on ${date.slice(0, 10)} by \`${command}\` on ${machine.cpu}, ${machine.cores} cores, ` +
      `${(machine.memory / 2 ** 30).toFixed(0)} GiB, load ${machine.load.toFixed(1)}, ${process.platform}; ${names.join(', ')}.`,
    ...skipped.map((line) => `Not measured: ${line}.`),
    section('Goals', goalTable(goals(summaries))),
    section('Speed', speedTable(timed)),
    section('Right/wrong feedback', feedbackTable(feedback)),
    section(
      'Memory of a trained model',
      figureTable(memories, 'model', (bytes) => `${(bytes / 1024).toFixed(0)} KiB`),
    ),
    section(
      'Cold start to first prediction',
      figureTable(medians(starts), 'program', (seconds) => `${(seconds * 1000).toFixed(0)} ms`),
    ),
    section('Lines of user code', figureTable(lines, 'program', String)),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function section(title: string, table: string): string {
  return table && `### ${title}\n\n${table}`
}

function goalTable(all: readonly Goal[]): string {
  return table(
    ['goal', 'reached', ''],
    all.map(({ goal, reached, met }) => [goal, reached, met ? 'met' : '**missed**']),
  )
}

function speedTable(summaries: readonly Summary[]): string {
  return table(
    ['task', 'stream', 'samples', 'library', 'µs per sample', 'range', 'ours is faster by', 'accuracy or drifts'],
    summaries.map(({ task, stream, samples, side, ours, median, low, high, ratio, accuracy, drifts }) => [
      TASKS[task],
      stream,
      String(samples),
      side,
      figure(median),
      `${figure(low)} – ${figure(high)}`,
      ours ? '' : `${figure(ratio)} ×`,
      accuracy?.toFixed(4) ?? (drifts === undefined ? '' : `${drifts.toFixed(0)} drifts`),
    ]),
  )
}

function feedbackTable(summaries: readonly Summary[]): string {
  return table(
    ['stream', 'samples', 'method', 'accuracy', 'µs per sample'],
    summaries.map(({ stream, samples, side, accuracy, median }) => [
      stream,
      String(samples),
      side.replace(/^(Vowpal Wabbit) (.*)$/, '$1 `$2`'),
      accuracy?.toFixed(4) ?? '',
      figure(median),
    ]),
  )
}

/** One row per thing, one column per side. */
function figureTable(figures: readonly Figure[], what: string, show: (value: number) => string): string {
  const sides = [...new Set(figures.map(({ side }) => side))]
  const things = [...new Set(figures.map((one) => one.what))]
  const cell = (thing: string, side: string) => {
    const found = figures.find((one) => one.what === thing && one.side === side)
    return found ? show(found.value) : ''
  }
  return table(
    [what, ...sides.map(titleOf)],
    things.map((thing) => [thing, ...sides.map((side) => cell(thing, side))]),
  )
}

/** The median of the figures of each thing and side. */
function medians(figures: readonly Figure[]): Figure[] {
  const groups = Map.groupBy(figures, ({ what, side }) => `${what} ${side}`)
  return [...groups.values()].map((group) => ({
    ...group[0],
    value: spread(group.map(({ value }) => value)).median,
  }))
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Three significant digits. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
