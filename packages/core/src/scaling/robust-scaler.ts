import type { StateIo } from '../state/state-io.ts'
import { type SampleScaler, SCALE_FLOOR } from './scaler.ts'

/** No z-score is larger, and no sample moves mean and deviation as if it were. */
const LIMIT = 5
/** A deviation this many times smaller than the mean is rounding noise: the channel stands still. */
const STILL = 1e-12
/** Samples whose order statistics are looked at before the running moments begin. */
const OPENING = 25
/** In the opening, values this many times further from the median than nine in ten others are drawn in. */
const REACH = 5

/**
 * z-scores that no single sample can spoil: mean and deviation of everything learned so far, where each value counts
 * as at most {@link LIMIT} deviations away (winsorised), and z-scores are cut off there, too. A lasting change of range
 * is followed: n samples in, drawn-in values let the deviation grow like n^(LIMIT²/2).
 *
 * The first samples have no deviation to be measured by; for them it comes from the median and the distance of nine in
 * ten from it. P. J. Huber, "Robust Statistics", 1981.
 */
export class RobustScaler implements SampleScaler {
  private readonly channels: number
  private readonly mean: Float64Array
  private readonly squares: Float64Array
  private readonly inverse: Float64Array
  private readonly opening: Float64Array
  private readonly floor: number
  private count = 0

  /**
   * @param floor what is added to every deviation. `relative` adds nothing: the unit of a channel makes no difference,
   * and a channel that has never moved is left out (its z-score is 0) until it moves.
   */
  constructor(channels: number, floor: 'absolute' | 'relative' = 'absolute') {
    this.channels = channels
    this.floor = floor === 'absolute' ? SCALE_FLOOR : 0
    this.mean = new Float64Array(channels)
    this.squares = new Float64Array(channels)
    this.inverse = new Float64Array(channels).fill(floor === 'absolute' ? 1 : 0)
    this.opening = new Float64Array(channels * OPENING)
  }

  feed(x: Float64Array): void {
    const { mean, squares, inverse, channels } = this
    const count = ++this.count
    for (let i = 0; i < channels; i++) {
      if (count <= OPENING) this.open(x[i], i)
      else {
        const delta = drawnIn(x[i] - mean[i], LIMIT / inverse[i])
        mean[i] += delta / count
        // Welford's form: what is left of delta after the mean has moved.
        squares[i] += delta * (delta - delta / count)
      }
      const deviation = Math.sqrt(squares[i] / count) + this.floor
      inverse[i] = this.floor > 0 || deviation > Math.abs(mean[i]) * STILL ? 1 / deviation : 0
    }
  }

  scale(x: Float64Array, z: Float64Array): void {
    const { mean, inverse } = this
    for (let i = 0; i < z.length; i++) z[i] = Math.min(LIMIT, Math.max(-LIMIT, (x[i] - mean[i]) * inverse[i]))
  }

  /**
   * Writes `x` with outlying values drawn in to {@link LIMIT} deviations into `out`, in its own units; to more while
   * few samples have been seen.
   */
  drawIn(x: Float64Array, out: Float64Array): void {
    const { mean, inverse, count } = this
    const limit = LIMIT * (1 + OPENING / count)
    for (let i = 0; i < out.length; i++) {
      const off = x[i] - mean[i]
      const reach = limit / inverse[i]
      out[i] = off > reach ? mean[i] + reach : off < -reach ? mean[i] - reach : x[i]
    }
  }

  /** Writes what each channel is multiplied by: 1 / its deviation, 0 where it has never moved. */
  copyScale(out: Float64Array): void {
    out.set(this.inverse)
  }

  transfer(io: StateIo): void {
    io.fill(this.mean)
    io.fill(this.squares)
    io.fill(this.inverse)
    io.fill(this.opening)
    this.count = io.number(this.count)
  }

  /** Moments of channel `i` over all samples so far, outlying values drawn in. */
  private open(value: number, i: number): void {
    const { count } = this
    this.opening[i * OPENING + count - 1] = value
    const values = this.opening.subarray(i * OPENING, i * OPENING + count)
    const median = values.toSorted()[count >> 1]
    const distances = values.map((value) => Math.abs(value - median)).sort()
    const usual = distances[Math.max(0, count - 1 - Math.ceil(count / 10))]
    const reach = REACH * (usual + this.floor) || Infinity
    let sum = 0
    for (const value of values) sum += drawnIn(value - median, reach)
    const centre = sum / count
    let squares = 0
    for (const value of values) {
      const distance = drawnIn(value - median, reach) - centre
      squares += distance * distance
    }
    this.mean[i] = median + centre
    this.squares[i] = squares
  }
}

function drawnIn(distance: number, reach: number): number {
  return Math.min(reach, Math.max(-reach, distance))
}
