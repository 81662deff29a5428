import { DataError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { Lines } from './lines.ts'
import { type Column, cellText, cellValue, type RowReader } from './row-reader.ts'

/**
 * Reads newline-delimited JSON: one object per line, all with the same keys, or one array per line. Values are numbers,
 * text, booleans (1 and 0) or null (missing). Empty lines are skipped.
 */
export class NdjsonRows implements RowReader {
  /** The keys of the first line, once it is read; none where it is an array. */
  columns: readonly Column[] | undefined
  width = 0
  private readonly lines: Lines
  private readonly source: ByteSource
  private readonly name: string
  private keys: readonly string[] | undefined
  private cells: unknown[] = []
  /** The first row is read at once, because it names the columns. */
  private ahead: boolean

  constructor(source: ByteSource, name: string) {
    this.source = source
    this.name = name
    this.lines = new Lines(source, name)
    this.ahead = this.read()
    this.columns = this.keys?.map((key) => ({ name: key }))
  }

  get line(): number {
    return this.lines.number
  }

  next(): boolean {
    if (!this.ahead) return this.read()
    this.ahead = false
    return true
  }

  text(column: number): string {
    return cellText(this.cells[column])
  }

  value(column: number): number {
    return cellValue(this.cells[column])
  }

  close(): void {
    this.source.close()
  }

  private read(): boolean {
    do {
      if (!this.lines.next()) return false
    } while (this.lines.text.trim() === '')
    const value = this.parse()
    if (Array.isArray(value)) this.cells = value
    else if (value === null || typeof value !== 'object') throw this.wrong('neither an object nor an array')
    else this.cells = this.byKeys(value as Record<string, unknown>)
    this.width = this.cells.length
    this.cells.forEach((cell, column) => {
      if (cell === null || typeof cell !== 'object') return
      const place = this.keys ? `key ${JSON.stringify(this.keys[column])}` : `value ${column + 1}`
      throw new DataError(this.name, `line ${this.line}, ${place}: neither a number nor text`)
    })
    return true
  }

  private parse(): unknown {
    try {
      return JSON.parse(this.lines.text)
    } catch {
      throw this.wrong('not JSON')
    }
  }

  private byKeys(row: Record<string, unknown>): unknown[] {
    this.keys ??= Object.keys(row)
    const { keys } = this
    const extra = Object.keys(row).find((key) => !keys.includes(key))
    if (extra !== undefined) throw this.wrong(`key ${JSON.stringify(extra)} is not in the first line`)
    return keys.map((key) => row[key])
  }

  private wrong(what: string): DataError {
    return new DataError(this.name, `line ${this.line}: ${what}`)
  }
}
