import { type AlarmOfSystem, PRIORITIES, type SystemSummary } from '@pb-oel/protocol'
import { computed } from '@preact/signals'
import { feed } from '../feed/feeds.ts'
import { systems } from '../feed/systems.ts'
import { mayRead, signInNeeded } from '../session/session.ts'

/** All systems as the page knows them; the one in view as its feed knows it, where that is newer. */
const known = computed<readonly SystemSummary[]>(() => {
  if (signInNeeded.value || !mayRead.value) return []
  const inView = feed.value?.detail.value
  const list = systems.value ?? (inView ? [inView] : [])
  return list.map((system) => (system.id === inView?.id && inView.sequence > system.sequence ? inView : system))
})

/** The alarms that wait for a person, most urgent first. */
export const calling = computed<readonly AlarmOfSystem[]>(() =>
  known.value
    .flatMap(({ id, title, levels, alarms }) =>
      alarms
        .filter(({ calls }) => calls)
        .map((alarm) => ({ system: id, title, levelName: levels[alarm.level] ?? '', ...alarm })),
    )
    .sort(byUrgency),
)

/** The systems whose data are old, by the server's clock. */
export const staleSystems = computed(() => known.value.filter(isStale))

/** Whether what a system shows is old: no sample has come for longer than its rate allows, or it takes none. */
export function isStale({ stale, ready, lastSampleAge, staleAfter, staleAlarm }: SystemSummary): boolean {
  if (stale || lastSampleAge === null) return stale
  // Without a rule about silence, nobody expects samples at any rate.
  return !ready || (staleAlarm !== undefined && staleAfter === null && lastSampleAge > UNKNOWN_RATE)
}

/** Seconds after which data without a known rate count as old. */
const UNKNOWN_RATE = 10

/** Higher priorities come first, those that last before those that are over, older ones before newer ones. */
function byUrgency(a: AlarmOfSystem, b: AlarmOfSystem): number {
  return (
    PRIORITIES.indexOf(b.priority) - PRIORITIES.indexOf(a.priority) ||
    Number(b.status === 'active') - Number(a.status === 'active') ||
    a.since - b.since
  )
}

/** Tells one call from another: an alarm that calls again has another moment. */
export function callKey({ system, about, number, raised = 0 }: AlarmOfSystem): string {
  return `${system}/${about}/${number}/${raised}`
}
