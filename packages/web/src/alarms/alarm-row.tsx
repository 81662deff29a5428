import type { AlarmOfSystem } from '@pb-oel/protocol'
import { PriorityMark } from '../alarm/priority-mark.tsx'
import { systemLink } from '../router.ts'
import { alarmText } from '../strings/alarms.ts'
import { moment } from '../strings/format.ts'
import { AlarmActions } from './alarm-actions.tsx'

/** One alarm of the list. */
export function AlarmRow({ alarm, done }: { alarm: AlarmOfSystem; done: () => void }) {
  const { system, title, rule, status, priority, comment, acknowledgedBy, since, raised = since, number } = alarm
  return (
    <li class={`card alarm-row is-${alarm.calls ? priority : 'calm'}`}>
      <div class="alarm-what">
        <PriorityMark priority={priority} />
        <a href={systemLink(system)}>{title}</a>
        <strong>{rule}</strong>
        <span class={`badge alarm-${status}`}>{alarmText.status[status]}</span>
      </div>
      <p class="muted small">
        {number > 0 && status !== 'normal' && <span class="number">{alarmText.list.since(moment(raised))} </span>}
        {status === 'acknowledged' && acknowledgedBy && <span>· {acknowledgedBy} </span>}
        {hiddenWords(alarm).map((words) => (
          <span key={words}>· {words} </span>
        ))}
        {comment && <span>· {alarmText.comment.said(comment)}</span>}
      </p>
      <AlarmActions alarm={alarm} done={done} />
    </li>
  )
}

/** Why an alarm calls nobody, or who else was told. */
function hiddenWords({ shelved, suppressed, outOfService, step, tell }: AlarmOfSystem): string[] {
  const shelf =
    shelved && alarmText[shelved.oneShot ? 'shelvedOnce' : 'shelvedUntil'](moment(shelved.until), shelved.by)
  return [
    shelf,
    suppressed !== undefined && alarmText.suppressedBy(suppressed),
    outOfService !== undefined && alarmText.outOfService(outOfService),
    step !== undefined && alarmText.escalated(step, (tell ?? []).join(', ')),
  ].filter((words) => typeof words === 'string')
}
