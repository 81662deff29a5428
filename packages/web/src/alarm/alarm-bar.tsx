import type { AlarmOfSystem } from '@pb-oel/protocol'
import { momentAtLink, route, systemLink } from '../router.ts'
import { mayAnswer } from '../session/session.ts'
import { alarmText } from '../strings/alarms.ts'
import { text } from '../strings/en.ts'
import { atLeast, time } from '../strings/format.ts'
import { AcknowledgeButton } from './acknowledge-button.tsx'
import { calling, callKey } from './calling.ts'
import { PriorityMark } from './priority-mark.tsx'

/** Alarms that the bar shows one by one. A number stands for the rest, so that the view stays in view. */
const MOST = 2

/** Says in every view which alarms wait for somebody. The list of alarms shows all of them itself. */
export function AlarmBar() {
  const alarms = calling.value
  if (alarms.length === 0 || route.value.view === 'alarms') return null
  const shown = alarms.slice(0, MOST)
  return (
    <section class="alarm-bar" aria-label={alarmText.waiting(alarms.length)}>
      {shown.map((alarm) => (
        <AlarmLine key={callKey(alarm)} alarm={alarm} />
      ))}
      {alarms.length > MOST && (
        <a class="alarm-rest" href="#/alarms">
          {alarmText.more(alarms.length - MOST)}
        </a>
      )}
    </section>
  )
}

function AlarmLine({ alarm }: { alarm: AlarmOfSystem }) {
  const { system, about, priority, status } = alarm
  return (
    <div class={`alarm-line is-${priority} ${status}`}>
      <p role="alert">
        <PriorityMark priority={priority} /> <AlarmWords alarm={alarm} />
      </p>
      <span class="row">
        <a class="button" href={whyLink(alarm)}>
          {about === 'accuracy' ? (mayAnswer.value ? text.accuracyAlarm.review : alarmText.look) : alarmText.why}
        </a>
        <AcknowledgeButton system={system} alarm={alarm} />
      </span>
    </div>
  )
}

/** Where a person sees why: the moment when the alarm was raised, explained. What is about no moment opens a view. */
function whyLink({ system, about, since, raised = since }: AlarmOfSystem): string {
  if (about === 'accuracy') return systemLink(system, mayAnswer.value ? 'review' : undefined)
  return about === 'stale' ? systemLink(system) : momentAtLink(system, raised)
}

/** Which system, what is wrong, and since when. */
function AlarmWords({ alarm }: { alarm: AlarmOfSystem }) {
  const { title, about, rule, status, since, raised = since, keptAccuracy } = alarm
  if (about === 'accuracy') {
    const words = text.accuracyAlarm
    const found =
      keptAccuracy === undefined ? words.found(time(raised)) : words.below(atLeast(keptAccuracy), time(raised))
    return (
      <>
        <strong>{words.fell(title)}</strong> <span>{found}</span> <span class="advice">{words.advice}</span>
      </>
    )
  }
  return (
    <>
      <strong>{title}:</strong> {rule} <span class="number">{alarmText.list.since(time(raised))}</span>
      {status === 'returned' && <span class="muted"> · {alarmText.status.returned}</span>}
    </>
  )
}
