import { type Static, Type } from '@sinclair/typebox'
import { PRIORITIES, RuleName } from './alarm-setting.ts'
import { level, milliseconds, name, sequence, share, strict } from './field.ts'
import { word } from './word.ts'

/**
 * `normal`; `active` until a person acknowledges; `acknowledged` until what it is about ends; `returned` when that
 * ended before anybody acknowledged; `latched` when it was acknowledged, has ended, and waits for a person to reset it
 * (the states of ISA-18.2).
 */
const status = word(['normal', 'active', 'acknowledged', 'returned', 'latched'])
export type AlarmStatus = Static<typeof status>

/** The alarms that every system has; each has numbers of its own. */
export const ALARM_KINDS = ['level', 'accuracy', 'stale'] as const

/**
 * Which alarm of a system is meant. The one about a fall of accuracy is `active` until a person acknowledges, then
 * `normal`. The one about stale data is raised by a timer and returns with the next sample.
 */
export const about = Type.Optional(
  Type.String({
    ...RuleName,
    description:
      'which alarm it is: accuracy (a fall of accuracy), stale (no samples), or the name of a rule; left out: the one ' +
      'about the level',
  }),
)

/** What made an alarm change, where its status alone does not say it. */
const cause = word([
  ...['shelved', 'unshelved', 'shelf ended', 'suppressed', 'no longer suppressed'],
  ...['out of service', 'in service', 'reset', 'alarm again', 'escalated', 'rule removed'],
] as const)

/** An alarm on the shelf calls nobody for a while. */
const Shelf = Type.Object({
  until: milliseconds('when the shelf ends at the latest'),
  oneShot: Type.Optional(Type.Boolean({ description: 'true: it ends as soon as the alarm does' })),
  by: Type.String({ description: 'who put it there' }),
})

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
  comment: Type.Optional(Type.String({ description: 'what was said at the latest operation' })),
  priority: Type.Optional(word(PRIORITIES, 'how urgent it is; left out in systems from before priorities')),
  raised: Type.Optional(milliseconds('when this alarm was raised')),
  shelved: Type.Optional(Shelf),
  suppressed: Type.Optional(Type.String({ description: 'the rule whose alarm suppresses this one by design' })),
  outOfService: Type.Optional(Type.String({ description: 'who has taken it out of service' })),
  cause: Type.Optional(cause),
  step: Type.Optional(Type.Integer({ description: 'steps of the escalation so far' })),
  tell: Type.Optional(Type.Array(Type.String(), { description: 'receivers that the escalation has reached' })),
})
export type AlarmChange = Static<typeof AlarmChange>

/** The alarm of a system. */
export const Alarm = Type.Object({ ...AlarmChange.properties, since: milliseconds('latest change') })
export type Alarm = Static<typeof Alarm>

/** An alarm as lists show it: with its rule, and whether it calls for a person. */
export const ListedAlarm = Type.Object({
  ...Alarm.properties,
  about: Type.String({ ...RuleName, description: 'level, accuracy, stale, or the name of a rule' }),
  priority: word(PRIORITIES, 'how urgent it is'),
  rule: Type.String({ description: 'the rule in words, such as "III unsafe for 2 s"' }),
  calls: Type.Boolean({ description: 'true while it waits for a person, and is neither shelved nor suppressed' }),
})
export type ListedAlarm = Static<typeof ListedAlarm>

/** A change of an alarm as it happens. */
export const AlarmEvent = Type.Object({ ...Alarm.properties, sequence, time: milliseconds('when') })
export type AlarmEvent = Static<typeof AlarmEvent>

/** A change of an alarm as it is sent out by MQTT and webhooks. A receiver knows repetitions by system and sequence. */
export const AlarmMessage = Type.Object({
  system: Type.String(),
  title: Type.String({ description: 'name of the system for people' }),
  levelName: Type.String(),
  rule: Type.Optional(Type.String({ description: 'the rule in words; left out when it was removed' })),
  ...AlarmEvent.properties,
})
export type AlarmMessage = Static<typeof AlarmMessage>

/** What a person can do with an alarm, beside acknowledging it. */
export const ALARM_ACTIONS = ['shelve', 'unshelve', 'reset', 'out-of-service', 'in-service'] as const
export type AlarmAction = (typeof ALARM_ACTIONS)[number]

/** Why somebody did something with an alarm, in their words. */
export const comment = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, description: 'what others should know about it' }),
)

/** What a caller says when they acknowledge an alarm. */
export const GivenAcknowledgement = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    about,
    comment,
    by: Type.Optional(name('who')),
  },
  strict,
)

/** What a caller says when they do something else with an alarm. */
export const GivenAction = Type.Object({ about, comment, by: Type.Optional(name('who')) }, strict)

/** How long an alarm goes on the shelf. */
export const GivenShelving = Type.Object(
  {
    ...GivenAction.properties,
    seconds: Type.Optional(
      Type.Number({ minimum: 1, maximum: 1e6, description: 'how long; default as long as the rule allows' }),
    ),
    oneShot: Type.Optional(Type.Boolean({ description: 'true: only until the alarm ends' })),
  },
  strict,
)
