import type { Alarm } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'

/** The words for the states of an alarm: the one about stale data has its own. */
export function alarmWords({ about }: Pick<Alarm, 'about'>): Record<Alarm['status'], string> {
  return about === 'stale' ? text.staleAlarm : text.alarm
}

/** State of the alarm in words. */
export function AlarmBadge({ alarm }: { alarm: Alarm }) {
  return <span class={`badge alarm-${alarm.status}`}>{alarmWords(alarm)[alarm.status]}</span>
}
