import { gapProbability, largestGap } from '../math/kolmogorov-smirnov.ts'
import { Random } from '../math/random.ts'
import { integerIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'

/** The options of {@link Kswin}. */
export const KSWIN_OPTIONS = {
  alpha: option.number({
    above: 0,
    to: 1,
    default: 0.005,
    about: 'Significance of each test; one is made with every value, so keep it small.',
  }),
  recent: option.integer({ from: 2, to: 1000, default: 30, about: 'Number of recent values compared.' }),
  window: option.integer({
    from: 4,
    to: 1_000_000,
    otherwise: '100, or twice `recent` where that is more',
    about: 'Values kept, at least twice `recent`.',
  }),
  seed: option.integer({
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    default: 1,
    about: 'Seed of the choice among the older values.',
  }),
  compat: option.choice(['canonical', 'river'], {
    default: 'canonical',
    about: '`canonical`: the recent values stay after drift; `river`: drift empties the window.',
  }),
}

/** Options of {@link Kswin}, as {@link KSWIN_OPTIONS} declares them. */
export type KswinOptions = OptionsOf<typeof KSWIN_OPTIONS>

/**
 * KSWIN: drift detection by the Kolmogorov–Smirnov test between the newest values of a window and as many drawn at
 * random from the older ones. Sees any change of the distribution, not of the mean only; has no warning level.
 * Differences of at most 0.1 between the distribution functions are not drift, however significant.
 *
 * C. Raab, M. Heusinger, F.-M. Schleif, "Reactive soft prototype computing for concept drift streams",
 * Neurocomputing 416, 2020.
 *
 * @example
 * import { Kswin } from '@pb-oel/core/drift'
 * const detector = new Kswin({ window: 60 })
 * let at = 0
 * for (let i = 1; i <= 200 && at === 0; i++) if (detector.update(i <= 100 ? 0 : 1) === 'drift') at = i
 * at // 114: fourteen ones of thirty have p = 0.0025, thirteen 0.0065
 */
export class Kswin implements DriftDetector {
  private readonly random: Random
  private readonly forgetful: boolean
  private readonly critical: number
  private readonly values: Float64Array
  private readonly newest: Float64Array
  private readonly chosen: Float64Array
  private readonly sorted: Float64Array
  private size = 0

  constructor(options: KswinOptions = {}) {
    const settings = readOptions(KSWIN_OPTIONS, options)
    const { recent } = settings
    const window = integerIn('window', settings.window ?? Math.max(100, 2 * recent), 2 * recent, 1_000_000)
    this.forgetful = settings.compat === 'river'
    this.critical = criticalGap(settings.alpha, recent)
    this.random = new Random(settings.seed, 'kswin')
    this.values = new Float64Array(window)
    this.newest = this.values.subarray(window - recent)
    this.chosen = new Float64Array(recent)
    this.sorted = new Float64Array(recent)
  }

  update(value: number): DriftSignal {
    const { values, newest, chosen, sorted } = this
    if (this.size === values.length) {
      values.copyWithin(0, 1)
      this.size--
    }
    values[this.size++] = value
    if (this.size < values.length) return 'none'
    this.choose()
    sorted.set(newest)
    if (largestGap(chosen.sort(), sorted.sort()) < this.critical) return 'none'
    this.reset()
    if (!this.forgetful) {
      values.set(newest)
      this.size = newest.length
    }
    return 'drift'
  }

  reset(): void {
    this.size = 0
  }

  transfer(io: StateIo): void {
    this.random.position = io.number(this.random.position)
    this.size = io.number(this.size)
    io.fill(this.values.subarray(0, this.size))
  }

  /** Draws `chosen` from the older values, each subset equally likely. */
  private choose(): void {
    const { values, chosen, random } = this
    const older = values.length - chosen.length
    for (let i = 0, taken = 0; taken < chosen.length; i++) {
      const missing = chosen.length - taken
      const left = older - i
      if (missing === left || random.uniform() * left < missing) chosen[taken++] = values[i]
    }
  }
}

/** The entry of {@link Kswin}. */
export const KSWIN: DetectorEntry = defineDetector({
  name: 'kswin',
  title: 'KSWIN',
  summary: 'a Kolmogorov–Smirnov test between new and old values',
  options: KSWIN_OPTIONS,
  create: (options) => new Kswin(options),
})

/** The smallest gap n²·D that is significant at `alpha` for two samples of size n, and above n²/10. */
function criticalGap(alpha: number, n: number): number {
  for (let k = Math.floor(n / 10) + 1; k <= n; k++) if (gapProbability(k * n, n, n) <= alpha) return k * n
  return Infinity
}
