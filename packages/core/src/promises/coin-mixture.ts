import { exp, log } from '../math/elementary.ts'

/**
 * How far a grid value goes: u = (1 − e^(−κ))/floor. At probability `floor` one wrong check multiplies the evidence
 * by 1 − u. Small values are sharp after many wrong checks, large ones after few.
 */
const GRID = [0.005, 0.02, 0.06, 0.14, 0.26, 0.42, 0.6, 0.8, 0.96]

/** Newton's steps at most; each at least halves what is left to gain, and in practice far more. */
const NEWTON_STEPS = 30

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
  return weightOfGain(1 - exp(-kappa * d), probability)
}

/** The same where 1 − e^(−κd) is known. */
export function weightOfGain(gain: number, probability: number): number {
  return -log(1 - gain / probability)
}

/** What a coin has shown. */
export interface CoinEvidence {
  readonly kappas: Float64Array
  /** How many of them are in use, the first ones. Default: all. */
  readonly usable?: number
  /** Σ V for each κ, from `offset`. */
  readonly sums: Float64Array
  readonly offset?: number
  /** The bound for so many times the evidence: what more checks of the same kind would bring. Default 1. */
  readonly scale?: number
}

/**
 * An upper bound of a sum Σ d_t of which a coin showed only some terms: valid with probability 1 − δ, at all times at
 * once (Theorem C of docs/promises.md). For each κ the process exp(κ Σ d − Σ V) is a martingale that starts at 1. So is
 * their mean, and by Ville's inequality it ever reaches 1/δ with probability at most δ. A κ that is not in use adds 0.
 *
 * The logarithm of the mean is convex in the sum. So Newton's steps, from the smallest bound of a single κ, come down
 * to the root and never pass it: each of them is a valid bound.
 *
 * @param logLevel ln(1/δ)
 */
export function coinBound(evidence: CoinEvidence, logLevel: number): number {
  const { kappas, usable = kappas.length, sums, offset = 0, scale = 1 } = evidence
  const level = logLevel + log(kappas.length)
  let bound = Infinity
  for (let j = 0; j < usable; j++) bound = Math.min(bound, (sums[offset + j] * scale + level) / kappas[j])
  if (bound === Infinity) return bound
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let largest = -Infinity
    for (let j = 0; j < usable; j++) largest = Math.max(largest, kappas[j] * bound - sums[offset + j] * scale)
    let total = 0
    let slope = 0
    for (let j = 0; j < usable; j++) {
      const share = exp(kappas[j] * bound - sums[offset + j] * scale - largest)
      total += share
      slope += kappas[j] * share
    }
    const excess = ((largest + log(total) - level) * total) / slope
    if (!(excess > 1e-9 * Math.max(1, Math.abs(bound)))) break
    bound -= excess
  }
  return bound
}
