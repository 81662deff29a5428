import type { Sample, Stream } from '@pb-oel/core'
import { DataError } from '../errors.ts'

/** What to do with a missing value: refuse it, repeat the channel's last value, or take the mean of its values so far. */
export type MissingRule = 'error' | 'last' | 'mean'

/** How a table is read as a stream. */
export interface TableOptions {
  /** Name of the label column; the last column when not given. */
  label?: string
  /** Default `error`. */
  missing?: MissingRule
}

/** Cells that mean "no value here". */
const MISSING = new Set(['', '?', 'nan', 'na', 'null'])

const isMissing = (cell: string): boolean => MISSING.has(cell.trim().toLowerCase())
const isNumber = (cell: string): boolean => cell.trim() !== '' && Number.isFinite(Number(cell))

/**
 * Collects the rows of a table, as text, into a stream: channels as numbers, labels as levels.
 *
 * A first row is a header when one of its channel cells is neither a number nor missing. Labels that are all integers
 * become levels in the order of their values, text labels in the order of appearance.
 */
export class TableBuilder {
  private readonly source: string
  private readonly options: TableOptions
  private header: string[] = []
  private width = 0
  private labelAt = 0
  private values = new Float64Array(1 << 14)
  private readonly labels: string[] = []
  private readonly distinct = new Map<string, number>()
  private sums = new Float64Array(0)
  private counts = new Float64Array(0)
  /** Missing values that were filled in. */
  filled = 0

  constructor(source: string, options: TableOptions = {}) {
    this.source = source
    this.options = options
  }

  /** Takes one row of cells; `line` is its place in the file, for messages. */
  add(cells: string[], line: number): void {
    if (this.width === 0 && this.begin(cells)) return
    if (cells.length !== this.width) {
      throw new DataError(this.source, `line ${line}: ${cells.length} columns where the first row has ${this.width}`)
    }
    const label = cells[this.labelAt].trim()
    if (isMissing(label)) throw new DataError(this.source, `line ${line}: the label is missing`)
    const channels = this.width - 1
    const at = this.labels.length * channels
    if (at + channels > this.values.length) {
      const grown = new Float64Array(this.values.length * 2 + channels)
      grown.set(this.values)
      this.values = grown
    }
    for (let column = 0, channel = 0; column < this.width; column++) {
      if (column === this.labelAt) continue
      this.values[at + channel] = this.value(cells[column], channel, at, line)
      channel++
    }
    this.labels.push(label)
    if (!this.distinct.has(label)) this.distinct.set(label, this.distinct.size)
    if (this.distinct.size > 255) {
      const name = this.columnName(this.labelAt)
      throw new DataError(this.source, `line ${line}: more than 255 different labels in column ${name}; is it the label?`)
    }
  }

  /** The finished stream. */
  finish(name: string): Stream {
    if (this.labels.length === 0) throw new DataError(this.source, 'no data rows')
    if (this.distinct.size < 2) throw new DataError(this.source, `only one level, ${JSON.stringify(this.labels[0])}`)
    const levels = [...this.distinct.keys()]
    if (levels.every((label) => /^[+-]?\d+(\.0+)?$/.test(label))) levels.sort((a, b) => Number(a) - Number(b))
    const index = new Map(levels.map((label, level) => [label, level]))
    const channels = this.header.filter((_, column) => column !== this.labelAt)
    const values = this.values.slice(0, this.labels.length * channels.length)
    return tableStream(name, channels, levels, values, Int32Array.from(this.labels, (label) => index.get(label) as number))
  }

  /** Reads the first row; true when it was a header. */
  private begin(cells: string[]): boolean {
    if (cells.length < 2) throw new DataError(this.source, 'one column only; expected channels and a label')
    this.width = cells.length
    const { label } = this.options
    const names = cells.map((cell) => cell.trim())
    const hasHeader = label !== undefined || names.slice(0, -1).some((cell) => !isNumber(cell) && !isMissing(cell))
    this.labelAt = label === undefined ? this.width - 1 : names.indexOf(label)
    if (this.labelAt < 0) {
      throw new DataError(this.source, `no column ${JSON.stringify(label)}; there are ${names.slice(0, 40).join(', ')}`)
    }
    this.header = hasHeader ? names : names.map((_, column) => `channel ${column + 1}`)
    this.sums = new Float64Array(this.width)
    this.counts = new Float64Array(this.width)
    return hasHeader
  }

  private value(cell: string, channel: number, at: number, line: number): number {
    const rule = this.options.missing ?? 'error'
    if (isMissing(cell)) {
      const column = channel < this.labelAt ? channel : channel + 1
      const place = `line ${line}, column ${this.columnName(column)}: missing value`
      if (rule === 'error') throw new DataError(this.source, `${place}; --missing last or --missing mean fills it in`)
      if (this.counts[channel] === 0) throw new DataError(this.source, `${place}, and no earlier value to fill it from`)
      this.filled++
      const channels = this.width - 1
      return rule === 'last' ? this.values[at - channels + channel] : this.sums[channel] / this.counts[channel]
    }
    const value = Number(cell)
    if (!Number.isFinite(value)) {
      const column = channel < this.labelAt ? channel : channel + 1
      const text = JSON.stringify(cell.slice(0, 40))
      throw new DataError(this.source, `line ${line}, column ${this.columnName(column)}: ${text} is not a number`)
    }
    this.sums[channel] += value
    this.counts[channel]++
    return value
  }

  private columnName(column: number): string {
    return `${column + 1} (${this.header[column]})`
  }
}

/** A stream over rows in memory: `values` is samples × channels, row by row. */
export function tableStream(
  name: string,
  channels: readonly string[],
  levels: readonly string[],
  values: Float64Array,
  labels: Int32Array,
): Stream {
  const width = channels.length
  return {
    name,
    channels,
    levels,
    samples: labels.length,
    *[Symbol.iterator](): Generator<Sample> {
      const sample = { x: new Float64Array(width), level: 0 }
      for (let t = 0; t < labels.length; t++) {
        for (let i = 0; i < width; i++) sample.x[i] = values[t * width + i]
        sample.level = labels[t]
        yield sample
      }
    },
  }
}
