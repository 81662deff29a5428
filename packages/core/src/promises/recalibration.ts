import type { Stateful, StateIo } from '../state/state-io.ts'

const BINS = 20
/** What is left of a bin's counts after one more of its answers: a bin answers to its last thousand or so. */
const FADE = 0.999
/** How many answers the raw value itself is worth. */
const PRIOR = 5

/**
 * Turns a raw confidence into one that means what it says: the share of right assessments among the latest answers
 * with such a raw confidence (online histogram binning). Each answer counts 1/π-fold.
 *
 * @example
 * import { Recalibration } from '@pb-oel/core'
 * const recalibration = new Recalibration()
 * for (let i = 0; i < 1000; i++) recalibration.learn(0.99, i % 2 === 0)
 * Math.abs(recalibration.calibrate(0.99) - 0.5) < 0.01 // true
 */
export class Recalibration implements Stateful {
  private readonly weight = new Float64Array(BINS)
  private readonly right = new Float64Array(BINS)

  /** The recalibrated value of a raw confidence, 0 … 1. */
  calibrate(raw: number): number {
    const bin = binOf(raw)
    return (this.right[bin] + PRIOR * raw) / (this.weight[bin] + PRIOR)
  }

  /**
   * Learns from an answer.
   *
   * @param raw confidence of the assessment before recalibration
   * @param weight 1/π in units of the largest, in (0, 1]
   */
  learn(raw: number, right: boolean, weight = 1): void {
    const bin = binOf(raw)
    this.weight[bin] = this.weight[bin] * FADE + weight
    this.right[bin] = this.right[bin] * FADE + (right ? weight : 0)
  }

  transfer(io: StateIo): void {
    io.fill(this.weight)
    io.fill(this.right)
  }
}

function binOf(raw: number): number {
  return Math.min(BINS - 1, Math.floor(raw * BINS))
}
