import type { AssessmentId } from '../assessor.ts'
import { option } from '../options/option.ts'
import type { StateIo } from '../state/state-io.ts'
import type { Expert } from './expert.ts'

/** The options of a {@link PersistenceExpert}. */
export const PERSISTENCE_OPTIONS = {
  patience: option.integer({ from: 1, to: 1000, default: 1, about: 'Misses in a row before it moves.' }),
}

/**
 * Levels of physical systems persist: this expert repeats the last known level, whatever the sample.
 *
 * After `patience` misses in a row it moves: to the known label, or, when it was only told "wrong", to the level that
 * was rejected longest ago. So with right-or-wrong answers alone it finds a new level after at most K − 1 moves.
 * An answer older than the newest one it has heard says nothing about the present and is ignored.
 *
 * @example
 * import { PersistenceExpert } from '@pb-oel/core'
 * const expert = new PersistenceExpert(3, 1)
 * const x = new Float64Array(1)
 * expert.teach(x, 0, 2)
 * expert.level // 2
 * expert.refute(x, 1, 2)
 * expert.level // 0
 * expert.refute(x, 2, 0)
 * expert.level // 1
 */
export class PersistenceExpert implements Expert {
  /** The level it repeats; −1 before the first answer. */
  level = -1
  private readonly patience: number
  private readonly rejectedAt: Float64Array
  private newest = -1
  private misses = 0

  /**
   * @param levels number of levels K
   * @param patience misses in a row before it moves, 1 … 1,000
   */
  constructor(levels: number, patience: number) {
    this.patience = PERSISTENCE_OPTIONS.patience.check('patience', patience)
    this.rejectedAt = new Float64Array(levels).fill(-1)
  }

  predict(_x: Float64Array, out: Float64Array): void {
    if (this.level < 0) out.fill(1 / out.length)
    else {
      out.fill(0)
      out[this.level] = 1
    }
  }

  teach(_x: Float64Array, id: AssessmentId, level: number): void {
    if (id < this.newest) return
    this.newest = id
    if (level === this.level) this.misses = 0
    else if (this.missed()) this.level = level
  }

  refute(_x: Float64Array, id: AssessmentId, level: number): void {
    if (id < this.newest) return
    this.newest = id
    this.rejectedAt[level] = id
    if (level === this.level && this.missed()) this.level = this.rejectedLongestAgo()
  }

  transfer(io: StateIo): void {
    this.level = io.number(this.level)
    this.newest = io.number(this.newest)
    this.misses = io.number(this.misses)
    io.fill(this.rejectedAt)
  }

  /** Counts a miss. True when it is time to move; the first answer always moves it. */
  private missed(): boolean {
    this.misses++
    if (this.misses < this.patience && this.level >= 0) return false
    this.misses = 0
    return true
  }

  private rejectedLongestAgo(): number {
    let oldest = 0
    for (let k = 1; k < this.rejectedAt.length; k++) if (this.rejectedAt[k] < this.rejectedAt[oldest]) oldest = k
    return oldest
  }
}
