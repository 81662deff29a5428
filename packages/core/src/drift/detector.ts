import type { Stateful } from '../state/state-io.ts'

/** What a detector says after a value: nothing, a warning, or drift. */
export type DriftSignal = 'none' | 'warning' | 'drift'

/**
 * Watches a stream of numbers for a change of its mean.
 *
 * Every detector is fed 1 for an error and 0 for a correct answer, or any loss in [0, 1]. A detector that signals
 * drift starts afresh with the next value.
 */
export interface DriftDetector extends Stateful {
  /** Takes the next value and says what it means. */
  update(value: number): DriftSignal
  /** Forgets everything. */
  reset(): void
}
