import type { Stateful, StateIo } from '../state/state-io.ts'

/** How often each level that has been seen must have been told before a system counts as trained. */
export const ANSWERS_PER_LEVEL = 5

/**
 * Whether a system has learned enough to be listened to. It is *untrained* until every level that has been told so far
 * has been told five times, by a label, by a confirmation or by a labelled sample to start from. Once trained it
 * stays so.
 *
 * @example
 * import { Training } from '@pb-oel/core'
 * const training = new Training(3)
 * for (let i = 0; i < 5; i++) training.told(0)
 * training.trained // true
 */
export class Training implements Stateful {
  private readonly counts: Float64Array
  private done = false

  /** @param levels number of levels K */
  constructor(levels: number) {
    this.counts = new Float64Array(levels)
  }

  /** Whether the system is trained. */
  get trained(): boolean {
    return this.done
  }

  /** How often each level has been told. */
  get answers(): readonly number[] {
    return Array.from(this.counts)
  }

  /** How many more answers it needs at least, if they tell no other level than those told so far. */
  get missing(): number {
    if (this.done) return 0
    const needed = this.counts.reduce((sum, count) => sum + (count > 0 ? Math.max(0, ANSWERS_PER_LEVEL - count) : 0), 0)
    return needed > 0 ? needed : ANSWERS_PER_LEVEL
  }

  /** Hears the true level of a sample. */
  told(level: number): void {
    this.counts[level]++
    this.done ||= this.counts.every((count) => count === 0 || count >= ANSWERS_PER_LEVEL)
  }

  transfer(io: StateIo): void {
    io.perLevel(this.counts, this.counts.length)
    this.done = io.boolean(this.done)
  }
}
