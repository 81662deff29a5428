import { flag, integerIn, numberIn, oneOf, onlyKnown, positive } from '../../options/checks.ts'

/** Options of a Hoeffding tree that do not depend on the data: shared by the tree and the ensembles of trees. */
export interface TreeGrowthOptions {
  /** Weight a leaf sees between attempts to split it, 1 … 10^9. Default 200. */
  gracePeriod?: number
  /** What makes a split good: `info-gain` (bits) or `gini`. Default `info-gain`. */
  criterion?: 'info-gain' | 'gini'
  /** δ of the Hoeffding bound, the accepted chance to choose the wrong split, in (0, 1]. Default 1e-7. */
  splitConfidence?: number
  /** τ: once the bound is below it, equally good splits are no reason to wait, 0 … 1. Default 0.05. */
  tieThreshold?: number
  /**
   * What a leaf predicts: `mc` the share of each level, `nb` naive Bayes, `nba` whichever of both has been right
   * more often in that leaf. Default `nba`.
   */
  leaf?: 'mc' | 'nb' | 'nba'
  /** `nb` only: weight a leaf must have before naive Bayes is trusted, 0 … 10^9. Default 0. */
  nbThreshold?: number
  /** Let "do not split" compete with the splits. Default true. */
  prePruning?: boolean
  /** `mc` only: stop watching channels in a leaf that are worse than the best by more than the bound. Default false. */
  removePoor?: boolean
  /** A split must send more than this share of the weight to each side, 0 … 0.5. Default 0.01. */
  minBranchFraction?: number
  /** No split while one level has more than this share of the leaf, 0 … 1. Default 1: off (0.99 in River). */
  maxShareToSplit?: number
  /** Thresholds tried for each channel, 1 … 1000. Default 10. */
  candidates?: number
  /** Splits above a leaf at most, 0 … 1000. No limit by default. */
  maxDepth?: number
  /**
   * Nodes at most, 1 … 2^24; then leaves go on learning but split no more, so that memory stays bounded.
   * Default: as many as have 128 MiB of statistics, 65,535 at most.
   */
  maxNodes?: number
  /**
   * `canonical` as published and in MOA. `skm`: as scikit-multiflow, whose naive Bayes multiplies raw densities until
   * they underflow, and which may split for no gain at all. `river`: as River, whose naive Bayes passes over a channel
   * where a level is impossible, and whose `maxShareToSplit` is 0.99. Default `canonical`.
   */
  compat?: 'canonical' | 'skm' | 'river'
}

/** Options of {@link HoeffdingTree}. */
export interface HoeffdingTreeOptions extends TreeGrowthOptions {
  /** Number of channels d of a sample, 1 … 10,000. */
  channels: number
  /** Number of levels K, 2 … 255. */
  levels: number
  /** Each leaf watches this many channels, drawn at random, 1 … channels. Default: all. */
  features?: number
  /** Seed of that draw, 0 … 2^53 − 1. Default 1. */
  seed?: number
}

/** Names of the options in {@link TreeGrowthOptions}. */
export const GROWTH_OPTIONS: readonly string[] = [
  'gracePeriod',
  'criterion',
  'splitConfidence',
  'tieThreshold',
  'leaf',
  'nbThreshold',
  'prePruning',
  'removePoor',
  'minBranchFraction',
  'maxShareToSplit',
  'candidates',
  'maxDepth',
  'maxNodes',
  'compat',
]

/** The options with everything filled in. */
export type TreeSettings = Required<HoeffdingTreeOptions>

/** Checks the options and fills in the defaults. */
export function treeSettings(options: HoeffdingTreeOptions): TreeSettings {
  onlyKnown(options, ['channels', 'levels', 'features', 'seed', ...GROWTH_OPTIONS])
  const channels = integerIn('channels', options.channels, 1, 10_000)
  const levels = integerIn('levels', options.levels, 2, 255)
  const features = integerIn('features', options.features ?? channels, 1, channels)
  const compat = oneOf('compat', options.compat ?? 'canonical', ['canonical', 'skm', 'river'])
  const leaves = Math.floor(2 ** 27 / (8 * leafSize(levels, features)))
  return {
    channels,
    levels,
    features,
    compat,
    seed: integerIn('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
    gracePeriod: numberIn('gracePeriod', options.gracePeriod ?? 200, 1, 1e9),
    criterion: oneOf('criterion', options.criterion ?? 'info-gain', ['info-gain', 'gini']),
    splitConfidence: positive('splitConfidence', options.splitConfidence ?? 1e-7, 1),
    tieThreshold: numberIn('tieThreshold', options.tieThreshold ?? 0.05, 0, 1),
    leaf: oneOf('leaf', options.leaf ?? 'nba', ['mc', 'nb', 'nba']),
    nbThreshold: numberIn('nbThreshold', options.nbThreshold ?? 0, 0, 1e9),
    prePruning: flag('prePruning', options.prePruning ?? true),
    removePoor: flag('removePoor', options.removePoor ?? false),
    minBranchFraction: numberIn('minBranchFraction', options.minBranchFraction ?? 0.01, 0, 0.5),
    maxShareToSplit: numberIn('maxShareToSplit', options.maxShareToSplit ?? (compat === 'river' ? 0.99 : 1), 0, 1),
    candidates: integerIn('candidates', options.candidates ?? 10, 1, 1000),
    maxDepth: options.maxDepth === undefined ? Infinity : integerIn('maxDepth', options.maxDepth, 0, 1000),
    maxNodes: integerIn('maxNodes', options.maxNodes ?? Math.max(1, Math.min(65_535, 2 * leaves - 1)), 1, 2 ** 24),
  }
}

/** Numbers kept for a leaf that watches `features` channels of `levels` levels; see {@link LeafPool}. */
export function leafSize(levels: number, features: number): number {
  return 3 + levels * (4 + 5 * features)
}
