import { integerIn, numberIn, oneOf, onlyKnown, positive } from '../options/checks.ts'
import type { StateIo } from '../state/state-io.ts'
import type { DriftDetector, DriftSignal } from './detector.ts'

/** Options of {@link Eddm}. */
export interface EddmOptions {
  /** No signal before more than this many errors, 1 … 10^6. Default 30. */
  minimum?: number
  /** Warning when the ratio falls below this, at most 1 and at least `drift`. Default 0.95. */
  warning?: number
  /** Drift when the ratio falls below this, in (0, 1]. Default 0.9. */
  drift?: number
  /** `river`: a warning outlives an error that sets a new maximum. Default `canonical`: any error ends or renews it. */
  compat?: 'canonical' | 'river'
}

/**
 * EDDM: drift detection by the distance between errors. Values are 1 (error) or 0.
 *
 * With p′ the mean and s′ the standard deviation of the distances between consecutive errors, it compares p′ + 2s′ with
 * its maximum so far: errors that come closer together lower the ratio. Only an error changes the verdict, so a warning
 * lasts until the next error. Made for gradual drift; with rare errors it is slow to start.
 *
 * M. Baena-García et al., "Early drift detection method", Workshop on Knowledge Discovery from Data Streams, 2006.
 *
 * @example
 * import { Eddm } from '@pb-oel/core'
 * const detector = new Eddm()
 * let at = 0
 * for (let i = 1; i <= 600 && at === 0; i++) if (detector.update(i % (i <= 400 ? 10 : 2) === 0 ? 1 : 0) === 'drift') at = i
 * at // 502: the deviation grows at first and hides the fall of the mean
 */
export class Eddm implements DriftDetector {
  private readonly minimum: number
  private readonly warning: number
  private readonly drift: number
  private readonly sticky: boolean
  private n = 0
  private errors = 0
  private lastError = 0
  private mean = 0
  private squares = 0
  private highest = -1
  private warned = false

  constructor(options: EddmOptions = {}) {
    onlyKnown(options, ['minimum', 'warning', 'drift', 'compat'])
    this.minimum = integerIn('minimum', options.minimum ?? 30, 1, 1_000_000)
    this.drift = positive('drift', options.drift ?? 0.9, 1)
    this.warning = numberIn('warning', options.warning ?? Math.max(0.95, this.drift), this.drift, 1)
    this.sticky = oneOf('compat', options.compat ?? 'canonical', ['canonical', 'river']) === 'river'
  }

  update(value: number): DriftSignal {
    this.n++
    if (value !== 1) return this.warned ? 'warning' : 'none'
    this.errors++
    const distance = this.n - this.lastError
    this.lastError = this.n
    const off = distance - this.mean
    this.mean += off / this.errors
    this.squares += off * (distance - this.mean)
    if (this.n <= this.minimum) return 'none'
    const deviation = this.errors > 1 ? Math.sqrt(this.squares / (this.errors - 1)) : 0
    const level = this.mean + 2 * deviation
    if (level > this.highest) {
      this.highest = level
      if (!this.sticky) this.warned = false
    } else if (this.errors > this.minimum) {
      const ratio = level / this.highest
      if (ratio < this.drift) {
        this.reset()
        return 'drift'
      }
      this.warned = ratio < this.warning
    }
    return this.warned ? 'warning' : 'none'
  }

  reset(): void {
    this.n = this.errors = this.lastError = this.mean = this.squares = 0
    this.highest = -1
    this.warned = false
  }

  transfer(io: StateIo): void {
    this.n = io.number(this.n)
    this.errors = io.number(this.errors)
    this.lastError = io.number(this.lastError)
    this.mean = io.number(this.mean)
    this.squares = io.number(this.squares)
    this.highest = io.number(this.highest)
    this.warned = io.boolean(this.warned)
  }
}
