import type { Stateful, StateIo } from '../state/state-io.ts'

/** One bin of a reliability curve. */
export interface ReliabilityBin {
  /** Where the bin begins and ends. */
  readonly from: number
  readonly to: number
  /** Σ 1/π of the answers in it. */
  readonly weight: number
  /** Mean confidence shown, and share of right assessments, each answer counted 1/π-fold; 0 in an empty bin. */
  readonly confidence: number
  readonly accuracy: number
}

/**
 * Whether confidence means what it says: among assessments shown with confidence 0.9, nine of ten should be right.
 * Answers are counted 1/π-fold, so that chosen questions do not bias the curve.
 *
 * @example
 * import { Reliability } from '@pb-oel/core'
 * const reliability = new Reliability()
 * for (let i = 0; i < 10; i++) reliability.add(0.9, i > 0)
 * reliability.expectedError // 0
 */
export class Reliability implements Stateful {
  private readonly weight: Float64Array
  private readonly confidence: Float64Array
  private readonly right: Float64Array

  /** @param bins number of bins of equal width */
  constructor(bins = 10) {
    this.weight = new Float64Array(bins)
    this.confidence = new Float64Array(bins)
    this.right = new Float64Array(bins)
  }

  /**
   * Counts an answer, or takes one back with a negative weight.
   *
   * @param confidence shown, 0 … 1
   * @param weight 1/π
   */
  add(confidence: number, right: boolean, weight = 1): void {
    const bin = Math.min(this.weight.length - 1, Math.floor(confidence * this.weight.length))
    this.weight[bin] += weight
    this.confidence[bin] += weight * confidence
    if (right) this.right[bin] += weight
  }

  /** The reliability curve. */
  get bins(): ReliabilityBin[] {
    const { length } = this.weight
    return Array.from(this.weight, (weight, i) => ({
      from: i / length,
      to: (i + 1) / length,
      weight,
      confidence: weight > 0 ? this.confidence[i] / weight : 0,
      accuracy: weight > 0 ? this.right[i] / weight : 0,
    }))
  }

  /** Expected calibration error: mean over the answers of |accuracy − confidence| of their bin; 0 before any. */
  get expectedError(): number {
    let sum = 0
    let total = 0
    for (let i = 0; i < this.weight.length; i++) {
      sum += Math.abs(this.right[i] - this.confidence[i])
      total += this.weight[i]
    }
    return total > 0 ? sum / total : 0
  }

  transfer(io: StateIo): void {
    io.fill(this.weight)
    io.fill(this.confidence)
    io.fill(this.right)
  }
}
