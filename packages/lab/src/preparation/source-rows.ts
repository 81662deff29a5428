import { DataError } from '../errors.ts'
import type { ByteSource } from '../streams/byte-source.ts'
import { CsvRows, rowTexts } from '../streams/csv.ts'
import { Lines } from '../streams/lines.ts'
import type { RowReader } from '../streams/row-reader.ts'

/** A row of the original data. */
export interface SourceRow {
  cells: string[]
  /** File and line, for messages. */
  place: string
}

/** The rows of a CSV file, the header first. */
export function csvSource(source: ByteSource, name: string): Generator<SourceRow> {
  return tableSource(new CsvRows(source, name), name)
}

/** The rows of any table. */
export function* tableSource(rows: RowReader, name: string): Generator<SourceRow> {
  while (rows.next()) yield { cells: rowTexts(rows), place: `${name}, line ${rows.line}` }
}

/** The rows of a text whose cells are separated by blanks, without a header. */
export function* blankSource(source: ByteSource, name: string): Generator<SourceRow> {
  const lines = new Lines(source, name)
  while (lines.next()) {
    const text = lines.text.trim()
    if (text !== '') yield { cells: text.split(/\s+/), place: `${name}, line ${lines.number}` }
  }
}

/** The number of a cell; a {@link DataError} where there is none. */
export function cellNumber({ cells, place }: SourceRow, column: number): number {
  const cell = cells[column]
  const value = cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell)
  if (Number.isFinite(value)) return value
  throw new DataError(place, `cell ${column + 1} is ${JSON.stringify(cell ?? '')}; expected a number`)
}

/** All cells of a row as numbers; a {@link DataError} where there are more or fewer than `width`. */
export function rowNumbers(row: SourceRow, width: number): number[] {
  if (row.cells.length !== width) throw new DataError(row.place, `expected ${width} cells, found ${row.cells.length}`)
  return row.cells.map((_, column) => cellNumber(row, column))
}

/** Columns of a header by their names; a {@link DataError} names the one that is missing. */
export function columnsOf({ cells, place }: SourceRow, names: readonly string[]): number[] {
  return names.map((name) => {
    const column = cells.indexOf(name)
    if (column < 0) throw new DataError(place, `no column ${JSON.stringify(name)}; there are ${cells.join(', ')}`)
    return column
  })
}

/** A line of CSV: channels to ten digits, which no sensor exceeds, and the level. */
export function csvLine(channels: readonly number[], level: number | string): string {
  return [...channels.map((value) => Number(value.toPrecision(10))), level].join()
}
