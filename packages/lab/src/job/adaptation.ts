/** How fast a method followed one change of the stream. */
export interface Adaptation {
  /** Index of the first sample after the change. */
  at: number
  /** Samples until it was as right as 0.95 of its later accuracy. */
  samples: number
}

/** Latest samples whose accuracy is compared with the later one. */
const WINDOW = 50
/** Share of the later accuracy that counts as having followed. */
const ENOUGH = 0.95

/**
 * Follows how fast a method adapts: after each change, the samples until the accuracy of the latest 50 reaches 0.95 of
 * the later accuracy, which is that of the second half of the time until the next change.
 */
export class AdaptationMeter {
  private readonly changes: readonly number[]
  private readonly right: Uint8Array
  private done = 0

  /**
   * @param changes indices of the first samples after a change, rising
   * @param samples length of the stream
   */
  constructor(changes: readonly number[], samples: number) {
    this.changes = changes.filter((at) => at > 0 && at < samples)
    this.right = new Uint8Array(this.changes.length > 0 ? samples : 0)
  }

  /** Counts an assessment. */
  add(right: boolean): void {
    if (this.right.length > 0) this.right[this.done++] = right ? 1 : 0
  }

  /** One entry per change that was followed for at least two windows; undefined where no change is known. */
  result(): Adaptation[] | undefined {
    if (this.changes.length === 0) return undefined
    const ends = [...this.changes.slice(1), this.done]
    return this.changes.flatMap((at, i) =>
      ends[i] - at >= 2 * WINDOW ? [{ at, samples: this.followed(at, ends[i]) }] : [],
    )
  }

  private followed(from: number, to: number): number {
    const needed = ENOUGH * this.share(from + Math.floor((to - from) / 2), to)
    let end = from + WINDOW
    while (end < to && this.share(end - WINDOW, end) < needed) end++
    return end - from
  }

  private share(from: number, to: number): number {
    let sum = 0
    for (let i = from; i < to; i++) sum += this.right[i]
    return sum / (to - from)
  }
}
