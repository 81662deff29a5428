import type { Stateful, StateIo } from '../state/state-io.ts'

/** Only answers to assessments at least this probable count. */
const SURE = 0.95
/** What is left of the counts after an answer, and how many right answers are assumed before the first. */
const FADE = 0.999
const PRIOR = 20

/**
 * Estimates how often answers are wrong: the share of rejections among answers to assessments the experts were nearly
 * unanimous about. Where they are unanimous and mistaken the share is too high by as much, so it errs on the side of
 * caution.
 */
export class NoiseEstimate implements Stateful {
  private answers = PRIOR
  private rejections = 0

  /**
   * Counts an answer.
   *
   * @param probability of the assessed level at decision time
   * @param rejected whether the answer contradicts it
   */
  count(probability: number, rejected: boolean): void {
    if (probability < SURE) return
    this.answers = this.answers * FADE + 1
    this.rejections = this.rejections * FADE + (rejected ? 1 : 0)
  }

  /** Estimated probability that an answer is wrong, 0 … 0.45. */
  get value(): number {
    return Math.min(0.45, this.rejections / this.answers)
  }

  transfer(io: StateIo): void {
    this.answers = io.number(this.answers)
    this.rejections = io.number(this.rejections)
  }
}
