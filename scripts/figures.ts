// Figures of the docs that come from a stored result: `node scripts/figures.ts` writes them, `npm run check` compares.
//
// A passage between <!-- figures: file.json view --> and <!-- /figures --> is made from docs/measured/file.json by the
// view of that name. Without a view the passage is prose: every number in it with two or more decimals, and every time
// in µs, must be one of the file's numbers, rounded. Several files have commas between them; of a file of lines every
// line is a result. What is not marked must be on the list of unmarked figures: see unmarked-figures.ts.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAPER } from '../packages/lab/src/analysis/paper.ts'
import { averages, type Stored, VIEWS } from './figure-views.ts'
import { blank, FIGURE, type Listed, unmarkedFigures } from './unmarked-figures.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PASSAGE = /(<!-- figures: (\S+)(?: (\S+))? -->\n)((?:(?!<!-- figures: )[\s\S])*?)(\n *<!-- \/figures -->)/g

/** What is wrong with the marked passages of a text. `read` gives the text of a stored result. */
export function staleFigures(page: string, text: string, read: (file: string) => string): string[] {
  const marked = [...text.matchAll(PASSAGE)]
  const opened = text.split('<!-- figures: ').length - 1
  if (marked.length !== opened) return [`${page}: of ${opened} passages of figures ${marked.length} end`]
  return marked.flatMap(([, , files, view, passage, end]) => {
    const line = text.slice(0, text.indexOf(passage + end)).split('\n').length
    const results = resultsOf(files, read)
    if (view === undefined)
      return strangers(passage, results).map((one) => `${page}:${line}: ${one} is not in ${files}`)
    if (!VIEWS[view]) return [`${page}:${line}: there is no view ${view}; there are ${Object.keys(VIEWS).join(', ')}`]
    return passage === viewed(view, results, passage)
      ? []
      : [`${page}:${line}: differs from ${files}; node scripts/figures.ts mends it`]
  })
}

/** Every result of the files that a mark names. */
function resultsOf(files: string, read: (file: string) => string): Stored[] {
  return files.split(',').flatMap((file) => {
    const documents = file.endsWith('.ndjson') ? read(file).trim().split('\n') : [read(file)]
    return documents.map((document) => JSON.parse(document) as Stored)
  })
}

/** The passage of a view, indented as the page has it. A view of one result gets it alone. */
function viewed(view: string, results: readonly Stored[], passage: string): string {
  const indent = passage.match(/^ */)?.[0] ?? ''
  const fresh = VIEWS[view]((results.length === 1 ? results[0] : results) as never)
  return fresh.replace(/^/gm, indent)
}

/** The numbers of a passage, as written, that no number of the stored results rounds to. */
function strangers(passage: string, results: readonly Stored[]): string[] {
  const known = results.flatMap((stored) => {
    const rows = (stored.rows ?? []).filter(({ mean }) => mean !== undefined)
    const paper = rows.flatMap(({ method }) => PAPER.accuracy[method] ?? [])
    return [...numbersIn(stored), ...Object.values(averages({ ...stored, rows })), ...paper]
  })
  const written = passage.match(FIGURE) ?? []
  return [...new Set(written)].filter((one) => {
    const digits = one.split('.')[1]?.length ?? 0
    return !known.some((number) => Math.abs(number).toFixed(digits) === one)
  })
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

const readStored = (file: string) => readFileSync(join(ROOT, 'docs/measured', file), 'utf8')
const pages = () => ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

/** What is wrong with the figures of README and docs. */
export function wrongFigures(): string[] {
  const listed = JSON.parse(readStored('unmarked.json')) as Listed[]
  const names = pages()
  const gone = listed.filter(({ page }) => !names.includes(page)).map(({ page }) => `unmarked.json: no page ${page}`)
  const wrong = names.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const own = listed.filter((one) => one.page === page)
    return [...staleFigures(page, text, readStored), ...unmarkedFigures(page, text.replace(PASSAGE, blank), own)]
  })
  return [...gone, ...wrong]
}

if (import.meta.main) {
  for (const page of pages()) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const fresh = text.replace(PASSAGE, (whole, start, files, view, passage, end) =>
      view && VIEWS[view] ? `${start}${viewed(view, resultsOf(files, readStored), passage)}${end}` : whole,
    )
    if (fresh !== text) writeFileSync(join(ROOT, page), fresh)
  }
  console.log(wrongFigures().join('\n') || 'every figure is a stored one, or listed as unmarked')
}
