import type { AlarmHistory as AlarmHistoryPage, AlarmMessage } from '@pb-oel/protocol'
import { useEffect, useState } from 'preact/hooks'
import { get } from '../api/client.ts'
import { momentLink } from '../router.ts'
import { alarmText, nameOf } from '../strings/alarms.ts'
import { moment } from '../strings/format.ts'

const words = alarmText.history
const PAGE = 50

/**
 * What happened to the alarms of all systems, latest first.
 *
 * @param news goes up when something has changed, so that the first page is read again
 */
export function AlarmHistory({ wanted, news }: { wanted: (change: AlarmMessage) => boolean; news: string }) {
  const [changes, setChanges] = useState<AlarmMessage[]>([])
  const [next, setNext] = useState<number | undefined>()
  const load = async (to?: number) => {
    const page = await get<AlarmHistoryPage>('/v1/alarms/history', { limit: PAGE, to })
    setChanges(to === undefined ? page.changes : [...changes, ...page.changes])
    setNext(page.next)
  }
  useEffect(() => {
    void load().catch(() => {})
  }, [news])
  const shown = changes.filter(wanted)
  return (
    <section class="alarm-history" aria-labelledby="alarm-history-title">
      <h2 id="alarm-history-title">{words.heading}</h2>
      {shown.length === 0 && <p class="muted">{changes.length === 0 ? words.none : alarmText.list.noMatch}</p>}
      {shown.length > 0 && (
        <table class="records">
          <caption class="visually-hidden">{words.caption}</caption>
          <thead>
            <tr>
              {Object.values(words.columns).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((change) => (
              <Change key={`${change.system} ${change.sequence}`} change={change} />
            ))}
          </tbody>
        </table>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => void load(next).catch(() => {})}>
          {words.older}
        </button>
      )}
    </section>
  )
}

function Change({ change }: { change: AlarmMessage }) {
  const { system, sequence, time, title, about = 'level', rule, status, cause, comment, number } = change
  const what = cause ? `${alarmText.status[status]}, ${alarmText.cause[cause]}` : alarmText.status[status]
  return (
    <tr>
      <td class="number">
        <a href={momentLink(system, sequence)} aria-label={words.moment(title, moment(time))}>
          {moment(time)}
        </a>
      </td>
      <td>{title}</td>
      <td>
        {nameOf(about)} {number}
        {rule && <span class="muted"> · {rule}</span>}
      </td>
      <td>
        {what}
        {comment && <span class="muted"> · {alarmText.comment.said(comment)}</span>}
      </td>
      <td>{who(change)}</td>
    </tr>
  )
}

/** The person behind a change; empty where there is none. */
function who({ status, cause, acknowledgedBy, shelved, outOfService, tell }: AlarmMessage): string {
  if (cause === 'shelved') return shelved?.by ?? ''
  if (cause === 'out of service') return outOfService ?? ''
  if (cause === 'escalated') return `→ ${(tell ?? []).join(', ')}`
  return status === 'acknowledged' || status === 'normal' || status === 'latched' ? (acknowledgedBy ?? '') : ''
}
