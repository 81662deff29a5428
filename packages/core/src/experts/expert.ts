import type { AssessmentId } from '../assessor.ts'
import type { Stateful } from '../state/state-io.ts'

/** A member of an ensemble, beside its networks: it gives its confidences and learns from answers. */
export interface Expert extends Stateful {
  /** Writes the confidences for `x` of assessment `id` into `out`: K numbers ≥ 0 that sum to 1. Learns nothing. */
  predict(x: Float64Array, out: Float64Array, id: AssessmentId): void
  /** Learns that the sample `x` of assessment `id` has `level`. Samples from before the first assessment have id −1. */
  teach(x: Float64Array, id: AssessmentId, level: number): void
  /** Learns that the sample `x` of assessment `id` does not have `level`. */
  refute(x: Float64Array, id: AssessmentId, level: number): void
}
