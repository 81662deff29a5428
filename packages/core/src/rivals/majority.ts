import { argmax } from '../learners/learner.ts'
import { defineMethod, type Method } from '../method.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions, RIVAL_OPTIONS } from './base/epsilon-greedy.ts'

/** Options of {@link Majority}, as {@link RIVAL_OPTIONS} declares them. */
export type MajorityOptions = EpsilonGreedyOptions

/**
 * Says the most frequent level it knows (labelled or confirmed), whatever the sample; the lowest of equals.
 *
 * @example
 * import { Majority } from '@pb-oel/core/rivals'
 * const warmUp = [2, 1, 2].map((level) => ({ x: [0], level }))
 * const assessor = new Majority({ channels: 1, levels: 3, warmUp })
 * assessor.assess(Float64Array.of(0.5)).confidence // 0.6667, for level 2
 */
export class Majority extends EpsilonGreedyAssessor {
  private readonly counts: Float64Array
  private total = 0

  constructor(options: MajorityOptions) {
    super(MAJORITY, options)
    this.counts = new Float64Array(this.levels)
    this.warmUp()
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Majority {
    return MAJORITY.restore(bytes)
  }

  protected predict(_x: Float64Array, out: Float64Array, votes: Int32Array): void {
    const { counts, total, levels } = this
    for (let level = 0; level < levels; level++) out[level] = total === 0 ? 1 / levels : counts[level] / total
    votes[0] = argmax(out)
  }

  protected teach(_x: Float64Array, level: number): void {
    this.counts[level]++
    this.total++
  }

  protected transferModel(io: StateIo): void {
    io.perLevel(this.counts, this.levels)
    this.total = io.number(this.total)
  }
}

/** The entry of {@link Majority}. */
export const MAJORITY: Method<Majority> = defineMethod({
  name: 'majority',
  title: 'majority',
  role: 'baseline',
  summary: 'baseline: the label known most often so far',
  options: RIVAL_OPTIONS,
  widens: true,
  make: (options) => new Majority(options),
})
