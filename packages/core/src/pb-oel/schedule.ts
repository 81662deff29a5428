import { power } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { uncappedRate } from './bounds.ts'

/** What a {@link Schedule} is made from; every field is checked by the assessor that owns it. */
export interface ScheduleSettings {
  levels: number
  experts: number
  /** Scaling factor c of the exploration rate. */
  c: number
  /** Restart exponent α: weights restart every T^α rounds. */
  alpha: number
  /** False for the standard policies, which never restart within a horizon. */
  restarts: boolean
  /** Number of rounds T, or `unbounded`: epochs of doubling length, each a horizon of its own. */
  horizon: number | 'unbounded'
  /** Length T₀ of the first epoch when unbounded. */
  firstEpoch: number
  /** Expected share of full labels ρ, or `observed`: the share so far, taken anew at every restart. */
  rho: number | 'observed'
}

/**
 * When the weights restart, and how much is explored in between (Section III-A and Algorithm 1, lines 21–24).
 *
 * One round is one answered sample. Δ_T is real, and the reset comes when the counter exceeds it, so a batch holds
 * ⌊Δ_T⌋ + 1 rounds.
 */
export class Schedule implements Stateful {
  private readonly settings: ScheduleSettings
  private epochLength: number
  private epochRounds = 0
  private rounds = 0
  private labelled = 0
  private interval = 0
  private rate = 0
  private batchRho = 0
  /** Rounds so far in the current batch τ. */
  batchRounds = 0
  /** Number of restarts so far. */
  restarts = 0
  /**
   * True once γ had to be cut to 1: the action is then uniform under partial feedback, and the corollaries do not hold.
   */
  wasCapped = false

  constructor(settings: ScheduleSettings) {
    this.settings = settings
    this.epochLength = settings.horizon === 'unbounded' ? settings.firstEpoch : settings.horizon
    this.plan()
  }

  /** Exploration rate γ of the current batch, at most 1. */
  get gamma(): number {
    return this.rate
  }

  /** Δ_T: rounds after which the weights restart; the whole horizon when they never do. */
  get restartInterval(): number {
    return this.interval
  }

  /** The ρ that γ was computed for. */
  get rho(): number {
    return this.batchRho
  }

  /** Counts one round, `full` when it was fully labelled. True when the weights must restart now. */
  advance(full: boolean): boolean {
    this.rounds++
    this.epochRounds++
    this.batchRounds++
    if (full) this.labelled++
    const { horizon, restarts } = this.settings
    const epochEnds = horizon === 'unbounded' && this.epochRounds >= this.epochLength
    if (!epochEnds && !(restarts && this.batchRounds > this.interval)) return false
    if (epochEnds) {
      this.epochRounds = 0
      this.epochLength *= 2
    }
    this.batchRounds = 0
    this.restarts++
    this.plan()
    return true
  }

  transfer(io: StateIo): void {
    this.epochLength = io.number(this.epochLength)
    this.epochRounds = io.number(this.epochRounds)
    this.rounds = io.number(this.rounds)
    this.labelled = io.number(this.labelled)
    this.interval = io.number(this.interval)
    this.rate = io.number(this.rate)
    this.batchRho = io.number(this.batchRho)
    this.batchRounds = io.number(this.batchRounds)
    this.restarts = io.number(this.restarts)
    this.wasCapped = io.boolean(this.wasCapped)
  }

  private plan(): void {
    const { levels, experts, c, alpha, restarts, rho } = this.settings
    this.interval = restarts ? power(this.epochLength, alpha) : this.epochLength
    this.batchRho = rho === 'observed' ? this.labelled / Math.max(1, this.rounds) : rho
    const rate = uncappedRate({ levels, experts, rho: this.batchRho }, c, this.interval)
    this.rate = Math.min(1, rate)
    this.wasCapped ||= rate > 1
  }
}
