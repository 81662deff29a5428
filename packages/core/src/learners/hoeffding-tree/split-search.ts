import { quickLog } from '../../math/quick.ts'
import type { LeafPool } from './leaf-pool.ts'
import { entropy, gini, hoeffdingBound, xLogX } from './merit.ts'
import type { TreeSettings } from './options.ts'
import { SplitCandidates } from './split-candidates.ts'
import { SplitScreen } from './split-screen.ts'

/** What to do with a leaf: split it, forget what it observed ("do not split" won), or wait for more. */
export type SplitVerdict = 'split' | 'forget' | 'wait'

/**
 * Looks for the best split of a leaf.
 *
 * For each channel, thresholds at equal distances between the lowest and the highest value are tried. The weight of a
 * level at or below a threshold is estimated from its normal distribution. A split wins when its merit is ahead of the
 * next best channel's by more than Hoeffding's bound, or when the bound itself is small.
 *
 * P. Domingos and G. Hulten, "Mining high-speed data streams", KDD 2000; thresholds after B. Pfahringer, G. Holmes and
 * R. Kirkby, "Handling numeric attributes in Hoeffding trees", PAKDD 2008.
 */
export class SplitSearch {
  /** The winning feature of the leaf, its threshold, and the weights of the levels on either side. */
  feature = -1
  threshold = 0
  readonly left: Float64Array
  readonly right: Float64Array
  private readonly settings: TreeSettings
  private readonly byGini: boolean
  private readonly candidates: SplitCandidates
  private readonly screen: SplitScreen
  private readonly shares: Float64Array
  private readonly merits: Float64Array
  /** Merit = offset − impurity / weight. */
  private offset = 0
  private bestThreshold = 0

  constructor(settings: TreeSettings) {
    const { levels } = settings
    this.settings = settings
    this.byGini = settings.criterion === 'gini'
    this.candidates = new SplitCandidates(levels, settings.candidates)
    this.screen = new SplitScreen(this.candidates, settings.minBranchFraction)
    this.left = new Float64Array(levels)
    this.right = new Float64Array(levels)
    this.shares = new Float64Array(levels)
    this.merits = new Float64Array(settings.features)
  }

  /** Decides about a leaf of the given weight. After `split`, the fields say where and how. */
  decide(pool: LeafPool, leaf: number, weight: number): SplitVerdict {
    const { settings, byGini, candidates } = this
    const { levels, compat } = settings
    const stats = leaf * pool.size + pool.stats
    let present = 0
    let largest = 0
    for (let c = 0; c < levels; c++) {
      const w = pool.data[stats + c]
      if (w > 0) present++
      if (w > largest) largest = w
    }
    if (present < 2) return 'wait'
    if (largest > settings.maxShareToSplit * weight) return 'forget'
    const range = byGini ? 1 : quickLog(present) / Math.LN2
    const bound = hoeffdingBound(range, settings.splitConfidence, weight)
    const tie = bound < settings.tieThreshold
    candidates.collect(pool, leaf)
    if (!tie && !byGini && !settings.removePoor && !this.screen.mayLead(pool, leaf, bound)) return 'wait'

    this.offset = byGini ? 1 : entropy(pool.data, stats, levels)
    let best = -Infinity
    let second = -Infinity
    let entries = 0
    let winner = -1
    if (settings.prePruning) {
      entries = 1
      if (byGini && compat !== 'river') best = 1 - gini(pool.data, stats, levels)
    }
    for (let f = 0; f < pool.features; f++) {
      const merit = pool.isPoor(leaf, f) ? Number.NaN : this.bestOf(pool, leaf, f)
      this.merits[f] = merit
      if (Number.isNaN(merit)) continue
      entries++
      if (merit >= best) {
        second = best
        best = merit
        winner = compat === 'river' && merit === -Infinity ? -1 : f
        this.threshold = this.bestThreshold
      } else if (merit > second) second = merit
    }
    if (entries > 1) for (let f = 0; f < pool.features; f++) if (best - this.merits[f] > bound) pool.markPoor(leaf, f)
    if (entries === 0 || (entries > 1 && !(best - second > bound) && !tie)) return 'wait'
    if (winner < 0) return 'forget'
    // Never split for nothing. The leaf's weights are partly inherited, so that a merit against them may be negative
    // although the split tells a lot about what the leaf has observed itself: that is what counts.
    if (compat === 'canonical' && !(best > this.offset - this.observedImpurity())) return 'wait'
    this.feature = winner
    this.distribute(pool, leaf)
    return 'split'
  }

  /** Impurity of what the leaf has observed, unsplit. */
  private observedImpurity(): number {
    const { weights, classes } = this.candidates
    return this.byGini ? gini(weights, 0, classes) : entropy(weights, 0, classes)
  }

  /** The best merit of a feature, its threshold in `bestThreshold`; NaN when it has no candidate at all. */
  private bestOf(pool: LeafPool, leaf: number, feature: number): number {
    const { candidates } = this
    const none = this.settings.compat === 'river' ? -Infinity : Number.NaN
    if (!candidates.load(pool, leaf, feature)) return none
    const { low, high, step, count } = candidates
    let lowest = Infinity
    let found = false
    for (let i = 1; i <= count; i++) {
      const t = low + step * i
      if (!(t > low && t < high)) continue
      const impurity = this.impurity(t)
      if (!found || impurity < lowest) {
        found = true
        lowest = impurity
        this.bestThreshold = t
      }
    }
    return found ? this.offset - lowest / candidates.total : none
  }

  /** Σ weight · impurity over both sides of a threshold; ∞ when one side has too little. */
  private impurity(t: number): number {
    const { candidates, shares } = this
    const { classes, weights, total } = candidates
    const { minBranchFraction, compat } = this.settings
    let left = 0
    for (let k = 0; k < classes; k++) {
      shares[k] = candidates.share(k, t)
      left += shares[k]
    }
    const right = total - left
    // scikit-multiflow has no such rule for Gini.
    if (!(this.byGini && compat === 'skm')) {
      if (!(left > minBranchFraction * total && right > minBranchFraction * total)) return Infinity
    }
    let sum = this.byGini ? total : xLogX(left) + xLogX(right)
    for (let k = 0; k < classes; k++) {
      const w = shares[k]
      const rest = weights[k] - w
      if (!this.byGini) sum -= xLogX(w) + xLogX(rest)
      else sum -= (left > 0 ? (w * w) / left : 0) + (right > 0 ? (rest * rest) / right : 0)
    }
    return this.byGini ? sum : sum / Math.LN2
  }

  /** Weights of the levels on either side of the winning split. */
  private distribute(pool: LeafPool, leaf: number): void {
    const { candidates, left, right } = this
    left.fill(0)
    right.fill(0)
    candidates.load(pool, leaf, this.feature)
    for (let k = 0; k < candidates.classes; k++) {
      const w = candidates.share(k, this.threshold)
      left[candidates.level[k]] = w
      right[candidates.level[k]] = candidates.weights[k] - w
    }
  }
}
