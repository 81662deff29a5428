import type { Guarantee } from '../assessor.ts'
import { largest, RewardLedger } from '../experts/reward-ledger.ts'
import type { StateIo } from '../state/state-io.ts'
import { batchRegret } from './bounds.ts'

/**
 * Follows the rewards of ensemble and experts batch by batch and compares them with the bounds (Theorem 1, Corollaries
 * 1, 2).
 */
export class GuaranteeMonitor extends RewardLedger {
  private readonly batch: Float64Array
  private closedUltimate = 0
  private closedRegret = 0
  private batchRounds = 0
  private batchLabelled = 0
  private needlessExploration = 0

  constructor(experts: number, levels: number) {
    super(experts, levels)
    this.batch = new Float64Array(experts)
  }

  /**
   * Counts one round of the batch.
   *
   * @param explored γ when the round was decided with exploration, else 0: Theorem 1 does not charge a labelled round
   * for it
   */
  countExplored(right: boolean, full: boolean, explored: number): void {
    this.count(right, full)
    this.batchRounds++
    if (!full) return
    this.batchLabelled++
    this.needlessExploration += explored
  }

  override reward(advice: Float64Array, offset: number, level: number, weight: number): void {
    super.reward(advice, offset, level, weight)
    for (let n = 0; n < this.batch.length; n++) this.batch[n] += weight * advice[offset + n * this.levels + level]
  }

  /** The weights restart: the batch that was played with rate γ ends. */
  endBatch(gamma: number): void {
    this.closedUltimate += largest(this.batch)
    this.closedRegret += this.batchPenalty(gamma)
    this.batch.fill(0)
    this.batchRounds = 0
    this.batchLabelled = 0
  }

  /**
   * The state of the guarantee.
   *
   * @param gamma rate of the current batch
   * @param broken the first assumption that does not hold, if any
   */
  report(gamma: number, broken?: string): Guarantee {
    const rounds = Math.max(1, this.rounds)
    const open = this.batchRounds > 0 ? this.batchPenalty(gamma) : 0
    const ultimate = (this.closedUltimate + largest(this.batch)) / rounds
    const penalty = (this.closedRegret + open + this.needlessExploration) / rounds
    return this.guarantee(ultimate, penalty, broken)
  }

  override transfer(io: StateIo): void {
    super.transfer(io)
    io.fill(this.batch)
    this.closedUltimate = io.number(this.closedUltimate)
    this.closedRegret = io.number(this.closedRegret)
    this.batchRounds = io.number(this.batchRounds)
    this.batchLabelled = io.number(this.batchLabelled)
    this.needlessExploration = io.number(this.needlessExploration)
  }

  /** Regret the theorem allows the current batch, with ρ = the observed share of labels in it. */
  private batchPenalty(gamma: number): number {
    const rho = this.batchLabelled / this.batchRounds
    return batchRegret({ levels: this.levels, experts: this.batch.length, rho }, gamma, this.batchRounds)
  }
}
