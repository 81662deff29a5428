import { defineMethod, type Method } from '../method.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions, RIVAL_OPTIONS } from './base/epsilon-greedy.ts'

/** Options of {@link NoChange}, as {@link RIVAL_OPTIONS} declares them. */
export type NoChangeOptions = EpsilonGreedyOptions

/**
 * Repeats the last level it knows, whatever the sample. Every method must be compared with it on streams whose
 * levels last: κ-temporal is the improvement over it.
 *
 * "Knows" means labelled or confirmed. Under partial feedback it therefore repeats an old level until it is right again
 * by luck or exploration.
 *
 * @example
 * import { NoChange } from '@pb-oel/core/rivals'
 * const assessor = new NoChange({ channels: 1, levels: 3 })
 * const { id } = assessor.assess(Float64Array.of(0.5), 'full')
 * assessor.learn(id, { kind: 'label', level: 2 })
 * assessor.assess(Float64Array.of(-7), 'full').level // 2
 */
export class NoChange extends EpsilonGreedyAssessor {
  private last = -1

  constructor(options: NoChangeOptions) {
    super(NO_CHANGE, options)
    this.warmUp()
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): NoChange {
    return NO_CHANGE.restore(bytes)
  }

  protected predict(_x: Float64Array, out: Float64Array, votes: Int32Array): void {
    out.fill(this.last < 0 ? 1 / this.levels : 0)
    votes[0] = Math.max(this.last, 0)
    if (this.last >= 0) out[this.last] = 1
  }

  protected teach(_x: Float64Array, level: number): void {
    this.last = level
  }

  protected transferModel(io: StateIo): void {
    this.last = io.number(this.last)
  }
}

/** The entry of {@link NoChange}. */
export const NO_CHANGE: Method<NoChange> = defineMethod({
  name: 'no-change',
  title: 'no change',
  role: 'baseline',
  summary: 'baseline: repeats the last label it knows',
  options: RIVAL_OPTIONS,
  widens: true,
  make: (options) => new NoChange(options),
})
