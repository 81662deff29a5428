import { type Static, Type } from '@sinclair/typebox'
import { name, strict } from './field.ts'
import { word } from './word.ts'

/** How urgent an alarm is, least urgent first (ISA-18.2, section 6.5). */
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const
const priority = word(PRIORITIES, 'how urgent it is')
export type Priority = Static<typeof priority>

/** Names a rule of alarms within a system. */
export const RuleName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'name of a rule: lower-case letters, digits and dashes, at most 40',
})

const seconds = (description: string) => Type.Number({ minimum: 0, maximum: 1e6, description })
const duration = (description: string) => Type.Number({ minimum: 1, maximum: 1e6, description })

/** One step of the escalation of an alarm: who is told when nobody has acknowledged it. */
const EscalationStep = Type.Object(
  {
    after: duration('seconds without an acknowledgement'),
    tell: Type.Array(name('a receiver of the configuration of the server'), { minItems: 1, maxItems: 20 }),
  },
  strict,
)

/** What is the same for every rule. */
const handling = {
  priority: Type.Optional(priority),
  latch: Type.Optional(
    Type.Boolean({ description: 'true: an alarm that has ended stays until a person resets it; default false' }),
  ),
  realarmAfter: Type.Optional(
    duration('seconds after which an alarm that was acknowledged and lasts calls again; left out: never'),
  ),
  shelveAtMost: Type.Optional(duration('longest time on the shelf, seconds; default 28,800, which is one shift')),
  suppressedBy: Type.Optional(
    Type.Array(RuleName, {
      minItems: 1,
      maxItems: 20,
      description: 'while an alarm of one of these rules lasts, this one calls nobody (suppression by design)',
    }),
  ),
  escalation: Type.Optional(
    Type.Array(EscalationStep, { minItems: 1, maxItems: 10, description: 'who is told when nobody acknowledges' }),
  ),
}

/** What a rule of one's own watches. */
const condition = {
  watch: Type.Optional(
    word(
      ['likely', 'safe-side', 'novel', 'range', 'stale', 'drift'],
      'likely, safe-side: a level; novel: none of the known levels; range: a channel; stale: no samples; drift: a ' +
        'change that a detector has signalled',
    ),
  ),
  level: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'raised at this level or above; with a level' }),
  ),
  clearBelow: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'cleared below this level; default `level`' }),
  ),
  channel: Type.Optional(name('the channel that is watched; with range')),
  min: Type.Optional(Type.Number({ description: 'raised below this value; with range' })),
  max: Type.Optional(
    Type.Number({
      description:
        'raised above this value; with range. Without min and max: raised while the channel is held or outside its ' +
        'plausible range',
    }),
  ),
  deadband: Type.Optional(
    Type.Number({ minimum: 0, description: 'how far inside the limits the value must be to clear; default 0' }),
  ),
  after: Type.Optional(duration('seconds without a sample; with stale')),
  raiseAfter: Type.Optional(seconds('on delay: seconds that the condition must have lasted; default 0')),
  clearAfter: Type.Optional(seconds('off delay: seconds that it must have been over; default 0')),
}

/**
 * A rule of alarms. `level`, `stale` and `accuracy` name the alarms that every system has: what they watch is said by
 * `alarm`, `stale` and `promises`. Any other name is a rule of one's own, and says what it watches.
 */
export const AlarmSetting = Type.Object({ ...condition, ...handling }, strict)
export type AlarmSetting = Static<typeof AlarmSetting>
