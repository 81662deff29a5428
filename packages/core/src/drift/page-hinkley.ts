import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'
import { SIDES } from './shared-options.ts'

/** The options of {@link PageHinkley}. */
export const PAGE_HINKLEY_OPTIONS = {
  minimum: option.integer({ from: 1, to: 1_000_000, default: 30, about: 'No signal before this many values.' }),
  delta: option.number({ from: 0, default: 0.005, about: 'Change δ of the mean that is tolerated.' }),
  threshold: option.number({
    above: 0,
    default: 50,
    about: 'Sum of deviations that means drift; about 10 suits a stream of 0 and 1.',
  }),
  forgetting: option.number({ above: 0, to: 1, default: 0.9999, about: 'Factor of forgetting per value.' }),
  sides: SIDES,
}

/** Options of {@link PageHinkley}, as {@link PAGE_HINKLEY_OPTIONS} declares them. */
export type PageHinkleyOptions = OptionsOf<typeof PAGE_HINKLEY_OPTIONS>

/**
 * Page–Hinkley test: drift when the summed deviations from the running mean rise far above their minimum.
 *
 * E. S. Page, "Continuous inspection schemes", Biometrika 41, 1954; with forgetting as in data stream libraries. Has no
 * warning level.
 *
 * @example
 * import { PageHinkley } from '@pb-oel/core/drift'
 * const detector = new PageHinkley({ threshold: 10 })
 * let at = 0
 * for (let i = 1; i <= 200 && at === 0; i++) if (detector.update(i <= 100 ? 0 : 1) === 'drift') at = i
 * at // 111
 */
export class PageHinkley implements DriftDetector {
  private readonly minimum: number
  private readonly delta: number
  private readonly threshold: number
  private readonly forgetting: number
  private readonly both: boolean
  private n = 0
  private mean = 0
  private rise = 0
  private lowest = Infinity
  private fall = 0
  private highest = -Infinity

  constructor(options: PageHinkleyOptions = {}) {
    const settings = readOptions(PAGE_HINKLEY_OPTIONS, options)
    this.minimum = settings.minimum
    this.delta = settings.delta
    this.threshold = settings.threshold
    this.forgetting = settings.forgetting
    this.both = settings.sides === 'both'
  }

  update(value: number): DriftSignal {
    this.n++
    this.mean += (value - this.mean) / this.n
    const deviation = value - this.mean
    this.rise = this.forgetting * this.rise + deviation - this.delta
    this.fall = this.forgetting * this.fall + deviation + this.delta
    if (this.rise < this.lowest) this.lowest = this.rise
    if (this.fall > this.highest) this.highest = this.fall
    if (this.n < this.minimum) return 'none'
    const risen = this.rise - this.lowest > this.threshold
    const fallen = this.both && this.highest - this.fall > this.threshold
    if (!risen && !fallen) return 'none'
    this.reset()
    return 'drift'
  }

  reset(): void {
    this.n = this.mean = this.rise = this.fall = 0
    this.lowest = Infinity
    this.highest = -Infinity
  }

  transfer(io: StateIo): void {
    this.n = io.number(this.n)
    this.mean = io.number(this.mean)
    this.rise = io.number(this.rise)
    this.lowest = io.number(this.lowest)
    this.fall = io.number(this.fall)
    this.highest = io.number(this.highest)
  }
}

/** The entry of {@link PageHinkley}. */
export const PAGE_HINKLEY: DetectorEntry = defineDetector({
  name: 'page-hinkley',
  title: 'Page–Hinkley',
  summary: 'summed deviations from the running mean',
  options: PAGE_HINKLEY_OPTIONS,
  create: (options) => new PageHinkley(options),
})
