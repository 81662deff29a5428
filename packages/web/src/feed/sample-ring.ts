/** Stands for the level of a sample that an untrained system assessed: its level is no finding. */
export const NO_LEVEL = 255

/**
 * The latest samples in typed arrays of fixed size. Each number is written twice, one capacity apart, so that every
 * stretch of time is one contiguous view. Charts read it without a copy, and nothing grows.
 *
 * @example
 * const ring = new SampleRing(1000, 2)
 * ring.push(1_700_000_000_000, [0.2, 1.4], 0)
 * const { start, end } = ring.range(1_600_000_000_000, 1_800_000_000_000)
 * ring.column(1, start, end) // Float32Array [1.4]
 */
export class SampleRing {
  readonly capacity: number
  readonly channels: number
  /** How many samples it holds, at most `capacity`. */
  length = 0
  private readonly times: Float64Array
  private readonly columns: Float32Array[]
  private readonly levels: Uint8Array
  private next = 0

  constructor(capacity: number, channels: number) {
    this.capacity = capacity
    this.channels = channels
    this.times = new Float64Array(2 * capacity)
    this.levels = new Uint8Array(2 * capacity)
    this.columns = Array.from({ length: channels }, () => new Float32Array(2 * capacity))
  }

  /** Adds a sample; times must not fall. The level is {@link NO_LEVEL} where none was found. */
  push(time: number, values: ArrayLike<number>, level: number): void {
    const { capacity, columns } = this
    const at = this.next
    this.times[at] = this.times[at + capacity] = time
    this.levels[at] = this.levels[at + capacity] = level
    for (let c = 0; c < columns.length; c++) columns[c][at] = columns[c][at + capacity] = values[c]
    this.next = (at + 1) % capacity
    if (this.length < capacity) this.length++
  }

  /** The samples after a time, as {@link push} takes them. */
  after(time: number): Parameters<SampleRing['push']>[] {
    const end = this.start + this.length
    const found: Parameters<SampleRing['push']>[] = []
    for (let i = this.search(time + 0.5); i < end; i++) {
      const values = this.columns.map((column) => column[i])
      found.push([this.times[i], values, this.levels[i]])
    }
    return found
  }

  clear(): void {
    this.length = 0
    this.next = 0
  }

  /** Time of the oldest sample; ∞ when empty. */
  get first(): number {
    return this.length === 0 ? Number.POSITIVE_INFINITY : this.times[this.start]
  }

  /** Time of the newest sample; −∞ when empty. */
  get last(): number {
    return this.length === 0 ? Number.NEGATIVE_INFINITY : this.times[this.start + this.length - 1]
  }

  /** Indices of the samples from `from` to `to`, and one more on each side, so that lines reach the edges. */
  range(from: number, to: number): { start: number; end: number } {
    const { start, length } = this
    const low = this.search(from)
    const high = this.search(to)
    return { start: Math.max(start, low - 1), end: Math.min(start + length, high + 1) }
  }

  /** Times between two indices of {@link range}, as a view. */
  time(start: number, end: number): Float64Array {
    return this.times.subarray(start, end)
  }

  /** Values of a channel between two indices, as a view. */
  column(channel: number, start: number, end: number): Float32Array {
    return this.columns[channel].subarray(start, end)
  }

  /** Levels between two indices, as a view. */
  level(start: number, end: number): Uint8Array {
    return this.levels.subarray(start, end)
  }

  private get start(): number {
    return this.length < this.capacity ? 0 : this.next
  }

  /** Index of the first sample at or after a time. */
  private search(time: number): number {
    let low = this.start
    let high = low + this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.times[middle] < time) low = middle + 1
      else high = middle
    }
    return low
  }
}
