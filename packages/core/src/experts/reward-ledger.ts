import type { Guarantee } from '../assessor.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * Counts the rewards of ensemble and experts, round by round. An expert's reward in a round is ξ_n^y: exact where the
 * label is known; after a mere right or wrong the unbiased estimate ξ_n^a·1{a = y}/p_a stands in.
 */
export class RewardLedger implements Stateful {
  protected readonly levels: number
  /** Summed reward of each expert. */
  readonly total: Float64Array
  /** Answered rounds, and those among them whose label was given. */
  rounds = 0
  labelled = 0
  /**
   * Rounds answered and passed over: Σ 1/(probability of being asked). Equal to `rounds` when every sample is asked
   * about.
   */
  weight = 0
  private right = 0

  constructor(experts: number, levels: number) {
    this.levels = levels
    this.total = new Float64Array(experts)
  }

  /**
   * Counts one round.
   *
   * @param right whether the assessed level was right
   * @param full whether the label was given
   * @param importance 1 / the probability that this round was asked about
   */
  count(right: boolean, full: boolean, importance = 1): void {
    this.rounds++
    this.weight += importance
    if (right) this.right += importance
    if (full) this.labelled++
  }

  /** Changes whether a round counts as right, as a correction does. */
  recount(wasRight: boolean, isRight: boolean, importance = 1): void {
    this.right += importance * (Number(isRight) - Number(wasRight))
  }

  /**
   * Adds `weight` · ξ_n^level to every expert's reward.
   *
   * @param advice holds N × K numbers from `offset`
   * @param weight 1 where `level` is the known label, 1/p_a after a confirmation, negative to take a reward back
   */
  reward(advice: Float64Array, offset: number, level: number, weight: number): void {
    const { total, levels } = this
    for (let n = 0; n < total.length; n++) total[n] += weight * advice[offset + n * levels + level]
  }

  /**
   * The state of a guarantee.
   *
   * @param ultimate mean reward of what the ensemble is compared with
   * @param penalty how far below it the theorem lets the expected accuracy fall
   * @param broken the first assumption that does not hold, if any
   */
  protected guarantee(ultimate: number, penalty: number, broken: string | undefined): Guarantee {
    const weight = Math.max(1, this.weight)
    const accuracy = this.right / weight
    const bestExpert = this.total.indexOf(largest(this.total))
    const reason = this.rounds === 0 ? 'no answer yet' : broken
    return {
      applies: reason === undefined,
      ...(reason !== undefined && { reason }),
      rounds: this.rounds,
      labelledRounds: this.labelled,
      accuracy,
      ultimate,
      bestExpert,
      bestExpertAccuracy: this.total[bestExpert] / weight,
      penalty,
      value: ultimate - penalty,
      regret: ultimate - accuracy,
    }
  }

  transfer(io: StateIo): void {
    io.fill(this.total)
    this.rounds = io.number(this.rounds)
    this.labelled = io.number(this.labelled)
    this.weight = io.number(this.weight)
    this.right = io.number(this.right)
  }
}

/** The largest of the values. */
export function largest(values: Float64Array): number {
  let found = values[0]
  for (let i = 1; i < values.length; i++) if (values[i] > found) found = values[i]
  return found
}
