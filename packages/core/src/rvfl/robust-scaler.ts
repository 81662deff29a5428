import type { StateIo } from '../state/state-io.ts'
import { type SampleScaler, SCALE_FLOOR } from './scaler.ts'

/** No z-score is larger, and no sample moves mean and deviation as if it were. */
const LIMIT = 5
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
  private count = 0

  constructor(channels: number) {
    this.channels = channels
    this.mean = new Float64Array(channels)
    this.squares = new Float64Array(channels)
    this.inverse = new Float64Array(channels).fill(1)
    this.opening = new Float64Array(channels * OPENING)
  }

  feed(x: Float64Array): void {
    const { mean, squares, inverse, channels } = this
    const count = ++this.count
    for (let i = 0; i < channels; i++) {
      if (count <= OPENING) this.open(x[i], i)
      else {
        const reach = LIMIT / inverse[i]
        const delta = Math.min(reach, Math.max(-reach, x[i] - mean[i]))
        mean[i] += delta / count
        // Welford's form: what is left of delta after the mean has moved.
        squares[i] += delta * (delta - delta / count)
      }
      inverse[i] = 1 / (Math.sqrt(squares[i] / count) + SCALE_FLOOR)
    }
  }

  scale(x: Float64Array, z: Float64Array): void {
    const { mean, inverse } = this
    for (let i = 0; i < z.length; i++) z[i] = Math.min(LIMIT, Math.max(-LIMIT, (x[i] - mean[i]) * inverse[i]))
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
    const reach = REACH * (usual + SCALE_FLOOR)
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
