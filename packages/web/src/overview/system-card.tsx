import type { SystemSummary } from '@pb-oel/protocol'
import { useEffect, useRef } from 'preact/hooks'
import { AlarmBadge } from '../alarm/alarm-badge.tsx'
import { isStale } from '../alarm/calling.ts'
import { UntrainedMark } from '../level/level-large.tsx'
import { LevelMark, LevelName } from '../level/level-mark.tsx'
import { guessedAccuracy } from '../promises/guessing.ts'
import { systemLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { atLeast, duration, percent, sureness } from '../strings/format.ts'
import { Trend } from './trend.tsx'
import { trendWords, upToNow } from './trend-words.ts'
import { seeCard, TREND_SPAN, trends } from './trends.ts'

/** One system on a card: level, trend, alarms, and what else a person must know. */
export function SystemCard({ system }: { system: SystemSummary }) {
  const { id, title, levels, trained, alarm } = system
  const card = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const sight = new IntersectionObserver(([entry]) => seeCard(id, entry.isIntersecting))
    sight.observe(card.current as Element)
    return () => {
      sight.disconnect()
      seeCard(id, false)
    }
  }, [id])
  const points = upToNow(trends.value[id] ?? [], system)
  return (
    <a
      ref={card}
      class={`card system alarm-${alarm.status} ${isStale(system) ? 'is-stale' : ''}`}
      href={systemLink(id)}
    >
      <div class="system-head">
        <h2>{title}</h2>
        <Alarms system={system} />
      </div>
      <SystemLevel system={system} />
      {trained && (
        <div class="system-trend">
          <Trend points={points} levels={levels.length} span={TREND_SPAN} />
          <span class="muted">{trendWords(points, TREND_SPAN)}</span>
        </div>
      )}
      <Facts system={system} />
    </a>
  )
}

/** The alarms of a system. "No alarm" is only said where there is none at all. */
export function Alarms({ system }: { system: SystemSummary }) {
  const { alarm, accuracyAlarm, staleAlarm } = system
  const fell = accuracyAlarm?.status === 'active'
  const silent = staleAlarm !== undefined && staleAlarm.status !== 'normal'
  return (
    <span class="row">
      {fell && <span class="badge accuracy-fell">{text.accuracyAlarm.short}</span>}
      {silent && <AlarmBadge alarm={staleAlarm} />}
      {!((fell || silent) && alarm.status === 'normal') && <AlarmBadge alarm={alarm} />}
    </span>
  )
}

function Facts({ system }: { system: SystemSummary }) {
  const { levels, ready, trained, lastSampleAge, openQuestions } = system
  return (
    <ul class="facts">
      <li class={isStale(system) ? 'warn' : ''}>
        {lastSampleAge === null ? text.overview.never : text.overview.age(duration(lastSampleAge))}
      </li>
      <li>{text.overview.questions(openQuestions)}</li>
      {system.assignedTo !== undefined && <li>{text.opinions.assignedTo(system.assignedTo)}</li>}
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
