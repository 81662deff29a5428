import { OptionError } from '../errors.ts'
import { openSnapshot } from '../state/snapshot.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions } from './base/epsilon-greedy.ts'

/** Options of {@link Flip}: the shared ones; `levels` must be 2. */
export type FlipOptions = EpsilonGreedyOptions

/**
 * Says the other of two levels than the last it knows. Some generators "balance classes" by emitting 1, 0, 1, 0, …: a
 * stream on which this is good measures alternation, not learning.
 *
 * @example
 * import { Flip } from '@pb-oel/core'
 * const assessor = new Flip({ channels: 1, levels: 2, warmUp: [{ x: [0], level: 0 }] })
 * assessor.assess(Float64Array.of(0.5), 'full').level // 1
 */
export class Flip extends EpsilonGreedyAssessor {
  private last = -1

  constructor(options: FlipOptions) {
    super('flip', options)
    if (this.levels !== 2) throw new OptionError('levels', this.levels, '2, the only number of levels with one other')
    this.warmUp()
  }

  /** Continues from a snapshot. */
  static restore(bytes: Uint8Array): Flip {
    const snapshot = openSnapshot(bytes, 'flip')
    return snapshot.into(new Flip(snapshot.options))
  }

  protected predict(_x: Float64Array, out: Float64Array, votes: Int32Array): void {
    const level = this.last < 0 ? 0 : 1 - this.last
    out.fill(this.last < 0 ? 0.5 : 0)
    if (this.last >= 0) out[level] = 1
    votes[0] = level
  }

  protected teach(_x: Float64Array, level: number): void {
    this.last = level
  }

  protected transferModel(io: StateIo): void {
    this.last = io.number(this.last)
  }
}
