/** Keeps the latest samples, so that a person who is asked sees what led to the assessment. */
export class RecentSamples {
  private readonly values: Float32Array
  private readonly capacity: number
  private readonly channels: number
  private count = 0

  constructor(capacity: number, channels: number) {
    this.capacity = capacity
    this.channels = channels
    this.values = new Float32Array(capacity * channels)
  }

  add(x: Float64Array): void {
    this.values.set(x, (this.count++ % this.capacity) * this.channels)
  }

  /** The samples in the order they came. */
  rows(): { recent: Float32Array; rows: number } {
    const { capacity, channels, count, values } = this
    const rows = Math.min(capacity, count)
    const recent = new Float32Array(rows * channels)
    for (let row = 0; row < rows; row++) {
      const at = ((count - rows + row) % capacity) * channels
      recent.set(values.subarray(at, at + channels), row * channels)
    }
    return { recent, rows }
  }
}
