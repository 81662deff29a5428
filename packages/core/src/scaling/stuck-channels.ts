import { log } from '../math/elementary.ts'
import { type Stateful, type StateIo, StateReader, stateBytes } from '../state/state-io.ts'

/** A channel is stuck where so many repetitions have at most this probability. */
const DOUBT = log(1e-9)
/** Values that must have been seen before anything is said. */
const ENOUGH = 50
/** Repetitions in a row that are never remarkable. */
const FEW = 10

/**
 * Notices channels that have stopped moving. A channel whose value is usually repeated with probability r repeats it m
 * times in a row with probability r^m; where that is below 1e-9, it is stuck, until it moves again. So a noisy sensor
 * is noticed after eleven equal values, one that is read every tenth sample after some two hundred, and one that has
 * never moved never. Repetitions of a stuck channel do not count as usual.
 *
 * @example
 * import { StuckChannels } from '@pb-oel/core'
 * const stuck = new StuckChannels(1)
 * for (let t = 0; t < 100; t++) stuck.feed([t % 7])
 * for (let t = 0; t < 11; t++) stuck.feed([3])
 * stuck.after([3]) // [0]
 * stuck.after([4]) // []
 */
export class StuckChannels implements Stateful {
  private readonly last: Float64Array
  /** Repetitions in a row up to now. */
  private readonly run: Float64Array
  /** Values and repetitions before that. */
  private readonly seen: Float64Array
  private readonly repeated: Float64Array

  /** @param channels number of channels d */
  constructor(channels: number) {
    this.last = new Float64Array(channels)
    this.run = new Float64Array(channels)
    this.seen = new Float64Array(channels)
    this.repeated = new Float64Array(channels)
  }

  /** The channels that are stuck if `values` come next, by their places. */
  after(values: ArrayLike<number>): number[] {
    const found: number[] = []
    for (let i = 0; i < this.last.length; i++) {
      if (values[i] === this.last[i] && this.isStuck(i, this.run[i] + 1)) found.push(i)
    }
    return found
  }

  /** Takes a sample. */
  feed(values: ArrayLike<number>): void {
    const { last, run, seen, repeated } = this
    for (let i = 0; i < last.length; i++) {
      if (seen[i] > 0 && values[i] === last[i]) {
        run[i]++
        continue
      }
      if (!this.isStuck(i, run[i])) {
        seen[i] += run[i]
        repeated[i] += run[i]
      }
      seen[i]++
      run[i] = 0
      last[i] = values[i]
    }
  }

  /** The state as bytes. */
  snapshot(): Uint8Array {
    return stateBytes(this)
  }

  /** Goes on from the snapshot of one with as many channels. */
  restore(bytes: Uint8Array): void {
    this.transfer(new StateReader(bytes))
  }

  transfer(io: StateIo): void {
    for (const numbers of [this.last, this.run, this.seen, this.repeated]) io.fill(numbers)
  }

  /** Whether `run` repetitions in a row are too many. */
  private isStuck(i: number, run: number): boolean {
    if (run <= FEW || this.seen[i] < ENOUGH) return false
    return run * log((this.repeated[i] + 1) / (this.seen[i] + 2)) < DOUBT
  }
}
