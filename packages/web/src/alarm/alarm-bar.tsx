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
  const { system, priority, status } = alarm
  return (
    <div class={`alarm-line is-${priority} ${status}`}>
      <p role="alert">
        <PriorityMark priority={priority} /> <AlarmWords alarm={alarm} />
      </p>
      <span class="row">
        <NextStep alarm={alarm} />
        <AcknowledgeButton system={system} alarm={alarm} />
      </span>
    </div>
  )
}

/** Where to look next: why the level was so, the questions that show how accurate it is, or the system. */
function NextStep({ alarm: { system, about, raised, since } }: { alarm: AlarmOfSystem }) {
  const questions = about === 'accuracy' && mayAnswer.value
  const why = about === 'level'
  const address = why ? momentAtLink(system, raised ?? since) : systemLink(system, questions ? 'review' : undefined)
  return (
    <a class="button" href={address}>
      {why ? alarmText.why : questions ? text.accuracyAlarm.review : alarmText.look}
    </a>
  )
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
