import { OptionError } from '../errors.ts'
import { oneOf } from '../options/checks.ts'
import { openSnapshot } from '../state/snapshot.ts'
import type { StateIo } from '../state/state-io.ts'
import { AdaptiveTrees, type AdaptiveTreesOptions, memberCount, TREES_OPTIONS } from './base/adaptive-trees.ts'
import { EpsilonGreedyAssessor } from './base/epsilon-greedy.ts'

/** Options of {@link Arf}. */
export interface ArfOptions extends AdaptiveTreesOptions {
  /** Channels each leaf looks at: a count 1 … channels, a share in (0, 1), or `sqrt` for √d rounded. Default `sqrt`. */
  features?: number | 'sqrt'
  /** Significance of the ADWIN that replaces a tree, in (0, 1]. Default 0.001. */
  driftDelta?: number
  /** Significance of the ADWIN that starts a tree in the background, in (0, 1]. Default 0.01. */
  warningDelta?: number
  /** Weight a leaf sees between attempts to split it, 1 … 10^9. Default 50. */
  gracePeriod?: number
  /** δ of the Hoeffding bound, in (0, 1]. Default 0.01. */
  splitConfidence?: number
  /**
   * `canonical` as published and in MOA, except that a tree is judged before it learns the sample. `skm`: as
   * scikit-multiflow: judged after, any change of the error counts as drift, also an improvement, and all trees draw the
   * same channels. `river`: as River: any change counts. Default `canonical`.
   */
  compat?: 'canonical' | 'skm' | 'river'
}

/**
 * Adaptive Random Forest: bagged Hoeffding trees that each look at few channels in a leaf, replaced one by one when
 * their errors drift.
 *
 * H. M. Gomes et al., "Adaptive random forests for evolving data stream classification", Machine Learning 106, 2017.
 *
 * @example
 * import { Arf } from '@pb-oel/core'
 * const assessor = new Arf({ channels: 2, levels: 3, seed: 1 })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4))
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class Arf extends EpsilonGreedyAssessor {
  private readonly trees: AdaptiveTrees

  constructor(options: ArfOptions) {
    super('arf', options, [...TREES_OPTIONS, 'features'], memberCount(options))
    const compat = oneOf('compat', options.compat ?? 'canonical', ['canonical', 'skm', 'river'])
    this.trees = new AdaptiveTrees(options, {
      driftDelta: 0.001,
      warningDelta: 0.01,
      leafFeatures: leafFeatures(options.features ?? 'sqrt', this.channels),
      subspaces: Array.from({ length: memberCount(options) }, () => new Int32Array(0)),
      resample: true,
      judgeAfter: compat === 'skm',
      repeat: false,
    })
    this.warmUp()
  }

  /** An assessor that goes on where the snapshot was taken. */
  static restore(bytes: Uint8Array): Arf {
    const snapshot = openSnapshot(bytes, 'arf')
    return snapshot.into(new Arf(snapshot.options))
  }

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    this.trees.predict(x, out, votes)
  }

  protected teach(x: Float64Array, level: number): void {
    this.trees.learn(x, level, this.drifts)
  }

  protected transferModel(io: StateIo): void {
    this.trees.transfer(io)
  }
}

/** Number of channels each leaf of a forest over `channels` channels draws. */
export function leafFeatures(features: number | 'sqrt', channels: number): number {
  if (features === 'sqrt') return Math.max(1, Math.round(Math.sqrt(channels)))
  if (typeof features === 'number' && features > 0 && features < 1) return Math.max(1, Math.round(features * channels))
  if (Number.isInteger(features) && features >= 1 && features <= channels) return features
  throw new OptionError('features', features, `sqrt, a share in (0, 1) or an integer in [1, ${channels}]`)
}
