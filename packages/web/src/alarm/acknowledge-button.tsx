import type { Alarm } from '@pb-oel/protocol'
import { useRef, useState } from 'preact/hooks'
import { sayFailed } from '../api/client.ts'
import { mayAnswer } from '../session/session.ts'
import { alarmText } from '../strings/alarms.ts'
import { text } from '../strings/en.ts'
import { operate } from './operate.ts'
import { Problem } from './problem.tsx'

/** Acknowledges an alarm at once, or with a comment. Only reviewers find it. */
export function AcknowledgeButton({ system, alarm, done }: { system: string; alarm: Alarm; done?: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const popover = useRef<HTMLDetailsElement>(null)
  if (!mayAnswer.value) return null
  const acknowledge = async (comment?: string) => {
    const { number, about } = alarm
    setProblem(null)
    try {
      await operate(system, 'acknowledge', about, { number, ...(comment && { comment }) })
      if (popover.current) popover.current.open = false
      done?.()
    } catch (error) {
      setProblem(sayFailed(error, text.alarm.failed))
    }
  }
  return (
    <span class="acknowledge">
      <button type="button" class="primary" onClick={() => void acknowledge()}>
        {text.alarm.acknowledge}
      </button>
      <details class="popover" ref={popover} onToggle={focusField}>
        <summary class="button">{alarmText.comment.open}</summary>
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault()
            const field = event.currentTarget.elements.namedItem('comment') as HTMLInputElement
            void acknowledge(field.value.trim() || undefined)
          }}
        >
          <label class="field">
            {alarmText.comment.label}
            <input name="comment" maxLength={500} autocomplete="off" />
          </label>
          <button type="submit" class="primary">
            {alarmText.comment.acknowledge}
          </button>
        </form>
      </details>
      <Problem text={problem} />
    </span>
  )
}

/** Whoever opens it wants to write. */
function focusField({ currentTarget }: { currentTarget: HTMLDetailsElement }): void {
  if (currentTarget.open) currentTarget.querySelector('input')?.focus()
}
