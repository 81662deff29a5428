import { type Static, type TObject, Type } from '@sinclair/typebox'
import { AlarmEvent } from './alarm.ts'
import { AnswerEvent } from './answer.ts'
import { AssessedSample } from './assessment.ts'
import { milliseconds, sequence } from './field.ts'
import { RECORD_BODIES } from './record.ts'
import { RECORD_KINDS } from './record-kind.ts'

/** A body with the number and the moment of its record. */
const placed = <T extends TObject>({ properties }: T) =>
  Type.Object({ ...(properties as T['properties']), sequence, time: milliseconds('arrival') })

/**
 * The data of server-sent events by the name of the event. The id of an event is the number of its record. An
 * `assessment` carries the whole assessed sample; its `sequence` is that of the sample, as everywhere.
 */
export const EVENT_DATA = {
  created: placed(RECORD_BODIES.created),
  sample: placed(RECORD_BODIES.sample),
  assessment: AssessedSample,
  feedback: AnswerEvent,
  correction: AnswerEvent,
  configuration: placed(RECORD_BODIES.configuration),
  channel: placed(RECORD_BODIES.channel),
  level: placed(RECORD_BODIES.level),
  alarm: AlarmEvent,
  acknowledgement: placed(RECORD_BODIES.acknowledgement),
  'alarm-action': placed(RECORD_BODIES['alarm-action']),
  exclusion: placed(RECORD_BODIES.exclusion),
  stretch: placed(RECORD_BODIES.stretch),
  withdrawal: placed(RECORD_BODIES.withdrawal),
  abstention: placed(RECORD_BODIES.abstention),
  'second-opinion': placed(RECORD_BODIES['second-opinion']),
  comment: placed(RECORD_BODIES.comment),
  assignment: placed(RECORD_BODIES.assignment),
  clock: placed(RECORD_BODIES.clock),
  tick: placed(RECORD_BODIES.tick),
  snapshot: Type.Object({
    ...RECORD_BODIES.snapshot.properties,
    sequence: Type.Integer({ description: 'number of the last record that the state includes' }),
    time: milliseconds('when'),
  }),
  compaction: placed(RECORD_BODIES.compaction),
  gap: Type.Object(
    { from: sequence, to: sequence },
    { description: 'these records were asked for, and removed by compaction' },
  ),
}

/** The data of events by name. */
export type EventData = { [K in keyof typeof EVENT_DATA]: Static<(typeof EVENT_DATA)[K]> }

/** A server-sent event that comes from a record. */
export type RecordEvent = {
  [K in Exclude<keyof EventData, 'gap'>]: { id: number; event: K; data: EventData[K] }
}[Exclude<keyof EventData, 'gap'>]

/** Kinds of records in a query, separated by commas. */
export const KindsQuery = Type.String({
  maxLength: 400,
  pattern: `^(${RECORD_KINDS.join('|')})(,(${RECORD_KINDS.join('|')}))*$`,
  description: `of ${RECORD_KINDS.join(', ')}, separated by commas`,
})
