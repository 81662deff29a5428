import type { AssessedSamples, SystemSummary } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { AlarmBadge } from '../alarm/alarm-badge.tsx'
import { get, systemPath } from '../api/client.ts'
import { repeat } from '../feed/repeat.ts'
import { systems } from '../feed/systems.ts'
import { LevelMark } from '../level/level-mark.tsx'
import { systemLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { duration, percent } from '../strings/format.ts'
import { Trend, type TrendPoint, trendOf } from './trend.tsx'

/** The trend changes slowly, and asking for it costs more than the list. */
const TREND_POLL = 10_000
const TREND_SPAN = 600_000
const TREND_POINTS = 80

const trends = signal<Record<string, TrendPoint[]>>({})

/** All systems; those with alarms come first. */
export function Overview() {
  useEffect(() => repeat(TREND_POLL, loadTrends), [systems.value?.length])
  const list = systems.value
  const alarms = list?.filter(({ alarm }) => alarm.status === 'active' || alarm.status === 'acknowledged').length ?? 0
  return (
    <main id="content" tabIndex={-1} class="overview">
      <header class="view-head">
        <h1>{text.overview.title}</h1>
        {list && list.length > 0 && <p class="muted">{text.overview.counts(list.length, alarms)}</p>}
      </header>
      {list === null && <p class="muted">{text.overview.loading}</p>}
      {list?.length === 0 && (
        <div class="empty">
          <h2>{text.overview.empty}</h2>
          <p>{text.overview.emptyHint}</p>
        </div>
      )}
      <ul class="systems">
        {[...(list ?? [])].sort(byTrouble).map((system) => (
          <li key={system.id}>
            <SystemCard system={system} points={trends.value[system.id] ?? []} />
          </li>
        ))}
      </ul>
    </main>
  )
}

function SystemCard({ system, points }: { system: SystemSummary; points: readonly TrendPoint[] }) {
  const { id, title, levels, ready, likely, probabilities, alarm, lastSampleAge, openQuestions } = system
  const stale = lastSampleAge !== null && lastSampleAge > 10
  return (
    <a class={`card system alarm-${alarm.status}`} href={systemLink(id)}>
      <div class="system-head">
        <h2>{title}</h2>
        <AlarmBadge alarm={alarm} />
      </div>
      <div class="system-level">
        {likely !== null && <LevelMark level={likely} levels={levels.length} size={30} />}
        <div>
          <strong>{likely === null ? (ready ? text.live.waiting : text.overview.unknown) : levels[likely]}</strong>
          {likely !== null && (
            <span class="muted">
              <span class="number">{percent(probabilities[likely], 0)}</span> {text.overview.probable}
            </span>
          )}
        </div>
      </div>
      <div class="system-trend">
        <Trend points={points} levels={levels.length} />
        <span class="muted">
          {text.overview.trend}: {text.overview.trends[trendOf(points)]}
        </span>
      </div>
      <ul class="facts">
        <li class={stale ? 'warn' : ''}>
          {lastSampleAge === null ? text.overview.never : text.overview.age(duration(lastSampleAge))}
        </li>
        <li>{text.overview.questions(openQuestions)}</li>
        {system.recentAccuracy !== null && (
          <li>
            {percent(system.recentAccuracy)} {text.overview.accuracy}
          </li>
        )}
        {system.degraded.length > 0 && <li class="warn">{text.overview.degraded(system.degraded.length)}</li>}
        {!ready && <li class="warn">{text.overview.notReady}</li>}
        <li class="muted number">{text.live.samples(system.samples)}</li>
      </ul>
    </a>
  )
}

const TROUBLE = { active: 3, returned: 2, acknowledged: 1, normal: 0 }

function byTrouble(a: SystemSummary, b: SystemSummary): number {
  return TROUBLE[b.alarm.status] - TROUBLE[a.alarm.status] || (a.title < b.title ? -1 : 1)
}

async function loadTrends(): Promise<void> {
  for (const { id, lastSampleTime } of systems.peek() ?? []) {
    if (lastSampleTime === null) continue
    const { samples } = await get<AssessedSamples>(systemPath(id, '/samples'), {
      from: lastSampleTime - TREND_SPAN,
      limit: TREND_POINTS,
    })
    trends.value = { ...trends.peek(), [id]: samples.map(({ time, likely }) => ({ time, likely })) }
  }
}
