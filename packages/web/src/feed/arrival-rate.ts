/** Milliseconds that a rate is taken over, as far as they are known, and the fewest that tell one. */
const [SPAN, LEAST] = [5_000, 1_000]

/**
 * How many samples arrive per second, from counts of all samples so far. Counts may come at any moment, also several at
 * once, when somebody changes something: two of the same moment say nothing about a rate.
 */
export class ArrivalRate {
  private counts: { at: number; samples: number }[] = []

  /** Takes a count at a moment, in milliseconds of a monotonic clock. */
  add(at: number, samples: number): void {
    const latest = this.counts.at(-1)
    // An answer that was overtaken by a later one is no news.
    if (latest && (at < latest.at || samples < latest.samples)) return
    this.counts.push({ at, samples })
    // The oldest that is kept is the newest that covers the span.
    while (this.counts.length > 2 && at - this.counts[1].at >= SPAN) this.counts.shift()
  }

  /** Samples per second; `null` until enough time has passed. */
  get perSecond(): number | null {
    const [first, last] = [this.counts[0], this.counts.at(-1)]
    if (!first || !last || last.at - first.at < LEAST) return null
    return (1000 * (last.samples - first.samples)) / (last.at - first.at)
  }
}
