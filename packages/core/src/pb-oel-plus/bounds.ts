import { log } from '../math/elementary.ts'
import type { BoundSetting } from '../pb-oel/bounds.ts'

/**
 * B⁺_ρ = ρ/8 + (1−ρ)(K−1)/2: what one round adds to the regret per unit of η when the losses come from labels and
 * rejections (Theorem 1 of docs/method-plus.md).
 *
 * @example
 * import { lossVarianceFactor } from '@pb-oel/core'
 * lossVarianceFactor(0, 3) // 1
 */
export function lossVarianceFactor(rho: number, levels: number): number {
  return rho / 8 + ((1 - rho) * (levels - 1)) / 2
}

/** The learning rate that makes {@link lossRegret} smallest, η = √(ln N / (T·B⁺_ρ)). 0 for a single expert. */
export function lossRate({ levels, experts, rho }: BoundSetting, horizon: number): number {
  return Math.sqrt(log(experts) / (horizon * lossVarianceFactor(rho, levels)))
}

/**
 * How far the expected accuracy may fall below the best expert's, with fixed rate η, λ = 0 and no sharing:
 * (ln N/η + η·T·B⁺_ρ) / T, and 2√(B⁺_ρ ln N / T) at the best rate.
 *
 * @param rate η; the best one when not given
 *
 * @example
 * import { lossRegret, standardRegret } from '@pb-oel/core'
 * const setting = { levels: 3, experts: 10, rho: 0 }
 * standardRegret(setting, 30000) / lossRegret(setting, 30000) // 2.27
 */
export function lossRegret(setting: BoundSetting, horizon: number, rate = lossRate(setting, horizon)): number {
  if (setting.experts === 1) return 0
  return log(setting.experts) / (rate * horizon) + rate * lossVarianceFactor(setting.rho, setting.levels)
}
