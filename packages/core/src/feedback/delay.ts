import { log, power } from '../math/elementary.ts'
import type { Random } from '../math/random.ts'
import { integerIn, numberIn, oneOf, onlyKnown } from '../options/checks.ts'

/** How late answers come, in samples. All laws but `fixed` bring answers out of order. */
export interface DelayOptions {
  /**
   * `fixed`: always the mean. `uniform`: between 0 and twice the mean. `exponential`: mostly short. `heavy`: Lomax with
   * tail exponent 1.5, so most answers come soon and some very late. Default `fixed`.
   */
  law?: 'fixed' | 'uniform' | 'exponential' | 'heavy'
  /** Mean delay, 0 … 10^6. */
  mean: number
  /** Answers that would take longer than this never come, 0 … 2^20 − 1. Default 1,000. */
  limit?: number
}

const TAIL = 1.5

/** Draws delays in whole samples. */
export class Delay {
  private readonly law: 'fixed' | 'uniform' | 'exponential' | 'heavy'
  private readonly mean: number
  private readonly limit: number

  constructor(options: DelayOptions) {
    onlyKnown(options, ['law', 'mean', 'limit'])
    this.law = oneOf('delay.law', options.law ?? 'fixed', ['fixed', 'uniform', 'exponential', 'heavy'])
    this.mean = numberIn('delay.mean', options.mean, 0, 1e6)
    this.limit = integerIn('delay.limit', options.limit ?? 1_000, 0, 2 ** 20 - 1)
  }

  /** The next delay; −1 when the answer never comes. */
  draw(random: Random): number {
    const delay = Math.round(this.mean * this.factor(random.positive()))
    return delay > this.limit ? -1 : delay
  }

  /** A number of mean 1 by inversion of the law. */
  private factor(u: number): number {
    if (this.law === 'uniform') return 2 * u
    if (this.law === 'exponential') return -log(u)
    if (this.law === 'heavy') return (TAIL - 1) * (power(u, -1 / TAIL) - 1)
    return 1
  }
}
