import type { Guarantee } from '../assessor.ts'
import type { StateIo, Stateful } from '../state/state-io.ts'
import { batchRegret } from './bounds.ts'

/**
 * Follows the rewards of ensemble and experts batch by batch and compares them with the bounds (Theorem 1, Corollaries 1, 2).
 *
 * An expert's reward in a round is ξ_n^y. It is exact where the label is known; after a mere right or wrong its
 * unbiased estimate r̂_n of eq. (mu_hat_n) stands in, the one the weights learn from.
 */
export class GuaranteeMonitor implements Stateful {
  private readonly levels: number
  private readonly batch: Float64Array
  private readonly total: Float64Array
  private closedUltimate = 0
  private closedRegret = 0
  private batchRounds = 0
  private batchLabelled = 0
  private rounds = 0
  private labelled = 0
  private right = 0
  private needlessExploration = 0

  constructor(experts: number, levels: number) {
    this.levels = levels
    this.batch = new Float64Array(experts)
    this.total = new Float64Array(experts)
  }

  /**
   * Counts one round.
   *
   * @param right whether the assessed level was right
   * @param full whether the label was given
   * @param explored γ when the round was decided with exploration, else 0: Theorem 1 does not charge a labelled round for it
   */
  count(right: boolean, full: boolean, explored: number): void {
    this.rounds++
    this.batchRounds++
    if (right) this.right++
    if (full) {
      this.labelled++
      this.batchLabelled++
      this.needlessExploration += explored
    }
  }

  /** Replaces the outcome of a round by another: what a correction does. */
  recount(wasRight: boolean, isRight: boolean): void {
    this.right += Number(isRight) - Number(wasRight)
  }

  /**
   * Adds `weight` · ξ_n^level to every expert's reward.
   *
   * @param advice holds N × K numbers from `offset`
   * @param weight 1 where `level` is the known label, 1/p_a after a confirmation, negative to take a reward back
   */
  reward(advice: Float64Array, offset: number, level: number, weight: number): void {
    for (let n = 0; n < this.batch.length; n++) {
      const reward = weight * advice[offset + n * this.levels + level]
      this.batch[n] += reward
      this.total[n] += reward
    }
  }

  /** The weights restart: the batch that was played with rate γ ends. */
  endBatch(gamma: number): void {
    this.closedUltimate += max(this.batch)
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
    const ultimate = (this.closedUltimate + (this.batchRounds > 0 ? max(this.batch) : 0)) / rounds
    const penalty = (this.closedRegret + open + this.needlessExploration) / rounds
    const accuracy = this.right / rounds
    const bestExpert = this.total.indexOf(max(this.total))
    const reason = this.rounds === 0 ? 'no answer yet' : broken
    return {
      applies: reason === undefined,
      ...(reason !== undefined && { reason }),
      rounds: this.rounds,
      labelledRounds: this.labelled,
      accuracy,
      ultimate,
      bestExpert,
      bestExpertAccuracy: this.total[bestExpert] / rounds,
      penalty,
      value: ultimate - penalty,
      regret: ultimate - accuracy,
    }
  }

  transfer(io: StateIo): void {
    io.fill(this.batch)
    io.fill(this.total)
    this.closedUltimate = io.number(this.closedUltimate)
    this.closedRegret = io.number(this.closedRegret)
    this.batchRounds = io.number(this.batchRounds)
    this.batchLabelled = io.number(this.batchLabelled)
    this.rounds = io.number(this.rounds)
    this.labelled = io.number(this.labelled)
    this.right = io.number(this.right)
    this.needlessExploration = io.number(this.needlessExploration)
  }

  /** Regret the theorem allows the current batch, with ρ = the observed share of labels in it. */
  private batchPenalty(gamma: number): number {
    const rho = this.batchLabelled / this.batchRounds
    return batchRegret({ levels: this.levels, experts: this.batch.length, rho }, gamma, this.batchRounds)
  }
}

function max(values: Float64Array): number {
  let largest = values[0]
  for (let i = 1; i < values.length; i++) if (values[i] > largest) largest = values[i]
  return largest
}
