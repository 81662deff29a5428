/** The kinds of marks on the timeline. */
const MARKS = ['right', 'wrong', 'named', 'drift', 'restart', 'alarm', 'acknowledged', 'cleared', 'fall'] as const

/** One of {@link MARKS}. */
export type Mark = (typeof MARKS)[number]

/** The latest marks of the timeline, in typed arrays of fixed size. */
export class MarkRing {
  private readonly times: Float64Array
  private readonly kinds: Uint8Array
  private count = 0

  constructor(capacity: number) {
    this.times = new Float64Array(capacity)
    this.kinds = new Uint8Array(capacity)
  }

  push(time: number, mark: Mark): void {
    const at = this.count++ % this.times.length
    this.times[at] = time
    this.kinds[at] = MARKS.indexOf(mark)
  }

  clear(): void {
    this.count = 0
  }

  /** Calls back for each mark between two times, in the order of their arrival. */
  each(from: number, to: number, see: (time: number, mark: Mark) => void): void {
    const { length } = this.times
    for (let i = Math.max(0, this.count - length); i < this.count; i++) {
      const time = this.times[i % length]
      if (time >= from && time <= to) see(time, MARKS[this.kinds[i % length]])
    }
  }
}
