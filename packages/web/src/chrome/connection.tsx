import { useEffect, useRef, useState } from 'preact/hooks'
import { reachable } from '../api/client.ts'
import { outbox } from '../api/outbox.ts'
import { feed } from '../feed/feeds.ts'
import { text } from '../strings/en.ts'
import { moment } from '../strings/format.ts'
import { announce } from './announcer.tsx'

/** `true`, `false`, or `null` while connecting for the first time. */
function connected(): boolean | null {
  const current = feed.value
  return current ? (current.failure.value ? true : current.connected.value) : reachable.value
}

/** The state of the connection, in the header. */
export function ConnectionBadge() {
  const state = connected()
  const words = state === null ? text.connection.connecting : state ? text.connection.live : text.connection.lost
  return <span class={`connection ${state === false ? 'lost' : state ? 'live' : ''}`}>{words}</span>
}

/** A banner while the connection is lost: since when, what is kept, and a button to try at once. */
export function ConnectionBanner() {
  const lost = connected() === false
  const [since, setSince] = useState(0)
  const was = useRef(false)
  useEffect(() => {
    if (lost) setSince(Date.now())
    else if (was.current) announce(text.connection.back)
    was.current = lost
  }, [lost])
  if (!lost) return null
  const waiting = outbox.waiting.value.length
  return (
    <div class="banner" role="alert">
      <p>
        <strong>{text.connection.lostAt(moment(since || Date.now()))}</strong>{' '}
        {waiting > 0 ? text.connection.kept(waiting) : text.connection.keptNothing}
      </p>
      <button type="button" onClick={() => feed.value?.retryNow()}>
        {text.connection.retry}
      </button>
    </div>
  )
}
