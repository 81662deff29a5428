import type { Alarm, ListedAlarm } from '@pb-oel/protocol'
import { type AlarmState, callsSomebody, type Moment, shown } from '../fold/alarm.ts'
import { priorityOf } from '../fold/alarm-rule.ts'
import { ruleInWords } from '../fold/rule-words.ts'
import type { SystemFold } from '../fold/system-fold.ts'

/** An alarm as people see it now. */
export function alarmOf(alarm: AlarmState, now: Moment): Alarm {
  return { ...shown(alarm, now), since: alarm.since }
}

/** The alarms of all rules of a system, each with its rule in words. */
export function listedAlarms({ alarms, configuration }: SystemFold, now: Moment): ListedAlarm[] {
  return alarms.all.map(({ rule, alarm }) => ({
    ...alarmOf(alarm, now),
    about: rule.name,
    priority: priorityOf(rule),
    rule: ruleInWords(rule, configuration, alarms.staleAfter),
    calls: callsSomebody(alarm),
  }))
}
