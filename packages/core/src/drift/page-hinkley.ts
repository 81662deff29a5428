import { integerIn, numberIn, oneOf, onlyKnown, positive } from '../options/checks.ts'
import type { StateIo } from '../state/state-io.ts'
import type { DriftDetector, DriftSignal } from './detector.ts'

/** Options of {@link PageHinkley}. */
export interface PageHinkleyOptions {
  /** No signal before this many values, 1 … 10^6. Default 30. */
  minimum?: number
  /** Change δ ≥ 0 of the mean that is tolerated. Default 0.005. */
  delta?: number
  /** Sum of deviations that means drift, above 0. Default 50; about 10 for a stream of 0 and 1. */
  threshold?: number
  /** Factor of forgetting per value, in (0, 1]. Default 0.9999. */
  forgetting?: number
  /** `increase` watches for a rise of the mean only; `both` for a fall too. Default `increase`. */
  sides?: 'increase' | 'both'
}

/**
 * Page–Hinkley test: drift when the summed deviations from the running mean rise far above their minimum.
 *
 * E. S. Page, "Continuous inspection schemes", Biometrika 41, 1954; with forgetting as in data stream libraries. Has no
 * warning level.
 *
 * @example
 * import { PageHinkley } from '@pb-oel/core'
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
    onlyKnown(options, ['minimum', 'delta', 'threshold', 'forgetting', 'sides'])
    this.minimum = integerIn('minimum', options.minimum ?? 30, 1, 1_000_000)
    this.delta = numberIn('delta', options.delta ?? 0.005, 0, Number.MAX_VALUE)
    this.threshold = positive('threshold', options.threshold ?? 50)
    this.forgetting = positive('forgetting', options.forgetting ?? 0.9999, 1)
    this.both = oneOf('sides', options.sides ?? 'increase', ['increase', 'both']) === 'both'
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
