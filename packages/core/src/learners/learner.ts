import type { Stateful } from '../state/state-io.ts'

/** An incremental classifier that learns from labels only: the building block of the rivals. */
export interface Learner extends Stateful {
  /** Writes the class distribution for `x` into `out` (length = levels). Uniform before anything has been learned. */
  predict(x: Float64Array, out: Float64Array): void
  /** Learns that `x` has `level`; `weight` ≥ 0 counts as that many samples, default 1. */
  learn(x: Float64Array, level: number, weight?: number): void
}

/** Index of the largest entry among `count` entries from `from`, relative to `from`; the lowest index wins ties. */
export function argmax(values: Float64Array, from = 0, count = values.length): number {
  let best = 0
  for (let i = 1; i < count; i++) if (values[from + i] > values[from + best]) best = i
  return best
}
