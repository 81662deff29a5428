import type { Sample, Stream } from '@pb-oel/core'
import { DataError } from '../errors.ts'

/**
 * What to do with a missing value: refuse it, repeat the channel's last value, take the mean of its values so far, or
 * keep it as NaN, which no method accepts and only `describeStream` counts.
 */
export type MissingRule = 'error' | 'last' | 'mean' | 'keep'

/** How a table is read as a stream. */
export interface TableOptions {
  /** Name of the label column; the last column when not given. */
  label?: string
  /** Default `error`. */
  missing?: MissingRule
}

/** What a file format says about a column before the first row. */
export interface Column {
  name: string
  /** The words of a nominal column, in their order; as a channel its value is the index of the word. */
  words?: readonly string[]
}

/** Cells that mean "no value here". */
const MISSING = new Set(['', '?', 'nan', 'na', 'null'])

const isMissing = (cell: string): boolean => MISSING.has(cell.trim().toLowerCase())
const isNumber = (cell: string): boolean => cell.trim() !== '' && Number.isFinite(Number(cell))

interface Row {
  readonly cells: string[]
  readonly line: number
}

/**
 * Collects the rows of a table, as text, into a stream: channels as numbers, labels as levels.
 *
 * A first row is a header when one of its channel cells is neither a number nor missing, or when its label is text and
 * the next row's is a number. Labels that are all integers become levels in the order of their values, words in the
 * order they were declared in, other text in the order of appearance.
 */
export class TableBuilder {
  private readonly source: string
  private readonly options: TableOptions
  private columns: readonly Column[] = []
  private width = 0
  private first: Row | undefined
  private labelAt = 0
  private values = new Float64Array(1 << 14)
  private readonly labels: string[] = []
  private readonly distinct = new Map<string, number>()
  private sums = new Float64Array(0)
  private counts = new Float64Array(0)

  constructor(source: string, options: TableOptions = {}) {
    this.source = source
    this.options = options
  }

  /** Names the columns, for formats that declare them; otherwise the first row decides. */
  declare(columns: readonly Column[]): void {
    if (columns.length < 2) throw new DataError(this.source, 'one column only; expected channels and a label')
    const { label } = this.options
    this.columns = columns
    this.width = columns.length
    this.labelAt = label === undefined ? this.width - 1 : columns.findIndex(({ name }) => name === label)
    if (this.labelAt < 0) {
      const names = columns.slice(0, 40).map(({ name }) => name)
      throw new DataError(this.source, `no column ${JSON.stringify(label)}; there are ${names.join(', ')}`)
    }
    this.sums = new Float64Array(this.width)
    this.counts = new Float64Array(this.width)
  }

  /** Takes one row of cells; `line` is its place in the file, for messages. */
  add(cells: string[], line: number): void {
    if (this.width === 0) {
      if (this.first === undefined) {
        this.first = { cells, line }
        return
      }
      this.begin(this.first, cells)
    }
    this.append(cells, line)
  }

  private append(cells: string[], line: number): void {
    if (cells.length !== this.width) {
      throw new DataError(this.source, `line ${line}: ${cells.length} columns where the first row has ${this.width}`)
    }
    const label = cells[this.labelAt].trim()
    if (isMissing(label)) throw new DataError(this.source, `line ${line}: the label is missing`)
    const { words } = this.columns[this.labelAt]
    if (words && !words.includes(label)) {
      throw new DataError(
        this.source,
        `line ${line}: the label ${JSON.stringify(label)} is not one of ${words.join(', ')}`,
      )
    }
    const channels = this.width - 1
    const at = this.labels.length * channels
    if (at + channels > this.values.length) {
      const grown = new Float64Array(this.values.length * 2 + channels)
      grown.set(this.values)
      this.values = grown
    }
    for (let column = 0, channel = 0; column < this.width; column++) {
      if (column === this.labelAt) continue
      this.values[at + channel] = this.value(cells[column], column, channel, at, line)
      channel++
    }
    this.labels.push(label)
    if (!this.distinct.has(label)) this.distinct.set(label, this.distinct.size)
    if (this.distinct.size > 255) {
      const name = this.columnName(this.labelAt)
      throw new DataError(
        this.source,
        `line ${line}: more than 255 different labels in column ${name}; is it the label?`,
      )
    }
  }

  /** The finished stream. */
  finish(name: string): Stream {
    if (this.width === 0 && this.first !== undefined) this.begin(this.first)
    if (this.labels.length === 0) throw new DataError(this.source, 'no data rows')
    if (this.distinct.size < 2) throw new DataError(this.source, `only one level, ${JSON.stringify(this.labels[0])}`)
    const levels = [...this.distinct.keys()]
    const { words } = this.columns[this.labelAt]
    if (words) levels.sort((a, b) => words.indexOf(a) - words.indexOf(b))
    else if (levels.every((label) => /^[+-]?\d+(\.0+)?$/.test(label))) levels.sort((a, b) => Number(a) - Number(b))
    const index = new Map(levels.map((label, level) => [label, level]))
    const channels = this.columns.filter((_, column) => column !== this.labelAt).map(({ name }) => name)
    const values = this.values.slice(0, this.labels.length * channels.length)
    return tableStream(
      name,
      channels,
      levels,
      values,
      Int32Array.from(this.labels, (label) => index.get(label) as number),
    )
  }

  /**
   * Settles, with the second row at hand, whether the first is a header: names instead of numbers, or a name over
   * numeric labels.
   */
  private begin(first: Row, second?: string[]): void {
    const names = first.cells.map((cell) => cell.trim())
    const { label } = this.options
    const isName = (cell: string) => !isNumber(cell) && !isMissing(cell)
    const namesLabel = isName(names[names.length - 1]) && isNumber(second?.[names.length - 1] ?? '')
    const hasHeader = label !== undefined || names.slice(0, -1).some(isName) || namesLabel
    this.declare(names.map((name, column) => ({ name: hasHeader ? name : `channel ${column + 1}` })))
    if (!hasHeader) this.append(first.cells, first.line)
  }

  private value(cell: string, column: number, channel: number, at: number, line: number): number {
    const place = () => `line ${line}, column ${this.columnName(column)}`
    if (isMissing(cell)) return this.missing(channel, at, place)
    const { words } = this.columns[column]
    const value = words ? words.indexOf(cell.trim()) : Number(cell)
    if (!Number.isFinite(value) || (words && value < 0)) {
      const expected = words ? `one of ${words.slice(0, 20).join(', ')}` : 'a number'
      throw new DataError(this.source, `${place()}: ${JSON.stringify(cell.slice(0, 40))} is not ${expected}`)
    }
    this.sums[channel] += value
    this.counts[channel]++
    return value
  }

  private missing(channel: number, at: number, place: () => string): number {
    const rule = this.options.missing ?? 'error'
    if (rule === 'keep') return Number.NaN
    if (rule === 'error') {
      throw new DataError(this.source, `${place()}: missing value; --missing last or --missing mean fills it in`)
    }
    if (this.counts[channel] === 0) {
      throw new DataError(this.source, `${place()}: missing value, and no earlier value to fill it from`)
    }
    return rule === 'last' ? this.values[at - (this.width - 1) + channel] : this.sums[channel] / this.counts[channel]
  }

  private columnName(column: number): string {
    return `${column + 1} (${this.columns[column].name})`
  }
}

/** A stream over rows in memory: `values` is samples × channels, row by row. */
function tableStream(
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
