import { log } from '../math/elementary.ts'
import { numberIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'
import { SIDES, SIGNIFICANCE_OPTIONS } from './shared-options.ts'

/** The options of {@link HddmA}. */
export const HDDM_A_OPTIONS = {
  ...SIGNIFICANCE_OPTIONS,
  sides: SIDES,
  tail: option.choice([1, 2], {
    default: 2,
    about: 'Numerator k of ln(k/α) in the test: 2 as in the common implementations, 1 as in Hoeffding’s inequality.',
  }),
  compat: option.choice(['canonical', 'skm'], {
    default: 'canonical',
    about: '`skm`: with `sides: both`, a fall starts the detector afresh but is not reported.',
  }),
}

/** Options of {@link HddmA}, as {@link HDDM_A_OPTIONS} declares them. */
export type HddmAOptions = OptionsOf<typeof HDDM_A_OPTIONS>

/**
 * HDDM_A: drift detection by Hoeffding's inequality on averages.
 *
 * Compares the mean of everything since the last reset with the mean of the prefix that had the lowest upper bound.
 * With n₁ values in the prefix and n₂ after it, the difference is significant at α when it reaches
 * ε = √(n₂ ln(2/α) / (2 n₁ (n₁+n₂))).
 *
 * I. Frías-Blanco et al., "Online and non-parametric drift detection methods based on Hoeffding's bounds",
 * IEEE TKDE 27(3), 2015.
 *
 * @example
 * import { HddmA } from '@pb-oel/core/drift'
 * const detector = new HddmA()
 * let at = 0
 * for (let i = 1; i <= 60 && at === 0; i++) if (detector.update(i <= 50 ? 0 : 1) === 'drift') at = i
 * at // 55: five errors after fifty correct answers
 */
export class HddmA implements DriftDetector {
  private readonly boundLog: number
  private readonly driftLog: number
  private readonly warningLog: number
  private readonly both: boolean
  private readonly silent: boolean
  private n = 0
  private sum = 0
  private lowN = 0
  private lowSum = 0
  private highN = 0
  private highSum = 0

  constructor(options: HddmAOptions = {}) {
    const settings = readOptions(HDDM_A_OPTIONS, options)
    const { drift, tail } = settings
    const warning = numberIn('warning', settings.warning ?? Math.max(drift, 0.005), drift, 1)
    this.silent = settings.compat === 'skm'
    this.both = settings.sides === 'both'
    this.boundLog = log(1 / drift)
    this.driftLog = log(tail / drift)
    this.warningLog = log(tail / warning)
  }

  update(value: number): DriftSignal {
    this.n++
    this.sum += value
    const { n, sum } = this
    const mean = sum / n
    const bound = Math.sqrt(this.boundLog / (2 * n))
    if (this.lowN === 0 || this.lowSum / this.lowN + Math.sqrt(this.boundLog / (2 * this.lowN)) >= mean + bound) {
      this.lowN = n
      this.lowSum = sum
    }
    const rise = mean - this.lowSum / this.lowN
    let signal = this.judge(rise, this.lowN)
    if (this.both && signal !== 'drift') {
      if (this.highN === 0 || this.highSum / this.highN - Math.sqrt(this.boundLog / (2 * this.highN)) <= mean - bound) {
        this.highN = n
        this.highSum = sum
      }
      const fall = this.judge(this.highSum / this.highN - mean, this.highN)
      if (this.silent) {
        if (fall === 'drift') this.reset()
      } else if (fall !== 'none') signal = fall
    }
    if (signal === 'drift') this.reset()
    return signal
  }

  reset(): void {
    this.n = this.sum = this.lowN = this.lowSum = this.highN = this.highSum = 0
  }

  transfer(io: StateIo): void {
    this.n = io.number(this.n)
    this.sum = io.number(this.sum)
    this.lowN = io.number(this.lowN)
    this.lowSum = io.number(this.lowSum)
    this.highN = io.number(this.highN)
    this.highSum = io.number(this.highSum)
  }

  private judge(difference: number, prefix: number): DriftSignal {
    if (prefix === this.n) return 'none'
    // difference ≥ √(n₂ L / (2 n₁ n)) without the root: difference > 0 whenever it can be significant.
    const squared = difference > 0 ? (difference * difference * 2 * prefix * this.n) / (this.n - prefix) : 0
    return squared >= this.driftLog ? 'drift' : squared >= this.warningLog ? 'warning' : 'none'
  }
}

/** The entry of {@link HddmA}. */
export const HDDM_A: DetectorEntry = defineDetector({
  name: 'hddm-a',
  title: 'HDDM_A',
  summary: 'Hoeffding’s inequality on averages; quick on abrupt change',
  options: HDDM_A_OPTIONS,
  create: (options) => new HddmA(options),
})
