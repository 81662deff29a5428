import type { Alarm, AlarmChange, StaleRule } from '@pb-oel/protocol'
import { clear, isQuiet, type Moment, raise } from './alarm.ts'
import { observeArrival, type StreamRate, staleAfter, unknownRate } from './staleness.ts'

/** The alarm about stale data, and what it needs to know. */
export interface StaleState {
  rate: StreamRate
  alarm: Alarm
}

/** No sample yet, no alarm. */
export const quietStale = (): StaleState => ({
  rate: unknownRate(),
  alarm: { about: 'stale', number: 0, status: 'normal', level: 0, since: 0 },
})

/** A sample has come: what was stale is not any more. */
export function hear(state: StaleState, level: number, now: Moment): AlarmChange | undefined {
  observeArrival(state.rate, now.steady)
  return isQuiet(state.alarm) ? undefined : clear(state.alarm, level, now)
}

/**
 * The steady time at which data become stale, unless a sample comes before; `null` when that is not coming.
 *
 * @param heard steady time of the latest sample; `null` before any
 */
export function staleDue(state: StaleState, rule: StaleRule | undefined, heard: number | null): number | null {
  const after = staleAfter(rule, state.rate)
  return after !== null && heard !== null && isQuiet(state.alarm) ? heard + after * 1000 : null
}

/** Data are stale. */
export function raiseStale(state: StaleState, rule: StaleRule | undefined, level: number, now: Moment): AlarmChange {
  state.alarm.staleAfter = staleAfter(rule, state.rate) ?? 0
  return raise(state.alarm, level, now)
}
