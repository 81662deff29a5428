import { log, power } from '../math/elementary.ts'

/** The setting a bound speaks about. */
export interface BoundSetting {
  /** Number of levels K. */
  levels: number
  /** Number of experts N. */
  experts: number
  /** Share of fully labelled rounds ρ, 0 … 1. */
  rho: number
}

/**
 * B_ρ = ρ/(8K) + (1−ρ)(e−1): what one round adds to the regret per unit of γ (Theorem 1).
 *
 * @example
 * import { varianceFactor } from '@pb-oel/core'
 * varianceFactor(0, 3) // 1.718282
 */
export function varianceFactor(rho: number, levels: number): number {
  return rho / (8 * levels) + (1 - rho) * (Math.E - 1)
}

/**
 * Exploration rate γ = c·√(K ln N / (Δ·B_ρ)), capped at 1 (Theorem 1 and Corollary 1). 0 for a single expert.
 *
 * @param c scaling factor, 1 for the rate that is best in the worst case
 * @param length rounds between restarts Δ_T, or the horizon T without restarts
 *
 * @example
 * import { explorationRate } from '@pb-oel/core'
 * explorationRate({ levels: 3, experts: 10, rho: 0 }, 0.1, 3816.779) // 0.0032454
 */
export function explorationRate(setting: BoundSetting, c: number, length: number): number {
  return Math.min(1, uncappedRate(setting, c, length))
}

/** γ before the cap; above 1 the bounds do not hold. */
export function uncappedRate({ levels, experts, rho }: BoundSetting, c: number, length: number): number {
  return c * Math.sqrt((levels * log(experts)) / (length * varianceFactor(rho, levels)))
}

/**
 * Expected regret of one batch of `rounds` rounds played with rate γ, in rounds: K ln N/γ + γ·B_ρ·rounds (proof of
 * Theorem 1). It holds for every γ in (0, 1].
 */
export function batchRegret({ levels, experts, rho }: BoundSetting, gamma: number, rounds: number): number {
  if (experts === 1) return 0
  return (levels * log(experts)) / gamma + gamma * varianceFactor(rho, levels) * rounds
}

/**
 * Theorem 1, the standard policy: how far the expected accuracy may fall below the best expert's, 2√(B_ρ K ln N / T).
 */
export function standardRegret(setting: BoundSetting, horizon: number): number {
  return scaledRegret(setting, horizon, 1)
}

/** Corollary 2, the scaled standard policy: (c + 1/c)·√(B_ρ K ln N / T). */
export function scaledRegret({ levels, experts, rho }: BoundSetting, horizon: number, c: number): number {
  return (c + 1 / c) * Math.sqrt((varianceFactor(rho, levels) * levels * log(experts)) / horizon)
}

/**
 * Corollary 1, PB-OEL with restarts every T^α rounds: how far the expected accuracy may fall below the piecewise
 * ultimate bound, (c + 1/c)·√(B_ρ K ln N)·(T^(α/2−1) + T^(−α/2)).
 *
 * @example
 * import { restartRegret } from '@pb-oel/core'
 * restartRegret({ levels: 3, experts: 10, rho: 0 }, 30000, 0.1, 0.8) // 0.63489
 */
export function restartRegret(
  { levels, experts, rho }: BoundSetting,
  horizon: number,
  c: number,
  alpha: number,
): number {
  const scale = (c + 1 / c) * Math.sqrt(varianceFactor(rho, levels) * levels * log(experts))
  return scale * (power(horizon, alpha / 2 - 1) + power(horizon, -alpha / 2))
}
