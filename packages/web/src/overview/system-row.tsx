import type { SystemSummary } from '@pb-oel/protocol'
import { isStale } from '../alarm/calling.ts'
import { UntrainedMark } from '../level/level-large.tsx'
import { LevelMark } from '../level/level-mark.tsx'
import { systemLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { count, duration, percent } from '../strings/format.ts'
import { Alarms } from './system-card.tsx'

/** One system in a row, where there are many. */
export function SystemRow({ system }: { system: SystemSummary }) {
  const { id, title, levels, ready, trained, likely, alarm, lastSampleAge, openQuestions, recentAccuracy } = system
  const stale = isStale(system)
  const known = trained && likely !== null
  return (
    <a class={`system-row alarm-${alarm.status} ${stale ? 'is-stale' : ''}`} href={systemLink(id)}>
      {known ? <LevelMark level={likely} levels={levels.length} size={16} /> : <UntrainedMark size={16} />}
      <strong>{title}</strong>
      <span>
        {known ? levels[likely] : !trained ? text.untrained.short : ready ? text.live.waiting : text.overview.unknown}
      </span>
      <Alarms system={system} />
      <span class={`number ${stale ? 'warn' : 'muted'}`}>
        {lastSampleAge === null ? text.overview.never : text.overview.age(duration(lastSampleAge))}
      </span>
      <span class="number muted" title={text.overview.questions(openQuestions)}>
        {text.overview.asked(count(openQuestions))}
      </span>
      <span class="number muted">
        {trained && recentAccuracy !== null ? text.overview.right(percent(recentAccuracy)) : ''}
      </span>
    </a>
  )
}
