import type { Alarm, SystemSummary } from '@pb-oel/protocol'
import { isStale } from '../alarm/calling.ts'

const TROUBLE = { active: 4, returned: 3, latched: 2, acknowledged: 1, normal: 0 }

/** Whether an alarm of any kind lasts. */
export function inAlarm({ alarm, accuracyAlarm, staleAlarm }: SystemSummary): boolean {
  return lasts(alarm) || lasts(staleAlarm) || accuracyAlarm?.status === 'active'
}

function lasts(alarm: Alarm | undefined): boolean {
  return alarm?.status === 'active' || alarm?.status === 'acknowledged'
}

/** Whether an alarm is over that nobody has acknowledged or reset. */
export function waitsForSomebody(system: SystemSummary): boolean {
  const waits = (alarm: Alarm | undefined) => alarm?.status === 'returned' || alarm?.status === 'latched'
  return !inAlarm(system) && (waits(system.alarm) || waits(system.staleAlarm))
}

/** An alarm about the level counts most, then stale data, then a fall of accuracy. */
function trouble({ alarm, accuracyAlarm, staleAlarm }: SystemSummary): number {
  const silence = TROUBLE[staleAlarm?.status ?? 'normal']
  return 10 * TROUBLE[alarm.status] + 2 * silence + (accuracyAlarm?.status === 'active' ? 1 : 0)
}

/** Old data come first: nobody knows what they hide. */
export function byTrouble(a: SystemSummary, b: SystemSummary): number {
  return Number(isStale(b)) - Number(isStale(a)) || trouble(b) - trouble(a) || byName(a, b)
}

/** By name, numbers by their size: pump 9 before pump 10. */
export function byName(a: SystemSummary, b: SystemSummary): number {
  return a.title.localeCompare(b.title, 'en', { numeric: true }) || (a.id < b.id ? -1 : 1)
}
