import { exp, log } from '../math/elementary.ts'
import { numberIn, onlyKnown, positive } from '../options.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/** Options of {@link SafeSide}. */
export interface SafeSideOptions {
  /** Share α of the samples whose safe-side level may be safer than the truth, in (0, 0.5]. Default 0.005. */
  missTarget?: number
  /** How fast the threshold follows the answers, in (0, 10]. Default 1. */
  step?: number
  /** Smallest probability with which a sample is asked about, in (0, 1]. Default 1. */
  floor?: number
}

/** ln θ stays in this range. At its lower end the safe-side level is the top level, at its upper end the safest. */
const LOWEST = log(1e-5)
const HIGHEST = log(0.5)

/** The smallest probability of the draw that an answer is divided by: below it, the estimate is too high, never too low. */
const LEAST = 0.05

/**
 * Keeps misses below a target in the long run, on any stream (promise D of docs/promises.md). Beside the assessed level
 * there is a safe-side level U: the lowest level with Σ_{k > U} probability ≤ θ. After each answer
 * ln θ ← ln θ + step·(α − m̂), with m̂ the estimated indicator of a miss y > U: the adaptive rule of Gibbs & Candès
 * (NeurIPS 2021), in the logarithm of the threshold. It says nothing about a single moment.
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
    onlyKnown(options, ['missTarget', 'step', 'floor'])
    this.missTarget = positive('missTarget', options.missTarget ?? 0.005, 0.5)
    this.step = positive('step', options.step ?? 1, 10)
    this.floor = positive('floor', options.floor ?? 1, 1)
  }

  /** θ: how much probability may lie above the safe-side level. 0 at the lower end of its range. */
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
   * @param levels number of levels K
   * @param answer what is known: the true level, or that `assessed`, drawn with probability `drawn`, was right or wrong
   * @param asked probability with which the sample was asked about
   */
  learn(safeSide: number, levels: number, answer: SafeSideAnswer, asked = 1): void {
    const miss = safeSide === levels - 1 ? 0 : missEstimate(safeSide, answer)
    const move = this.step * (this.floor / numberIn('asked', asked, this.floor, 1)) * (this.missTarget - miss)
    this.logThreshold = Math.min(HIGHEST, Math.max(LOWEST, this.logThreshold + move))
  }

  transfer(io: StateIo): void {
    this.logThreshold = io.number(this.logThreshold)
  }
}

/** What an answer tells {@link SafeSide}. */
export interface SafeSideAnswer {
  /** The true level where a label told it, else −1. */
  readonly label: number
  /** The assessed level, the probability it was drawn with, and whether it was right. */
  readonly assessed: number
  readonly drawn: number
  readonly right: boolean
}

/** m̂: exact after a label; 1 − 1{right, a ≤ U}/p_a after right or wrong, which is unbiased (Lemma D1). */
function missEstimate(safeSide: number, { label, assessed, drawn, right }: SafeSideAnswer): number {
  if (label >= 0) return label > safeSide ? 1 : 0
  return right && assessed <= safeSide ? 1 - 1 / Math.max(LEAST, drawn) : 1
}
