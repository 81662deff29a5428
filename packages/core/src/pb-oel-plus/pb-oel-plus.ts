import type { Audit, FeedbackMode, Guarantee } from '../assessor.ts'
import { zeroOneCosts } from '../decision/cost-matrix.ts'
import { OptionError } from '../errors.ts'
import { type Answer, type EnsembleOptions, ExpertEnsemble } from '../experts/expert-ensemble.ts'
import type { Member } from '../experts/member.ts'
import { largest } from '../experts/reward-ledger.ts'
import { numberIn, positive } from '../options/checks.ts'
import { openSnapshot } from '../state/snapshot.ts'
import type { StateIo } from '../state/state-io.ts'
import { lossRate, lossRegret } from './bounds.ts'
import { LossEstimator } from './loss-estimator.ts'
import { LossWeights } from './loss-weights.ts'
import { NoiseEstimate } from './noise-estimate.ts'
import { RegretMonitor } from './regret-monitor.ts'

/** Options of {@link PbOelPlus}. Every part of the method can be changed or switched off by one of them. */
export interface PbOelPlusOptions extends EnsembleOptions {
  /** Experts beside the networks. Default: persistence with patience 1 and 2, and 4 and 8 where answers can be wrong; `[]` for none. */
  members?: readonly Member[]
  /**
   * Weight λ of what confirmations say about losses, 0 … 1, against what rejections say; `leader`: the probability of
   * the leading level. With `costs` always 1. Default `leader`.
   */
  lambda?: number | 'leader'
  /** Learning rate η > 0; `adaptive` to the losses; or `horizon`, the best fixed one for `horizon` and `rho`. Default `adaptive`. */
  rate?: number | 'adaptive' | 'horizon'
  /** Share σ of the weight spread evenly after each round, 0 … 0.5; 0 never. Default 0.001. */
  share?: number
  /** Added to the probabilities that estimates divide by, 0 … 1: less variance, a little bias. Default 0. */
  implicit?: number
  /** Probability that an answer is wrong, 0 … 0.45, or `estimated` from what contradicts nearly unanimous experts. Default 0. */
  noise?: number | 'estimated'
  /** Number of rounds T to come, for `rate: 'horizon'` only. */
  horizon?: number
  /** Expected share ρ of full labels, 0 … 1, for `rate: 'horizon'` only. Default 0. */
  rho?: number
}

const OPTIONS: readonly string[] = ['lambda', 'rate', 'share', 'implicit', 'noise', 'horizon', 'rho']

/** Where answers can be wrong, some experts must not jump at every "wrong". */
const persistence = (noise: unknown): readonly Member[] =>
  (noise === 0 ? [1, 2] : [1, 2, 4, 8]).map((patience) => ({ kind: 'persistence', patience }))

/** What is kept with a pending assessment: λ and the bias of implicit exploration, then what the answer did. */
const LAMBDA = 0
const BIAS = 1
const KNOWN = 2
const FULL = 3
const IMPORTANCE = 4
const RATE = 5
const NOISE = 6
const NOTES = 7

/**
 * PB-OEL+: our own successor of PB-OEL (docs/method-plus.md). Differs from it in four ways:
 * it charges losses, which are rare, where PB-OEL adds rewards, which are not, and so needs no forced exploration;
 * it uses that a confirmation reveals the label and hence every expert's loss; the learning rate follows the losses and
 * a fixed share of the weight is spread out, in place of restarts; and experts that repeat the last level are among the
 * experts. The guarantee is tighter than the paper's, see {@link PbOelPlus.guarantee} and its terms.
 *
 * @example
 * import { PbOelPlus } from '@pb-oel/core'
 * const assessor = new PbOelPlus({ channels: 1, levels: 2, seed: 7 })
 * let right = 0
 * for (let t = 0; t < 400; t++) {
 *   const truth = t % 2
 *   const { id, level } = assessor.assess(Float64Array.of(truth === 1 ? 1 : -1))
 *   assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
 *   if (level === truth) right++
 * }
 * right > 350 // true
 */
export class PbOelPlus extends ExpertEnsemble {
  private readonly weights: LossWeights
  private readonly estimator: LossEstimator
  private readonly monitor: RegretMonitor
  private readonly lambda: number | 'leader'
  private readonly implicit: number
  private readonly noise: number | NoiseEstimate
  private readonly horizonRate: boolean
  private readonly share: number

  constructor(options: PbOelPlusOptions) {
    super('pb-oel-plus', options, OPTIONS, NOTES, persistence(options.noise ?? 0))
    const { experts, levels } = this
    const { lambda = 'leader', rate = 'adaptive', noise = 0, horizon } = options
    const rho = numberIn('rho', options.rho ?? 0, 0, 1)
    if (horizon !== undefined) numberIn('horizon', horizon, 1, Number.MAX_SAFE_INTEGER)
    if (lambda !== 'leader') numberIn('lambda', lambda, 0, 1)
    this.lambda = this.costs ? 1 : lambda
    this.horizonRate = rate === 'horizon'
    if (this.horizonRate && horizon === undefined) throw new OptionError('horizon', horizon, 'given for rate: horizon')
    this.share = numberIn('share', options.share ?? 1e-3, 0, 0.5)
    this.implicit = numberIn('implicit', options.implicit ?? 0, 0, 1)
    this.noise = noise === 'estimated' ? new NoiseEstimate() : numberIn('noise', noise, 0, 0.45)
    this.weights = new LossWeights({
      experts,
      share: this.share,
      rate:
        rate === 'horizon'
          ? lossRate({ levels, experts, rho }, horizon as number)
          : rate === 'adaptive'
            ? rate
            : positive('rate', rate, 100),
    })
    this.estimator = new LossEstimator(this.costs ?? zeroOneCosts(levels), levels, this.implicit)
    this.monitor = new RegretMonitor(experts, levels)
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): PbOelPlus {
    const snapshot = openSnapshot(bytes, 'pb-oel-plus')
    return snapshot.into(new PbOelPlus(snapshot.options))
  }

  /** Learning rate η of the next round. */
  get rate(): number {
    return this.weights.rate
  }

  guarantee(): Guarantee {
    return this.report(this.monitor)
  }

  /** To be started before the first answer: the terms of the penalty count from there. */
  audit(): Audit {
    const { levels, experts, result } = this
    const monitor = new RegretMonitor(experts, levels)
    const start = this.monitor.bias
    return {
      record: (truth, full) => {
        monitor.count(result.level === truth, full)
        monitor.reward(this.advice, 0, truth, 1)
      },
      report: () => {
        monitor.bias = this.monitor.bias - start
        return this.report(monitor)
      },
    }
  }

  protected get shares(): Float64Array {
    return this.weights.shares
  }

  protected override get rejectionReveals(): boolean {
    return this.levels === 2
  }

  protected decide(p: Float64Array, _mode: FeedbackMode, notes: number): void {
    const { data } = this.pending
    const { implicit } = this
    const lambda = !this.sampled ? 0 : this.lambda === 'leader' ? largest(p) : this.lambda
    let bias = 0
    for (let k = 0; k < p.length; k++) bias += (p[k] * implicit) / (p[k] + implicit || 1)
    data[notes + LAMBDA] = lambda
    data[notes + BIAS] = (1 - lambda) * bias
  }

  protected credit(answer: Answer, correction: boolean): void {
    const { weights, monitor, noise } = this
    const { data } = this.pending
    const { assessed, known, notes } = answer
    if (typeof noise === 'object' && !correction) noise.count(answer.probability, known !== assessed)
    if (!this.sampled) {
      // Nothing was drawn, so nothing is weighed by probabilities: a confirmation is a label.
      answer.full ||= known >= 0
      answer.probability = 1
    }
    // A correction replaces the answer, not the way the sample came to be asked about.
    if (correction) answer.importance = data[notes + IMPORTANCE]
    const { full, importance } = answer
    if (correction) {
      const earlier = data[notes + KNOWN]
      monitor.recount(earlier === assessed, known === assessed, importance)
      this.takeBack(answer, earlier)
      this.charge(answer)
      weights.shift(-data[notes + RATE])
    } else {
      monitor.count(known === assessed, full, importance)
      data[notes + NOISE] = typeof noise === 'object' ? noise.value : noise
      data[notes + RATE] = weights.rate
      this.charge(answer)
      weights.update()
      if (!full) monitor.bias += importance * this.hidden(answer)
    }
    this.reward(answer, 1)
    data[notes + KNOWN] = known
    data[notes + FULL] = full ? 1 : 0
    data[notes + IMPORTANCE] = importance
  }

  protected transferWeights(io: StateIo): void {
    this.weights.transfer(io)
    this.monitor.transfer(io)
    if (typeof this.noise === 'object') this.noise.transfer(io)
  }

  protected override brokenAssumption(): string | undefined {
    if (this.noise !== 0) return 'answers can be wrong, so that accuracy is not observed'
    if (this.costs) return 'the losses are costs; the theorems speak of accuracy'
    return super.brokenAssumption()
  }

  private report(monitor: RegretMonitor): Guarantee {
    const { levels, experts, horizonRate, weights } = this
    const worstCase = horizonRate && this.lambda === 0 && this.share === 0
    const rho = monitor.labelled / Math.max(1, monitor.rounds)
    const regret = worstCase
      ? lossRegret({ levels, experts, rho }, Math.max(1, monitor.rounds), weights.rate)
      : undefined
    return monitor.report(weights, regret, this.brokenAssumption())
  }

  /** Fills the experts' estimated losses ℓ̂_n = Σ_k ξ_n^k ℓ̂^k for an answer. */
  private charge(answer: Answer): void {
    const { weights, levels, estimator } = this
    const { data } = this.pending
    estimator.estimate(answer, data[answer.notes + LAMBDA], data[answer.notes + NOISE])
    const { losses } = weights
    for (let n = 0, at = answer.advice; n < losses.length; n++) {
      let loss = 0
      for (let k = 0; k < levels; k++, at++) loss += data[at] * estimator.losses[k]
      losses[n] = loss * answer.importance
    }
  }

  /** Undoes what the earlier answer to the same assessment did to weights and rewards. */
  private takeBack(answer: Answer, known: number): void {
    const { data } = this.pending
    const earlier = { ...answer, known, full: data[answer.notes + FULL] === 1 }
    this.charge(earlier)
    this.weights.shift(data[answer.notes + RATE])
    this.reward(earlier, -1)
  }

  private reward({ known, full, probability, importance, advice }: Answer, sign: number): void {
    if (known < 0) return
    this.monitor.reward(this.pending.data, advice, known, (sign * importance) / (full ? 1 : probability))
  }

  /** Estimate of the mixture's loss that implicit exploration hides in this round (Lemma 5). */
  private hidden({ known, probability, notes }: Answer): number {
    const { data } = this.pending
    const { implicit } = this
    const rejections = data[notes + BIAS]
    if (known < 0) return rejections
    return rejections + (data[notes + LAMBDA] * (1 - probability) * implicit) / (probability * (probability + implicit))
  }
}
