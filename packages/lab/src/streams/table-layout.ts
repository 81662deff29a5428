import { DataError } from '../errors.ts'
import { rowTexts } from './csv.ts'
import { type Column, isMissing, type RowReader, textValue } from './row-reader.ts'
import type { TableOptions } from './table-options.ts'

/** Which column of a table is what. */
export interface TableLayout {
  readonly columns: readonly Column[]
  /** Rows before the first sample: a header, and perhaps units. */
  readonly headRows: number
  readonly label: number
  /** −1 without a time. */
  readonly time: number
  /** The columns that are channels. */
  readonly channels: readonly number[]
  /** Unit of each channel; '' where none is said. */
  readonly units: readonly string[]
}

/**
 * Settles from the first rows what each column is. A first row is a header when one of its cells that are neither time
 * nor label is neither a number nor missing, when its label is text and the next row's is a number, or when an option
 * names a column.
 *
 * @param rows at the beginning; up to three rows are read
 */
export function readLayout(rows: RowReader, source: string, options: TableOptions): TableLayout {
  let { columns } = rows
  let headRows = 0
  let unitRow: string[] | undefined
  if (columns === undefined) {
    if (!rows.next()) throw new DataError(source, 'no data rows')
    const first = rowTexts(rows).map((cell) => cell.trim())
    const second = rows.next() ? rowTexts(rows).map((cell) => cell.trim()) : undefined
    const header = hasHeader(first, second, options)
    headRows = header ? 1 : 0
    columns = first.map((name, column) => ({ name: header ? name : `channel ${column + 1}` }))
    if (options.units === 'row') {
      unitRow = second
      headRows = 2
    }
  }
  return layoutOf(columns, headRows, unitRow, source, options)
}

function hasHeader(first: readonly string[], second: readonly string[] | undefined, options: TableOptions): boolean {
  const { label, time, channels, drop, units } = options
  if ([label, time, channels, drop, units].some((named) => named !== undefined)) return true
  const last = first.length - 1
  const isName = (cell: string) => textValue(cell) === Infinity
  return first.slice(0, -1).some(isName) || (isName(first[last]) && Number.isFinite(textValue(second?.[last] ?? '')))
}

function layoutOf(
  columns: readonly Column[],
  headRows: number,
  unitRow: readonly string[] | undefined,
  source: string,
  options: TableOptions,
): TableLayout {
  const find = (name: string): number => {
    const at = columns.findIndex((column) => column.name === name)
    if (at >= 0) return at
    const names = columns.slice(0, 40).map((column) => column.name)
    throw new DataError(source, `no column ${JSON.stringify(name)}; there are ${names.join(', ')}`)
  }
  const time = options.time === undefined ? -1 : find(options.time)
  const dropped = new Set((options.drop ?? []).map(find))
  const named = options.channels?.map(find)
  const left = columns.map((_, column) => column).filter((column) => column !== time && !dropped.has(column))
  if (columns.length < 2 || left.length === 0) throw new DataError(source, tooFew(columns.length))
  const label = options.label === undefined ? (left.findLast((at) => !named?.includes(at)) ?? -1) : find(options.label)
  const channels = named ?? left.filter((column) => column !== label)
  const clash = [...channels, label].find((column) => column === time || dropped.has(column) || column < 0)
  if (clash !== undefined || channels.includes(label)) {
    throw new DataError(source, 'a column cannot be two of channel, label, time and dropped; check the options')
  }
  if (channels.length === 0) throw new DataError(source, tooFew(1))
  const units = channels.map((column) => unitOf(columns[column].name, unitRow?.[column], options))
  for (const name of Object.keys(typeof options.units === 'object' ? options.units : {})) find(name)
  return { columns, headRows, label, time, channels, units }
}

const tooFew = (count: number): string =>
  count === 1 ? 'one column only; expected channels and a label' : 'no column is left for channels and a label'

function unitOf(name: string, below: string | undefined, { units }: TableOptions): string {
  if (units === undefined) return ''
  if (units === 'row') return below === undefined || isMissing(below) ? '' : below.replace(/^[[(](.*)[\])]$/, '$1')
  return units[name] ?? ''
}
