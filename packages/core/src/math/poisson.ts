import { exp } from './elementary.ts'
import type { Random } from './random.ts'

/**
 * Poisson numbers of one fixed mean by inversion: exactly one uniform is consumed for each, whatever comes out, so the
 * n-th number of a stream depends on n alone.
 *
 * @example
 * import { Poisson, Random } from '@pb-oel/core'
 * new Poisson(6).draw(new Random(1, 'bagging')) // how often a bagged learner sees the next sample
 */
export class Poisson {
  /** P(at most k), until it is within 1e-17 of 1 or rounds no higher. */
  private readonly cumulative: Float64Array

  /** @param mean in [0, 700] */
  constructor(mean: number) {
    const cumulative: number[] = []
    let probability = exp(-mean)
    let sum = 0
    for (let k = 0; k <= mean || probability > 1e-17; k++) {
      sum += probability
      cumulative.push(sum)
      probability *= mean / (k + 1)
    }
    this.cumulative = Float64Array.from(cumulative)
  }

  /** The next number: the smallest k whose P(at most k) exceeds a uniform number. */
  draw(random: Random): number {
    const { cumulative } = this
    const u = random.uniform()
    let k = 0
    while (k < cumulative.length - 1 && u >= cumulative[k]) k++
    return k
  }
}
