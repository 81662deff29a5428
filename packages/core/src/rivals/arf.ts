import { AdaptiveTrees, detectorOptions, TREES_OPTIONS } from '../learners/forest/adaptive-trees.ts'
import { leafFeatures } from '../learners/forest/leaf-features.ts'
import { defineMethod, type Method } from '../method.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { RIVAL_OPTIONS } from './base/epsilon-greedy.ts'
import { TreesAssessor } from './base/trees-assessor.ts'

/** The options of {@link Arf}. */
export const ARF_OPTIONS = {
  ...RIVAL_OPTIONS,
  ...TREES_OPTIONS,
  ...detectorOptions(0.001, 0.01),
  features: option.number({
    above: 0,
    words: ['sqrt'],
    default: 'sqrt',
    about: 'Channels each leaf looks at: a count up to all of them, a share in (0, 1), or `sqrt` for √d rounded.',
  }),
  compat: {
    ...TREES_OPTIONS.compat,
    about:
      '`canonical` as published and in MOA, except that a tree is judged before it learns the sample; `skm` as ' +
      'scikit-multiflow: judged after, any change of the error counts as drift, also an improvement, and all trees ' +
      'draw the same channels; `river` as River: any change counts.',
  },
}

/** Options of {@link Arf}, as {@link ARF_OPTIONS} declares them. */
export type ArfOptions = OptionsOf<typeof ARF_OPTIONS>

/**
 * Adaptive Random Forest: bagged Hoeffding trees that each look at few channels in a leaf, replaced one by one when
 * their errors drift.
 *
 * H. M. Gomes et al., "Adaptive random forests for evolving data stream classification", Machine Learning 106, 2017.
 *
 * @example
 * import { Arf } from '@pb-oel/core/rivals'
 * const assessor = new Arf({ channels: 2, levels: 3, seed: 1 })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4))
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class Arf extends TreesAssessor {
  protected readonly trees: AdaptiveTrees

  constructor(options: ArfOptions) {
    const settings = readOptions(ARF_OPTIONS, options)
    const { members, compat, features } = settings
    super(ARF, options, members)
    this.trees = new AdaptiveTrees(settings, {
      leafFeatures: leafFeatures(features, this.channels),
      subspaces: Array.from({ length: members }, () => new Int32Array(0)),
      resample: true,
      judgeAfter: compat === 'skm',
      repeat: false,
    })
    this.warmUp()
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Arf {
    return ARF.restore(bytes)
  }
}

/** The entry of {@link Arf}. */
export const ARF: Method<Arf> = defineMethod({
  name: 'arf',
  title: 'ARF',
  role: 'rival',
  summary: 'adaptive random forest, ten trees',
  options: ARF_OPTIONS,
  widens: true,
  make: (options) => new Arf(options),
})
