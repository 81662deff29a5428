import { get, systemPath } from '../api/client.ts'
import type { Alarm, LogPage } from '../api/types.ts'
import type { MarkRing } from './mark-ring.ts'

/** Marks what a record says on the timeline, if it is of a kind that is marked. */
export function addMark(marks: MarkRing, kind: string, time: number, body: Record<string, unknown>): void {
  if (kind === 'alarm') {
    const status = body.status as Alarm['status']
    marks.push(time, status === 'active' ? 'alarm' : status === 'acknowledged' ? 'acknowledged' : 'cleared')
  } else if (kind === 'feedback' || kind === 'correction') {
    marks.push(time, body.answer === 'reject' ? 'wrong' : body.answer === 'confirm' ? 'right' : 'named')
  }
}

/** Marks up to a thousand records of the log. */
export async function readMarks(
  system: string,
  query: { kinds: string; from?: number; to?: number; latest?: boolean },
  marks: MarkRing,
  signal?: AbortSignal,
): Promise<void> {
  const { records } = await get<LogPage>(systemPath(system, '/log'), { ...query, limit: 1000 }, signal)
  for (const { kind, time, body } of records) addMark(marks, kind, time, body)
}
