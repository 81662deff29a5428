import { exp, log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * Counts of true against assessed levels, and the figures that follow from them.
 *
 * @example
 * import { ConfusionMatrix } from '@pb-oel/core'
 * const matrix = new ConfusionMatrix(3)
 * matrix.add(2, 0) // truly level 2, assessed as 0: a miss
 * matrix.misses // 1
 */
export class ConfusionMatrix implements Stateful {
  readonly levels: number
  /** Row = true level, column = assessed level. */
  readonly counts: Float64Array

  constructor(levels: number) {
    this.levels = levels
    this.counts = new Float64Array(levels * levels)
  }

  /** Counts one sample; where samples are chosen, `weight` is 1/π, so that the figures speak of all of them. */
  add(truth: number, assessed: number, weight = 1): void {
    this.counts[truth * this.levels + assessed] += weight
  }

  /** Number of samples. */
  get total(): number {
    return this.sum(() => true)
  }

  /** Share of samples assessed right; 0 before any. */
  get accuracy(): number {
    return share(
      this.sum((i, j) => i === j),
      this.total,
    )
  }

  /** Samples assessed safer than they were. */
  get misses(): number {
    return this.sum((truth, assessed) => assessed < truth)
  }

  /** Samples assessed less safe than they were. */
  get falseAlarms(): number {
    return this.sum((truth, assessed) => assessed > truth)
  }

  /** Cohen's κ: agreement beyond chance; 0 when chance alone explains everything. */
  get kappa(): number {
    const total = this.total
    let chance = 0
    for (let k = 0; k < this.levels; k++) chance += share(this.row(k), total) * share(this.column(k), total)
    return beyond(this.accuracy, chance)
  }

  /** Mean over all levels of F1, where a level without samples and assessments counts as 0. */
  get macroF1(): number {
    let sum = 0
    for (let k = 0; k < this.levels; k++) sum += share(2 * this.hits(k), this.row(k) + this.column(k))
    return sum / this.levels
  }

  /** Geometric mean of the recalls of the levels that occurred; 0 when one of them was never hit. */
  get gMean(): number {
    let sum = 0
    let occurred = 0
    for (let k = 0; k < this.levels; k++) {
      if (this.row(k) === 0) continue
      occurred++
      sum += log(this.hits(k) / this.row(k))
    }
    return occurred === 0 ? 0 : exp(sum / occurred)
  }

  /** Mean recall of the levels that occurred. */
  get balancedAccuracy(): number {
    let sum = 0
    let occurred = 0
    for (let k = 0; k < this.levels; k++) {
      if (this.row(k) === 0) continue
      occurred++
      sum += this.hits(k) / this.row(k)
    }
    return share(sum, occurred)
  }

  transfer(io: StateIo): void {
    io.fill(this.counts)
  }

  private hits(k: number): number {
    return this.counts[k * this.levels + k]
  }

  private row(k: number): number {
    return this.sum((truth) => truth === k)
  }

  private column(k: number): number {
    return this.sum((_, assessed) => assessed === k)
  }

  private sum(include: (truth: number, assessed: number) => boolean): number {
    let sum = 0
    for (let i = 0; i < this.counts.length; i++) {
      if (include(Math.floor(i / this.levels), i % this.levels)) sum += this.counts[i]
    }
    return sum
  }
}

/** How much of the way from `baseline` to 1 `value` has gone; 0 when the baseline is perfect already. */
export function beyond(value: number, baseline: number): number {
  return baseline === 1 ? 0 : (value - baseline) / (1 - baseline)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
