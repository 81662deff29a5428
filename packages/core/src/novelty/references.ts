import { Random } from '../math/random.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/** So many times as many told samples as a level keeps have a say in which are kept. */
const MEMORY = 10

/**
 * Samples of each level that stand for all that were told, so many per level at most. Once a level is full, the n-th
 * told sample replaces a random one with probability capacity / min(n, 10 × capacity): all that was told counts alike
 * at first, later the latest counts more (C. C. Aggarwal, "On biased reservoir sampling in the presence of stream
 * evolution", VLDB 2006).
 */
export class References implements Stateful {
  private readonly channels: number
  private readonly capacity: number
  private readonly random: Random
  /** One array per level, row by row; empty until the level is told. */
  private readonly rows: Float64Array[]
  private readonly told: number[]
  /** Number of the latest sample when a level was told for the first time. */
  private readonly since: number[]

  constructor(channels: number, levels: number, capacity: number, seed: number) {
    this.channels = channels
    this.capacity = capacity
    this.random = new Random(seed, 'novelty')
    this.rows = Array.from({ length: levels }, () => new Float64Array(0))
    this.told = new Array(levels).fill(0)
    this.since = new Array(levels).fill(-1)
  }

  /** Whether a level had been told when a sample came. */
  knew(level: number, id: number): boolean {
    return this.told[level] > 0 && id > this.since[level]
  }

  /** One more level behind the others, of which nothing has been told. */
  addLevel(): void {
    this.rows.push(new Float64Array(0))
    this.told.push(0)
    this.since.push(-1)
  }

  /**
   * Takes a told sample.
   *
   * @param latest number of the latest sample
   */
  add(x: ArrayLike<number>, level: number, latest: number): void {
    const { capacity, channels } = this
    const told = ++this.told[level]
    if (told === 1) {
      this.rows[level] = new Float64Array(capacity * channels)
      this.since[level] = latest
    }
    const full = told > capacity
    const place = full ? this.random.integer(Math.min(told, MEMORY * capacity)) : told - 1
    if (place < capacity) this.rows[level].set(x, place * channels)
  }

  /**
   * Distance to the nearest of them, squared; infinite while there is none.
   *
   * @param scale what each channel is multiplied by
   */
  nearest(x: Float64Array, scale: Float64Array): number {
    let nearest = Infinity
    for (let level = 0; level < this.rows.length; level++) {
      const rows = this.rows[level]
      const end = Math.min(this.told[level], this.capacity) * this.channels
      for (let at = 0; at < end; at += this.channels) nearest = nearerOf(nearest, x, scale, rows, at)
    }
    return nearest
  }

  transfer(io: StateIo): void {
    this.random.position = io.number(this.random.position)
    for (let level = 0; level < this.rows.length; level++) {
      this.told[level] = io.number(this.told[level])
      this.since[level] = io.number(this.since[level])
      if (io.reading && this.told[level] > 0) this.rows[level] = new Float64Array(this.capacity * this.channels)
      io.fill(this.rows[level].subarray(0, Math.min(this.told[level], this.capacity) * this.channels))
    }
  }
}

/** The squared distance of `x` to the row at `at`, or `limit` where that is smaller: it stops early then. */
function nearerOf(limit: number, x: Float64Array, scale: Float64Array, rows: Float64Array, at: number): number {
  const blocks = x.length - (x.length % 4)
  let distance = 0
  let i = 0
  for (; i < blocks && distance < limit; i += 4) {
    const a = (x[i] - rows[at + i]) * scale[i]
    const b = (x[i + 1] - rows[at + i + 1]) * scale[i + 1]
    const c = (x[i + 2] - rows[at + i + 2]) * scale[i + 2]
    const d = (x[i + 3] - rows[at + i + 3]) * scale[i + 3]
    distance += a * a + b * b + (c * c + d * d)
  }
  for (; i < x.length && distance < limit; i++) {
    const a = (x[i] - rows[at + i]) * scale[i]
    distance += a * a
  }
  return Math.min(limit, distance)
}
