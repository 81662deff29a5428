import type { AlarmChange, AlarmRule, AlarmStatus } from '@pb-oel/protocol'
import { Conflict } from '../errors.ts'

/** What is kept of an alarm between samples. */
export interface AlarmState {
  status: AlarmStatus
  /** Number of the latest alarm, 0 before the first. */
  number: number
  /** Level at the latest change. */
  level: number
  /** Time of the latest change. */
  since: number
  /** Since when the level has been at or above the rule's, without a break. */
  above: number | null
  /** Since when it has been below `clearBelow`. */
  below: number | null
  acknowledgedBy?: string
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

/** Takes one level at one time into the state; the change to announce, if there is one. */
export function observeLevel(alarm: AlarmState, rule: AlarmRule, level: number, time: number): AlarmChange | undefined {
  alarm.above = level >= rule.level ? (alarm.above ?? time) : null
  alarm.below = level < rule.clearBelow ? (alarm.below ?? time) : null
  const quiet = alarm.status === 'normal' || alarm.status === 'returned'
  if (quiet && alarm.above !== null && time - alarm.above >= rule.raiseAfter * 1000) {
    alarm.number++
    delete alarm.acknowledgedBy
    return change(alarm, 'active', level, time)
  }
  if (!quiet && alarm.below !== null && time - alarm.below >= rule.clearAfter * 1000) {
    return change(alarm, alarm.status === 'acknowledged' ? 'normal' : 'returned', level, time)
  }
  return undefined
}

/** A person has seen the alarm. */
export function acknowledge(alarm: AlarmState, number: number, by: string, time: number): AlarmChange {
  if (number !== alarm.number) throw new Conflict(`alarm ${number} is not the latest; that is ${alarm.number}`)
  if (alarm.status === 'acknowledged' || alarm.status === 'normal') {
    throw new Conflict(`alarm ${number} waits for nobody: it is ${alarm.status}`)
  }
  alarm.acknowledgedBy = by
  return change(alarm, alarm.status === 'active' ? 'acknowledged' : 'normal', alarm.level, time)
}

function change(alarm: AlarmState, status: AlarmStatus, level: number, time: number): AlarmChange {
  alarm.status = status
  alarm.level = level
  alarm.since = time
  const { number, acknowledgedBy } = alarm
  return { number, status, level, ...(acknowledgedBy !== undefined && { acknowledgedBy }) }
}
