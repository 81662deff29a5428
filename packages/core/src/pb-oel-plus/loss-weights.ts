import { exp, log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/** What is left of the variance of the losses after a round: the rate answers to the last hundred rounds or so. */
const FADE = 0.99

/** How {@link LossWeights} learn. */
export interface LossWeightsSettings {
  /** Number of experts N. */
  experts: number
  /**
   * Learning rate η, or `adaptive`: min(1, √(ln N / (1 + V))), V the fading sum of the variances Σ q (ℓ̂ − Σ q ℓ̂)².
   */
  rate: number | 'adaptive'
  /** Share σ of the weight that is spread out after every round, as it was spread at first. */
  share: number
  /** Share π of the weight that the last expert has at first; 1/N where it is left out, as each of the others has. */
  last?: number
  /**
   * Whether late answers slow an adaptive rate and the share down, both by √(1 + 2d): d is how many answers came
   * between an assessment and its own, on average.
   */
  patient?: boolean
}

/**
 * Exponential weights that fall with estimated losses, with fixed share (Herbster & Warmuth, Machine Learning 32,
 * 1998) in place of restarts: q ← q·exp(−η ℓ̂), normalised, then q ← (1−σ)q + σπ, where
 * π are the weights at first.
 *
 * Kept as logarithms, so that without sharing an expert that did badly can still come back.
 */
export class LossWeights implements Stateful {
  /** q_n, sum 1. */
  readonly shares: Float64Array
  /** ℓ̂_n of the round being learned: fill, then call `update`. */
  readonly losses: Float64Array
  /** η of the next update. */
  rate: number
  /** Regret that learning may have cost so far: max −ln π/η₁, and max Φ·(1/η_t − 1/η_{t−1}) whenever the rate fell. */
  learning: number
  /** Regret that sharing may have cost so far: Σ ln(1/(1−σ))/η_t. */
  sharing = 0
  /** Regret that the spread of the losses has cost so far: the mixability gaps Σ q ℓ̂ + ln(Σ q exp(−η ℓ̂))/η. */
  spread = 0
  private readonly logShares: Float64Array
  /** π_n, where they differ. */
  private readonly prior: Float64Array | undefined
  private readonly settings: LossWeightsSettings
  private readonly complexity: number
  private variance = 0
  /** √(1 + 2d), and the fading sums that give d. */
  private slowness = 1
  private lateness = 0
  private heard = 0

  constructor(settings: LossWeightsSettings) {
    const { experts, rate, last } = settings
    this.settings = settings
    this.complexity = log(experts)
    this.shares = new Float64Array(experts).fill(1 / experts)
    if (last !== undefined && experts > 1) {
      this.shares.fill((1 - last) / (experts - 1))
      this.shares[experts - 1] = last
      this.prior = this.shares.slice()
    }
    this.losses = new Float64Array(experts)
    this.logShares = this.prior?.map(log) ?? new Float64Array(experts).fill(-this.complexity)
    this.rate = rate === 'adaptive' ? this.adaptedRate() : rate
    this.learning = experts > 1 ? -smallest(this.logShares) / this.rate : 0
  }

  /**
   * One round: the experts lose `losses`.
   *
   * @param behind how many other answers came between the assessment and this answer to it
   */
  update(behind = 0): void {
    const { shares, losses } = this
    if (shares.length === 1) return
    if (this.settings.patient) this.slowDown(behind)
    let mean = 0
    let square = 0
    for (let n = 0; n < shares.length; n++) {
      mean += shares[n] * losses[n]
      square += shares[n] * losses[n] * losses[n]
    }
    const logSum = this.shift(-this.rate)
    this.spread += Math.max(0, mean + logSum / this.rate)
    this.shareOut()
    this.variance = this.variance * FADE + Math.max(0, square - mean * mean)
    if (this.settings.rate !== 'adaptive') return
    const rate = this.adaptedRate()
    if (rate < this.rate) this.learning += -smallest(this.logShares) * (1 / rate - 1 / this.rate)
    this.rate = rate
  }

  /**
   * ln q_n += factor · ℓ̂_n, normalised; returns the logarithm of the sum before. A positive factor takes losses back.
   */
  shift(factor: number): number {
    const { shares, logShares, losses } = this
    let highest = -Infinity
    for (let n = 0; n < shares.length; n++) {
      logShares[n] += factor * losses[n]
      if (logShares[n] > highest) highest = logShares[n]
    }
    let sum = 0
    for (let n = 0; n < shares.length; n++) {
      shares[n] = exp(logShares[n] - highest)
      sum += shares[n]
    }
    const logSum = highest + log(sum)
    for (let n = 0; n < shares.length; n++) {
      shares[n] /= sum
      logShares[n] -= logSum
    }
    return logSum
  }

  transfer(io: StateIo): void {
    io.fill(this.shares)
    io.fill(this.logShares)
    if (this.settings.patient) {
      this.slowness = io.number(this.slowness)
      this.lateness = io.number(this.lateness)
      this.heard = io.number(this.heard)
    }
    this.rate = io.number(this.rate)
    this.variance = io.number(this.variance)
    this.learning = io.number(this.learning)
    this.sharing = io.number(this.sharing)
    this.spread = io.number(this.spread)
  }

  private shareOut(): void {
    const { shares, logShares, prior } = this
    const share = this.settings.share / this.slowness
    if (share === 0) return
    for (let n = 0; n < shares.length; n++) {
      shares[n] = (1 - share) * shares[n] + (prior ? share * prior[n] : share / shares.length)
      logShares[n] = log(shares[n])
    }
    this.sharing += -log(1 - share) / this.rate
  }

  /**
   * While d answers are under way, d losses hit the experts for what is past. The regret grows by √(1 + 2d), and the
   * best fixed rate falls by it (Joulani, György & Szepesvári, ICML 2013; Flaspohler et al., ICML 2021).
   */
  private slowDown(behind: number): void {
    this.lateness = FADE * this.lateness + behind
    this.heard = FADE * this.heard + 1
    this.slowness = Math.sqrt(1 + (2 * this.lateness) / this.heard)
  }

  private adaptedRate(): number {
    return Math.min(1, Math.sqrt(this.complexity / (1 + this.variance))) / this.slowness
  }
}

function smallest(values: Float64Array): number {
  let found = values[0]
  for (let i = 1; i < values.length; i++) if (values[i] < found) found = values[i]
  return found
}
