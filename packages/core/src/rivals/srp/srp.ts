import { AdaptiveTrees, detectorOptions, TREES_OPTIONS } from '../../learners/forest/adaptive-trees.ts'
import { initialSubspaces, subspaceSize } from '../../learners/forest/subspaces.ts'
import { Random } from '../../math/random.ts'
import { defineMethod, type Method } from '../../method.ts'
import { option } from '../../options/option.ts'
import { type OptionsOf, readOptions } from '../../options/option-table.ts'
import { RIVAL_OPTIONS } from '../base/epsilon-greedy.ts'
import { TreesAssessor } from '../base/trees-assessor.ts'

/** The options of {@link Srp}. */
export const SRP_OPTIONS = {
  ...RIVAL_OPTIONS,
  ...TREES_OPTIONS,
  ...detectorOptions(1e-5, 1e-4),
  subspace: option.number({
    words: ['sqrt', 'inverse-sqrt'],
    default: 0.6,
    about:
      'Channels each tree sees: a share in (0, 1] (rounded, at least 2), an integer count (negative: all but so ' +
      'many), `sqrt` for √d + 1, or `inverse-sqrt` for d − (√d + 1).',
  }),
  training: option.choice(['patches', 'subspaces', 'resampling'], {
    default: 'patches',
    about:
      '`patches` varies both channels and samples from tree to tree, `subspaces` the channels only, `resampling` the ' +
      'samples only.',
  }),
  compat: {
    ...TREES_OPTIONS.compat,
    about:
      '`canonical` as published and in MOA, except that a tree is judged before it learns the sample; `skm` as ' +
      'scikit-multiflow: judged after, any change of the error counts as drift, also an improvement, and up to 20 ' +
      'channels only the first combinations of them are used; `river` as River: the same, and a weight of k is ' +
      'learned as k samples.',
  },
}

/** Options of {@link Srp}, as {@link SRP_OPTIONS} declares them. */
export type SrpOptions = OptionsOf<typeof SRP_OPTIONS>

/**
 * Streaming Random Patches: bagged Hoeffding trees that each see a random subspace of the channels, replaced one by
 * one, with a new subspace, when their errors drift.
 *
 * H. M. Gomes, J. Read and A. Bifet, "Streaming random patches for evolving data stream classification", ICDM 2019.
 *
 * @example
 * import { Srp } from '@pb-oel/core/rivals'
 * const assessor = new Srp({ channels: 5, levels: 3, seed: 1 })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4, 0, 1, 2))
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class Srp extends TreesAssessor {
  protected readonly trees: AdaptiveTrees

  constructor(options: SrpOptions) {
    const settings = readOptions(SRP_OPTIONS, options)
    const { members, compat, training } = settings
    super(SRP, options, members)
    const size = subspaceSize(settings.subspace, this.channels)
    const whole = training === 'resampling' || size === this.channels
    const random = new Random(this.seed, 'subspaces')
    this.trees = new AdaptiveTrees(settings, {
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

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Srp {
    return SRP.restore(bytes)
  }

  /** The channels each tree sees now. */
  subspaces(): Int32Array[] {
    return this.trees.subspaces()
  }
}

/** The entry of {@link Srp}. */
export const SRP: Method<Srp> = defineMethod({
  name: 'srp',
  title: 'SRP',
  role: 'rival',
  summary: 'streaming random patches, ten trees',
  options: SRP_OPTIONS,
  widens: true,
  make: (options) => new Srp(options),
})
