import { exp, log } from '../math/elementary.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { FLOOR } from './certified-accuracy.ts'

/** The options of {@link SafeSide}. */
export const SAFE_SIDE_OPTIONS = {
  missTarget: option.number({
    above: 0,
    to: 0.5,
    default: 0.005,
    about: 'Share α of the samples whose safe-side level may be safer than the truth.',
  }),
  step: option.number({ above: 0, to: 10, default: 1, about: 'How fast the threshold follows the answers.' }),
  floor: FLOOR,
}

/** Options of {@link SafeSide}, as {@link SAFE_SIDE_OPTIONS} declares them. */
export type SafeSideOptions = OptionsOf<typeof SAFE_SIDE_OPTIONS>

/**
 * Below the first the safe-side level is the top level, where nothing can be missed; above the second ln θ never
 * goes.
 */
const LOWEST = log(1e-5)
const HIGHEST = log(0.5)

/**
 * Keeps misses below a target in the long run, on any stream (promise D of docs/promises.md). Beside the assessed level
 * there is a safe-side level U: the lowest level with Σ_{k > U} probability ≤ θ. After each answer
 * ln θ ← ln θ + step·(α − m̂): the adaptive rule of Gibbs & Candès (NeurIPS 2021), in the logarithm of the threshold.
 * m̂ is 1 where the answer leaves a miss y > U possible, else 0, so that no miss goes uncounted. It says nothing
 * about a single moment.
 *
 * @example
 * import { SafeSide } from '@pb-oel/core'
 * const safeSide = new SafeSide({ missTarget: 0.01 })
 * safeSide.levelFor([0.6, 0.39, 0.01]) // 1
 */
export class SafeSide implements Stateful {
  private readonly missTarget: number
  private readonly step: number
  private readonly floor: number
  private logThreshold = log(0.05)

  constructor(options: SafeSideOptions = {}) {
    const { missTarget, step, floor } = readOptions(SAFE_SIDE_OPTIONS, options)
    this.missTarget = missTarget
    this.step = step
    this.floor = floor
  }

  /** θ: how much probability may lie above the safe-side level; 0 where nothing may. */
  get threshold(): number {
    return this.logThreshold <= LOWEST ? 0 : exp(this.logThreshold)
  }

  /** The safe-side level for a distribution over levels. */
  levelFor(probabilities: ArrayLike<number>): number {
    let level = probabilities.length - 1
    if (this.logThreshold <= LOWEST) return level
    const { threshold } = this
    let above = 0
    while (level > 0) {
      above += probabilities[level]
      if (above > threshold) return level
      level--
    }
    return 0
  }

  /**
   * Learns from an answer.
   *
   * @param safeSide the safe-side level of the sample, when it was assessed
   * @param possible whether level k can be the true one, by what the answer says
   * @param levels number of levels K
   * @param asked probability with which the sample was asked about, at least the floor
   */
  learn(safeSide: number, possible: (level: number) => boolean, levels: number, asked = 1): void {
    let miss = 0
    for (let k = safeSide + 1; k < levels; k++) if (possible(k)) miss = 1
    const move = this.step * Math.min(1, this.floor / asked) * (this.missTarget - miss)
    this.logThreshold = Math.min(HIGHEST, this.logThreshold + move)
  }

  transfer(io: StateIo): void {
    this.logThreshold = io.number(this.logThreshold)
  }
}
