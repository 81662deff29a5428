import { calling, staleSystems } from '../alarm/calling.ts'
import { alarmText } from '../strings/alarms.ts'
import { Icon } from './icon.tsx'

/** The way to the list of alarms, with how many wait for somebody, and how many systems show old data. */
export function AlarmLink({ current }: { current: boolean }) {
  const waiting = calling.value.length
  const stale = staleSystems.value.length
  return (
    <>
      {stale > 0 && (
        <a class="badge stale-count" href="#/" title={alarmText.stale(stale)}>
          <span class="number">{stale}</span> <span>{alarmText.staleShort}</span>
        </a>
      )}
      <a class="alarm-link" href="#/alarms" aria-current={current ? 'page' : undefined}>
        <Icon name="bell" size={18} />
        <span class="alarm-link-name">{alarmText.nav}</span>
        <span class="visually-hidden">{alarmText.waiting(waiting)}</span>
        {waiting > 0 && (
          <span class="pill number calls" aria-hidden="true">
            {waiting}
          </span>
        )}
      </a>
    </>
  )
}
