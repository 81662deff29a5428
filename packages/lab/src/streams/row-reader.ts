/** What a file format says about a column before the first row. */
export interface Column {
  name: string
  /** The words of a nominal column, in their order; as a channel its value is the index of the word. */
  words?: readonly string[]
}

/** Reads the rows of a table one by one, in constant memory. The row is overwritten by the next call of `next`. */
export interface RowReader {
  /** The columns, for formats that declare them; otherwise the first row may name them. */
  readonly columns: readonly Column[] | undefined
  /** Goes to the next row; false at the end. */
  next(): boolean
  /** Place of the row in the file, counted from 1, for messages. */
  readonly line: number
  /** Number of cells of the row. */
  readonly width: number
  /** A cell as text, without its quotes. */
  text(column: number): string
  /** A cell as a number: NaN where there is no value, Infinity where the cell is no finite number. */
  value(column: number): number
  /** Lets go of the file; a reader may be closed more than once. */
  close(): void
}

/** Words that mean "no value here". */
const MISSING = new Set(['', '?', 'nan', 'na', 'null'])

/** Whether a cell has no value. */
export function isMissing(cell: string): boolean {
  return MISSING.has(cell.trim().toLowerCase())
}

/** A cell of text as a number, as {@link RowReader.value} gives it. */
export function textValue(cell: string): number {
  if (isMissing(cell)) return Number.NaN
  const value = Number(cell)
  return Number.isFinite(value) ? value : Infinity
}

/** A value of JSON or Parquet as text; '' where there is none. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

/** A value of JSON or Parquet as a number. */
export function cellValue(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) || Number.isNaN(value) ? value : Infinity
  return textValue(cellText(value))
}
