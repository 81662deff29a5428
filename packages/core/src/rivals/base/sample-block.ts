import type { Stateful, StateIo } from '../../state/state-io.ts'

/** A part of the stream being collected: samples with their level, or −1 where it is not known. */
export class SampleBlock implements Stateful {
  readonly size: number
  /** Level of each sample, −1 where it is not known. */
  readonly levels: Int32Array
  private readonly channels: number
  private readonly samples: Float64Array
  private position = 0

  constructor(size: number, channels: number) {
    this.size = size
    this.channels = channels
    this.samples = new Float64Array(size * channels)
    this.levels = new Int32Array(size)
  }

  /** Where the next sample goes. */
  get next(): number {
    return this.position
  }

  /** Adds a sample. Returns true when the block is complete; the next sample begins a new one. */
  add(x: Float64Array, level: number): boolean {
    this.samples.set(x, this.position * this.channels)
    this.levels[this.position] = level
    this.position = (this.position + 1) % this.size
    return this.position === 0
  }

  /** Sample number `at`, a view. */
  row(at: number): Float64Array {
    return this.samples.subarray(at * this.channels, (at + 1) * this.channels)
  }

  /** Copies of the samples at `positions`, row after row. */
  rows(positions: readonly number[]): Float64Array<ArrayBuffer> {
    const rows = new Float64Array(positions.length * this.channels)
    for (let i = 0; i < positions.length; i++) rows.set(this.row(positions[i]), i * this.channels)
    return rows
  }

  /** Positions of the samples of a complete block whose level is known. */
  known(): number[] {
    const positions: number[] = []
    for (let at = 0; at < this.size; at++) if (this.levels[at] >= 0) positions.push(at)
    return positions
  }

  transfer(io: StateIo): void {
    this.position = io.number(this.position)
    io.fill(this.samples.subarray(0, this.position * this.channels))
    io.fill(this.levels.subarray(0, this.position))
  }
}
