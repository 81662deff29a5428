import type {
  Assessment,
  AssessmentId,
  Audit,
  BoundedAssessor,
  Feedback,
  FeedbackMode,
  Guarantee,
} from '../assessor.ts'
import { argmax } from '../learners/learner.ts'
import { Random } from '../math/random.ts'
import { flag, integerIn, numberIn, oneOf, onlyKnown, positive } from '../options.ts'
import { checkFeedback, checkMode, checkSample, PendingAssessments } from '../pending.ts'
import { RVFL_OPTIONS, type RvflOptions, rvflSettings } from '../rvfl/options.ts'
import { RvflBank } from '../rvfl/rvfl-bank.ts'
import { openSnapshot, writeSnapshot } from '../state/snapshot.ts'
import type { StateIo, Stateful } from '../state/state-io.ts'
import { drawLevel, ExpertWeights } from './expert-weights.ts'
import { GuaranteeMonitor } from './guarantee.ts'
import { Schedule } from './schedule.ts'

/** Options of {@link PbOel}. Defaults are the paper's. */
export interface PbOelOptions extends RvflOptions {
  /** Number of base classifiers N, 1 … 1,000. Default 10. */
  experts?: number
  /** Scaling factor c of the exploration rate, in (0, 100]. Default 0.1. */
  c?: number
  /** Restart exponent α, 0 … 1: the weights restart every T^α rounds. Default 0.8. */
  alpha?: number
  /** `false` never restarts the weights: the standard policy (c = 1) and the scaled one. Default `true`. */
  restarts?: boolean
  /** Number of rounds T to come, or `unbounded`: epochs of doubling length. Default `unbounded`. */
  horizon?: number | 'unbounded'
  /** Length of the first epoch when the horizon is unbounded, at least 1. Default 1,000. */
  firstEpoch?: number
  /** Expected share ρ of full labels, 0 … 1, or `observed`: the share so far. Default `observed`. */
  rho?: number | 'observed'
  /** What experts tell the ensemble: `hard`, one-hot of their level, or `soft`, their confidences. Default `hard`. */
  advice?: 'hard' | 'soft'
  /** `sample` draws the level, as the guarantee needs; `argmax` takes the most probable, without guarantee. Default `sample`. */
  action?: 'sample' | 'argmax'
  /** How many assessments wait for an answer at most, 1 … 2^20. Default 1024. */
  pending?: number
}

const OPTIONS: readonly string[] = [
  ...RVFL_OPTIONS,
  'experts',
  'c',
  'alpha',
  'restarts',
  'horizon',
  'firstEpoch',
  'rho',
  'advice',
  'action',
  'pending',
]

/** What is kept with a pending assessment behind the sample and the advice: the decision, then what the answer did. */
const LEVEL = 0
const PROBABILITY = 1
const GAMMA = 2
const REWARDED = 3
const WEIGHT = 4
const BATCH = 5
const NOTES = 6

/**
 * PB-OEL: performance-bounded online ensemble learning with mixed feedback (Algorithm 1 of the paper).
 *
 * Ten RVFL networks advise, exponential weights combine them, the level is drawn from the mixture. A label rewards
 * every expert that knew it (Hedge); a confirmation rewards those that voted for it, by importance (EXP4); a rejection
 * still teaches the networks, through a penalty target. What has been reached is compared with what the theorems
 * promise, at any time, by {@link guarantee}.
 *
 * The answer may come late, out of order or never: the estimators use the advice and the probability of decision
 * time. One answered sample is one round.
 *
 * @example
 * import { PbOel } from '@pb-oel/core'
 * const assessor = new PbOel({ channels: 1, levels: 2, seed: 7 })
 * let right = 0
 * for (let t = 0; t < 400; t++) {
 *   const truth = t % 2
 *   const { id, level } = assessor.assess(Float64Array.of(truth === 1 ? 1 : -1))
 *   assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
 *   if (level === truth) right++
 * }
 * right > 350 // true: learned from right and wrong alone
 */
export class PbOel implements BoundedAssessor, Stateful {
  readonly channels: number
  readonly levels: number
  /** Advice ξ of the latest assessment, N × K. */
  readonly advice: Float64Array
  private readonly options: PbOelOptions
  private readonly bank: RvflBank
  private readonly weights: ExpertWeights
  private readonly schedule: Schedule
  private readonly monitor: GuaranteeMonitor
  private readonly pending: PendingAssessments
  private readonly actions: Random
  private readonly hard: boolean
  private readonly sampled: boolean
  private readonly sample: Float64Array
  private readonly notes: number
  private readonly result: { -readonly [K in keyof Assessment]: Assessment[K] }
  private late = 0

  constructor(options: PbOelOptions) {
    onlyKnown(options, OPTIONS)
    this.options = { ...options }
    const experts = integerIn('experts', options.experts ?? 10, 1, 1_000)
    const settings = rvflSettings(options, experts)
    const { channels, levels } = settings
    const { horizon = 'unbounded', rho = 'observed' } = options
    this.channels = channels
    this.levels = levels
    this.schedule = new Schedule({
      levels,
      experts,
      c: positive('c', options.c ?? 0.1, 100),
      alpha: numberIn('alpha', options.alpha ?? 0.8, 0, 1),
      restarts: flag('restarts', options.restarts ?? true),
      horizon: horizon === 'unbounded' ? horizon : numberIn('horizon', horizon, 1, Number.MAX_SAFE_INTEGER),
      firstEpoch: integerIn('firstEpoch', options.firstEpoch ?? 1_000, 1, 2 ** 40),
      rho: rho === 'observed' ? rho : numberIn('rho', rho, 0, 1),
    })
    this.hard = oneOf('advice', options.advice ?? 'hard', ['hard', 'soft']) === 'hard'
    this.sampled = oneOf('action', options.action ?? 'sample', ['sample', 'argmax']) === 'sample'
    const capacity = integerIn('pending', options.pending ?? 1024, 1, 2 ** 20)
    this.bank = new RvflBank(settings)
    this.weights = new ExpertWeights(experts, levels)
    this.monitor = new GuaranteeMonitor(experts, levels)
    this.notes = channels + experts * levels
    this.pending = new PendingAssessments(capacity, this.notes + NOTES)
    this.actions = new Random(settings.seed, 'actions')
    this.sample = new Float64Array(channels)
    this.advice = new Float64Array(experts * levels)
    this.result = {
      id: -1,
      level: 0,
      probabilities: new Float64Array(levels),
      confidence: 0,
      experts: this.bank.votes,
      drifts: new Uint8Array(experts),
    }
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): PbOel {
    const snapshot = openSnapshot(bytes, 'pb-oel')
    return snapshot.into(new PbOel(snapshot.options))
  }

  /** Exploration rate γ of the current batch, 0 … 1. */
  get gamma(): number {
    return this.schedule.gamma
  }

  /** How often the weights have restarted. */
  get restarts(): number {
    return this.schedule.restarts
  }

  /** Normalised weights q of the experts; a copy. */
  get expertShares(): Float64Array {
    return this.weights.shares.slice()
  }

  assess(x: Float64Array, mode: FeedbackMode = 'unknown'): Assessment {
    checkSample(x, this.channels)
    checkMode(mode)
    const { bank, pending, result, levels, advice } = this
    const p = result.probabilities
    const id = pending.open()
    bank.predict(x, id)
    if (this.hard) {
      advice.fill(0)
      for (let n = 0; n < bank.votes.length; n++) advice[n * levels + bank.votes[n]] = 1
    } else advice.set(bank.confidences)
    this.weights.mix(advice, p)
    const gamma = mode === 'full' ? 0 : this.schedule.gamma
    if (gamma > 0) for (let k = 0; k < levels; k++) p[k] = (1 - gamma) * p[k] + gamma / levels
    const u = this.actions.uniform()
    const level = this.sampled ? drawLevel(p, u) : argmax(p)
    result.id = id
    result.level = level
    result.confidence = this.support(level)
    result.drifts.set(bank.drifts)
    bank.drifts.fill(0)

    const { data } = pending
    const row = pending.offset(id)
    data.set(x, row)
    data.set(advice, row + this.channels)
    const notes = row + this.notes
    data[notes + LEVEL] = level
    data[notes + PROBABILITY] = p[level]
    data[notes + GAMMA] = gamma
    return result
  }

  learn(id: AssessmentId, feedback: Feedback): void {
    checkFeedback(feedback, this.levels)
    const { pending, sample, channels, bank, monitor, schedule } = this
    const correction = pending.check(id, feedback)
    const { data } = pending
    const row = pending.offset(id)
    const notes = row + this.notes
    const assessed = data[notes + LEVEL]
    const full = feedback.kind === 'label'
    const known = full ? feedback.level : feedback.kind === 'confirm' ? assessed : -1
    const weight = full || !this.sampled ? 1 : 1 / data[notes + PROBABILITY]

    if (correction) {
      monitor.recount(data[notes + REWARDED] === assessed, known === assessed)
      if (data[notes + BATCH] === schedule.restarts) {
        this.reward(row, data[notes + REWARDED], -data[notes + WEIGHT])
        this.reward(row, known, weight)
      }
    } else {
      if (id !== pending.count - 1) this.late++
      monitor.count(known === assessed, full, data[notes + GAMMA])
      this.reward(row, known, weight)
      data[notes + BATCH] = schedule.restarts
    }
    data[notes + REWARDED] = known
    data[notes + WEIGHT] = weight
    pending.close(id)

    for (let i = 0; i < channels; i++) sample[i] = data[row + i]
    if (known >= 0) bank.teach(sample, id, known)
    else bank.refute(sample, id, assessed)

    if (!correction) this.endRound(full)
  }

  guarantee(): Guarantee {
    return this.monitor.report(this.schedule.gamma, this.brokenAssumption())
  }

  audit(): Audit {
    const { schedule, levels, weights, result } = this
    const monitor = new GuaranteeMonitor(weights.shares.length, levels)
    let batch = schedule.restarts
    let gamma = schedule.gamma
    return {
      record: (truth, full) => {
        if (schedule.restarts !== batch) monitor.endBatch(gamma)
        batch = schedule.restarts
        gamma = schedule.gamma
        monitor.count(result.level === truth, full, this.pending.data[this.pending.offset(result.id) + this.notes + GAMMA])
        monitor.reward(this.advice, 0, truth, 1)
      },
      report: () => monitor.report(gamma, this.brokenAssumption()),
    }
  }

  snapshot(): Uint8Array {
    return writeSnapshot('pb-oel', this.options, this)
  }

  transfer(io: StateIo): void {
    this.bank.transfer(io)
    this.weights.transfer(io)
    this.schedule.transfer(io)
    this.monitor.transfer(io)
    this.pending.transfer(io)
    this.actions.position = io.number(this.actions.position)
    this.late = io.number(this.late)
  }

  /** Rewards the experts for the advice in `row`: eqs. (mu_hat_n) and (w_n_update). Level −1 rewards none. */
  private reward(row: number, level: number, weight: number): void {
    if (level < 0) return
    const { data } = this.pending
    this.weights.reward(data, row + this.channels, level, (this.schedule.gamma / this.levels) * weight)
    this.monitor.reward(data, row + this.channels, level, weight)
  }

  private endRound(full: boolean): void {
    const gamma = this.schedule.gamma
    if (!this.schedule.advance(full)) return
    this.monitor.endBatch(gamma)
    this.weights.reset()
  }

  /** Σ q_n · confidence of expert n in `level`. */
  private support(level: number): number {
    const { shares } = this.weights
    let sum = 0
    for (let n = 0; n < shares.length; n++) sum += shares[n] * this.bank.confidences[n * this.levels + level]
    return sum
  }

  private brokenAssumption(): string | undefined {
    if (!this.sampled) return 'the level is the most probable one, not drawn (action: argmax)'
    if (this.schedule.wasCapped) return 'the exploration rate is capped at 1'
    if (this.late > 0) return `${this.late} answers came after a later assessment; the theorems assume they come before`
    return undefined
  }
}
