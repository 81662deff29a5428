import type { ListedAlarm } from '@pb-oel/protocol'
import { momentAtLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { time } from '../strings/format.ts'
import { AcknowledgeButton } from './acknowledge-button.tsx'
import { alarmWords } from './alarm-badge.tsx'

/** The alarm of a system, with the button by which a reviewer acknowledges it. */
export function AlarmStatus({ system, alarm }: { system: string; alarm: ListedAlarm }) {
  const waits = alarm.status === 'active' || alarm.status === 'returned'
  return (
    <div class={`alarm is-${alarm.status}`}>
      <div role={alarm.status === 'active' ? 'alert' : undefined}>
        <strong>{alarmWords(alarm)[alarm.status]}</strong>
        {alarm.status !== 'normal' && <span>{alarm.rule}</span>}
        {alarm.status !== 'normal' && <span class="number">{text.alarm.since(time(alarm.since))}</span>}
        {alarm.acknowledgedBy && alarm.status === 'acknowledged' && <span>{text.alarm.by(alarm.acknowledgedBy)}</span>}
      </div>
      {alarm.status !== 'normal' && alarm.about === 'level' && (
        <a class="button" href={momentAtLink(system, alarm.raised ?? alarm.since)}>
          {text.why.alarm}
        </a>
      )}
      {waits && <AcknowledgeButton system={system} alarm={alarm} />}
    </div>
  )
}
