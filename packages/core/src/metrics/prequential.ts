import type { Stateful, StateIo } from '../state/state-io.ts'
import { beyond, ConfusionMatrix } from './confusion.ts'

/**
 * Test-then-train figures of a stream: everything of {@link ConfusionMatrix}, the no-change and majority baselines
 * beside it, and the accuracy over a sliding window.
 *
 * @example
 * import { PrequentialMetrics } from '@pb-oel/core'
 * const metrics = new PrequentialMetrics({ levels: 2 })
 * metrics.add(1, 1)
 * metrics.confusion.accuracy // 1
 */
export class PrequentialMetrics implements Stateful {
  readonly confusion: ConfusionMatrix
  private readonly window: Uint8Array
  private readonly seen: Float64Array
  private count = 0
  private windowRight = 0
  private previous: number
  private persisted = 0
  private majorityRight = 0

  /**
   * @param options.levels number of levels
   * @param options.window length of the sliding window, default 1000
   * @param options.previous level before the first sample for the no-change baseline, default 0
   */
  constructor({ levels, window = 1000, previous = 0 }: { levels: number; window?: number; previous?: number }) {
    this.confusion = new ConfusionMatrix(levels)
    this.window = new Uint8Array(window)
    this.seen = new Float64Array(levels)
    this.previous = previous
  }

  /** Counts one sample. */
  add(truth: number, assessed: number): void {
    this.confusion.add(truth, assessed)
    const right = truth === assessed ? 1 : 0
    const slot = this.count++ % this.window.length
    this.windowRight += right - this.window[slot]
    this.window[slot] = right
    if (truth === this.previous) this.persisted++
    this.previous = truth
    let majority = 0
    for (let k = 1; k < this.seen.length; k++) if (this.seen[k] > this.seen[majority]) majority = k
    if (truth === majority) this.majorityRight++
    this.seen[truth]++
  }

  /** Accuracy over the latest samples of the window; 0 before any. */
  get windowAccuracy(): number {
    return this.windowRight / Math.max(1, Math.min(this.count, this.window.length))
  }

  /** Accuracy of always repeating the previous true level. */
  get noChangeAccuracy(): number {
    return this.persisted / Math.max(1, this.count)
  }

  /** Accuracy of always saying the level seen most often so far. */
  get majorityAccuracy(): number {
    return this.majorityRight / Math.max(1, this.count)
  }

  /**
   * κ temporal: how much of the way from the no-change baseline to perfection; ≤ 0 means no better than persistence.
   */
  get kappaTemporal(): number {
    return beyond(this.confusion.accuracy, this.noChangeAccuracy)
  }

  transfer(io: StateIo): void {
    this.confusion.transfer(io)
    io.fill(this.window)
    io.fill(this.seen)
    this.count = io.number(this.count)
    this.windowRight = io.number(this.windowRight)
    this.previous = io.number(this.previous)
    this.persisted = io.number(this.persisted)
    this.majorityRight = io.number(this.majorityRight)
  }
}
