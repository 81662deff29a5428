import type { Alarm, AlarmChange } from '@pb-oel/protocol'
import { Conflict } from '../errors.ts'

/** The alarm about a fall of accuracy between changes. */
export type AccuracyAlarm = Alarm

/** No fall yet. */
export const quietAccuracy = (): AccuracyAlarm => ({
  about: 'accuracy',
  number: 0,
  status: 'normal',
  level: 0,
  since: 0,
})

/** Accuracy has fallen. While the alarm waits for a person, a further fall changes nothing. */
export function raiseFall(
  alarm: AccuracyAlarm,
  level: number,
  keptAccuracy: number,
  time: number,
): AlarmChange | undefined {
  if (alarm.status === 'active') return undefined
  delete alarm.acknowledgedBy
  Object.assign(alarm, { number: alarm.number + 1, status: 'active', level, keptAccuracy, since: time })
  return changeOf(alarm)
}

/** A person has seen the alarm, which ends it: nothing tells when accuracy is back. */
export function acknowledgeFall(alarm: AccuracyAlarm, number: number, by: string, time: number): AlarmChange {
  if (number !== alarm.number) throw new Conflict(`accuracy alarm ${number} is not the latest; that is ${alarm.number}`)
  if (alarm.status !== 'active') throw new Conflict(`accuracy alarm ${number} waits for nobody: it is ${alarm.status}`)
  Object.assign(alarm, { status: 'normal', since: time, acknowledgedBy: by })
  return changeOf(alarm)
}

function changeOf({ since: _, ...change }: AccuracyAlarm): AlarmChange {
  return change
}
