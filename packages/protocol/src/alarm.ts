import { type Static, Type } from '@sinclair/typebox'
import { level, milliseconds, sequence, share } from './field.ts'
import { word } from './word.ts'

/**
 * `normal`; `active` until a person acknowledges; `acknowledged` until the level falls; `returned` when the level fell
 * before anybody acknowledged (the states of ISA-18.2).
 */
const status = word(['normal', 'active', 'acknowledged', 'returned'])
export type AlarmStatus = Static<typeof status>

/** What the alarms of a system are about; each has numbers of its own. */
export const ALARM_KINDS = ['level', 'accuracy', 'stale'] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

/**
 * Which alarm of a system is meant. The one about a fall of accuracy is `active` until a person acknowledges, then
 * `normal`. The one about stale data is raised by a timer and returns with the next sample.
 */
export const about = Type.Optional(
  word(
    ['accuracy', 'stale'],
    'which alarm it is: a fall of accuracy, or no samples; left out: the one about the level',
  ),
)

/** A change of an alarm as the log holds it. Its moment is the record's. */
export const AlarmChange = Type.Object({
  about,
  number: Type.Integer({ description: 'alarms are numbered 1, 2, 3, …; 0 before the first' }),
  status,
  level: Type.Integer({ ...level, description: 'level at the latest change' }),
  keptAccuracy: Type.Optional(share('that accuracy has fallen below; with `about: accuracy`')),
  staleAfter: Type.Optional(
    Type.Number({ description: 'seconds without a sample after which data are stale; with `about: stale`' }),
  ),
  acknowledgedBy: Type.Optional(Type.String({ description: 'who has acknowledged this alarm' })),
})
export type AlarmChange = Static<typeof AlarmChange>

/** The alarm of a system. */
export const Alarm = Type.Object({ ...AlarmChange.properties, since: milliseconds('latest change') })
export type Alarm = Static<typeof Alarm>

/** A change of an alarm as it happens. */
export const AlarmEvent = Type.Object({ ...Alarm.properties, sequence, time: milliseconds('when') })
export type AlarmEvent = Static<typeof AlarmEvent>

/** A change of an alarm as it is sent out by MQTT and webhooks. A receiver knows repetitions by system and sequence. */
export const AlarmMessage = Type.Object({
  system: Type.String(),
  title: Type.String({ description: 'name of the system for people' }),
  levelName: Type.String(),
  ...AlarmEvent.properties,
})
export type AlarmMessage = Static<typeof AlarmMessage>
