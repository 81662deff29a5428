import { CsvRows, textSource } from '@pb-oel/lab/csv'
import { orderLevels } from '@pb-oel/lab/levels'
import { timeCell } from '@pb-oel/lab/time'
import { guessColumns, type Preview, previewColumns } from './columns.ts'
import { readText } from './read-text.ts'

/** What a column of a file is used as. */
export type ColumnUse = 'channel' | 'level' | 'time' | 'left out'

/** A file as it was dropped, with what each of its columns is used as. */
export interface TableFile {
  name: string
  text: string
  preview: Preview
  /** By the name of the column. */
  uses: Readonly<Record<string, ColumnUse>>
  /** The different cells of the level column, safest first; empty without one. */
  levels: readonly string[]
  rows: number
}

/** A row of a file as a sample. */
export interface TableRow {
  values: (number | null)[]
  /** The cell of the level column; `undefined` where it is empty. */
  level?: string
  /** Milliseconds since 1970. */
  at?: number
}

/** Bytes that the page reads at most; `pb-oel import` takes any file. */
const MOST_BYTES = 200e6
/** Different cells from which on a column is no level. */
const MOST_LEVELS = 100

const TIME_NAMES = /^(time|timestamp|date|datetime|ts|t)$/i

/** Reads a file and guesses what its columns are. Throws an error that says what is wrong with it. */
export async function openTableFile(file: File): Promise<TableFile> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is larger than 200 MB; use pb-oel import on the server`)
  const text = await readText(file)
  const preview = previewColumns(text, file.name)
  const { level, dropped } = guessColumns(preview)
  const time = preview.columns.find(({ name, cells }) => {
    return name !== level && TIME_NAMES.test(name) && cells.every((cell) => timeCell(cell) !== undefined)
  })
  const use = (name: string): ColumnUse => {
    if (name === level) return 'level'
    if (name === time?.name) return 'time'
    return dropped.includes(name) ? 'left out' : 'channel'
  }
  const uses = Object.fromEntries(preview.columns.map(({ name }) => [name, use(name)]))
  return withLevels({ name: file.name, text, preview, uses, levels: [], rows: 0 })
}

/** The file with another use of a column. The level and the time are one column each. */
export function withUse(table: TableFile, column: string, use: ColumnUse): TableFile {
  const { columns } = table.preview
  const uses = { ...table.uses }
  for (const { name, numeric } of columns) {
    if (uses[name] === use && use !== 'channel' && use !== 'left out') uses[name] = numeric ? 'channel' : 'left out'
  }
  uses[column] = use
  return withLevels({ ...table, uses })
}

/** The names of the columns that are channels, in the order of the file. */
export function channelsOf({ preview, uses }: TableFile): string[] {
  return preview.columns.filter(({ name }) => uses[name] === 'channel').map(({ name }) => name)
}

/** The rows of a file as samples. */
export function* rowsOf({ name, text, preview, uses }: TableFile): Generator<TableRow> {
  const places = (use: ColumnUse) => [...preview.columns.keys()].filter((i) => uses[preview.columns[i].name] === use)
  const channels = places('channel')
  const [level = -1] = places('level')
  const [time = -1] = places('time')
  const rows = new CsvRows(textSource(text), name)
  if (preview.header) rows.next()
  while (rows.next()) {
    const cell = (column: number) => (column >= 0 && column < rows.width ? rows.text(column).trim() : '')
    const at = time < 0 ? undefined : timeCell(cell(time))
    yield {
      values: channels.map((column) => {
        const value = column < rows.width ? rows.value(column) : Number.NaN
        return Number.isFinite(value) ? value : null
      }),
      ...(cell(level) !== '' && { level: cell(level) }),
      ...(at !== undefined && { at: Math.round(at) }),
    }
  }
}

/** Counts the rows and finds the levels, in the order of the lab: numbers by their value, else as they appear. */
function withLevels(table: TableFile): TableFile {
  const found = new Set<string>()
  let rows = 0
  for (const { level } of rowsOf(table)) {
    rows++
    if (level !== undefined && found.size <= MOST_LEVELS) found.add(level)
  }
  const isLevel = found.size >= 2 && found.size <= MOST_LEVELS
  const levels = isLevel ? orderLevels([...found], undefined, table.name, {}).levels : [...found].slice(0, MOST_LEVELS)
  return { ...table, levels, rows }
}
