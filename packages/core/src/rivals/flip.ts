import { OptionError } from '../errors.ts'
import { defineMethod, type Method } from '../method.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions, RIVAL_OPTIONS } from './base/epsilon-greedy.ts'

/** Options of {@link Flip}, as {@link RIVAL_OPTIONS} declares them; `levels` must be 2. */
export type FlipOptions = EpsilonGreedyOptions

/**
 * Says the level, of two, that is not the last one it knows. Some generators "balance classes" by emitting 1, 0, 1, 0,
 * …: a stream on which it does well measures alternation, not learning.
 *
 * @example
 * import { Flip } from '@pb-oel/core/rivals'
 * const assessor = new Flip({ channels: 1, levels: 2, warmUp: [{ x: [0], level: 0 }] })
 * assessor.assess(Float64Array.of(0.5), 'full').level // 1
 */
export class Flip extends EpsilonGreedyAssessor {
  private last = -1

  constructor(options: FlipOptions) {
    super(FLIP, options)
    if (this.levels !== 2) throw new OptionError('levels', this.levels, '2, the only number of levels with one other')
    this.warmUp()
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Flip {
    return FLIP.restore(bytes)
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

/** The entry of {@link Flip}. */
export const FLIP: Method<Flip> = defineMethod({
  name: 'flip',
  title: 'flip',
  role: 'baseline',
  summary: 'baseline for two levels: the other one than the last label it knows',
  levels: 2,
  options: RIVAL_OPTIONS,
  make: (options) => new Flip(options),
})
