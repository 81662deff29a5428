import type { Stateful, StateIo } from '../state/state-io.ts'

/** The latest scores, so many at most, kept in order of age and in order of size. */
export class Calibration implements Stateful {
  private readonly capacity: number
  /** A ring: the score number i is at i modulo the capacity. */
  private readonly ring: Float64Array
  private readonly sorted: Float64Array
  private seen = 0

  constructor(capacity: number) {
    this.capacity = capacity
    this.ring = new Float64Array(capacity)
    this.sorted = new Float64Array(capacity)
  }

  /** Number of scores kept. */
  get size(): number {
    return Math.min(this.seen, this.capacity)
  }

  /** Takes a score; the oldest makes room. */
  add(score: number): void {
    const { sorted, ring, capacity } = this
    let { size } = this
    const slot = this.seen % capacity
    if (size === capacity) sorted.copyWithin(this.placeOf(ring[slot], size), this.placeOf(ring[slot], size) + 1, size--)
    const place = this.placeOf(score, size)
    sorted.copyWithin(place + 1, place, size)
    sorted[place] = score
    ring[slot] = score
    this.seen++
  }

  /**
   * The conformal p-value of a score: (1 + number of scores at least as large) / (1 + number of scores). When the score
   * is exchangeable with those kept, p ≤ α has a probability of at most α, for every α.
   */
  pValue(score: number): number {
    const { size } = this
    return (1 + size - this.placeOf(score, size)) / (1 + size)
  }

  /** The scores, oldest first. */
  list(): Float64Array {
    const { ring, size, capacity, seen } = this
    return Float64Array.from({ length: size }, (_, i) => ring[(seen - size + i) % capacity])
  }

  transfer(io: StateIo): void {
    const scores = io.array(this.list())
    if (!io.reading) return
    this.seen = 0
    for (const score of scores) this.add(score)
  }

  /** How many of the first `size` sorted scores are smaller. */
  private placeOf(score: number, size: number): number {
    let [low, high] = [0, size]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.sorted[middle] < score) low = middle + 1
      else high = middle
    }
    return low
  }
}
