import { DataError } from '../errors.ts'
import { isMissing, type RowReader } from './row-reader.ts'
import type { TableLayout } from './table-layout.ts'
import type { MissingRule, TableOptions } from './table-options.ts'
import { TIME_FORMS, timeCell } from './time-cell.ts'

/** Reads rows as samples: one number per channel, the label as text, the time. Overwritten row by row. */
export class TableRows {
  readonly x: Float64Array
  label = ''
  time = Number.NaN
  readonly rows: RowReader
  private readonly layout: TableLayout
  private readonly source: string
  private readonly options: TableOptions
  private readonly filler: Filler

  /** @param fill whether missing values are filled in here, in the order of the file */
  constructor(rows: RowReader, layout: TableLayout, source: string, options: TableOptions, fill = true) {
    this.rows = rows
    this.layout = layout
    this.source = source
    this.options = options
    this.x = new Float64Array(layout.channels.length)
    this.filler = new Filler(layout.channels.length, fill ? (options.missing ?? 'error') : 'keep')
    for (let row = 0; row < layout.headRows; row++) rows.next()
  }

  /** Goes to the next row; false at the end. */
  next(): boolean {
    const { rows, x, layout } = this
    if (!rows.next()) return false
    const { channels, columns, label } = layout
    if (rows.width !== columns.length) {
      throw this.wrong(`: ${rows.width} columns where the first row has ${columns.length}`)
    }
    for (let i = 0; i < channels.length; i++) {
      const value = rows.value(channels[i])
      if (value === Infinity) throw this.noNumber(channels[i])
      x[i] = value
    }
    const trouble = this.filler.fill(x)
    if (trouble) throw this.wrong(`, column ${this.columnName(channels[trouble.channel])}: ${trouble.message}`)
    this.label = rows.text(label).trim()
    if (isMissing(this.label)) {
      if (!this.options.unlabelled) throw this.wrong(': the label is missing')
      this.label = ''
    }
    if (layout.time >= 0) this.readTime()
    return true
  }

  /** An error about the row; `what` follows its line. */
  wrong(what: string): DataError {
    return new DataError(this.source, `line ${this.rows.line}${what}`)
  }

  /** A column by place and name. */
  columnName(column: number): string {
    return `${column + 1} (${this.layout.columns[column].name})`
  }

  private readTime(): void {
    const cell = this.rows.text(this.layout.time)
    const time = timeCell(cell)
    const place = `, column ${this.columnName(this.layout.time)}`
    if (time === undefined) throw this.wrong(`${place}: ${JSON.stringify(cell.slice(0, 40))} is not ${TIME_FORMS}`)
    if (time < this.time && !this.options.sort) {
      throw this.wrong(`${place}: ${cell.trim()} is earlier than the row before; --sort sorts the rows by time`)
    }
    this.time = time
  }

  private noNumber(column: number): DataError {
    const { name, words } = this.layout.columns[column]
    const cell = this.rows.text(column)
    const expected = words ? `one of ${words.slice(0, 20).join(', ')}` : 'a number'
    const isTime = timeCell(cell) !== undefined
    const option = JSON.stringify(name).slice(1, -1)
    const hint = words
      ? ''
      : isTime
        ? `; it is a time: --time "${option}" reads it, --drop "${option}" leaves it out`
        : `; --drop "${option}" leaves the column out`
    return this.wrong(
      `, column ${this.columnName(column)}: ${JSON.stringify(cell.slice(0, 40))} is not ${expected}${hint}`,
    )
  }
}

/** Fills missing values in, sample by sample. */
export class Filler {
  private readonly rule: MissingRule
  private readonly last: Float64Array
  private readonly sums: Float64Array
  private readonly counts: Float64Array

  constructor(channels: number, rule: MissingRule) {
    this.rule = rule
    this.last = new Float64Array(channels)
    this.sums = new Float64Array(channels)
    this.counts = new Float64Array(channels)
  }

  /** Fills the missing values of a sample in; tells which channel cannot be filled, and why. */
  fill(x: Float64Array): { channel: number; message: string } | undefined {
    if (this.rule === 'keep') return undefined
    for (let i = 0; i < x.length; i++) {
      if (Number.isNaN(x[i])) {
        const message = this.whyNot(i)
        if (message) return { channel: i, message }
        x[i] = this.rule === 'last' ? this.last[i] : this.sums[i] / this.counts[i]
      } else {
        this.sums[i] += x[i]
        this.counts[i]++
      }
      this.last[i] = x[i]
    }
    return undefined
  }

  private whyNot(channel: number): string | undefined {
    if (this.rule === 'error') return 'missing value; --missing last or --missing mean fills it in'
    return this.counts[channel] === 0 ? 'missing value, and no earlier value to fill it from' : undefined
  }
}
