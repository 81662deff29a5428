import { log, power } from '../math/elementary.ts'
import type { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions, type SettingsOf } from '../options/option-table.ts'

/** The options of a {@link Delay}. All laws but `fixed` bring answers out of order. */
export const DELAY_OPTIONS = {
  law: option.choice(['fixed', 'uniform', 'exponential', 'heavy'], {
    default: 'fixed',
    about:
      '`fixed`: always the mean; `uniform`: between 0 and twice the mean; `exponential`: mostly short; `heavy`: ' +
      'Lomax with tail exponent 1.5, so most answers come soon and some very late.',
  }),
  mean: option.number({ from: 0, to: 1e6, required: true, about: 'Mean delay in samples.' }),
  limit: option.integer({
    from: 0,
    to: 2 ** 20 - 1,
    default: 1000,
    about: 'Answers that would take longer than this many samples never come.',
  }),
}

/** How late answers come, in samples, as {@link DELAY_OPTIONS} declares it. */
export type DelayOptions = OptionsOf<typeof DELAY_OPTIONS>

const TAIL = 1.5

/** Draws delays in whole samples. */
export class Delay {
  private readonly law: SettingsOf<typeof DELAY_OPTIONS>['law']
  private readonly mean: number
  private readonly limit: number

  constructor(options: DelayOptions) {
    const { law, mean, limit } = readOptions(DELAY_OPTIONS, options, 'delay.')
    this.law = law
    this.mean = mean
    this.limit = limit
  }

  /** The next delay; −1 when the answer never comes. */
  draw(random: Random): number {
    // The numbers are drawn for nothing else, so a fixed delay need not draw them.
    const delay = Math.round(this.law === 'fixed' ? this.mean : this.mean * this.factor(random.positive()))
    return delay > this.limit ? -1 : delay
  }

  /** A number of mean 1 by inversion of the law. */
  private factor(u: number): number {
    if (this.law === 'uniform') return 2 * u
    if (this.law === 'exponential') return -log(u)
    return (TAIL - 1) * (power(u, -1 / TAIL) - 1)
  }
}
