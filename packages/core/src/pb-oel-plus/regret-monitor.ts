import type { Guarantee, RegretWithConfidence } from '../assessor.ts'
import { RewardLedger } from '../experts/reward-ledger.ts'
import { standardRegret } from '../pb-oel/bounds.ts'
import type { StateIo } from '../state/state-io.ts'
import type { LossWeights } from './loss-weights.ts'

/** Compares the rewards of ensemble and experts with the bound of Theorem 2 of docs/method-plus.md. */
export class RegretMonitor extends RewardLedger {
  /** Regret that implicit exploration may have hidden so far (Lemma 5). */
  bias = 0

  /**
   * The state of the guarantee.
   *
   * @param weights whose regret terms are charged
   * @param worstCase what Theorem 1 of docs/method-plus.md charges per round, where it applies
   * @param broken the first assumption that does not hold, if any
   */
  report(weights: LossWeights, worstCase: number | undefined, broken?: string): Guarantee {
    const rounds = Math.max(1, this.weight)
    const { levels, labelled } = this
    const experts = this.total.length
    const { learning, sharing, spread } = weights
    const penalty = (learning + sharing + spread + this.bias) / rounds
    const rho = labelled / Math.max(1, this.rounds)
    const terms = {
      learning: learning / rounds,
      sharing: sharing / rounds,
      spread: spread / rounds,
      bias: this.bias / rounds,
      ...(worstCase !== undefined && { worstCase }),
      paper: experts > 1 ? standardRegret({ levels, experts, rho }, rounds) : 0,
    }
    const best = this.total.reduce((a, b) => Math.max(a, b)) / rounds
    return { ...this.guarantee(best, penalty, broken), terms }
  }

  /**
   * The state of the guarantee where the regret itself is bounded (promise B of docs/promises.md).
   *
   * @param regret the bound
   * @param assessments all of them, answered or not: no open one counts as right
   * @param broken why accuracy is not observed, if so
   */
  reportRegret(regret: RegretWithConfidence, assessments: number, broken?: string): Guarantee {
    const { levels } = this
    const experts = this.total.length
    const rounds = Math.max(1, this.weight)
    const rho = this.labelled / Math.max(1, this.rounds)
    const best = this.total.reduce((a, b) => Math.max(a, b)) / rounds
    const guarantee = this.guarantee(best, regret.value, broken)
    const observed = (guarantee.accuracy * this.weight) / Math.max(1, this.weight, assessments)
    const paper = experts > 1 ? standardRegret({ levels, experts, rho }, rounds) : 0
    return {
      ...guarantee,
      value: Math.min(guarantee.value, observed),
      terms: { ...regret.terms, paper },
      regretWithConfidence: regret,
    }
  }

  override transfer(io: StateIo): void {
    super.transfer(io)
    this.bias = io.number(this.bias)
  }
}
