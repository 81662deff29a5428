import { log } from '../math/elementary.ts'
import { numberIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'
import { SIDES, SIGNIFICANCE_OPTIONS } from './shared-options.ts'

/** The options of {@link HddmW}. */
export const HDDM_W_OPTIONS = {
  ...SIGNIFICANCE_OPTIONS,
  lambda: option.number({
    above: 0,
    to: 1,
    default: 0.05,
    about: 'Weight λ of the newest value in the moving averages.',
  }),
  sides: SIDES,
  compat: option.choice(['canonical', 'river', 'skm'], {
    default: 'canonical',
    about:
      '`river`: the first value of an average counts λ² + (1−λ)² instead of 1, so drift is seen one value earlier; ' +
      '`skm`: the cut point for a fall starts at +∞, so a fall is never seen.',
  }),
}

/** Options of {@link HddmW}, as {@link HDDM_W_OPTIONS} declares them. */
export type HddmWOptions = OptionsOf<typeof HDDM_W_OPTIONS>

/**
 * HDDM_W: drift detection by McDiarmid's inequality on exponentially weighted moving averages.
 *
 * The average up to the cut, the point where its upper bound was lowest, is compared with the average since. With q the
 * sum of the squared weights of an average, a difference above √((q₁+q₂) ln(1/α) / 2) is significant at α.
 * Quicker than HDDM_A on gradual change, slower on abrupt change.
 *
 * I. Frías-Blanco et al., "Online and non-parametric drift detection methods based on Hoeffding's bounds",
 * IEEE TKDE 27(3), 2015.
 *
 * @example
 * import { HddmW } from '@pb-oel/core/drift'
 * const detector = new HddmW()
 * let at = 0
 * for (let i = 1; i <= 80 && at === 0; i++) if (detector.update(i <= 50 ? 0 : 1) === 'drift') at = i
 * at // 65: fifteen errors after fifty correct answers
 */
export class HddmW implements DriftDetector {
  private readonly lambda: number
  private readonly firstSpread: number
  private readonly driftLog: number
  private readonly warningLog: number
  private readonly both: boolean
  // Each average is a mean and a spread q; q = 0 marks an empty one.
  private mean = 0
  private spread = 0
  private readonly rise = new Cut()
  private readonly fall = new Cut()

  constructor(options: HddmWOptions = {}) {
    const settings = readOptions(HDDM_W_OPTIONS, options)
    const { drift, lambda, compat } = settings
    const warning = numberIn('warning', settings.warning ?? Math.max(drift, 0.005), drift, 1)
    this.lambda = lambda
    this.firstSpread = compat === 'river' ? this.grow(1) : 1
    this.both = settings.sides === 'both' && compat !== 'skm'
    this.driftLog = log(1 / drift) / 2
    this.warningLog = log(1 / warning) / 2
  }

  update(value: number): DriftSignal {
    const { lambda, firstSpread } = this
    if (this.spread === 0) {
      this.mean = value
      this.spread = firstSpread
    } else {
      this.mean += lambda * (value - this.mean)
      this.spread = this.grow(this.spread)
    }
    const bound = Math.sqrt(this.spread * this.driftLog)
    let signal = this.follow(this.rise, value, this.mean, bound)
    if (this.both && signal !== 'drift') {
      // A fall of the values is a rise of their negatives.
      const fall = this.follow(this.fall, -value, -this.mean, bound)
      if (fall !== 'none') signal = fall
    }
    if (signal === 'drift') this.reset()
    return signal
  }

  reset(): void {
    this.mean = this.spread = 0
    this.rise.clear()
    this.fall.clear()
  }

  transfer(io: StateIo): void {
    this.mean = io.number(this.mean)
    this.spread = io.number(this.spread)
    this.rise.transfer(io)
    this.fall.transfer(io)
  }

  private grow(spread: number): number {
    const { lambda } = this
    return lambda * lambda + (1 - lambda) * (1 - lambda) * spread
  }

  private follow(cut: Cut, value: number, mean: number, bound: number): DriftSignal {
    if (mean + bound < cut.lowest) {
      cut.lowest = mean + bound
      cut.oldMean = mean
      cut.oldSpread = this.spread
      cut.newSpread = 0
      return 'none'
    }
    if (cut.newSpread === 0) {
      cut.newMean = value
      cut.newSpread = this.firstSpread
    } else {
      cut.newMean += this.lambda * (value - cut.newMean)
      cut.newSpread = this.grow(cut.newSpread)
    }
    // Never below 0: a new mean below the old one would have lowered the bound, and begun anew.
    const difference = cut.newMean - cut.oldMean
    const squared = (difference * difference) / (cut.oldSpread + cut.newSpread)
    return squared > this.driftLog ? 'drift' : squared > this.warningLog ? 'warning' : 'none'
  }
}

/** The entry of {@link HddmW}. */
export const HDDM_W: DetectorEntry = defineDetector({
  name: 'hddm-w',
  title: 'HDDM_W',
  summary: 'McDiarmid’s inequality on moving averages; quick on gradual change',
  options: HDDM_W_OPTIONS,
  create: (options) => new HddmW(options),
})

/** The average up to the point of the lowest upper bound, and the average since. */
class Cut {
  lowest = Infinity
  oldMean = 0
  oldSpread = 0
  newMean = 0
  newSpread = 0

  clear(): void {
    this.lowest = Infinity
    this.oldMean = this.oldSpread = this.newMean = this.newSpread = 0
  }

  transfer(io: StateIo): void {
    this.lowest = io.number(this.lowest)
    this.oldMean = io.number(this.oldMean)
    this.oldSpread = io.number(this.oldSpread)
    this.newMean = io.number(this.newMean)
    this.newSpread = io.number(this.newSpread)
  }
}
