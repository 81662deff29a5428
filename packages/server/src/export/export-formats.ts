import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Cell, Column, ColumnType } from './export-columns.ts'
import type { ExportedSample } from './exported-sample.ts'

/** Turns rows into a file, a piece at a time. */
export interface ExportFormat {
  /** What the file begins with. */
  begin(): Uint8Array
  rows(rows: readonly ExportedSample[]): Uint8Array
  /** What it ends with. */
  end(): Uint8Array
}

/** The formats by name. */
export const EXPORT_FORMATS: Record<string, { type: string; make: (columns: readonly Column[]) => ExportFormat }> = {
  csv: { type: 'text/csv; charset=utf-8', make: csv },
  ndjson: { type: 'application/x-ndjson', make: ndjson },
  parquet: { type: 'application/vnd.apache.parquet', make: (columns) => new Parquet(columns) },
}

/** Bytes are handed over between threads, so each piece has its own. */
const nothing = () => new Uint8Array()

/** RFC 4180 with line feeds; what is unknown is empty. */
function csv(columns: readonly Column[]): ExportFormat {
  const line = (cells: readonly (string | number | boolean | undefined)[]) => `${cells.map(quoted).join(',')}\n`
  return {
    begin: () => Buffer.from(line(columns.map(({ name }) => name))),
    rows: (rows) => Buffer.from(rows.map((row) => line(columns.map((column) => written(column, row)))).join('')),
    end: nothing,
  }
}

function quoted(cell: string | number | boolean | undefined): string {
  const text = String(cell ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One object per line; what is unknown is null. */
function ndjson(columns: readonly Column[]): ExportFormat {
  const line = (row: ExportedSample) =>
    `${JSON.stringify(Object.fromEntries(columns.map((column) => [column.name, written(column, row) ?? null])))}\n`
  return { begin: nothing, rows: (rows) => Buffer.from(rows.map(line).join('')), end: nothing }
}

/** A value as text formats have it: times in ISO 8601. */
function written({ type, of }: Column, row: ExportedSample): Cell {
  const value = of(row)
  return type === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value
}

const PARQUET_TYPES: Record<ColumnType, Partial<SchemaElement>> = {
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  flag: { type: 'BOOLEAN' },
}

/** One row group for each piece. */
class Parquet implements ExportFormat {
  private readonly columns: readonly Column[]
  private readonly bytes = new ByteWriter()
  private readonly writer: ParquetWriter

  constructor(columns: readonly Column[]) {
    this.columns = columns
    const fields = columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL', ...PARQUET_TYPES[type] }))
    const schema = [{ name: 'root', num_children: columns.length }, ...fields] as SchemaElement[]
    this.writer = new ParquetWriter({ writer: this.bytes, schema })
  }

  begin(): Uint8Array {
    return this.taken()
  }

  rows(rows: readonly ExportedSample[]): Uint8Array {
    const columnData = this.columns.map(({ name, type, of }) => {
      const cell = (value: Cell) => (type === 'time' && typeof value === 'number' ? new Date(value) : value)
      return { name, data: rows.map((row) => cell(of(row)) ?? null) }
    })
    this.writer.write({ columnData, rowGroupSize: rows.length })
    return this.taken()
  }

  end(): Uint8Array {
    this.writer.finish()
    return this.taken()
  }

  private taken(): Uint8Array {
    const bytes = Uint8Array.from(this.bytes.getBytes())
    this.bytes.index = 0
    return bytes
  }
}
