import type { Alarm } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'

/** State of the alarm in words. */
export function AlarmBadge({ alarm }: { alarm: Alarm }) {
  return <span class={`badge alarm-${alarm.status}`}>{text.alarm[alarm.status]}</span>
}
