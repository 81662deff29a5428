import type { GivenOptions, OptionTable } from '../options/option-table.ts'
import type { Stateful } from '../state/state-io.ts'

/** What a detector says after a value: nothing, a warning, or drift. */
export type DriftSignal = 'none' | 'warning' | 'drift'

/**
 * Watches a stream of numbers for a change of its mean.
 *
 * A detector is fed 1 for an error and 0 for a correct answer, or any loss in [0, 1]. A detector that signals
 * drift starts afresh with the next value.
 */
export interface DriftDetector extends Stateful {
  /** Takes the next value and says what it means. */
  update(value: number): DriftSignal
  /** Forgets everything. */
  reset(): void
}

/** A kind of detector: its name, its options, and how to make one. */
export interface DetectorEntry {
  readonly type: 'detector'
  /** Name in options, such as `adwin`. */
  readonly name: string
  /** Name in texts, such as `ADWIN`. */
  readonly title: string
  /** One line for lists. */
  readonly summary: string
  readonly options: OptionTable
  /** Whether it takes 0 and 1 only. A network is then watched by whether its level was right, not by its confidence. */
  readonly binary?: boolean
  create(options?: GivenOptions): DriftDetector
}

/**
 * Makes the entry of a detector.
 *
 * @example
 * import { defineDetector, HddmA } from '@pb-oel/core/drift'
 * const strict = defineDetector({
 *   name: 'strict',
 *   title: 'strict HDDM_A',
 *   summary: 'HDDM_A at a tenth of the usual significance',
 *   options: {},
 *   create: () => new HddmA({ drift: 0.0001 }),
 * })
 * strict.create().update(0) === 'none' // true
 */
export function defineDetector(entry: Omit<DetectorEntry, 'type'>): DetectorEntry {
  return { type: 'detector', ...entry }
}
