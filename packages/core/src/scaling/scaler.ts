import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * How samples are standardised: by the warm-up set, frozen; by everything learned so far; by the same, but so that no
 * single sample can spoil it; or not at all.
 */
export type Scaling = 'warm-up' | 'running' | 'robust' | 'relative' | 'none'

/** Added to every standard deviation, so that a channel that was constant does not divide by 0. */
export const SCALE_FLOOR = 1e-2

/** Brings the channels of samples to a common scale. */
export interface SampleScaler extends Stateful {
  /** Takes a learned sample into account; `warmUp` while the warm-up set is being read. */
  feed(x: Float64Array, warmUp: boolean): void
  /** Writes the scaled `x` into `z`. */
  scale(x: Float64Array, z: Float64Array): void
}

/** z-scores with mean and population standard deviation + 0.01 of the samples it was fed. */
export class Scaler implements SampleScaler {
  private readonly scaling: Exclude<Scaling, 'robust' | 'relative'>
  private readonly mean: Float64Array
  private readonly squares: Float64Array
  private readonly inverse: Float64Array
  private count = 0

  constructor(channels: number, scaling: Exclude<Scaling, 'robust' | 'relative'>) {
    this.scaling = scaling
    this.mean = new Float64Array(channels)
    this.squares = new Float64Array(channels)
    this.inverse = new Float64Array(channels).fill(1)
  }

  feed(x: Float64Array, warmUp: boolean): void {
    if (this.scaling === 'none' || (this.scaling === 'warm-up' && !warmUp)) return
    const { mean, squares, inverse } = this
    const count = ++this.count
    for (let i = 0; i < mean.length; i++) {
      const delta = x[i] - mean[i]
      mean[i] += delta / count
      squares[i] += delta * (x[i] - mean[i])
      inverse[i] = 1 / (Math.sqrt(squares[i] / count) + SCALE_FLOOR)
    }
  }

  scale(x: Float64Array, z: Float64Array): void {
    const { mean, inverse } = this
    for (let i = 0; i < z.length; i++) z[i] = (x[i] - mean[i]) * inverse[i]
  }

  transfer(io: StateIo): void {
    io.fill(this.mean)
    io.fill(this.squares)
    io.fill(this.inverse)
    this.count = io.number(this.count)
  }
}
