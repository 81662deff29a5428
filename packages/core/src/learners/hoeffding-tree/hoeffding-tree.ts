import { FeedbackError } from '../../errors.ts'
import { quickExp, quickLog } from '../../math/quick.ts'
import { Random } from '../../math/random.ts'
import { checkSample } from '../../pending.ts'
import type { StateIo } from '../../state/state-io.ts'
import { defineLearner, type Learner, type LearnerEntry } from '../learner.ts'
import { LeafPool } from './leaf-pool.ts'
import { TreeNodes } from './nodes.ts'
import { HOEFFDING_TREE_OPTIONS, type HoeffdingTreeOptions, type TreeSettings, treeSettings } from './options.ts'
import { SplitSearch } from './split-search.ts'

/**
 * Hoeffding tree (VFDT): a decision tree that grows with the stream.
 *
 * Each leaf keeps a normal distribution for every channel and level. Now and then it looks whether one split is better
 * than all others by more than Hoeffding's bound, so that the choice would most probably be the same with all data.
 *
 * P. Domingos and G. Hulten, "Mining high-speed data streams", KDD 2000. Adaptive naive Bayes leaves: G. Holmes,
 * R. Kirkby and B. Pfahringer, "Stress-testing Hoeffding trees", PKDD 2005.
 *
 * @example
 * import { HoeffdingTree } from '@pb-oel/core/learners'
 * const tree = new HoeffdingTree({ channels: 1, levels: 2 })
 * for (let i = 0; i < 1000; i++) tree.learn(Float64Array.of(i % 10), i % 10 < 4 ? 0 : 1)
 * const shares = new Float64Array(2)
 * tree.predict(Float64Array.of(2), shares)
 * shares[0] > 0.9 // true
 */
export class HoeffdingTree implements Learner {
  private readonly settings: TreeSettings
  private readonly random: Random
  private readonly nodes = new TreeNodes()
  private readonly pool: LeafPool
  private readonly search: SplitSearch
  private readonly scores: Float64Array
  /** The sample of the last `predict`, its leaf, and what naive Bayes said (−1: not asked yet). */
  private readonly last: Float64Array
  private remembered = false
  private node = 0
  private bayes = -1

  /**
   * @param random where leaves draw their channels from, when there are fewer `features` than channels; the tree owns
   * it from then on. By default made from `seed`.
   * @param search what looks for splits. It remembers nothing, so trees of the same options can share one.
   */
  constructor(options: HoeffdingTreeOptions, random?: Random, search?: SplitSearch) {
    this.settings = treeSettings(options)
    this.random = random ?? new Random(this.settings.seed, 'hoeffding-tree')
    this.pool = new LeafPool(this.settings, this.random)
    this.pool.add()
    this.search = search ?? new SplitSearch(this.settings)
    this.scores = new Float64Array(this.settings.levels)
    this.last = new Float64Array(this.settings.channels)
  }

  /** Number of nodes, splits and leaves. */
  get nodeCount(): number {
    return this.nodes.count
  }

  /** Number of splits on the longest way from the root to a leaf. */
  get height(): number {
    return this.nodes.height
  }

  /** The splits, root first: channel, threshold (values up to it go left), and depth. */
  splits(): { channel: number; threshold: number; depth: number }[] {
    return this.nodes.splits()
  }

  predict(x: Float64Array, out: Float64Array): void {
    checkSample(x, this.settings.channels)
    for (let i = 0; i < x.length; i++) this.last[i] = x[i]
    this.remembered = true
    if (!this.vote(x, out)) out.fill(1 / out.length)
  }

  learn(x: Float64Array, level: number, weight = 1): void {
    const { levels } = this.settings
    if (!(Number.isInteger(level) && level >= 0 && level < levels)) {
      throw new FeedbackError('level', level, `an integer in [0, ${levels - 1}]`)
    }
    if (!this.isLast(x)) {
      checkSample(x, this.settings.channels)
      this.locate(x)
    }
    this.learnVoted(x, level, weight)
  }

  /**
   * `predict` for ensembles: does not check `x`, and returns false, with `out` untouched, when the tree has nothing to
   * say: it is empty, or (`compat: 'skm'`) everything underflows.
   */
  vote(x: Float64Array, out: Float64Array): boolean {
    const { pool, settings } = this
    this.locate(x)
    const leaf = this.nodes.leafOf(this.node)
    const base = leaf * pool.size
    const weight = pool.weight(leaf)
    if (weight === 0) return false
    const byBayes =
      settings.leaf === 'nba'
        ? pool.data[base + pool.bayesRight] >= pool.data[base + pool.majorityRight]
        : settings.leaf === 'nb' && weight >= settings.nbThreshold
    if (byBayes) {
      this.bayes = pool.naiveBayes(leaf, x, this.scores)
      const highest = this.scores[this.bayes]
      if (settings.compat === 'skm') return this.normalise(out, quickLog(weight))
      if (highest > -Infinity) return this.normalise(out, highest)
    }
    for (let c = 0; c < out.length; c++) out[c] = pool.data[base + pool.stats + c] / weight
    return true
  }

  /** Finds the leaf of `x`, so that `learnVoted` may follow without a vote. */
  locate(x: Float64Array): void {
    this.node = this.nodes.route(x)
    this.bayes = -1
  }

  /** `learn` for ensembles: `x` must be the sample of the last `vote` or `locate`, with nothing learned in between. */
  learnVoted(x: Float64Array, level: number, weight: number): void {
    if (!(weight > 0)) return
    this.remembered = false
    const { pool, settings } = this
    const leaf = this.nodes.leafOf(this.node)
    if (settings.leaf === 'nba') this.compareLeafModels(leaf, x, level, weight)
    pool.update(leaf, x, level, weight)
    if (this.attemptDue(leaf, weight)) this.attemptSplit(leaf, pool.weight(leaf))
    this.bayes = -1
  }

  /** Whether a leaf that has just learned a sample has seen enough since it last looked for a split. */
  private attemptDue(leaf: number, weight: number): boolean {
    const { pool, settings } = this
    const at = leaf * pool.size + pool.attempt
    // Counted by itself, since the difference of two weights with inherited fractions misses the grace period by a
    // rounding. River takes the difference, so that a look sometimes comes one sample later.
    const river = settings.compat === 'river'
    const total = river ? pool.weight(leaf) : pool.data[at] + weight
    const due = (river ? total - pool.data[at] : total) >= settings.gracePeriod
    if (!river) pool.data[at] = due ? 0 : total
    else if (due) pool.data[at] = total
    return due
  }

  transfer(io: StateIo): void {
    this.random.position = io.number(this.random.position)
    this.nodes.transfer(io)
    this.pool.transfer(io)
    if (io.reading) this.remembered = false
  }

  /** Counts how often the majority and naive Bayes would have been right, before the leaf learns the answer. */
  private compareLeafModels(leaf: number, x: Float64Array, level: number, weight: number): void {
    const { pool } = this
    const base = leaf * pool.size
    const river = this.settings.compat === 'river'
    const empty = pool.weight(leaf) === 0
    if (this.bayes < 0) this.bayes = pool.naiveBayes(leaf, x, this.scores)
    if (pool.majority(leaf) === level || (river && empty)) pool.data[base + pool.majorityRight] += weight
    if (this.bayes === level && !(river && empty)) pool.data[base + pool.bayesRight] += weight
  }

  private attemptSplit(leaf: number, weight: number): void {
    const { pool, nodes, search, settings } = this
    if (nodes.count + 2 > settings.maxNodes || nodes.depthOf(this.node) >= settings.maxDepth) return
    const verdict = search.decide(pool, leaf, weight)
    if (verdict === 'forget') pool.forget(leaf)
    if (verdict !== 'split') return
    const channel = pool.channel(leaf, search.feature)
    const right = pool.add()
    nodes.split(this.node, channel, search.threshold, leaf, right)
    pool.clear(leaf)
    pool.inherit(leaf, search.left)
    pool.inherit(right, search.right)
    if (settings.compat !== 'river') return
    for (const child of [leaf, right]) pool.data[child * pool.size + pool.attempt] = pool.weight(child)
  }

  /** e^(score − shift), divided by the sum; false when all are 0. */
  private normalise(out: Float64Array, shift: number): boolean {
    const { scores } = this
    let sum = 0
    for (let c = 0; c < out.length; c++) {
      out[c] = quickExp(scores[c] - shift)
      sum += out[c]
    }
    if (!(sum > 0)) return false
    for (let c = 0; c < out.length; c++) out[c] /= sum
    return true
  }

  private isLast(x: Float64Array): boolean {
    if (!this.remembered || x.length !== this.last.length) return false
    for (let i = 0; i < x.length; i++) if (x[i] !== this.last[i]) return false
    return true
  }
}

/** The entry of {@link HoeffdingTree}. */
export const HOEFFDING_TREE: LearnerEntry = defineLearner({
  name: 'hoeffding-tree',
  title: 'Hoeffding tree',
  summary: 'a decision tree that grows with the stream',
  options: HOEFFDING_TREE_OPTIONS,
  create: (shape, options) => new HoeffdingTree({ ...options, ...shape }),
})
