import type {
  AlarmChange,
  AlarmEvent,
  AlarmMessage,
  Feedback,
  RecordEvent,
  Sample,
  SystemEvent,
  SystemSummary,
} from '@pb-oel/protocol'
import { assessedSample, type Recorded } from './assessed-sample.ts'

/**
 * A record as followers see it: the same whether it comes from the log or has just reached the disk.
 *
 * @param sample the sample that an assessment is about: the record right before it
 */
export function recordEvent(
  levels: readonly string[],
  { sequence, time }: Recorded,
  event: SystemEvent,
  sample?: Sample,
): RecordEvent {
  const id = sequence
  switch (event.kind) {
    case 'assessment': {
      if (!sample) throw new Error(`record ${sequence}: an assessment without its sample`)
      const place = { sequence: sequence - 1, time }
      return { id, event: 'assessment', data: assessedSample(levels, place, sample, event.body) }
    }
    case 'feedback':
      return { id, event: 'feedback', data: answerEvent(event.body, { sequence, time }) }
    case 'correction':
      return { id, event: 'correction', data: { ...answerEvent(event.body, { sequence, time }), correction: true } }
    case 'alarm':
      return { id, event: 'alarm', data: alarmEvent(event.body, { sequence, time }) }
    case 'snapshot':
      return { id, event: 'snapshot', data: { time, ...event.body } }
    default:
      return { id, event: event.kind, data: { sequence, time, ...event.body } } as RecordEvent
  }
}

/** A change of an alarm with its moment. */
export function alarmEvent(change: AlarmChange, { sequence, time }: Recorded): AlarmEvent {
  return { ...change, since: time, sequence, time }
}

/** A change of an alarm with what people call its system, its level and its rule now. */
export function messageOf({ id, title, levels, alarms }: SystemSummary, event: AlarmEvent): AlarmMessage {
  const { rule } = alarms.find(({ about }) => about === (event.about ?? 'level')) ?? {}
  return { system: id, title, levelName: levels[event.level] ?? '', ...(rule !== undefined && { rule }), ...event }
}

function answerEvent(feedback: Feedback, place: Recorded) {
  return { ...feedback, ...place }
}
