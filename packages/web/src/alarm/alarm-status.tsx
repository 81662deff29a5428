import type { Alarm, SystemDetail } from '@pb-oel/protocol'
import { useState } from 'preact/hooks'
import { type ApiError, request, systemPath } from '../api/client.ts'
import { author, mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { time } from '../strings/format.ts'

interface AlarmStatusProps {
  system: string
  alarm: Alarm
  onChange: (detail: SystemDetail) => void
}

/** The alarm of a system, with the button by which a reviewer acknowledges it. */
export function AlarmStatus({ system, alarm, onChange }: AlarmStatusProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const waits = alarm.status === 'active' || alarm.status === 'returned'
  const acknowledge = async () => {
    setProblem(null)
    try {
      onChange(
        await request<SystemDetail>('POST', systemPath(system, '/alarm/acknowledge'), {
          number: alarm.number,
          ...author(),
        }),
      )
    } catch (error) {
      setProblem(`${text.alarm.failed}: ${(error as ApiError).message}`)
    }
  }
  return (
    <div class={`alarm is-${alarm.status}`}>
      <div role={alarm.status === 'active' ? 'alert' : undefined}>
        <strong>{text.alarm[alarm.status]}</strong>
        {alarm.status !== 'normal' && <span class="number">{text.alarm.since(time(alarm.since))}</span>}
        {alarm.acknowledgedBy && alarm.status === 'acknowledged' && <span>{text.alarm.by(alarm.acknowledgedBy)}</span>}
      </div>
      {waits && mayAnswer.value && (
        <button type="button" class="primary" onClick={acknowledge}>
          {text.alarm.acknowledge}
        </button>
      )}
      {problem && <p role="alert">{problem}</p>}
    </div>
  )
}
