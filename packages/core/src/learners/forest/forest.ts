import { Random } from '../../math/random.ts'
import { option } from '../../options/option.ts'
import { type OptionsOf, readOptions } from '../../options/option-table.ts'
import type { StateIo } from '../../state/state-io.ts'
import { defineLearner, type Learner, type LearnerEntry } from '../learner.ts'
import { AdaptiveTrees, detectorOptions, TREES_OPTIONS } from './adaptive-trees.ts'
import { leafFeatures } from './leaf-features.ts'
import { initialSubspaces, subspaceSize } from './subspaces.ts'

/** The options of {@link Forest}. */
export const FOREST_OPTIONS = {
  ...TREES_OPTIONS,
  ...detectorOptions(0.001, 0.01),
  memory: option.number({
    above: 0,
    to: 65_536,
    default: 512,
    about:
      'Where `maxNodes` is not given: statistics of all trees together at most, in MiB; then leaves split no more.',
  }),
  subspace: option.number({
    above: 0,
    to: 1,
    default: 1,
    about: 'Share of the channels that each tree sees, drawn at random.',
  }),
  features: option.number({
    above: 0,
    words: ['sqrt', 'all'],
    default: 'sqrt',
    about: 'Channels each leaf looks at: a count, a share in (0, 1), `sqrt` for √d rounded, or `all` its tree sees.',
  }),
}

/** Options of {@link Forest}, as {@link FOREST_OPTIONS} declares them. */
export type ForestOptions = OptionsOf<typeof FOREST_OPTIONS>

/**
 * Bagged Hoeffding trees that are replaced one by one when their errors drift: an adaptive random forest where leaves
 * look at few channels, streaming random patches where trees do (`subspace`).
 *
 * H. M. Gomes et al., "Adaptive random forests for evolving data stream classification", Machine Learning 106, 2017;
 * H. M. Gomes, J. Read and A. Bifet, "Streaming random patches for evolving data stream classification", ICDM 2019.
 *
 * @example
 * import { Forest } from '@pb-oel/core/learners'
 * const forest = new Forest({ channels: 1, levels: 2 })
 * for (let i = 0; i < 1000; i++) forest.learn(Float64Array.of(i % 10), i % 10 < 4 ? 0 : 1)
 * const shares = new Float64Array(2)
 * forest.predict(Float64Array.of(2), shares)
 * shares[0] > 0.9 // true
 */
export class Forest implements Learner {
  private readonly trees: AdaptiveTrees
  private readonly votes: Int32Array
  private readonly drifts: Uint8Array

  constructor(options: ForestOptions) {
    const settings = readOptions(FOREST_OPTIONS, options)
    const { channels, members, subspace, features, seed, memory } = settings
    const size = subspaceSize(subspace, channels)
    const random = new Random(seed, 'subspaces')
    this.trees = new AdaptiveTrees(settings, {
      ...(features !== 'all' && { leafFeatures: leafFeatures(features, size) }),
      subspaces:
        size === channels
          ? Array.from({ length: members }, () => new Int32Array(0))
          : initialSubspaces(random, members, channels, size, false),
      resample: true,
      judgeAfter: false,
      repeat: false,
      memory: memory * 2 ** 20,
    })
    this.votes = new Int32Array(members)
    this.drifts = new Uint8Array(members)
  }

  predict(x: Float64Array, out: Float64Array): void {
    this.trees.predict(x, out, this.votes)
  }

  learn(x: Float64Array, level: number, weight = 1): void {
    for (let i = 0; i < Math.round(weight); i++) this.trees.learn(x, level, this.drifts)
  }

  transfer(io: StateIo): void {
    this.trees.transfer(io)
  }
}

/** The entry of {@link Forest}. */
export const FOREST: LearnerEntry = defineLearner({
  name: 'forest',
  title: 'forest',
  summary: 'bagged Hoeffding trees, replaced when their errors drift',
  options: FOREST_OPTIONS,
  create: (shape, options) => new Forest({ ...options, ...shape }),
  mostBytes: (shape, options) => readOptions(FOREST_OPTIONS, { ...options, ...shape }).memory * 2 ** 20,
})
