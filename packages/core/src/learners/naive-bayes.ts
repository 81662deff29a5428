import { exp, log } from '../math/elementary.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { SHAPE_OPTIONS } from '../options/task-options.ts'
import type { StateIo } from '../state/state-io.ts'
import { defineLearner, type Learner, type LearnerEntry } from './learner.ts'

/** The options of {@link NaiveBayes}. */
export const NAIVE_BAYES_OPTIONS = {
  ...SHAPE_OPTIONS,
  compat: option.choice(['canonical', 'skm'], {
    default: 'canonical',
    about:
      '`canonical`: logarithms, no density below 1e-300 of its peak; `skm`: densities are multiplied as they are, so ' +
      'with many channels every product underflows to 0 and the answer is uniform.',
  }),
}

/** Options of {@link NaiveBayes}, as {@link NAIVE_BAYES_OPTIONS} declares them. */
export type NaiveBayesOptions = OptionsOf<typeof NAIVE_BAYES_OPTIONS>

const LOG_TWO_PI = 1.8378770664093453
/** −log(1e-300), for a value that a level rules out: as good as impossible, but comparable. */
const IMPOSSIBLE = 690.7755278982137

/**
 * Gaussian naive Bayes: per level and channel a normal distribution, priors by frequency.
 *
 * Variances are M₂/(n−1) with n the summed weights, and 0 up to n = 1; a variance of 0 allows the mean only, with a
 * density of 1. What does not depend on the sample is computed once for each level, and again when it has learned.
 *
 * @example
 * import { NaiveBayes } from '@pb-oel/core/learners'
 * const learner = new NaiveBayes({ channels: 1, levels: 2 })
 * for (const x of [1, 2, 3]) learner.learn(Float64Array.of(x), 0)
 * for (const x of [4, 6]) learner.learn(Float64Array.of(x), 1)
 * const out = new Float64Array(2)
 * learner.predict(Float64Array.of(3), out)
 * out // [0.77765, 0.22235]
 */
export class NaiveBayes implements Learner {
  private readonly channels: number
  private readonly levels: number
  private readonly raw: boolean
  /** Summed weight per level. */
  private readonly weights: Float64Array
  /** Mean and sum of squared deviations, level by level, channel by channel. */
  private readonly means: Float64Array
  private readonly squares: Float64Array
  private total = 0
  // Derived from the statistics: the score of a level is its peak − Σ precision · (x − mean)².
  private readonly precisions: Float64Array
  private readonly peaks: Float64Array
  private readonly stale: Uint8Array

  constructor(options: NaiveBayesOptions) {
    const { channels, levels, compat } = readOptions(NAIVE_BAYES_OPTIONS, options)
    this.channels = channels
    this.levels = levels
    this.raw = compat === 'skm'
    const cells = channels * levels
    this.weights = new Float64Array(this.levels)
    this.means = new Float64Array(cells)
    this.squares = new Float64Array(cells)
    this.precisions = new Float64Array(cells)
    this.peaks = new Float64Array(this.levels)
    this.stale = new Uint8Array(this.levels).fill(1)
  }

  predict(x: Float64Array, out: Float64Array): void {
    const { levels, weights } = this
    if (this.total === 0) {
      out.fill(1 / levels)
      return
    }
    let highest = -Infinity
    for (let level = 0; level < levels; level++) {
      if (weights[level] === 0) {
        out[level] = -Infinity
        continue
      }
      if (this.stale[level] === 1) this.refresh(level)
      const score = this.raw ? this.rawScore(x, level) : this.score(x, level)
      out[level] = score
      if (score > highest) highest = score
    }
    if (highest === -Infinity) {
      out.fill(1 / levels)
      return
    }
    let sum = 0
    for (let level = 0; level < levels; level++) {
      out[level] = exp(out[level] - highest)
      sum += out[level]
    }
    for (let level = 0; level < levels; level++) out[level] /= sum
  }

  learn(x: Float64Array, level: number, weight = 1): void {
    if (weight === 0) return
    const { channels, means, squares } = this
    this.weights[level] += weight
    this.total += weight
    this.stale[level] = 1
    const share = weight / this.weights[level]
    for (let i = 0, at = level * channels; i < channels; i++, at++) {
      const off = x[i] - means[at]
      means[at] += share * off
      squares[at] += weight * off * (x[i] - means[at])
    }
  }

  transfer(io: StateIo): void {
    this.total = io.number(this.total)
    io.perLevel(this.weights, this.levels)
    io.perLevel(this.means, this.levels, this.channels)
    io.perLevel(this.squares, this.levels, this.channels)
    if (io.reading) this.stale.fill(1)
  }

  private refresh(level: number): void {
    const { channels, squares, precisions } = this
    const n = this.weights[level]
    let logs = 2 * log(n)
    // One logarithm for many variances: their product, kept away from the ends of the range.
    let product = 1
    for (let i = 0, at = level * channels; i < channels; i++, at++) {
      const variance = n > 1 ? squares[at] / (n - 1) : 0
      if (variance <= 0) {
        precisions[at] = Number.MAX_VALUE
        continue
      }
      precisions[at] = Math.min(0.5 / variance, Number.MAX_VALUE)
      logs -= LOG_TWO_PI
      if (variance < 1e-100 || variance > 1e100) logs -= log(variance)
      else product *= variance
      if (product < 1e-200 || product > 1e200) {
        logs -= log(product)
        product = 1
      }
    }
    this.peaks[level] = 0.5 * (logs - log(product))
    this.stale[level] = 0
  }

  /** Logarithm of weight times likelihood. */
  private score(x: Float64Array, level: number): number {
    const { channels, means, precisions } = this
    let sum = this.peaks[level]
    for (let i = 0, at = level * channels; i < channels; i++, at++) {
      const off = x[i] - means[at]
      const distance = off * off * precisions[at]
      sum -= distance < IMPOSSIBLE ? distance : IMPOSSIBLE
    }
    return sum
  }

  /** Logarithm of prior times likelihood as double precision gives the product: −∞ once it has underflown. */
  private rawScore(x: Float64Array, level: number): number {
    const { channels, means, precisions } = this
    let product = this.weights[level] / this.total
    for (let i = 0, at = level * channels; i < channels; i++, at++) {
      const off = x[i] - means[at]
      const precision = precisions[at]
      const peak = precision === Number.MAX_VALUE ? 1 : Math.sqrt(precision / Math.PI)
      product = Math.min(product * peak * exp(-off * off * precision), Number.MAX_VALUE)
    }
    return log(product)
  }
}

/** The entry of {@link NaiveBayes}. */
export const NAIVE_BAYES: LearnerEntry = defineLearner({
  name: 'naive-bayes',
  title: 'naive Bayes',
  summary: 'a normal distribution for each level and channel',
  options: NAIVE_BAYES_OPTIONS,
  create: (shape, options) => new NaiveBayes({ ...options, ...shape }),
})
