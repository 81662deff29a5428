import type { Alarm, SystemDetail } from '@pb-oel/protocol'
import { useState } from 'preact/hooks'
import { type ApiError, request, systemPath } from '../api/client.ts'
import { feed } from '../feed/feeds.ts'
import { readSystems } from '../feed/systems.ts'
import { author, mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'

/** The button by which a reviewer acknowledges an alarm. Nobody else finds it. */
export function AcknowledgeButton({ system, alarm }: { system: string; alarm: Alarm }) {
  const [problem, setProblem] = useState<string | null>(null)
  if (!mayAnswer.value) return null
  const acknowledge = async () => {
    const { number, about } = alarm
    setProblem(null)
    try {
      const body = { number, ...(about && { about }), ...author() }
      const detail = await request<SystemDetail>('POST', systemPath(system, '/alarm/acknowledge'), body)
      if (feed.peek()?.id === system) (feed.peek() as NonNullable<typeof feed.value>).detail.value = detail
      void readSystems().catch(() => {})
    } catch (error) {
      setProblem(`${text.alarm.failed}: ${(error as ApiError).message}`)
    }
  }
  return (
    <>
      <button type="button" class="primary" onClick={acknowledge}>
        {text.alarm.acknowledge}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </>
  )
}
