import type { AlarmAction, AlarmOfSystem } from '@pb-oel/protocol'
import { useRef, useState } from 'preact/hooks'
import { AcknowledgeButton } from '../alarm/acknowledge-button.tsx'
import { operate } from '../alarm/operate.ts'
import { Problem } from '../alarm/problem.tsx'
import { sayFailed } from '../api/client.ts'
import { isAdmin, mayAnswer } from '../session/session.ts'
import { alarmText } from '../strings/alarms.ts'

const words = alarmText.actions
/** Minutes that the menu offers for the shelf. */
const SHELVES = [15, 60, 480]

/** What a person may do with an alarm now: the next step as a button, the rest in a menu. */
export function AlarmActions({ alarm, done }: { alarm: AlarmOfSystem; done: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const menu = useRef<HTMLDetailsElement>(null)
  if (!mayAnswer.value) return null
  const act = async (action: AlarmAction, more: object = {}) => {
    setProblem(null)
    try {
      await operate(alarm.system, action, alarm.about, { ...more, ...comment(menu.current) })
      if (menu.current) menu.current.open = false
      done()
    } catch (error) {
      setProblem(sayFailed(error, words.failed))
    }
  }
  const waits = alarm.status === 'active' || alarm.status === 'returned'
  return (
    <span class="row alarm-actions">
      {waits && <AcknowledgeButton system={alarm.system} alarm={alarm} done={done} />}
      {alarm.status === 'latched' && (
        <button type="button" class="primary" onClick={() => void act('reset')}>
          {words.reset}
        </button>
      )}
      {alarm.shelved && (
        <button type="button" onClick={() => void act('unshelve')}>
          {words.unshelve}
        </button>
      )}
      {alarm.outOfService !== undefined && isAdmin.value && (
        <button type="button" onClick={() => void act('in-service')}>
          {words.putBack}
        </button>
      )}
      {!alarm.shelved && alarm.outOfService === undefined && (
        <details class="popover" ref={menu}>
          <summary class="button" aria-label={words.menu(`${alarm.title}, ${alarm.rule}`)}>
            {words.shelve}
          </summary>
          <ShelfMenu act={act} />
        </details>
      )}
      <Problem text={problem} />
    </span>
  )
}

function ShelfMenu({ act }: { act: (action: AlarmAction, more?: object) => Promise<void> }) {
  return (
    <div class="card">
      <label class="field">
        {alarmText.comment.label}
        <input name="comment" maxLength={500} autocomplete="off" />
      </label>
      <p class="field">{words.shelveFor}</p>
      <span class="row">
        {SHELVES.map((minutes) => (
          <button key={minutes} type="button" onClick={() => void act('shelve', { seconds: minutes * 60 })}>
            {words.minutes(minutes)}
          </button>
        ))}
        <button type="button" onClick={() => void act('shelve', { oneShot: true })}>
          {words.oneShot}
        </button>
      </span>
      {isAdmin.value && (
        <button type="button" onClick={() => void act('out-of-service')}>
          {words.takeOut}
        </button>
      )}
    </div>
  )
}

/** What was typed into the menu. */
function comment(menu: HTMLElement | null): { comment?: string } {
  const typed = menu?.querySelector('input')?.value.trim()
  return typed ? { comment: typed } : {}
}
