import type { Chart } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, systemPath } from '../api/client.ts'
import { momentLink } from '../router.ts'
import { text } from '../strings/en.ts'

/** Milliseconds in which a sample at or before a moment is looked for. */
const NEAR = 3_600_000

/** Goes on to the record of a moment: that of an alarm that changed then, or else of the latest sample. */
export function MomentAt({ system, time }: { system: string; time: number }) {
  const problem = useSignal('')
  useEffect(() => {
    const request = new AbortController()
    recordAt(system, time, request.signal).then(
      (record) => {
        if (record === undefined) problem.value = text.moment.nothingThen
        else location.replace(momentLink(system, record))
      },
      (error) => {
        if (!request.signal.aborted) problem.value = text.moment.failed((error as Error).message)
      },
    )
    return () => request.abort()
  }, [system, time, problem])
  return (
    <main id="content" tabIndex={-1}>
      <h1 class="visually-hidden">{text.history.title}</h1>
      <p class={problem.value ? 'problem' : 'muted'} role="status">
        {problem.value || text.moment.replaying}
      </p>
    </main>
  )
}

async function recordAt(system: string, time: number, signal: AbortSignal): Promise<number | undefined> {
  const range = { from: Math.max(0, time - NEAR), to: time + 1, points: 2 }
  const { alarms, last } = await get<Chart>(systemPath(system, '/chart'), range, signal)
  return alarms.findLast((alarm) => alarm.time === time)?.sequence ?? (last > 0 ? last + 1 : undefined)
}
