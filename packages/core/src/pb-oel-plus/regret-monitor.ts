import type { Guarantee, RegretWithConfidence } from '../assessor.ts'
import { largest, RewardLedger } from '../experts/reward-ledger.ts'
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
    const { learning, sharing, spread } = weights
    const penalty = (learning + sharing + spread + this.bias) / rounds
    const terms = {
      learning: learning / rounds,
      sharing: sharing / rounds,
      spread: spread / rounds,
      bias: this.bias / rounds,
      ...(worstCase !== undefined && { worstCase }),
      paper: this.paper,
    }
    return { ...this.guarantee(this.best, penalty, broken), terms }
  }

  /**
   * The state of the guarantee where the regret itself is bounded (promise B of docs/promises.md).
   *
   * @param regret the bound
   * @param assessments all of them, answered or not: no open one counts as right
   * @param broken why accuracy is not observed, if so
   */
  reportRegret(regret: RegretWithConfidence, assessments: number, broken?: string): Guarantee {
    const guarantee = this.guarantee(this.best, regret.value, broken)
    const observed = (guarantee.accuracy * this.weight) / Math.max(1, this.weight, assessments)
    return {
      ...guarantee,
      value: Math.min(guarantee.value, observed),
      terms: { ...regret.terms, paper: this.paper },
      regretWithConfidence: regret,
    }
  }

  /** Mean reward of the best expert. */
  private get best(): number {
    return largest(this.total) / Math.max(1, this.weight)
  }

  /** What the paper’s Theorem 1 would charge. */
  private get paper(): number {
    const setting = { levels: this.levels, experts: this.total.length, rho: this.labelled / Math.max(1, this.rounds) }
    return standardRegret(setting, Math.max(1, this.weight))
  }

  override transfer(io: StateIo): void {
    super.transfer(io)
    this.bias = io.number(this.bias)
  }
}
