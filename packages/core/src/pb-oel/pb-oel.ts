import type { Audit, FeedbackMode, Guarantee } from '../assessor.ts'
import { type Answer, type EnsembleOptions, ExpertEnsemble } from '../experts/expert-ensemble.ts'
import { flag, integerIn, numberIn, positive } from '../options/checks.ts'
import { openSnapshot } from '../state/snapshot.ts'
import type { StateIo } from '../state/state-io.ts'
import { ExpertWeights } from './expert-weights.ts'
import { GuaranteeMonitor } from './guarantee.ts'
import { Schedule } from './schedule.ts'

/** Options of {@link PbOel}. Defaults are the paper's: ten networks and no other experts. */
export interface PbOelOptions extends EnsembleOptions {
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
}

const OPTIONS: readonly string[] = ['c', 'alpha', 'restarts', 'horizon', 'firstEpoch', 'rho']

/** What is kept with a pending assessment: the exploration rate of the decision, then what the answer did. */
const GAMMA = 0
const REWARDED = 1
const WEIGHT = 2
const BATCH = 3
const NOTES = 4

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
export class PbOel extends ExpertEnsemble {
  private readonly weights: ExpertWeights
  private readonly schedule: Schedule
  private readonly monitor: GuaranteeMonitor
  /** γ of the latest assessment, and how many answers were to chosen samples. */
  private explored = 0
  private selective = 0

  constructor(options: PbOelOptions) {
    super('pb-oel', options, OPTIONS, NOTES)
    const { experts, levels } = this
    const { horizon = 'unbounded', rho = 'observed' } = options
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
    this.weights = new ExpertWeights(experts, levels)
    this.monitor = new GuaranteeMonitor(experts, levels)
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

  guarantee(): Guarantee {
    return this.monitor.report(this.schedule.gamma, this.brokenAssumption())
  }

  audit(): Audit {
    const { schedule, levels, experts, result } = this
    const monitor = new GuaranteeMonitor(experts, levels)
    let batch = schedule.restarts
    let gamma = schedule.gamma
    return {
      record: (truth, full) => {
        if (schedule.restarts !== batch) monitor.endBatch(gamma)
        batch = schedule.restarts
        gamma = schedule.gamma
        monitor.countExplored(result.level === truth, full, this.explored)
        monitor.reward(this.advice, 0, truth, 1)
      },
      report: () => monitor.report(gamma, this.brokenAssumption()),
    }
  }

  protected get shares(): Float64Array {
    return this.weights.shares
  }

  /** Explores unless a full label is promised: p = (1 − γ)s + γ/K, eq. (p_k). */
  protected decide(p: Float64Array, mode: FeedbackMode, notes: number): void {
    const { levels } = this
    const gamma = mode === 'full' ? 0 : this.schedule.gamma
    if (gamma > 0) for (let k = 0; k < levels; k++) p[k] = (1 - gamma) * p[k] + gamma / levels
    this.explored = gamma
    this.pending.data[notes + GAMMA] = gamma
  }

  protected credit(answer: Answer, correction: boolean): void {
    const { monitor, schedule } = this
    const { data } = this.pending
    const { assessed, known, full, notes } = answer
    const weight = (full || !this.sampled ? 1 : 1 / answer.probability) * answer.importance
    if (correction) {
      monitor.recount(data[notes + REWARDED] === assessed, known === assessed)
      if (data[notes + BATCH] === schedule.restarts) {
        this.reward(answer.advice, data[notes + REWARDED], -data[notes + WEIGHT])
        this.reward(answer.advice, known, weight)
      }
    } else {
      if (answer.importance > 1) this.selective++
      monitor.countExplored(known === assessed, full, data[notes + GAMMA])
      this.reward(answer.advice, known, weight)
      data[notes + BATCH] = schedule.restarts
    }
    data[notes + REWARDED] = known
    data[notes + WEIGHT] = weight
  }

  protected override endRound(full: boolean, correction: boolean): void {
    if (correction) return
    const gamma = this.schedule.gamma
    if (!this.schedule.advance(full)) return
    this.monitor.endBatch(gamma)
    this.weights.reset()
  }

  protected transferWeights(io: StateIo): void {
    this.weights.transfer(io)
    this.schedule.transfer(io)
    this.monitor.transfer(io)
    this.selective = io.number(this.selective)
  }

  protected override brokenAssumption(): string | undefined {
    if (this.sampled && this.schedule.wasCapped) return 'the exploration rate is capped at 1'
    if (this.selective > 0)
      return `${this.selective} answers were to samples chosen to be asked about, not to every sample`
    return super.brokenAssumption()
  }

  /** Rewards the experts for the advice from `advice`: eqs. (mu_hat_n) and (w_n_update). Level −1 rewards none. */
  private reward(advice: number, level: number, weight: number): void {
    if (level < 0) return
    const { data } = this.pending
    this.weights.reward(data, advice, level, (this.schedule.gamma / this.levels) * weight)
    this.monitor.reward(data, advice, level, weight)
  }
}
