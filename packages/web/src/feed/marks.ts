import type { LogPage, RecordBodies, SystemEvent } from '@pb-oel/protocol'
import { get, systemPath } from '../api/client.ts'
import type { MarkRing } from './mark-ring.ts'

/** Marks a change of an alarm on the timeline. */
export function markAlarm(
  marks: MarkRing,
  time: number,
  { about, status }: Pick<RecordBodies['alarm'], 'about' | 'status'>,
): void {
  // The alarm about accuracy is over when a person has acknowledged it.
  if (about === 'accuracy') marks.push(time, status === 'active' ? 'fall' : 'acknowledged')
  else marks.push(time, status === 'active' ? 'alarm' : status === 'acknowledged' ? 'acknowledged' : 'cleared')
}

/** Marks an answer on the timeline. */
export function markAnswer(marks: MarkRing, time: number, { kind }: Pick<RecordBodies['feedback'], 'kind'>): void {
  marks.push(time, kind === 'reject' ? 'wrong' : kind === 'confirm' ? 'right' : 'named')
}

/** Marks the alarms and answers among up to a thousand records of the log. */
export async function readMarks(
  system: string,
  query: { kinds: string; from?: number; to?: number; latest?: boolean },
  marks: MarkRing,
  signal?: AbortSignal,
): Promise<void> {
  const { records } = await get<LogPage>(systemPath(system, '/log'), { ...query, limit: 1000 }, signal)
  for (const record of records) {
    const { kind, body } = record as unknown as SystemEvent
    if (kind === 'alarm') markAlarm(marks, record.time, body)
    else if (kind === 'feedback' || kind === 'correction') markAnswer(marks, record.time, body)
  }
}
