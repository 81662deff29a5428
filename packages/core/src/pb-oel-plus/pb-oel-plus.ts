import type { FeedbackMode, Guarantee } from '../assessor.ts'
import { BalancedCosts } from '../decision/balanced-costs.ts'
import { zeroOneCosts } from '../decision/cost-matrix.ts'
import { OptionError } from '../errors.ts'
import { type Answer, ExpertEnsemble } from '../experts/expert-ensemble.ts'
import { largest } from '../experts/reward-ledger.ts'
import { argmax } from '../learners/learner.ts'
import { defineMethod, type Extensions, type Method } from '../method.ts'
import { readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { lossRate, lossRegret } from './bounds.ts'
import { LossEstimator } from './loss-estimator.ts'
import { LossWeights } from './loss-weights.ts'
import { NoiseEstimate } from './noise-estimate.ts'
import { PB_OEL_PLUS_OPTIONS, type PbOelPlusOptions, type PbOelPlusSettings } from './options.ts'
import { membersOf } from './pool.ts'
import { RegretMonitor } from './regret-monitor.ts'

/** Share of the weight that the blend begins with, and is led back to: it has something of every other expert. */
const BLEND_PRIOR = 0.3

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
  /** The costs, where they follow how often each level is told. */
  private readonly balanced: BalancedCosts | undefined
  private readonly estimator: LossEstimator
  private readonly monitor: RegretMonitor
  private readonly lambda: number | 'leader' | 'plain'
  private readonly leads: boolean
  private readonly explore: number
  private readonly drawn: Float64Array
  private readonly implicit: number
  private readonly noise: number | NoiseEstimate
  private readonly horizonRate: boolean
  private readonly share: number

  /** @param extensions detectors and learners from outside that the options name */
  constructor(options: PbOelPlusOptions, extensions?: Extensions) {
    const settings = readOptions(PB_OEL_PLUS_OPTIONS, options)
    const { rate, noise, horizon, rho, edition } = settings
    const { share = edition === 1 ? 1e-3 : 5e-4 } = settings
    const { lambda = edition === 1 ? 'leader' : 'plain', decision = edition === 1 ? 'draw' : 'leader' } = settings
    const { implicit = edition === 1 ? 0 : 0.05 } = settings
    const { blend = edition > 1, guard = edition > 1, hearsRejections = edition > 1 } = settings
    const balanced = balancedCosts(settings)
    super(PB_OEL_PLUS, options, settings, NOTES, {
      members: membersOf(settings),
      extensions,
      costs: balanced?.matrix,
      blend,
      guard,
      hearsRejections,
      ...(edition > 1 && { networks: 6, scaling: 'robust' }),
    })
    this.balanced = balanced
    const { experts, levels } = this
    this.lambda = this.costs ? 1 : lambda
    this.leads = decision === 'leader'
    this.explore = settings.explore
    this.drawn = new Float64Array(levels)
    this.horizonRate = rate === 'horizon'
    this.share = share
    this.implicit = implicit
    this.noise = noise === 'estimated' ? new NoiseEstimate() : noise
    this.weights = new LossWeights({
      experts,
      share,
      ...(blend && { last: BLEND_PRIOR }),
      patient: rate === 'adaptive' && edition > 1,
      rate: rate === 'horizon' ? lossRate({ levels, experts, rho }, given(horizon)) : rate,
    })
    this.estimator = new LossEstimator(this.costs ?? zeroOneCosts(levels), levels, implicit, this.lambda === 'plain')
    this.monitor = new RegretMonitor(experts, levels)
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array, extensions?: Extensions): PbOelPlus {
    return PB_OEL_PLUS.restore(bytes, extensions)
  }

  /** Weights follow the losses and never restart. */
  get restarts(): undefined {
    return undefined
  }

  /** Learning rate η of the next round. */
  get rate(): number {
    return this.weights.rate
  }

  guarantee(): Guarantee {
    return this.guaranteeOf(this.monitor)
  }

  /** Regret that implicit exploration may have hidden so far (Lemma 5). */
  get bias(): number {
    return this.monitor.bias
  }

  /** The guarantee for rounds that were counted elsewhere, such as in a simulation where every true level is known. */
  guaranteeOf(monitor: RegretMonitor): Guarantee {
    const regretWithConfidence = this.noise === 0 ? this.regretWithConfidence() : undefined
    if (!this.inExpectation && regretWithConfidence) {
      return monitor.reportRegret(regretWithConfidence, this.pending.count, this.brokenAssumption())
    }
    const { levels, experts, horizonRate, weights } = this
    const worstCase = horizonRate && this.lambda === 0 && this.share === 0
    const rho = monitor.labelled / Math.max(1, monitor.rounds)
    const regret = worstCase
      ? lossRegret({ levels, experts, rho }, Math.max(1, monitor.rounds), weights.rate)
      : undefined
    const guarantee = monitor.report(weights, regret, this.brokenAssumption())
    return regretWithConfidence ? { ...guarantee, regretWithConfidence } : guarantee
  }

  protected get currentShares(): Float64Array {
    return this.weights.shares
  }

  protected override get rejectionReveals(): boolean {
    return this.levels === 2
  }

  protected get answered(): number {
    return this.monitor.rounds
  }

  protected decide(p: Float64Array, mode: FeedbackMode, notes: number): Float64Array {
    const { data } = this.pending
    const { implicit } = this
    const lambda = !this.sampled || this.lambda === 'plain' ? 0 : this.lambda === 'leader' ? largest(p) : this.lambda
    let bias = 0
    for (let k = 0; k < p.length; k++) bias += (p[k] * implicit) / (p[k] + implicit || 1)
    data[notes + LAMBDA] = lambda
    data[notes + BIAS] = (1 - lambda) * bias
    return this.leads && this.sampled ? this.mostlyLeader(p, mode) : p
  }

  /**
   * (1−ε)·1{k = argmax s} + ε·s: nearly always the most probable level, and every level of the mixture can be drawn.
   * Where the answer will tell the level whatever is drawn, ε is 0: a draw would cost and teach nothing.
   */
  private mostlyLeader(s: Float64Array, mode: FeedbackMode): Float64Array {
    const { drawn } = this
    const explore = mode === 'full' || this.rejectionReveals ? 0 : this.explore
    for (let k = 0; k < s.length; k++) drawn[k] = explore * s[k]
    drawn[argmax(s)] += 1 - explore
    return drawn
  }

  protected credit(answer: Answer, correction: boolean): void {
    const { weights, monitor, noise } = this
    const { data } = this.pending
    const { assessed, notes } = answer
    const labelled = answer.full
    this.believe(answer)
    const { known } = answer
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
      monitor.count(known === assessed, labelled || full, importance)
      data[notes + NOISE] = typeof noise === 'object' ? noise.value : noise
      data[notes + RATE] = weights.rate
      this.charge(answer)
      weights.update(answer.behind)
      if (!full) monitor.bias += importance * this.hidden(answer)
    }
    this.reward(answer, 1)
    if (known >= 0 && !correction) this.balanced?.told(known)
    data[notes + KNOWN] = known
    data[notes + FULL] = full ? 1 : 0
    data[notes + IMPORTANCE] = importance
  }

  protected transferWeights(io: StateIo): void {
    this.weights.transfer(io)
    this.monitor.transfer(io)
    this.balanced?.transfer(io)
    if (typeof this.noise === 'object') this.noise.transfer(io)
  }

  override brokenAssumption(): string | undefined {
    if (this.noise !== 0) return 'answers can be wrong, so that accuracy is not observed'
    if (this.costs) return 'the losses are costs; the theorems speak of accuracy'
    if (this.inExpectation || !this.book) return super.brokenAssumption()
    if (this.monitor.weight === this.monitor.rounds && this.book.passedOver === 0) return undefined
    return 'not every sample was asked about, so that accuracy is only estimated; the bound of the regret holds'
  }

  /**
   * Whether Theorem 2 bounds the expected accuracy: the level is drawn from the mixture, and the estimates are
   * unbiased.
   */
  private get inExpectation(): boolean {
    return !this.leads && this.sampled && this.lambda !== 'plain'
  }

  /** A label that was not promised before the draw tells the weights no more than the right or wrong in it. */
  private believe(answer: Answer): void {
    if (answer.promised || !answer.full || this.levels === 2) return
    answer.full = false
    if (answer.known !== answer.assessed) answer.known = -1
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

/** Costs that follow how often each level is told, where `balance` asks for them. */
function balancedCosts({ balance, costs, levels, warmUp }: PbOelPlusSettings) {
  if (balance === 0) return undefined
  if (costs !== undefined) throw new OptionError('balance', balance, '0 where `costs` are given')
  const balanced = new BalancedCosts(levels, balance)
  for (const { level } of warmUp) balanced.told(level)
  return balanced
}

/** The horizon, which `rate: horizon` needs. */
function given(horizon: number | undefined): number {
  if (horizon === undefined) throw new OptionError('horizon', horizon, 'given where rate is horizon')
  return horizon
}

/** The entry of {@link PbOelPlus}. */
export const PB_OEL_PLUS: Method<PbOelPlus> = defineMethod({
  name: 'pb-oel-plus',
  title: 'PB-OEL+',
  role: 'method',
  summary: 'PB-OEL+, our own: losses, adaptive rate, fixed share, persistence experts',
  options: PB_OEL_PLUS_OPTIONS,
  takes: ['horizon', 'rho', 'costs'],
  widens: true,
  membersOf: (settings) => membersOf(settings as PbOelPlusSettings),
  make: (options, extensions) => new PbOelPlus(options, extensions),
})
