import type { OptionTable, Stream } from '@pb-oel/core'
import {
  ABRUPT_DRIFT_OPTIONS,
  abruptDrift,
  GRADUAL_DRIFT_OPTIONS,
  gradualDrift,
  RECURRING_DRIFT_OPTIONS,
  recurringDrift,
} from '@pb-oel/core/streams'

/** A way to make drift from two streams; its address is `name:settings+first+second`. */
export interface DriftWrapper {
  readonly name: string
  readonly summary: string
  readonly options: OptionTable
  open(first: Stream, second: Stream, settings: Record<string, unknown>): Stream
}

/** Every kind of drift. */
export const DRIFTS: readonly DriftWrapper[] = [
  {
    name: 'abrupt',
    summary: 'from one stream to another at once: abrupt:at=15000+sea:concept=2+sea:concept=3',
    options: ABRUPT_DRIFT_OPTIONS,
    open: abruptDrift,
  },
  {
    name: 'gradual',
    summary: 'from one stream to another little by little: gradual:width=3000+led+led:swapped=5',
    options: GRADUAL_DRIFT_OPTIONS,
    open: gradualDrift,
  },
  {
    name: 'recurring',
    summary: 'to and fro between two streams: recurring:period=5000+waveform+waveform:concept=1',
    options: RECURRING_DRIFT_OPTIONS,
    open: recurringDrift,
  },
]
