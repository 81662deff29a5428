import type { Chart, RecordBodies } from '@pb-oel/protocol'
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

/** Marks everything that a chart tells of. */
export function markChart(marks: MarkRing, { drifts, alarms, answers }: Chart): void {
  for (const time of drifts) marks.push(time, 'drift')
  for (const { time, right, wrong, named } of answers) {
    if (right > 0) marks.push(time, 'right', right)
    if (wrong > 0) marks.push(time, 'wrong', wrong)
    if (named > 0) marks.push(time, 'named', named)
  }
  for (const alarm of alarms) markAlarm(marks, alarm.time, alarm)
}
