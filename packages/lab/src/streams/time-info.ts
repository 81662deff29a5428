/** When the samples of a stream were taken. All in milliseconds, moments since 1970. */
export interface TimeInfo {
  first: number
  last: number
  /** Time between two samples: the median of the first 4,096 intervals. */
  interval: number
  /** Intervals of more than 2.5 times that. */
  gaps: number
  longestGap: number
  /** The moment before the longest gap; `first` without one. */
  longestGapAt: number
}

/** Intervals that settle what is usual. */
const FIRST = 4096
const GAP = 2.5

/** Running figures of the times of samples, in constant memory. */
export class TimeFigures {
  private first = Number.NaN
  private last = Number.NaN
  private early: { interval: number; before: number }[] = []
  private usual: number | undefined
  private gaps = 0
  private longest = 0
  private longestAt = Number.NaN

  add(time: number): void {
    const before = this.last
    this.last = time
    if (Number.isNaN(before)) {
      this.first = time
      return
    }
    const interval = time - before
    if (this.usual === undefined) {
      this.early.push({ interval, before })
      if (this.early.length === FIRST) this.settle()
    } else this.weigh(interval, before)
  }

  info(): TimeInfo {
    this.settle()
    const { first, last, usual = 0, gaps, longest, longestAt } = this
    return { first, last, interval: usual, gaps, longestGap: longest, longestGapAt: gaps > 0 ? longestAt : first }
  }

  private settle(): void {
    if (this.usual !== undefined) return
    const sorted = this.early.map(({ interval }) => interval).sort((a, b) => a - b)
    this.usual = sorted[Math.floor(sorted.length / 2)] ?? 0
    for (const { interval, before } of this.early) this.weigh(interval, before)
    this.early = []
  }

  private weigh(interval: number, before: number): void {
    if (!(interval > GAP * (this.usual as number))) return
    this.gaps++
    if (interval <= this.longest) return
    this.longest = interval
    this.longestAt = before
  }
}
