import { parseCsv } from '@pb-oel/lab/csv'

/** A look at the first rows of a CSV file. */
export interface Preview {
  columns: readonly ColumnPreview[]
  /** Whether the first row holds names. */
  header: boolean
}

/** What the first rows say about a column. */
export interface ColumnPreview {
  name: string
  /** The first few cells. */
  cells: readonly string[]
  /** Whether every cell is a number or missing. */
  numeric: boolean
  /** Number of different cells in the rows looked at. */
  different: number
}

/** Rows looked at; enough to tell a state from a measurement. */
const ROWS = 500

/** Looks at the beginning of a CSV file. */
export function previewColumns(text: string, source: string): Preview {
  const rows = firstRows(text, source)
  if (rows.length < 2) throw new Error(`${source}: fewer than two rows; a CSV file has one row per sample`)
  const header = isHeader(rows[0], rows[1])
  const body = header ? rows.slice(1) : rows
  const names = uniqueNames(header ? rows[0] : [], rows[0].length)
  return {
    header,
    columns: names.map((name, column) => {
      const cells = body.map((row) => (row[column] ?? '').trim())
      return {
        name,
        cells: cells.slice(0, 3),
        numeric: cells.every((cell) => isMissing(cell) || isNumber(cell)),
        different: new Set(cells).size,
      }
    }),
  }
}

/** The first rows; the rest of a long file is not even looked at. */
function firstRows(text: string, source: string): string[][] {
  const rows: string[][] = []
  const enough = new Error('enough rows')
  try {
    parseCsv(text, source, (fields) => {
      rows.push(fields)
      if (rows.length > ROWS) throw enough
    })
  } catch (error) {
    if (error !== enough) throw error
  }
  return rows
}

const LEVEL_NAMES = /^(label|level|class|target|state|status|y)$/i

/**
 * What a person most likely wants. The level is the column with a telling name, else the last one where it has few
 * values, else the last one that has. Columns of text are left out.
 */
export function guessColumns({ columns }: Preview): { level: string; dropped: string[] } {
  const last = columns[columns.length - 1]
  const level =
    columns.findLast(({ name }) => LEVEL_NAMES.test(name)) ??
    (last.different <= 20 ? last : columns.findLast(({ different }) => different >= 2 && different <= 20)) ??
    last
  const dropped = columns.filter((column) => column !== level && !column.numeric)
  return { level: level.name, dropped: dropped.map(({ name }) => name) }
}

const isNumber = (cell: string): boolean => cell.trim() !== '' && Number.isFinite(Number(cell))
const isMissing = (cell: string): boolean => /^(\?|nan|na|null)?$/i.test(cell.trim())

/** A first row is a header when it names something the second row has a number for, or holds no number at all. */
function isHeader(first: readonly string[], second: readonly string[]): boolean {
  if (first.some(isNumber)) return false
  return first.some((cell, column) => !isMissing(cell) && isNumber(second[column] ?? '')) || !second.some(isNumber)
}

/** The names of a header; a missing or repeated one gets a number. */
function uniqueNames(header: readonly string[], width: number): string[] {
  const names: string[] = []
  for (let column = 0; column < width; column++) {
    const given = header[column]?.trim() || `channel ${column + 1}`
    names.push(names.includes(given) ? `${given} (${column + 1})` : given)
  }
  return names
}
