import { exp, log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * How far a grid value goes: u = (1 − e^(−κ))/floor. At probability `floor` one wrong check multiplies the evidence
 * by 1 − u. Small values are sharp after many wrong checks, large ones after few.
 */
const GRID = [0.005, 0.02, 0.06, 0.14, 0.26, 0.42, 0.6, 0.8, 0.96]

/** The values κ for coins that never fall below `floor`, in (0, 1). */
export function coinGrid(floor: number): Float64Array {
  return Float64Array.from(GRID, (u) => -log(1 - u * floor))
}

/**
 * What a difference d counts that a coin of probability π let us see: V = −ln(1 − (1 − e^(−κd))/π), so that
 * E exp(κd − V·1{seen}) = 1 (Lemma C1 of docs/promises.md). V = κd where π = 1.
 *
 * @param d what is counted, −1 … 1; for d > 0 the coin must be above 1 − e^(−κd)
 */
export function coinWeight(d: number, kappa: number, probability: number): number {
  if (d === 0) return 0
  return -log(1 - (1 - exp(-kappa * d)) / probability)
}

/**
 * An upper bound of a sum Σ d_t of which a coin showed only some terms: valid with probability 1 − δ, at all times at
 * once (Theorem C of docs/promises.md). For each κ the process exp(κ Σ d − Σ V) is a martingale that starts at 1. So is
 * their mean, and by Ville's inequality it ever reaches 1/δ with probability at most δ.
 */
export class CoinMixture implements Stateful {
  private readonly kappas: Float64Array
  private readonly seen: Float64Array

  constructor(kappas: Float64Array) {
    this.kappas = kappas
    this.seen = new Float64Array(kappas.length)
  }

  /** Adds `weight(κ)` for every κ. */
  add(weight: (kappa: number) => number): void {
    for (let j = 0; j < this.kappas.length; j++) this.seen[j] += weight(this.kappas[j])
  }

  /**
   * The largest sum that the evidence does not rule out.
   *
   * @param logLevel ln(1/δ)
   * @param scale the bound for `scale` times the evidence seen so far: what more checks of the same kind would bring
   */
  bound(logLevel: number, scale = 1): number {
    const { kappas, seen } = this
    const level = logLevel + log(kappas.length)
    let high = Infinity
    for (let j = 0; j < kappas.length; j++) high = Math.min(high, (seen[j] * scale + level) / kappas[j])
    let low = high - level / kappas[0]
    while (this.evidence(low, scale) > logLevel) low -= level / kappas[0]
    for (let i = 0; i < 60 && high - low > 1e-9 * Math.max(1, Math.abs(high)); i++) {
      const middle = (low + high) / 2
      if (this.evidence(middle, scale) < logLevel) low = middle
      else high = middle
    }
    return high
  }

  /** Starts again from nothing. */
  reset(): void {
    this.seen.fill(0)
  }

  transfer(io: StateIo): void {
    io.fill(this.seen)
  }

  /** Logarithm of the mean of the martingales, were the sum `sum`. */
  private evidence(sum: number, scale: number): number {
    const { kappas, seen } = this
    let largest = -Infinity
    for (let j = 0; j < kappas.length; j++) largest = Math.max(largest, kappas[j] * sum - seen[j] * scale)
    let total = 0
    for (let j = 0; j < kappas.length; j++) total += exp(kappas[j] * sum - seen[j] * scale - largest)
    return largest + log(total / kappas.length)
  }
}
