import type { ServerTime } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api/client.ts'
import { keep, recall } from '../device/stored.ts'
import { repeat } from '../feed/repeat.ts'
import { mayRead, me, signInNeeded } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { jumpSize, moment } from '../strings/format.ts'

/** Milliseconds between two looks at the clock of the server. */
const POLL = 5_000
const HIDDEN = 'clock-notice'

const latest = signal<ServerTime['latest']>(undefined)
/** The time of the jump that this person has hidden. */
const hidden = signal(recall(HIDDEN, 'session'))

/** Says in every view that the clock of the server has jumped, when and by how much, until the person hides it. */
export function ClockNotice() {
  const asks = me.value !== null && !signInNeeded.value && mayRead.value
  useEffect(() => (asks ? repeat(POLL, look) : undefined), [asks])
  const jump = latest.value
  if (!asks || !jump || hidden.value === String(jump.time)) return null
  const { followed, time } = jump
  const hide = () => {
    hidden.value = String(time)
    keep(HIDDEN, hidden.value, 'session')
  }
  return (
    <div class="banner" role="status">
      <p>
        <strong>{text.clock.notice(moment(time), jumpSize(jump.jump), jump.jump > 0)}</strong>{' '}
        {followed ? text.clock.followed : text.clock.notFollowed}
      </p>
      <button type="button" onClick={hide}>
        {text.clock.hide}
      </button>
    </div>
  )
}

async function look(): Promise<void> {
  latest.value = (await get<ServerTime>('/v1/clock')).latest
}
