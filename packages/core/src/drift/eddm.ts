import { numberIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'

/** The options of {@link Eddm}. */
export const EDDM_OPTIONS = {
  minimum: option.integer({
    from: 1,
    to: 1_000_000,
    default: 30,
    about: 'No signal before more than this many errors.',
  }),
  warning: option.number({
    above: 0,
    to: 1,
    otherwise: '0.95, or `drift` where that is more',
    about: 'A warning when the ratio falls below this; at least `drift`.',
  }),
  drift: option.number({ above: 0, to: 1, default: 0.9, about: 'Drift when the ratio falls below this.' }),
  compat: option.choice(['canonical', 'river'], {
    default: 'canonical',
    about:
      '`canonical`: any error ends or renews a warning; `river`: a warning outlives an error that sets a new maximum.',
  }),
}

/** Options of {@link Eddm}, as {@link EDDM_OPTIONS} declares them. */
export type EddmOptions = OptionsOf<typeof EDDM_OPTIONS>

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
 * import { Eddm } from '@pb-oel/core/drift'
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
    const { minimum, drift, warning = Math.max(0.95, drift), compat } = readOptions(EDDM_OPTIONS, options)
    this.minimum = minimum
    this.drift = drift
    this.warning = numberIn('warning', warning, drift, 1)
    this.sticky = compat === 'river'
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

/** The entry of {@link Eddm}. */
export const EDDM: DetectorEntry = defineDetector({
  name: 'eddm',
  title: 'EDDM',
  summary: 'the distance between errors; made for gradual drift',
  options: EDDM_OPTIONS,
  binary: true,
  create: (options) => new Eddm(options),
})
