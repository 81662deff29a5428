import { Random } from '../../math/random.ts'
import { oneOf } from '../../options/checks.ts'
import { openSnapshot } from '../../state/snapshot.ts'
import type { StateIo } from '../../state/state-io.ts'
import { AdaptiveTrees, type AdaptiveTreesOptions, memberCount, TREES_OPTIONS } from '../base/adaptive-trees.ts'
import { EpsilonGreedyAssessor } from '../base/epsilon-greedy.ts'
import { initialSubspaces, type SubspaceSize, subspaceSize } from './subspaces.ts'

/** Options of {@link Srp}. */
export interface SrpOptions extends AdaptiveTreesOptions {
  /**
   * Channels each tree sees: a share in (0, 1] (rounded, at least 2), an integer count (negative: all but so many),
   * `sqrt` for √d + 1, or `inverse-sqrt` for d − (√d + 1). Default 0.6.
   */
  subspace?: SubspaceSize
  /**
   * `patches` varies both channels and samples from tree to tree, `subspaces` the channels only, `resampling` the
   * samples only. Default `patches`.
   */
  training?: 'patches' | 'subspaces' | 'resampling'
  /** Significance of the ADWIN that replaces a tree, in (0, 1]. Default 1e-5. */
  driftDelta?: number
  /** Significance of the ADWIN that starts a tree in the background, in (0, 1]. Default 1e-4. */
  warningDelta?: number
  /** Weight a leaf sees between attempts to split it, 1 … 10^9. Default 50. */
  gracePeriod?: number
  /** δ of the Hoeffding bound, in (0, 1]. Default 0.01. */
  splitConfidence?: number
  /**
   * `canonical` as published and in MOA, except that a tree is judged before it learns the sample. `skm`: as
   * scikit-multiflow: judged after, any change of the error counts as drift, also an improvement, and up to 20 channels
   * only the first combinations of them are used. `river`: as River: the same, and a weight of k is learned as k samples.
   * Default `canonical`.
   */
  compat?: 'canonical' | 'skm' | 'river'
}

/**
 * Streaming Random Patches: bagged Hoeffding trees that each see a random subspace of the channels, replaced one by one,
 * with a new subspace, when their errors drift.
 *
 * H. M. Gomes, J. Read and A. Bifet, "Streaming random patches for evolving data stream classification", ICDM 2019.
 *
 * @example
 * import { Srp } from '@pb-oel/core'
 * const assessor = new Srp({ channels: 5, levels: 3, seed: 1 })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4, 0, 1, 2))
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class Srp extends EpsilonGreedyAssessor {
  private readonly trees: AdaptiveTrees

  constructor(options: SrpOptions) {
    const members = memberCount(options)
    super('srp', options, [...TREES_OPTIONS, 'subspace', 'training'], members)
    const compat = oneOf('compat', options.compat ?? 'canonical', ['canonical', 'skm', 'river'])
    const training = oneOf('training', options.training ?? 'patches', ['patches', 'subspaces', 'resampling'])
    const size = subspaceSize(options.subspace ?? 0.6, this.channels)
    const whole = training === 'resampling' || size === this.channels
    const random = new Random(this.seed, 'subspaces')
    this.trees = new AdaptiveTrees(options, {
      driftDelta: 1e-5,
      warningDelta: 1e-4,
      subspaces: whole
        ? Array.from({ length: members }, () => new Int32Array(0))
        : initialSubspaces(random, members, this.channels, size, compat !== 'canonical'),
      // With every channel in every subspace only resampling is left to make the trees differ.
      resample: whole || training === 'patches',
      judgeAfter: compat !== 'canonical',
      repeat: compat === 'river',
    })
    this.warmUp()
  }

  /** An assessor that goes on where the snapshot was taken. */
  static restore(bytes: Uint8Array): Srp {
    const snapshot = openSnapshot(bytes, 'srp')
    return snapshot.into(new Srp(snapshot.options))
  }

  /** The channels each tree sees now. */
  subspaces(): Int32Array[] {
    return this.trees.subspaces()
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
