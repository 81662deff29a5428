import type { GivenOptions, OptionTable } from '../options/option-table.ts'
import type { Stateful } from '../state/state-io.ts'

/** An incremental classifier that learns from labels: the building block of the rivals. */
export interface Learner extends Stateful {
  /** Writes the class distribution for `x` into `out` (length = levels). Uniform before anything has been learned. */
  predict(x: Float64Array, out: Float64Array): void
  /** Learns that `x` has `level`; `weight` ≥ 0 counts as that many samples, default 1. */
  learn(x: Float64Array, level: number, weight?: number): void
  /** Learns that `x` does not have `level`, where it can. */
  refute?(x: Float64Array, level: number): void
}

/** A kind of learner: its name, its options, and how to make one. */
export interface LearnerEntry {
  readonly type: 'learner'
  /** Name in options, such as `naive-bayes`. */
  readonly name: string
  /** Name in texts, such as `naive Bayes`. */
  readonly title: string
  /** One line for lists. */
  readonly summary: string
  /** The learner's own options; the shape may be among them. */
  readonly options: OptionTable
  /** Makes a learner for samples of a shape; `options` are the learner's own. */
  create(shape: { readonly channels: number; readonly levels: number }, options?: GivenOptions): Learner
  /** Bytes that one grows to at most; left out where it stays small. */
  mostBytes?(shape: { readonly channels: number; readonly levels: number }, options: GivenOptions): number
}

/** Makes the entry of a learner. */
export function defineLearner(entry: Omit<LearnerEntry, 'type'>): LearnerEntry {
  return { type: 'learner', ...entry }
}

/** Index of the largest entry among `count` entries from `from`, relative to `from`; the lowest index wins ties. */
export function argmax(values: Float64Array, from = 0, count = values.length): number {
  let best = 0
  for (let i = 1; i < count; i++) if (values[from + i] > values[from + best]) best = i
  return best
}
