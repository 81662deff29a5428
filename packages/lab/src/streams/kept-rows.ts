import { DataError } from '../errors.ts'
import type { MissingRule } from './table-options.ts'
import { Filler } from './table-rows.ts'
import type { TableSample } from './table-stream.ts'

/** Numbers that are kept in memory at most: 64 MB. A table that is to be sorted may have 1 GB. */
const MOST_NUMBERS = 8e6
const MOST_TO_SORT = 128e6
/** Rows of a block. */
const BLOCK = 1024

/** The rows of a table in memory, in blocks. */
export class KeptRows {
  private readonly width: number
  private readonly most: number
  private readonly blocks: Float64Array[] = []
  /** Places of the labels while the table is read; levels once it is finished. */
  private readonly labels: Int16Array[] = []
  private readonly times: Float64Array[] = []
  private levels: readonly number[] = []
  private order: Uint32Array | undefined
  private count = 0

  constructor(channels: number, sort: boolean) {
    this.width = channels
    this.most = (sort ? MOST_TO_SORT : MOST_NUMBERS) / (channels + 2)
  }

  /** Keeps a row; false when there is no room for it. */
  add(x: Float64Array, label: number, time: number): boolean {
    if (this.count >= this.most) return false
    const row = this.count % BLOCK
    if (row === 0) {
      this.blocks.push(new Float64Array(BLOCK * this.width))
      this.labels.push(new Int16Array(BLOCK))
      this.times.push(new Float64Array(BLOCK))
    }
    this.blocks[this.blocks.length - 1].set(x, row * this.width)
    this.labels[this.labels.length - 1][row] = label
    this.times[this.times.length - 1][row] = time
    this.count++
    return true
  }

  /** Says which level each label is, by its place. */
  finish(levels: readonly number[]): void {
    this.levels = levels
  }

  /** Puts the rows into the order of their times, rows of the same time as they came, and fills missing values in. */
  sort(missing: MissingRule, names: readonly string[], path: string): void {
    const time = (row: number) => this.times[Math.floor(row / BLOCK)][row % BLOCK]
    this.order = Uint32Array.from({ length: this.count }, (_, row) => row).sort((a, b) => time(a) - time(b) || a - b)
    const filler = new Filler(this.width, missing)
    for (const row of this.order) {
      const trouble = filler.fill(this.values(row))
      if (!trouble) continue
      const when = new Date(time(row)).toISOString()
      throw new DataError(path, `the row of ${when}, column ${names[trouble.channel]}: ${trouble.message}`)
    }
  }

  /** The rows as samples. */
  *samples(): Generator<TableSample> {
    const sample = { x: new Float64Array(this.width), level: 0, time: Number.NaN }
    for (let t = 0; t < this.count; t++) {
      const row = this.order ? this.order[t] : t
      sample.x.set(this.values(row))
      sample.level = this.levels[this.labels[Math.floor(row / BLOCK)][row % BLOCK]]
      sample.time = this.times[Math.floor(row / BLOCK)][row % BLOCK]
      yield sample
    }
  }

  private values(row: number): Float64Array {
    const at = (row % BLOCK) * this.width
    return this.blocks[Math.floor(row / BLOCK)].subarray(at, at + this.width)
  }
}
