import { integerIn } from '../../options/checks.ts'
import { option } from '../../options/option.ts'
import { type OptionsOf, readOptions } from '../../options/option-table.ts'
import { SHAPE_OPTIONS } from '../../options/task-options.ts'

/** Options of a Hoeffding tree that do not depend on the data: shared by the tree and the ensembles of trees. */
export const GROWTH_OPTIONS = {
  gracePeriod: option.number({
    from: 1,
    to: 1e9,
    default: 200,
    about: 'Weight a leaf sees between attempts to split it.',
  }),
  criterion: option.choice(['info-gain', 'gini'], {
    default: 'info-gain',
    about: 'What makes a split good: information gain in bits, or the fall of Gini’s index.',
  }),
  splitConfidence: option.number({
    above: 0,
    to: 1,
    default: 1e-7,
    about: 'δ of the Hoeffding bound: the accepted chance to choose the wrong split.',
  }),
  tieThreshold: option.number({
    from: 0,
    to: 1,
    default: 0.05,
    about: 'τ: once the bound is below it, equally good splits are no reason to wait.',
  }),
  leaf: option.choice(['mc', 'nb', 'nba'], {
    default: 'nba',
    about:
      'What a leaf predicts: `mc` the share of each level, `nb` naive Bayes, `nba` whichever of both has been right ' +
      'more often in that leaf.',
  }),
  nbThreshold: option.number({
    from: 0,
    to: 1e9,
    default: 0,
    about: 'With `leaf: nb`, the weight a leaf must have before naive Bayes is trusted.',
  }),
  prePruning: option.flag({ default: true, about: 'Lets "do not split" compete with the splits.' }),
  removePoor: option.flag({
    default: false,
    about: 'With `leaf: mc`, stops watching channels in a leaf that are worse than the best by more than the bound.',
  }),
  minBranchFraction: option.number({
    from: 0,
    to: 0.5,
    default: 0.01,
    about: 'A split must send more than this share of the weight to each side.',
  }),
  maxShareToSplit: option.number({
    from: 0,
    to: 1,
    otherwise: '1, which is off; 0.99 with `compat: river`',
    about: 'No split while one level has more than this share of the leaf.',
  }),
  candidates: option.integer({ from: 1, to: 1000, default: 10, about: 'Thresholds tried for each channel.' }),
  maxDepth: option.integer({ from: 0, to: 1000, otherwise: 'no limit', about: 'Splits above a leaf at most.' }),
  maxNodes: option.integer({
    from: 1,
    to: 2 ** 24,
    otherwise: 'as many as have 128 MiB of statistics, 65,535 at most',
    about: 'Nodes at most; then leaves go on learning but split no more, so that memory stays bounded.',
  }),
  compat: option.choice(['canonical', 'skm', 'river'], {
    default: 'canonical',
    about:
      '`canonical` as published and in MOA; `skm` as scikit-multiflow, whose naive Bayes multiplies raw densities ' +
      'until they underflow, and which may split for no gain at all; `river` as River, whose naive Bayes passes ' +
      'over a channel where a level is impossible, and whose `maxShareToSplit` is 0.99.',
  }),
}

/** Options of a Hoeffding tree that do not depend on the data, as {@link GROWTH_OPTIONS} declares them. */
export type TreeGrowthOptions = OptionsOf<typeof GROWTH_OPTIONS>

/** The options of {@link HoeffdingTree}. */
export const HOEFFDING_TREE_OPTIONS = {
  ...SHAPE_OPTIONS,
  features: option.integer({
    from: 1,
    to: 10_000,
    otherwise: 'all channels',
    about: 'Each leaf watches this many channels, drawn at random.',
  }),
  seed: option.integer({
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    default: 1,
    about: 'Seed of the draw of channels.',
  }),
  ...GROWTH_OPTIONS,
}

/** Options of {@link HoeffdingTree}, as {@link HOEFFDING_TREE_OPTIONS} declares them. */
export type HoeffdingTreeOptions = OptionsOf<typeof HOEFFDING_TREE_OPTIONS>

/** The options with everything filled in. */
export type TreeSettings = Required<HoeffdingTreeOptions>

/** Checks the options and fills in the defaults. */
export function treeSettings(options: HoeffdingTreeOptions): TreeSettings {
  const settings = readOptions(HOEFFDING_TREE_OPTIONS, options)
  const { channels, levels, compat } = settings
  const features = integerIn('features', settings.features ?? channels, 1, channels)
  const leaves = Math.floor(2 ** 27 / (8 * leafSize(levels, features)))
  return {
    ...settings,
    features,
    maxShareToSplit: settings.maxShareToSplit ?? (compat === 'river' ? 0.99 : 1),
    maxDepth: settings.maxDepth ?? Infinity,
    maxNodes: settings.maxNodes ?? Math.max(1, Math.min(65_535, 2 * leaves - 1)),
  }
}

/** Numbers kept for a leaf that watches `features` channels of `levels` levels; see {@link LeafPool}. */
export function leafSize(levels: number, features: number): number {
  return 3 + levels * (4 + 5 * features)
}
