import type { Alarm, AlarmChange, AlarmRule } from '@pb-oel/protocol'
import { Conflict } from '../errors.ts'

/** What is kept of the alarm about the level between samples. */
export interface AlarmState extends Alarm {
  /** Since when the level has been at or above the rule's, without a break; steady time. */
  above: number | null
  /** Since when it has been below `clearBelow`; steady time. */
  below: number | null
}

/** No alarm, nothing seen yet. */
export const quietAlarm = (): AlarmState => ({
  status: 'normal',
  number: 0,
  level: 0,
  since: 0,
  above: null,
  below: null,
})

/** A moment of a log. */
export interface Moment {
  /** Time of the record, milliseconds since 1970. */
  time: number
  /** Steady time, by which durations are measured: milliseconds that no jump of the clock touches. */
  steady: number
}

/** Takes one level at one moment into the state; the change to announce, if there is one. */
export function observeLevel(alarm: AlarmState, rule: AlarmRule, level: number, now: Moment): AlarmChange | undefined {
  const { steady } = now
  alarm.above = level >= rule.level ? (alarm.above ?? steady) : null
  alarm.below = level < rule.clearBelow ? (alarm.below ?? steady) : null
  const due = levelDue(alarm, rule)
  if (due !== null && steady >= due) return raise(alarm, level, now)
  if (isQuiet(alarm) || alarm.below === null || steady - alarm.below < rule.clearAfter * 1000) return undefined
  return clear(alarm, level, now)
}

/** The steady time at which the alarm is raised, unless a lower level comes before; `null` when it is not coming. */
export function levelDue(alarm: AlarmState, rule: AlarmRule): number | null {
  return isQuiet(alarm) && alarm.above !== null ? alarm.above + rule.raiseAfter * 1000 : null
}

/** Whether what the alarm is about does not last now. */
export function isQuiet({ status }: Alarm): boolean {
  return status === 'normal' || status === 'returned'
}

/** What the alarm is about has begun: a new alarm with a new number. */
export function raise(alarm: Alarm, level: number, { time }: Moment): AlarmChange {
  alarm.number++
  delete alarm.acknowledgedBy
  return change(alarm, 'active', level, time)
}

/** It has ended. An alarm that nobody has seen waits for a person still. */
export function clear(alarm: Alarm, level: number, { time }: Moment): AlarmChange {
  return change(alarm, alarm.status === 'acknowledged' ? 'normal' : 'returned', level, time)
}

/** A person has seen the alarm. */
export function acknowledge(alarm: Alarm, number: number, by: string, time: number): AlarmChange {
  if (number !== alarm.number) throw new Conflict(`alarm ${number} is not the latest; that is ${alarm.number}`)
  if (alarm.status === 'acknowledged' || alarm.status === 'normal') {
    throw new Conflict(`alarm ${number} waits for nobody: it is ${alarm.status}`)
  }
  alarm.acknowledgedBy = by
  return change(alarm, alarm.status === 'active' ? 'acknowledged' : 'normal', alarm.level, time)
}

function change(alarm: Alarm, status: Alarm['status'], level: number, time: number): AlarmChange {
  alarm.status = status
  alarm.level = level
  alarm.since = time
  const { about, number, staleAfter, acknowledgedBy } = alarm
  return {
    ...(about && { about }),
    ...{ number, status, level },
    ...(staleAfter !== undefined && { staleAfter }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
  }
}
