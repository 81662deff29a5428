import { exp, log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * Costs under which a mistake about a rare level is dearer: c(y, k) = 1{k ≠ y}·w_y. The weight w_y is (n_y + 1)^−β,
 * divided by the largest; n_y says how often level y was told. With β = 1 every level counts alike, however rare it is;
 * with β = 0 every sample does.
 */
export class BalancedCosts implements Stateful {
  /** c(y, k), row by true level y. */
  readonly matrix: Float64Array
  private readonly counts: Float64Array
  private readonly power: number

  /**
   * @param levels number of levels K
   * @param power β, 0 … 1
   */
  constructor(levels: number, power: number) {
    this.matrix = new Float64Array(levels * levels)
    this.counts = new Float64Array(levels)
    this.power = power
    this.refresh()
  }

  /** Hears the true level of a sample. */
  told(level: number): void {
    this.counts[level]++
    this.refresh()
  }

  transfer(io: StateIo): void {
    io.perLevel(this.counts, this.counts.length)
    this.refresh()
  }

  private refresh(): void {
    const { counts, matrix, power } = this
    const levels = counts.length
    let fewest = counts[0]
    for (let y = 1; y < levels; y++) if (counts[y] < fewest) fewest = counts[y]
    for (let y = 0; y < levels; y++) {
      const weight = exp(power * log((fewest + 1) / (counts[y] + 1)))
      for (let k = 0; k < levels; k++) matrix[y * levels + k] = k === y ? 0 : weight
    }
  }
}
