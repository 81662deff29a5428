import { DataError } from '../errors.ts'
import type { TableBuilder } from './table-stream.ts'

/**
 * Reads newline-delimited JSON into a table: one object per line, all with the same keys, or one array per line.
 * Values are numbers, text, booleans (1 and 0) or null (missing). Empty lines are skipped.
 */
export function readNdjson(text: string, source: string, table: TableBuilder): void {
  let keys: string[] | undefined
  text.split('\n').forEach((content, index) => {
    if (content.trim() === '') return
    const line = index + 1
    let value: unknown
    try {
      value = JSON.parse(content)
    } catch {
      throw new DataError(source, `line ${line}: not JSON`)
    }
    if (Array.isArray(value)) {
      table.add(
        value.map((cell, i) => cellText(cell, source, `line ${line}, value ${i + 1}`)),
        line,
      )
      return
    }
    if (value === null || typeof value !== 'object')
      throw new DataError(source, `line ${line}: neither an object nor an array`)
    const row = value as Record<string, unknown>
    if (keys === undefined) {
      keys = Object.keys(row)
      table.declare(keys.map((name) => ({ name })))
    }
    const extra = Object.keys(row).find((key) => !keys?.includes(key))
    if (extra !== undefined)
      throw new DataError(source, `line ${line}: key ${JSON.stringify(extra)} is not in the first line`)
    table.add(
      keys.map((key) => cellText(row[key], source, `line ${line}, key ${JSON.stringify(key)}`)),
      line,
    )
  })
}

/** A value of JSON or Parquet as the text of a cell; '' where there is none. */
export function cellText(value: unknown, source: string, place: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return String(value)
  if (value instanceof Date) return String(value.getTime())
  throw new DataError(source, `${place}: neither a number nor text`)
}
