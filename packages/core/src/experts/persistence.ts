import type { AssessmentId } from '../assessor.ts'
import { option } from '../options/option.ts'
import type { StateIo } from '../state/state-io.ts'
import type { Expert } from './expert.ts'

/** The options of a {@link PersistenceExpert}. */
export const PERSISTENCE_OPTIONS = {
  patience: option.integer({ from: 1, to: 1000, default: 1, about: 'Misses in a row before it moves.' }),
  search: option.flag({
    default: false,
    about: 'After a rejection, says each level that may be the one in turn, until an answer tells which it is.',
  }),
}

/**
 * Levels of physical systems persist: this expert repeats the last known level, whatever the sample.
 *
 * After `patience` misses in a row it moves: to the known label, or, when it was only told "wrong", to the level that
 * was rejected longest ago. So with right-or-wrong answers alone it finds a new level after at most K − 1 moves.
 * An answer older than the newest one it has heard says nothing about the present and is ignored.
 *
 * With `search` it does not wait for a late answer about the level it has moved to: it says a different one of the
 * levels not rejected since for each sample, so that the answers under way are about all of them. Where answers come at
 * once this makes no difference to a patience of 1.
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
  private readonly search: boolean
  /** The answer that began the search, −1 where it does not search, and the assessment that it last spoke in. */
  private since = -1
  private spoken = -1

  /**
   * @param levels number of levels K
   * @param patience misses in a row before it moves, 1 … 1,000
   * @param search whether it says all possible levels in turn while answers are under way
   */
  constructor(levels: number, patience: number, search = false) {
    this.patience = PERSISTENCE_OPTIONS.patience.check('patience', patience)
    this.rejectedAt = new Float64Array(levels).fill(-1)
    this.search = search
  }

  predict(_x: Float64Array, out: Float64Array, id: AssessmentId): void {
    if (this.since >= 0 && id > this.spoken) {
      if (this.spoken >= 0) this.level = this.nextPossible()
      this.spoken = id
    }
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
    else if (this.since >= 0 || this.missed()) this.level = level
    this.since = -1
  }

  refute(_x: Float64Array, id: AssessmentId, level: number): void {
    if (id < this.newest) return
    this.newest = id
    this.rejectedAt[level] = id
    if (level !== this.level || !this.missed()) return
    this.level = this.rejectedLongestAgo()
    if (!this.search) return
    if (this.since < 0) this.since = id
    this.spoken = -1
  }

  transfer(io: StateIo): void {
    this.level = io.number(this.level)
    this.newest = io.number(this.newest)
    this.misses = io.number(this.misses)
    io.perLevel(this.rejectedAt, this.rejectedAt.length)
    if (!this.search) return
    this.since = io.number(this.since)
    this.spoken = io.number(this.spoken)
  }

  /** Counts a miss. True when it is time to move; the first answer always moves it. */
  private missed(): boolean {
    this.misses++
    if (this.misses < this.patience && this.level >= 0) return false
    this.misses = 0
    return true
  }

  /** The next level, in order, that has not been rejected since the search began. */
  private nextPossible(): number {
    const { rejectedAt, since, level } = this
    for (let step = 1; step <= rejectedAt.length; step++) {
      const next = (level + step) % rejectedAt.length
      if (rejectedAt[next] < since) return next
    }
    return this.rejectedLongestAgo()
  }

  private rejectedLongestAgo(): number {
    let oldest = 0
    for (let k = 1; k < this.rejectedAt.length; k++) if (this.rejectedAt[k] < this.rejectedAt[oldest]) oldest = k
    return oldest
  }
}
