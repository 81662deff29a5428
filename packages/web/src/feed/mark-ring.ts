/** The kinds of marks on the timeline. */
const MARKS = ['right', 'wrong', 'named', 'drift', 'restart', 'alarm', 'acknowledged', 'cleared', 'fall'] as const

/** One of {@link MARKS}. */
export type Mark = (typeof MARKS)[number]

/** The latest marks of the timeline, in typed arrays of fixed size. */
export class MarkRing {
  private readonly times: Float64Array
  private readonly kinds: Uint8Array
  private readonly counts: Uint32Array
  private count = 0

  constructor(capacity: number) {
    this.times = new Float64Array(capacity)
    this.kinds = new Uint8Array(capacity)
    this.counts = new Uint32Array(capacity)
  }

  /** @param many how many of its kind the mark stands for */
  push(time: number, mark: Mark, many = 1): void {
    const at = this.count++ % this.times.length
    this.times[at] = time
    this.kinds[at] = MARKS.indexOf(mark)
    this.counts[at] = many
  }

  clear(): void {
    this.count = 0
  }

  /** Calls back for each mark between two times, in the order of their arrival. */
  each(from: number, to: number, see: (time: number, mark: Mark, many: number) => void): void {
    const { length } = this.times
    for (let i = Math.max(0, this.count - length); i < this.count; i++) {
      const at = i % length
      if (this.times[at] >= from && this.times[at] <= to) see(this.times[at], MARKS[this.kinds[at]], this.counts[at])
    }
  }
}
