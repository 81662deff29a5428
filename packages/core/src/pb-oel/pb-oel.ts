import type { FeedbackMode, Guarantee } from '../assessor.ts'
import { ENSEMBLE_OPTIONS } from '../experts/ensemble-options.ts'
import { type Answer, ExpertEnsemble } from '../experts/expert-ensemble.ts'
import { defineMethod, type Extensions, type Method } from '../method.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { ExpertWeights } from './expert-weights.ts'
import { GuaranteeMonitor } from './guarantee.ts'
import { Schedule } from './schedule.ts'

/** The options of {@link PbOel}. Defaults are the paper's: ten networks and no other experts. */
export const PB_OEL_OPTIONS = {
  ...ENSEMBLE_OPTIONS,
  c: option.number({ above: 0, to: 100, default: 0.1, about: 'Scaling factor c of the exploration rate.' }),
  alpha: option.number({
    from: 0,
    to: 1,
    default: 0.8,
    about: 'Restart exponent α: the weights restart every T^α rounds.',
  }),
  restarts: option.flag({
    default: true,
    about: '`false` never restarts the weights: the standard policy (c = 1) and the scaled one.',
  }),
  horizon: option.number({
    from: 1,
    to: Number.MAX_SAFE_INTEGER,
    words: ['unbounded'],
    default: 'unbounded',
    about: 'Number of rounds T to come, or `unbounded`: epochs of doubling length.',
  }),
  firstEpoch: option.integer({
    from: 1,
    to: 2 ** 40,
    default: 1000,
    about: 'Length of the first epoch when the horizon is unbounded.',
  }),
  rho: option.number({
    from: 0,
    to: 1,
    words: ['observed'],
    default: 'observed',
    about: 'Expected share ρ of full labels, or `observed`: the share so far.',
  }),
}

/** Options of {@link PbOel}, as {@link PB_OEL_OPTIONS} declares them. */
export type PbOelOptions = OptionsOf<typeof PB_OEL_OPTIONS>

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
  /** How many answers were to samples chosen to be asked about. */
  private selective = 0
  private latestGamma = 0

  /** @param extensions detectors and learners from outside that the options name */
  constructor(options: PbOelOptions, extensions?: Extensions) {
    const settings = readOptions(PB_OEL_OPTIONS, options)
    super(PB_OEL, options, settings, NOTES, { extensions })
    const { experts, levels } = this
    const { c, alpha, restarts, horizon, firstEpoch, rho } = settings
    this.schedule = new Schedule({ levels, experts, c, alpha, restarts, horizon, firstEpoch, rho })
    this.weights = new ExpertWeights(experts, levels)
    this.monitor = new GuaranteeMonitor(experts, levels)
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array, extensions?: Extensions): PbOel {
    return PB_OEL.restore(bytes, extensions)
  }

  /** Exploration rate γ of the current batch, 0 … 1. */
  get gamma(): number {
    return this.schedule.gamma
  }

  /** Exploration rate of the latest assessment: γ, or 0 where a label was promised. */
  get explored(): number {
    return this.latestGamma
  }

  /** How often the weights have restarted. */
  get restarts(): number {
    return this.schedule.restarts
  }

  guarantee(): Guarantee {
    return this.guaranteeOf(this.monitor, this.schedule.gamma)
  }

  /** The guarantee for rounds that were counted elsewhere, such as in a simulation where every true level is known. */
  guaranteeOf(monitor: GuaranteeMonitor, gamma: number): Guarantee {
    const regretWithConfidence = this.regretWithConfidence()
    const guarantee = monitor.report(gamma, this.brokenAssumption())
    return regretWithConfidence ? { ...guarantee, regretWithConfidence } : guarantee
  }

  protected get currentShares(): Float64Array {
    return this.weights.shares
  }

  /** Explores unless a full label is promised: p = (1 − γ)s + γ/K, eq. (p_k). */
  protected decide(p: Float64Array, mode: FeedbackMode, notes: number): Float64Array {
    const { levels } = this
    const gamma = mode === 'full' ? 0 : this.schedule.gamma
    for (let k = 0; k < levels; k++) p[k] = (1 - gamma) * p[k] + gamma / levels
    this.latestGamma = gamma
    this.pending.data[notes + GAMMA] = gamma
    return p
  }

  protected get answered(): number {
    return this.monitor.rounds
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

  override brokenAssumption(): string | undefined {
    if (this.sampled && this.schedule.wasCapped) return 'the exploration rate is capped at 1'
    if (this.selective === 1) return '1 answer was to a sample chosen to be asked about, not to every sample'
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

const make = (options: PbOelOptions, extensions?: Extensions) => new PbOel(options, extensions)

/** The entry of {@link PbOel}, the paper's method. */
export const PB_OEL: Method<PbOel> = defineMethod({
  name: 'pb-oel',
  title: 'PB-OEL',
  role: 'method',
  summary: 'PB-OEL, the paper’s method (Corollary 1: scaled rate, periodic restarts)',
  options: PB_OEL_OPTIONS,
  takes: ['horizon', 'rho', 'costs'],
  widens: true,
  make,
})

/** The entry of the standard policy of Theorem 1. Its snapshots are those of {@link PB_OEL}. */
export const PB_OEL_STANDARD: Method<PbOel> = /* @__PURE__ */ defineMethod({
  ...PB_OEL,
  name: 'pb-oel-standard',
  title: 'standard policy',
  summary: 'standard policy of Theorem 1 (c = 1, no restarts)',
  variantOf: 'pb-oel',
  takes: ['horizon', 'rho', 'costs'],
  widens: true,
  presets: { c: 1, restarts: false },
  make,
})

/** The entry of the scaled policy of Corollary 2. Its snapshots are those of {@link PB_OEL}. */
export const PB_OEL_SCALED: Method<PbOel> = /* @__PURE__ */ defineMethod({
  ...PB_OEL,
  name: 'pb-oel-scaled',
  title: 'scaled policy',
  summary: 'scaled standard policy of Corollary 2 (c = 0.1, no restarts)',
  variantOf: 'pb-oel',
  takes: ['horizon', 'rho', 'costs'],
  widens: true,
  presets: { restarts: false },
  make,
})
