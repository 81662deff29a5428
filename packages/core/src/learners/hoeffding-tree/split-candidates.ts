import { gaussianShare } from './gaussian-share.ts'
import type { LeafPool } from './leaf-pool.ts'

/**
 * The splits that can be thought of at a leaf. For each feature, thresholds at equal distances between the lowest and
 * the highest value; the weight of a level at or below a threshold comes from its normal distribution.
 */
export class SplitCandidates {
  /** Number of levels the leaf has observed; the arrays below have an entry for each of these. */
  classes = 0
  /** Which level it is, and its observed weight. */
  readonly level: Int32Array
  readonly weights: Float64Array
  /** Sum of the weights. */
  total = 0
  /** Of the feature loaded: mean, 1/σ (0 for no width), lowest and highest value. */
  readonly means: Float64Array
  readonly inverses: Float64Array
  readonly lows: Float64Array
  readonly highs: Float64Array
  /** Of the feature loaded: its range, and the distance of the thresholds. */
  low = 0
  high = 0
  step = 0
  /** Number of thresholds for each feature. */
  readonly count: number

  constructor(levels: number, count: number) {
    this.count = count
    this.level = new Int32Array(levels)
    this.weights = new Float64Array(levels)
    this.means = new Float64Array(levels)
    this.inverses = new Float64Array(levels)
    this.lows = new Float64Array(levels)
    this.highs = new Float64Array(levels)
  }

  /** Collects the levels that a leaf has observed. */
  collect(pool: LeafPool, leaf: number): void {
    const seen = leaf * pool.size + pool.seen
    this.classes = 0
    this.total = 0
    for (let c = 0; c < this.level.length; c++) {
      const weight = pool.data[seen + c]
      if (weight > 0) {
        this.level[this.classes] = c
        this.weights[this.classes++] = weight
        this.total += weight
      }
    }
  }

  /** Loads the distributions of a feature. Returns whether there is anything between its lowest and highest value. */
  load(pool: LeafPool, leaf: number, feature: number): boolean {
    const { data, features: m } = pool
    const observers = leaf * pool.size + pool.observers + feature
    let low = Infinity
    let high = -Infinity
    for (let k = 0; k < this.classes; k++) {
      const at = observers + this.level[k] * 5 * m
      const n = this.weights[k]
      const variance = n > 1 ? data[at + 2 * m] / (n - 1) : 0
      this.means[k] = data[at]
      this.inverses[k] = variance > 0 ? 1 / Math.sqrt(variance) : 0
      this.lows[k] = data[at + 3 * m]
      this.highs[k] = data[at + 4 * m]
      if (this.lows[k] < low) low = this.lows[k]
      if (this.highs[k] > high) high = this.highs[k]
    }
    this.low = low
    this.high = high
    this.step = (high - low) / (this.count + 1)
    return high > low
  }

  /** Weight of the k-th observed level at or below t. */
  share(k: number, t: number): number {
    if (t < this.lows[k]) return 0
    if (t >= this.highs[k]) return this.weights[k]
    return this.inverses[k] === 0 ? 0 : this.weights[k] * gaussianShare((t - this.means[k]) * this.inverses[k])
  }
}
