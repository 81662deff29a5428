import { quickLog } from '../../math/quick.ts'
import type { Random } from '../../math/random.ts'
import type { StateIo } from '../../state/state-io.ts'
import { argmax } from '../learner.ts'
import { resized } from './nodes.ts'
import { leafSize, type TreeSettings } from './options.ts'

const LOG_TWO_PI = 1.8378770664093453
/** A sum of squared deviations below this counts as no deviation: its reciprocal would overflow. */
const TINY = 1e-200
/** By how much the blocks outgrow the leaves: most trees stop growing, and what is spare then is never used. */
const GROWTH = 1.125
/** What a density of 0 counts as in the logarithm: ln 1e-300. */
const FLOOR = -690.7755278982137

/**
 * The statistics of all leaves of a tree, one block of numbers each, in one growing array.
 *
 * A leaf has the weight of each level (`stats`, partly inherited from before the split that made it), and for what it
 * has seen itself (`seen`, per level) a normal distribution for every level and channel it watches, by Welford's
 * recurrence, with minimum and maximum. Naive Bayes then is Σ (x−μ)² · precision per level, precision = 1/(2σ²), plus a
 * constant that changes only when that level is learned: ln(stats) − ½ Σ ln(2πσ²), with one logarithm of the product of
 * the variances instead of one for each.
 */
export class LeafPool {
  /** Numbers of a block. */
  readonly size: number
  /**
   * Position in a block of the weight that the leaf learned since it last looked for a split; as in River, its weight
   * then.
   */
  readonly attempt = 0
  /** Positions of the weights that the majority and naive Bayes got right. */
  readonly majorityRight = 1
  readonly bayesRight = 2
  /** Positions of the parts that have one number for each level. */
  readonly stats = 3
  readonly seen: number
  readonly constants: number
  readonly flats: number
  readonly observers: number
  /**
   * Channels watched by a leaf, m. An observer is mean[m], precision[m], squares[m], lowest[m], highest[m] for a level.
   */
  readonly features: number
  /** Number of leaves. */
  count = 0
  /** All blocks. */
  data: Float64Array
  private readonly levels: number
  private readonly channels: number
  private readonly floor: number
  private readonly random: Random
  /** Whether leaves watch only some channels: which ones, −1 until the leaf learns for the first time. */
  private readonly subset: boolean
  private channelsOf: Int32Array
  private readonly order: Int32Array
  /** Whether poor features are marked: 1 for each that a leaf no longer considers. */
  private readonly marking: boolean
  private poor: Uint8Array
  private readonly gathered: Float64Array

  constructor(settings: TreeSettings, random: Random) {
    const { levels, features, channels, compat } = settings
    this.levels = levels
    this.channels = channels
    this.features = features
    this.random = random
    this.seen = 3 + levels
    this.constants = 3 + 2 * levels
    this.flats = 3 + 3 * levels
    this.observers = 3 + 4 * levels
    this.size = leafSize(levels, features)
    this.floor = compat === 'skm' ? -Infinity : compat === 'river' ? 0 : FLOOR
    this.data = new Float64Array(this.size)
    this.subset = features < channels
    this.channelsOf = new Int32Array(this.subset ? features : 0)
    this.order = Int32Array.from({ length: this.subset ? channels : 0 }, (_, i) => i)
    this.marking = settings.removePoor && settings.leaf === 'mc'
    this.poor = new Uint8Array(this.marking ? features : 0)
    this.gathered = new Float64Array(features)
  }

  /** Makes a leaf that has learned nothing and returns its number. */
  add(): number {
    const leaf = this.count++
    if (this.count * this.size > this.data.length) this.resize(Math.ceil(this.count * GROWTH))
    this.clear(leaf)
    return leaf
  }

  /** Makes a leaf forget everything. */
  clear(leaf: number): void {
    this.data.fill(0, leaf * this.size, (leaf + 1) * this.size)
    this.data.fill(-Infinity, leaf * this.size + this.constants, leaf * this.size + this.flats)
    if (this.subset) this.channelsOf[leaf * this.features] = -1
    if (this.marking) this.poor.fill(0, leaf * this.features, (leaf + 1) * this.features)
  }

  /** Gives a new leaf the weights it inherits. */
  inherit(leaf: number, weights: Float64Array): void {
    const { data, levels } = this
    const base = leaf * this.size
    for (let c = 0; c < levels; c++) {
      data[base + this.stats + c] = weights[c]
      data[base + this.constants + c] = this.unseen(weights[c])
    }
  }

  /** Forgets what was observed and keeps the weights. */
  forget(leaf: number): void {
    const { data, levels } = this
    const base = leaf * this.size
    for (let c = 0; c < levels; c++) {
      data[base + this.constants + c] = this.unseen(data[base + this.stats + c])
      data[base + this.seen + c] = data[base + this.flats + c] = 0
    }
    data.fill(0, base + this.observers, base + this.size)
  }

  /** Weight of a leaf: what it inherited and what it learned. */
  weight(leaf: number): number {
    const from = leaf * this.size + this.stats
    let sum = 0
    for (let c = 0; c < this.levels; c++) sum += this.data[from + c]
    return sum
  }

  /** The heaviest level of a leaf. */
  majority(leaf: number): number {
    return argmax(this.data, leaf * this.size + this.stats, this.levels)
  }

  /** The channel behind the i-th feature of a leaf. */
  channel(leaf: number, i: number): number {
    return this.subset ? this.channelsOf[leaf * this.features + i] : i
  }

  /** Whether a feature was found too poor to be considered again. */
  isPoor(leaf: number, feature: number): boolean {
    return this.marking && this.poor[leaf * this.features + feature] === 1
  }

  /** Marks a feature as poor, where that is wanted. */
  markPoor(leaf: number, feature: number): void {
    if (this.marking) this.poor[leaf * this.features + feature] = 1
  }

  /** Writes ln(P(level) Π density) + ln(weight) for each level into `scores`. Returns the best level. */
  naiveBayes(leaf: number, x: Float64Array, scores: Float64Array): number {
    const { data, levels, features: m, floor } = this
    const watched = this.gather(leaf, x)
    const base = leaf * this.size
    let best = 0
    for (let c = 0; c < levels; c++) {
      let score = data[base + this.constants + c]
      if (score > -Infinity) {
        const mean = base + this.observers + c * 5 * m
        const precision = mean + m
        let even = 0
        let odd = 0
        let i = 1
        for (; i < m; i += 2) {
          const d0 = watched[i - 1] - data[mean + i - 1]
          const d1 = watched[i] - data[mean + i]
          even += d0 * d0 * data[precision + i - 1]
          odd += d1 * d1 * data[precision + i]
        }
        if (i === m) {
          const d = watched[m - 1] - data[mean + m - 1]
          even += d * d * data[precision + m - 1]
        }
        score -= even + odd
        if (data[base + this.flats + c] > 0 && floor < 0) {
          // A normal distribution without width: the value is either the one always seen, or impossible.
          for (i = 0; i < m; i++) if (data[precision + i] === 0 && watched[i] !== data[mean + i]) score += floor
        }
        // ∞ · 0 for values whose squares overflow.
        if (Number.isNaN(score)) score = this.unseen(data[base + this.stats + c])
      }
      scores[c] = score
      if (score > scores[best]) best = c
    }
    return best
  }

  /** Learns that `x` has `level`. */
  update(leaf: number, x: Float64Array, level: number, weight: number): void {
    if (this.subset && this.channelsOf[leaf * this.features] < 0) this.drawChannels(leaf)
    const { data, features: m } = this
    const watched = this.gather(leaf, x)
    const base = leaf * this.size
    const before = data[base + this.seen + level]
    const n = before + weight
    const stats = data[base + this.stats + level] + weight
    data[base + this.seen + level] = n
    data[base + this.stats + level] = stats
    const mean = base + this.observers + level * 5 * m
    const precision = mean + m
    const squares = precision + m
    const lowest = squares + m
    const highest = lowest + m
    if (before === 0) {
      for (let i = 0; i < m; i++) data[mean + i] = data[lowest + i] = data[highest + i] = watched[i]
      data.fill(0, precision, lowest)
      data[base + this.flats + level] = m
      data[base + this.constants + level] = quickLog(stats)
      return
    }
    const ratio = weight / n
    const half = n > 1 ? (n - 1) / 2 : 0
    let flat = 0
    let logarithm = 0
    let product = 1
    for (let i = 0; i < m; i++) {
      const value = watched[i]
      const d = value - data[mean + i]
      const centre = data[mean + i] + ratio * d
      const sum = data[squares + i] + weight * d * (value - centre)
      data[mean + i] = centre
      data[squares + i] = sum
      if (value < data[lowest + i]) data[lowest + i] = value
      else if (value > data[highest + i]) data[highest + i] = value
      if (sum > TINY && half > 0) {
        data[precision + i] = half / sum
        product *= sum
        if (product > 1e100 || product < 1e-100) {
          logarithm += quickLog(product)
          product = 1
        }
      } else {
        data[precision + i] = 0
        flat++
      }
    }
    data[base + this.flats + level] = flat
    let constant = quickLog(stats)
    if (flat < m) constant -= 0.5 * (logarithm + quickLog(product) + (m - flat) * (LOG_TWO_PI - quickLog(n - 1)))
    data[base + this.constants + level] = constant
  }

  transfer(io: StateIo): void {
    this.count = io.number(this.count)
    if (io.reading) this.resize(this.count)
    for (let leaf = 0; leaf < this.count; leaf++) this.transferLeaf(io, leaf * this.size)
    if (this.subset) io.fill(this.channelsOf.subarray(0, this.count * this.features))
    if (this.marking) io.fill(this.poor.subarray(0, this.count * this.features))
  }

  private transferLeaf(io: StateIo, base: number): void {
    const { data, levels, stats, observers, constants, flats } = this
    // Of a level that is new when this is loaded, a leaf knows nothing.
    if (io.reading) data.fill(-Infinity, base + constants, base + flats)
    io.fill(data.subarray(base, base + stats))
    io.perLevel(data.subarray(base + stats, base + observers), levels)
    io.perLevel(data.subarray(base + observers, base + this.size), levels, 5 * this.features)
  }

  /** The naive Bayes constant of a level of this weight that no observer has seen: every density is 0. */
  private unseen(stats: number): number {
    return stats > 0 ? quickLog(stats) + this.features * this.floor : -Infinity
  }

  /** Draws the channels that a leaf watches: a partial Fisher–Yates shuffle in place. */
  private drawChannels(leaf: number): void {
    const { order, channels, features, random } = this
    for (let i = 0; i < features; i++) {
      const j = i + random.integer(channels - i)
      const channel = order[j]
      order[j] = order[i]
      order[i] = channel
      this.channelsOf[leaf * features + i] = channel
    }
    for (let i = 0; i < channels; i++) order[i] = i
  }

  /** The values of `x` that a leaf watches. */
  private gather(leaf: number, x: Float64Array): Float64Array {
    const { channelsOf, gathered, features } = this
    if (!this.subset) return x
    const from = leaf * features
    if (channelsOf[from] < 0) return gathered.fill(0)
    for (let i = 0; i < features; i++) gathered[i] = x[channelsOf[from + i]]
    return gathered
  }

  private resize(leaves: number): void {
    this.data = resized(this.data, new Float64Array(leaves * this.size))
    if (this.subset) this.channelsOf = resized(this.channelsOf, new Int32Array(leaves * this.features))
    if (this.marking) this.poor = resized(this.poor, new Uint8Array(leaves * this.features))
  }
}
