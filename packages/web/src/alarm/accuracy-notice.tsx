import type { Alarm, SystemSummary } from '@pb-oel/protocol'
import { feed } from '../feed/feeds.ts'
import { systems } from '../feed/systems.ts'
import { systemLink } from '../router.ts'
import { mayAnswer, mayRead, signInNeeded } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { atLeast, time } from '../strings/format.ts'
import { AcknowledgeButton } from './acknowledge-button.tsx'

const words = text.accuracyAlarm

/** Systems that have a notice of their own. More share one, so that the view stays in view. */
const MOST = 2

/** Says in every view that the accuracy of a system has fallen, until a person acknowledges it. */
export function AccuracyNotices() {
  if (signInNeeded.value || !mayRead.value) return null
  const fallen = current().filter(({ accuracyAlarm }) => accuracyAlarm?.status === 'active')
  if (fallen.length > MOST) return <SeveralNotices systems={fallen} />
  return (
    <>
      {fallen.map((system) => (
        <AccuracyNotice key={system.id} system={system} alarm={system.accuracyAlarm as Alarm} />
      ))}
    </>
  )
}

function AccuracyNotice({ system, alarm }: { system: SystemSummary; alarm: Alarm }) {
  const { id, title } = system
  const { keptAccuracy, since } = alarm
  return (
    <div class="banner accuracy" role="alert">
      <p>
        <strong>{words.fell(title)}</strong>{' '}
        {keptAccuracy === undefined ? words.found(time(since)) : words.below(atLeast(keptAccuracy), time(since))}{' '}
        {words.advice}
      </p>
      <a class="button" href={systemLink(id, mayAnswer.value ? 'review' : undefined)}>
        {mayAnswer.value ? words.review : words.look}
      </a>
      <AcknowledgeButton system={id} alarm={alarm} />
    </div>
  )
}

function SeveralNotices({ systems: fallen }: { systems: readonly SystemSummary[] }) {
  return (
    <div class="banner accuracy" role="alert">
      <p>
        <strong>{words.several(fallen.length, fallen.map(({ title }) => title).join(', '))}</strong>
      </p>
      <a class="button" href="#/">
        {words.overview}
      </a>
    </div>
  )
}

/** All systems; the one in view as its feed knows it, which is newer than the list. */
function current(): readonly SystemSummary[] {
  const inView = feed.value?.detail.value
  return (systems.value ?? (inView ? [inView] : [])).map((system) => (system.id === inView?.id ? inView : system))
}
