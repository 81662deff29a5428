import type { StateIo } from '../state/state-io.ts'

/**
 * The latest samples that were told not to have a level. What was rejected near a sample is unlikely for it too: so
 * levels are tried in turn where nothing else is known, instead of one again and again.
 */
export class RejectionMemory {
  private readonly channels: number
  private readonly capacity: number
  // A ring of rows, as they came and in deviations; the oldest at `next` once it is full.
  private readonly raw: Float64Array
  private readonly rows: Float64Array
  private readonly levels: Uint8Array
  private size = 0
  private next = 0

  /** @param capacity rejections kept at most */
  constructor(channels: number, capacity: number) {
    this.channels = channels
    this.capacity = capacity
    this.raw = new Float64Array(capacity * channels)
    this.rows = new Float64Array(capacity * channels)
    this.levels = new Uint8Array(capacity)
  }

  /** Keeps that `x` does not have `level`; `scale` is what channels are multiplied by. */
  store(x: Float64Array, level: number, scale: Float64Array): void {
    const { channels, next } = this
    this.raw.set(x, next * channels)
    this.levels[next] = level
    this.measureRow(next, scale)
    this.next = (next + 1) % this.capacity
    if (this.size < this.capacity) this.size++
  }

  /** Brings all rows to new deviations. */
  measure(scale: Float64Array): void {
    for (let row = 0; row < this.size; row++) this.measureRow(row, scale)
  }

  /** Takes a vote from the rejected level for each row whose squared distance from `x` is at most `reach`. */
  vote(x: Float64Array, reach: number, votes: Float64Array): void {
    const { channels, rows, levels, size } = this
    for (let row = 0; row < size; row++) {
      let distance = 0
      for (let i = 0, at = row * channels; i < channels && distance <= reach; i++, at++) {
        const difference = x[i] - rows[at]
        distance += difference * difference
      }
      if (distance <= reach) votes[levels[row]]--
    }
  }

  transfer(io: StateIo): void {
    this.size = io.number(this.size)
    this.next = io.number(this.next)
    io.fill(this.raw.subarray(0, this.size * this.channels))
    io.fill(this.levels.subarray(0, this.size))
  }

  private measureRow(row: number, scale: Float64Array): void {
    const { raw, rows, channels } = this
    for (let i = 0, at = row * channels; i < channels; i++, at++) rows[at] = raw[at] * scale[i]
  }
}
