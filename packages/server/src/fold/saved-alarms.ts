import type { Alarm } from '@pb-oel/protocol'
import type { AlarmState } from './alarm.ts'
import type { AlarmBook } from './alarm-book.ts'
import { isBuiltIn } from './alarm-rule.ts'
import type { StreamRate } from './staleness.ts'

/**
 * The alarms in the head of a snapshot. The first three fields are as they were before a system could have more rules:
 * the state hash of an old log must not change with the software.
 */
export interface SavedAlarms {
  alarm: Pick<AlarmState, 'status' | 'number' | 'level' | 'since' | 'above' | 'below' | 'acknowledgedBy'>
  /** Absent in systems from before promises were kept. */
  accuracyAlarm: Alarm | undefined
  /** Absent in systems without a rule about stale data. */
  stale: { rate: StreamRate; alarm: Partial<AlarmState> } | undefined
  /** What else there is of each alarm; absent where there is nothing else. */
  alarms: Record<string, Partial<AlarmState>> | undefined
}

/** What a snapshot holds of the alarms, always in the same order. */
export function savedAlarms(book: AlarmBook): SavedAlarms {
  const { status, number, level, since, above, below, acknowledgedBy } = book.state('level')
  return {
    alarm: { status, number, level, since, above, below, ...(acknowledgedBy !== undefined && { acknowledgedBy }) },
    accuracyAlarm: savedFall(book.find('accuracy')),
    stale: book.watchesSilence ? savedStale(book) : undefined,
    alarms: savedRest(book),
  }
}

/** Puts back what {@link savedAlarms} has saved. */
export function restoreAlarms(book: AlarmBook, { alarm, accuracyAlarm, stale, alarms = {} }: SavedAlarms): void {
  Object.assign(book.state('level'), alarm)
  Object.assign(book.find('accuracy') ?? {}, accuracyAlarm)
  Object.assign(book.rate, stale?.rate)
  Object.assign(book.state('stale'), stale?.alarm)
  for (const [name, rest] of Object.entries(alarms)) Object.assign(book.state(name), rest)
}

function savedFall(alarm: AlarmState | undefined): Alarm | undefined {
  if (!alarm) return undefined
  const { about, number, status, level, since, keptAccuracy, acknowledgedBy } = alarm
  return { about, number, status, level, since, keptAccuracy, acknowledgedBy }
}

function savedStale(book: AlarmBook): NonNullable<SavedAlarms['stale']> {
  const { arrival, intervals, longest } = book.rate
  const { about, number, status, level, since, staleAfter, acknowledgedBy } = book.state('stale')
  return {
    rate: { arrival, intervals, longest },
    alarm: { about, number, status, level, since, staleAfter, acknowledgedBy },
  }
}

function savedRest(book: AlarmBook): SavedAlarms['alarms'] {
  const rest = book.all.map(({ rule: { name }, alarm }): [string, Partial<AlarmState>] => {
    const { comment, priority, raised, suppressed, outOfService, shelf, calls, seen, steps, told } = alarm
    const { number, status, level, since, above, below, staleAfter, acknowledgedBy } = alarm
    const own = { number, status, level, since, above, below, staleAfter, acknowledgedBy }
    const more = { comment, priority, raised, suppressed, outOfService, shelf, calls, seen, steps, told }
    return [name, { ...(!isBuiltIn(name) && own), ...more }]
  })
  const told = rest.filter(([, saved]) => Object.values(saved).some((value) => value !== undefined))
  return told.length > 0 ? Object.fromEntries(told) : undefined
}
