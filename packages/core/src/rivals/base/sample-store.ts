import type { Stateful, StateIo } from '../../state/state-io.ts'

/** The latest samples of each level, `capacity` of each at most. */
export class SampleStore implements Stateful {
  private readonly capacity: number
  private readonly channels: number
  private readonly samples: Float64Array
  /** How many samples of each level were ever pushed. */
  private readonly pushed: Float64Array

  constructor(levels: number, capacity: number, channels: number) {
    this.capacity = capacity
    this.channels = channels
    this.samples = new Float64Array(levels * capacity * channels)
    this.pushed = new Float64Array(levels)
  }

  /** Adds a sample in place of the oldest of its level. */
  push(x: Float64Array, level: number): void {
    if (this.capacity === 0) return
    this.samples.set(x, this.offset(level, this.pushed[level]))
    this.pushed[level]++
  }

  /** Calls `take` with up to `count` of the newest samples of a level, oldest first. */
  newest(level: number, count: number, take: (x: Float64Array) => void): void {
    const available = Math.max(0, Math.min(count, this.pushed[level], this.capacity))
    for (let index = this.pushed[level] - available; index < this.pushed[level]; index++) {
      const at = this.offset(level, index)
      take(this.samples.subarray(at, at + this.channels))
    }
  }

  transfer(io: StateIo): void {
    io.fill(this.pushed)
    io.fill(this.samples)
  }

  private offset(level: number, index: number): number {
    return (level * this.capacity + (index % this.capacity)) * this.channels
  }
}
