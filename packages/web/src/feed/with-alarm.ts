import type { AlarmEvent, SystemDetail } from '@pb-oel/protocol'

/** A system after a change of one of its alarms. */
export function withAlarm(detail: SystemDetail, { sequence, ...alarm }: Omit<AlarmEvent, 'time'>): SystemDetail {
  const { about = 'level', status, shelved, suppressed, outOfService } = alarm
  const waits = status === 'active' || status === 'returned'
  const calls = waits && !shelved && suppressed === undefined && outOfService === undefined
  return {
    ...detail,
    sequence: Math.max(detail.sequence, sequence),
    ...(about === 'level' && { alarm }),
    ...(about === 'accuracy' && { accuracyAlarm: alarm }),
    ...(about === 'stale' && { staleAlarm: alarm }),
    alarms: detail.alarms.map((one) =>
      one.about === about ? { ...alarm, about, priority: one.priority, rule: one.rule, calls } : one,
    ),
  }
}
