// Figures of the docs that come from a stored result: `node scripts/figures.ts` writes them, `npm run check` compares.
//
// A passage between <!-- figures: file.json view --> and <!-- /figures --> is made from docs/measured/file.json by the
// view of that name. Without a view the passage is prose: every number in it with two or more decimals must be one of
// the file's numbers, rounded.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMethod } from '../packages/core/src/methods.ts'
import { PAPER, paperAccuracy } from '../packages/lab/src/analysis/paper.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PASSAGE = /(<!-- figures: (\S+)(?: (\S+))? -->\n)((?:(?!<!-- figures: )[\s\S])*?)(\n *<!-- \/figures -->)/g

interface Row {
  readonly method: string
  readonly rho: number
  readonly mean: number
}

/** A stored result: the document that a command printed with --json, and the command. */
interface Stored {
  readonly command: string
  readonly rows: readonly Row[]
}

/** What `pb-oel bench --save` stores. */
interface StoredBench {
  readonly date: string
  readonly machine: { readonly cpu: string; readonly cores: number }
  readonly results: readonly {
    readonly benchmark: string
    readonly variant: string
    readonly median: number
    readonly unit: string
  }[]
}

/** Name of a view → the passage it makes. */
const VIEWS: Readonly<Record<string, (stored: never) => string>> = {
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
}

/** What is wrong with the marked passages of a text. `read` gives the text of a stored result. */
export function staleFigures(page: string, text: string, read: (file: string) => string): string[] {
  const marked = [...text.matchAll(PASSAGE)]
  const opened = text.split('<!-- figures: ').length - 1
  if (marked.length !== opened) return [`${page}: of ${opened} passages of figures ${marked.length} end`]
  return marked.flatMap(([, , file, view, passage, end]) => {
    const line = text.slice(0, text.indexOf(passage + end)).split('\n').length
    const stored = JSON.parse(read(file)) as Stored & StoredBench
    if (view === undefined) return strangers(passage, stored).map((one) => `${page}:${line}: ${one} is not in ${file}`)
    if (!VIEWS[view]) return [`${page}:${line}: there is no view ${view}; there are ${Object.keys(VIEWS).join(', ')}`]
    return passage === VIEWS[view](stored as never)
      ? []
      : [`${page}:${line}: differs from ${file}; node scripts/figures.ts mends it`]
  })
}

/** The numbers of a passage, as written, that no number of the stored result rounds to. */
function strangers(passage: string, stored: Stored): string[] {
  const paper = (stored.rows ?? []).flatMap(({ method }) => PAPER.accuracy[method] ?? [])
  const known = [...numbersIn(stored), ...Object.values(averages(stored)), ...paper]
  const written = passage.match(/(?<![\d.])\d+\.\d{2,}(?!\d)/g) ?? []
  return [...new Set(written)].filter((one) => {
    const digits = one.split('.')[1].length
    return !known.some((number) => Math.abs(number).toFixed(digits) === one)
  })
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

/** Mean over ρ of each method, and how far it lies from the paper's. */
function averages({ rows }: Stored): Record<string, number> {
  const result: Record<string, number> = {}
  for (const [method, own] of Map.groupBy(rows ?? [], (row) => row.method)) {
    result[method] = own.reduce((sum, { mean }) => sum + mean, 0) / own.length
    const paper = PAPER.accuracy[method]
    if (own.length !== PAPER.rho.length) continue
    if (paper) {
      result[`${method}, paper`] = paper.reduce((sum, value) => sum + value, 0) / paper.length
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
  return [`| ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length)}`, ...lines].join('\n')
}

/** The medians of a benchmark, a row for each variant. */
function benchRows({ results }: StoredBench): string {
  const lines = results.map(({ variant, median, unit }) => `| ${variant} | ${three(median)} | ${unit} |`)
  return ['| | median | |', '|---|---|---|', ...lines].join('\n')
}

/** The median of one variant of one benchmark. */
function medianOf({ results }: StoredBench, benchmark: string, variant: string): number {
  const found = results.find((one) => one.benchmark === benchmark && one.variant === variant)
  if (!found) throw new Error(`the stored result has no ${benchmark} ${variant}`)
  return found.median
}

/** A number with three digits that count. */
function three(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The kernel in each arithmetic, with the ratio to double. */
function arithmeticRows(stored: StoredBench): string {
  const lines = ['D=124 N=10', 'D=124 N=50', 'D=224 N=10', 'D=524 N=10', 'D=524 N=50'].map((size) => {
    const cells = ['fused', 'single', 'single fused'].map((kind) => {
      const ratio = medianOf(stored, 'kernel', `${size} ${kind} : double`)
      return `${three(medianOf(stored, 'kernel', `${size} ${kind}`))} (${ratio.toFixed(2)} ×)`
    })
    const [d, n] = size.match(/\d+/g) ?? []
    return `| ${d} | ${n} | ${three(medianOf(stored, 'kernel', `${size} double`))} | ${cells.join(' | ')} |`
  })
  return ['| D | N | double, µs | fused | single | single, fused |', '|---|---|---|---|---|---|', ...lines].join('\n')
}

/** One sample through a bank of networks on one thread and on two. */
function threadRows(stored: StoredBench): string {
  const lines = ['D=524 N=50', 'D=124 N=10'].flatMap((size) =>
    ['double', 'single'].map((kind) => {
      const [one, two] = [1, 2].map((count) => `${size} ${kind} on ${count} thread${count === 1 ? '' : 's'}`)
      const ratio = medianOf(stored, 'threads', `${two} : ${kind} on 1 thread`)
      const times = [one, two].map((variant) => three(medianOf(stored, 'threads', variant)))
      return `| ${size.replace(' ', ', ')}, ${kind} | ${times.join(' | ')} | ${ratio.toFixed(2)} × |`
    }),
  )
  return ['| | one thread, µs | two threads | |', '|---|---|---|---|', ...lines].join('\n')
}

/** What one sample costs at the paper's defaults. */
function speedRows(stored: StoredBench): string {
  const plain = medianOf(stored, 'kernel', 'D=124 N=10 plain')
  const step = (what: string, variant: string) => {
    const median = medianOf(stored, 'kernel', `D=124 N=10 ${variant}`)
    return `| ensemble step, ${what} | ${three(median)} | ${(plain / median).toFixed(1)} × |`
  }
  const loop = (method: string) => three(medianOf(stored, 'loop', method))
  return [
    ...['| | µs | |', '|---|---|---|'],
    step('textbook TypeScript on full matrices', 'plain'),
    step('the TypeScript twin', 'typescript'),
    step('WebAssembly SIMD (the default)', 'simd'),
    step('WebAssembly SIMD, fused arithmetic', 'fused'),
    step('WebAssembly SIMD, single precision', 'single'),
    `| PB-OEL, assess and learn | ${loop('pb-oel')} | ${medianOf(stored, 'loop', 'pb-oel : simd').toFixed(2)} of the kernel's rate |`,
    `| PB-OEL+, assess and learn | ${loop('pb-oel-plus')} | ${medianOf(stored, 'loop', 'pb-oel-plus : pb-oel').toFixed(2)} of PB-OEL's time |`,
    `| refit of one network after drift | ${three(medianOf(stored, 'refit', 'D=124 one network'))} | |`,
  ].join('\n')
}

function speedLine(stored: StoredBench): string {
  const { cpu, cores } = stored.machine
  const [plain, simd] = ['plain', 'simd'].map((variant) => medianOf(stored, 'kernel', `D=124 N=10 ${variant}`))
  const loop = three(medianOf(stored, 'loop', 'pb-oel'))
  return [
    `**Speed**, on one of ${cores} cores of an ${cpu} (${stored.date.slice(0, 10)}): PB-OEL assesses and learns in ${loop} µs per`,
    `sample, and its ensemble step is ${(plain / simd).toFixed(1)} times as fast as textbook TypeScript.`,
  ].join('\n')
}

/** What `pb-oel suite --json` prints, as far as its table needs it. */
interface StoredSuite {
  readonly methods: readonly string[]
  readonly shares: readonly {
    readonly rho: number
    readonly criticalDifference: number
    readonly standings: readonly { readonly method: string; readonly rank: number; readonly worstGap: number }[]
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
  return [`| ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length)}`, ...lines].join('\n')
}

const readStored = (file: string) => readFileSync(join(ROOT, 'docs/measured', file), 'utf8')
const pages = () => ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

/** What is wrong with the figures of README and docs. */
export function wrongFigures(): string[] {
  return pages().flatMap((page) => staleFigures(page, readFileSync(join(ROOT, page), 'utf8'), readStored))
}

if (import.meta.main) {
  for (const page of pages()) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const fresh = text.replace(PASSAGE, (whole, start, file, view, _, end) =>
      view && VIEWS[view] ? `${start}${VIEWS[view](JSON.parse(readStored(file)) as never)}${end}` : whole,
    )
    if (fresh !== text) writeFileSync(join(ROOT, page), fresh)
  }
  console.log(wrongFigures().join('\n') || 'every marked figure is the stored one')
}
