import { exp } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * Exponential weights over experts: Hedge where the label is known, EXP4 where only right or wrong is
 * (Freund & Schapire 1997; Auer et al. 2002; the paper's Section III-A). Kept as logarithms, since products of
 * thousands of factors overflow.
 */
export class ExpertWeights implements Stateful {
  /** ln w_n, shifted so that the largest is 0. */
  readonly logWeights: Float64Array
  /** q_n = w_n / Σ w. */
  readonly shares: Float64Array
  private readonly levels: number

  constructor(experts: number, levels: number) {
    this.levels = levels
    this.logWeights = new Float64Array(experts)
    this.shares = new Float64Array(experts)
    this.reset()
  }

  /**
   * ln w_n += rate · ξ_n^level for every expert. With γ/K as rate this is eq. (w_n_update): under full feedback for
   * the true level, under a confirmation for the asked level with the rate divided by p_a. A negative rate takes an
   * earlier reward back.
   *
   * @param advice array that holds N × K numbers from `offset`
   */
  reward(advice: Float64Array, offset: number, level: number, rate: number): void {
    const { logWeights, levels } = this
    let largest = -Infinity
    for (let n = 0; n < logWeights.length; n++) {
      logWeights[n] += rate * advice[offset + n * levels + level]
      if (logWeights[n] > largest) largest = logWeights[n]
    }
    for (let n = 0; n < logWeights.length; n++) logWeights[n] -= largest
    this.share()
  }

  /** All weights equal again. */
  reset(): void {
    this.logWeights.fill(0)
    this.share()
  }

  transfer(io: StateIo): void {
    io.fill(this.logWeights)
    if (io.reading) this.share()
  }

  private share(): void {
    const { logWeights, shares } = this
    let sum = 0
    for (let n = 0; n < shares.length; n++) {
      shares[n] = exp(logWeights[n])
      sum += shares[n]
    }
    for (let n = 0; n < shares.length; n++) shares[n] /= sum
  }
}
