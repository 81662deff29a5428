import type { Alarm, AssessedSamples, SystemSummary } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { AlarmBadge } from '../alarm/alarm-badge.tsx'
import { get, systemPath } from '../api/client.ts'
import { Icon } from '../chrome/icon.tsx'
import { repeat } from '../feed/repeat.ts'
import { systems } from '../feed/systems.ts'
import { UntrainedMark } from '../level/level-large.tsx'
import { LevelMark, LevelName } from '../level/level-mark.tsx'
import { guessedAccuracy } from '../promises/guessing.ts'
import { systemLink } from '../router.ts'
import { isAdmin } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { atLeast, duration, percent, sureness } from '../strings/format.ts'
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
  const alarms = list?.filter(inAlarm).length ?? 0
  return (
    <main id="content" tabIndex={-1} class="overview">
      <header class="view-head">
        <h1>{text.overview.title}</h1>
        {list && list.length > 0 && <p class="muted">{text.overview.counts(list.length, alarms)}</p>}
        {isAdmin.value && list && list.length > 0 && (
          <a class="button new-system" href="#/new">
            <Icon name="plus" /> {text.create.link}
          </a>
        )}
      </header>
      {list === null && <p class="muted">{text.overview.loading}</p>}
      {list?.length === 0 && (
        <div class="empty">
          <h2>{text.overview.empty}</h2>
          <p>{isAdmin.value ? text.overview.emptyHint : text.overview.emptyForOthers}</p>
          {isAdmin.value && (
            <a class="button primary" href="#/new">
              <Icon name="plus" /> {text.create.link}
            </a>
          )}
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
  const { id, title, levels, ready, trained, alarm, accuracyAlarm, staleAlarm, lastSampleAge, openQuestions } = system
  const stale = system.stale || (system.staleAfter === null && lastSampleAge !== null && lastSampleAge > 10)
  const fell = accuracyAlarm?.status === 'active'
  const silent = staleAlarm !== undefined && staleAlarm.status !== 'normal'
  return (
    <a class={`card system alarm-${alarm.status}`} href={systemLink(id)}>
      <div class="system-head">
        <h2>{title}</h2>
        <span class="row">
          {fell && <span class="badge accuracy-fell">{text.accuracyAlarm.short}</span>}
          {silent && <AlarmBadge alarm={staleAlarm} />}
          {!((fell || silent) && alarm.status === 'normal') && <AlarmBadge alarm={alarm} />}
        </span>
      </div>
      <SystemLevel system={system} />
      {trained && (
        <div class="system-trend">
          <Trend points={points} levels={levels.length} />
          <span class="muted">
            {text.overview.trend}: {text.overview.trends[trendOf(points)]}
          </span>
        </div>
      )}
      <ul class="facts">
        <li class={stale ? 'warn' : ''}>
          {lastSampleAge === null ? text.overview.never : text.overview.age(duration(lastSampleAge))}
        </li>
        <li>{text.overview.questions(openQuestions)}</li>
        {trained && system.recentAccuracy !== null && (
          <li>
            {percent(system.recentAccuracy)} {text.overview.accuracy(system.estimated)}
          </li>
        )}
        {trained && (system.certifiedAccuracy ?? 0) > guessedAccuracy(levels.length) && (
          <li>{text.overview.certified(atLeast(system.certifiedAccuracy as number))}</li>
        )}
        {system.degraded.length > 0 && <li class="warn">{text.overview.degraded(system.degraded.length)}</li>}
        {!ready && <li class="warn">{text.overview.notReady}</li>}
        <li class="muted number">{text.live.samples(system.samples)}</li>
      </ul>
    </a>
  )
}

/** The level of a system: its shape, its name, the confidence in it, and the safe-side level where that is higher. */
function SystemLevel({ system }: { system: SystemSummary }) {
  const { levels, ready, trained, level, likely, confidence, safeSide } = system
  if (!trained || likely === null) {
    return (
      <div class="system-level no-level">
        {!trained && <UntrainedMark size={30} />}
        <div>
          <strong>{!trained ? text.untrained.short : ready ? text.live.waiting : text.overview.unknown}</strong>
          {!trained && <span class="muted">{text.overview.untrained(system.answersMissing)}</span>}
        </div>
      </div>
    )
  }
  return (
    <div class="system-level">
      <LevelMark level={likely} levels={levels.length} size={30} />
      <div>
        <strong>{levels[likely]}</strong>
        {/* The confidence is about the assessed level. Where that was drawn to learn, the one shown has none. */}
        <span class="muted number">
          {level === likely ? text.confidence.short(sureness(confidence)) : text.confidence.drawnShort}
        </span>
        {safeSide !== null && safeSide > likely && (
          <span class="safe-side">
            {text.safeSide.name} <LevelName level={safeSide} names={levels} size={14} />
          </span>
        )}
      </div>
    </div>
  )
}

const TROUBLE = { active: 4, returned: 3, latched: 2, acknowledged: 1, normal: 0 }

/** Whether an alarm of any kind lasts. */
function inAlarm({ alarm, accuracyAlarm, staleAlarm }: SystemSummary): boolean {
  return lasts(alarm) || lasts(staleAlarm) || accuracyAlarm?.status === 'active'
}

function lasts(alarm: Alarm | undefined): boolean {
  return alarm?.status === 'active' || alarm?.status === 'acknowledged'
}

/** An alarm about the level counts most, then stale data, then a fall of accuracy. */
function trouble({ alarm, accuracyAlarm, staleAlarm }: SystemSummary): number {
  const silence = TROUBLE[staleAlarm?.status ?? 'normal']
  return 10 * TROUBLE[alarm.status] + 2 * silence + (accuracyAlarm?.status === 'active' ? 1 : 0)
}

function byTrouble(a: SystemSummary, b: SystemSummary): number {
  return trouble(b) - trouble(a) || (a.title < b.title ? -1 : 1)
}

async function loadTrends(): Promise<void> {
  for (const { id, lastSampleTime } of systems.peek() ?? []) {
    if (lastSampleTime === null) continue
    const { samples } = await get<AssessedSamples>(systemPath(id, '/samples'), {
      from: lastSampleTime - TREND_SPAN,
      limit: TREND_POINTS,
    })
    trends.value = { ...trends.peek(), [id]: samples.filter(({ trained }) => trained) }
  }
}
