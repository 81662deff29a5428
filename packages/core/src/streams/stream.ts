import type { GivenOptions, OptionTable } from '../options/option-table.ts'

/** One sample of a stream: what the sensors showed, and the level that held. */
export interface Sample {
  /** One number per channel, in the order of {@link Stream.channels}. */
  readonly x: Float64Array
  /** The true level, 0 … levels − 1. */
  readonly level: number
}

/**
 * A finite sequence of labelled samples that can be read any number of times, always with the same result.
 *
 * The sample and its array are reused: the next step of the same iteration overwrites them, so reading a stream of any
 * length needs constant memory and allocates nothing. Copy `x` (`x.slice()`) to keep a sample. Two iterations of one
 * stream do not disturb each other.
 *
 * @example
 * import { dive } from '@pb-oel/core/streams'
 * const counts = [0, 0, 0]
 * for (const { level } of dive()) counts[level]++
 */
export interface Stream {
  /** Short name, such as `dive`. */
  readonly name: string
  /** Names of the channels. */
  readonly channels: readonly string[]
  /** Names of the levels, safest first. */
  readonly levels: readonly string[]
  /** Number of samples of one iteration. */
  readonly samples: number
  /** Indices of the first samples after a change of what is to be learned, where they are known. */
  readonly changes?: readonly number[]
  /** Restartable: each iteration starts from the beginning. */
  [Symbol.iterator](): Iterator<Sample>
}

/** A kind of stream that is generated: its name, its options, and how to make one. */
export interface StreamEntry {
  readonly type: 'stream'
  /** Name in addresses, such as `dive` in `dive:seed=3`. */
  readonly name: string
  /** One line for lists. */
  readonly summary: string
  readonly options: OptionTable
  create(options?: GivenOptions): Stream
}

/** Makes the entry of a stream. */
export function defineStream(entry: Omit<StreamEntry, 'type'>): StreamEntry {
  return { type: 'stream', ...entry }
}
