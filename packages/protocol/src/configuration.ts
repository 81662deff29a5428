import { type Static, Type } from '@sinclair/typebox'
import { AlarmSetting, RuleName } from './alarm-setting.ts'
import { levelOrName, name, strict } from './field.ts'
import { word } from './word.ts'

/** Names a system in addresses, topics and the log. */
export const SystemId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'letters, digits, dot, dash and underscore, at most 64',
})

const seconds = (description: string) => Type.Number({ minimum: 0, maximum: 1e6, description })
const weight = Type.Number({ minimum: 0, maximum: 1e6 })

/** When an alarm is raised and cleared. It does not watch the assessed level, which may be drawn to learn. */
export const AlarmRule = Type.Object({
  level: Type.Integer({ minimum: 1, maximum: 1000, description: 'raised at this level or above' }),
  raiseAfter: seconds('seconds the level must have lasted'),
  clearBelow: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'cleared below this level, at most `level`; in between nothing changes',
  }),
  clearAfter: seconds('seconds the level must have stayed below'),
  watch: Type.Optional(
    word(['likely', 'safe-side'], 'which level it watches: the most probable one (default), or the safe-side level'),
  ),
})
export type AlarmRule = Static<typeof AlarmRule>

/** The same as callers send it: what is left out stays, or has its default. */
const GivenAlarmRule = Type.Partial(
  Type.Object({
    ...AlarmRule.properties,
    level: levelOrName('raised at this level or above'),
    clearBelow: levelOrName('cleared below this level, at most `level`; in between nothing changes'),
  }),
  strict,
)
export type GivenAlarmRule = Static<typeof GivenAlarmRule>

/** A rule of alarms as callers send it. */
const GivenAlarmSetting = Type.Object(
  {
    ...AlarmSetting.properties,
    level: Type.Optional(levelOrName('raised at this level or above; with a level')),
    clearBelow: Type.Optional(levelOrName('cleared below this level; default `level`')),
  },
  strict,
)
export type GivenAlarmSetting = Static<typeof GivenAlarmSetting>

/** When the data of a system are stale, which is an alarm of its own. */
export const StaleRule = Type.Object(
  {
    after: Type.Optional(
      Type.Number({ minimum: 1, maximum: 1e6, description: 'seconds without a sample; wins over the rate' }),
    ),
    rate: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e6,
        description: 'samples expected per second: stale after three intervals, and after 5 s at the earliest',
      }),
    ),
  },
  { ...strict, description: 'without either, the rate is learned from the first samples' },
)
export type StaleRule = Static<typeof StaleRule>

/** How much each reason counts in the order of the review queue. */
export const QueueWeights = Type.Object({
  uncertainty: weight,
  disagreement: weight,
  level: weight,
  freshness: weight,
})
export type QueueWeights = Static<typeof QueueWeights>

/** How the questions of a system are chosen: the options of core's `Asker`. */
export const AskRule = Type.Object(
  {
    strategy: Type.Optional(name('random, margin, disagreement, weight-change or drift; default margin')),
    perThousand: Type.Optional(Type.Number({ description: 'questions per thousand samples; default 50' })),
    question: Type.Optional(word(['verdict', 'label', 'auto'])),
    labelPrice: Type.Optional(
      Type.Number({ description: 'a question for the label takes this many questions of the budget; default 3' }),
    ),
    floor: Type.Optional(
      Type.Number({ description: 'share of the budget that goes to all samples alike; default 0.2' }),
    ),
  },
  { ...strict, description: 'choose what people are asked, within a budget, instead of asking about everything' },
)
export type AskRule = Static<typeof AskRule>

const target = Type.Number({ exclusiveMinimum: 0.5, maximum: 0.999999, description: 'accuracy that must be kept' })

/** What is promised, how surely, and when a fall of accuracy is an alarm (docs/promises.md). */
const promiseRule = {
  confidence: Type.Number({
    minimum: 0.5,
    maximum: 0.999999,
    description: 'probability with which certificates hold, at all times at once; default 0.95',
  }),
  missTarget: Type.Number({
    exclusiveMinimum: 0,
    maximum: 0.5,
    description: 'share of the safe-side levels that may be safer than the truth; default 0.005',
  }),
  window: Type.Integer({
    minimum: 2,
    maximum: 1e9,
    description: 'number of latest samples that have certificates of their own; default 3,600',
  }),
  tolerance: Type.Number({
    minimum: 1,
    maximum: 100,
    description: 'how many times as many mistakes as at first are still no fall, where there is no target; default 2',
  }),
  falseAlarmEvery: Type.Number({
    minimum: 10,
    maximum: 1e12,
    description: 'while accuracy is kept, an alarm comes after this many samples on average, or later; default 100,000',
  }),
}

const block = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1e6,
    description: 'number of samples judged together, so that a burst of mistakes is no fall; default 100',
  }),
)

/** The rule of the promises of a system, complete. */
export const PromiseRule = Type.Object({ ...promiseRule, block, target: Type.Optional(target) })
export type PromiseRule = Static<typeof PromiseRule>

const missing = word(
  ['hold', 'reject'],
  'a channel without a value: hold takes its last value and shows the sample as degraded, reject refuses the sample',
)

const stuck = Type.Boolean({
  description: 'whether a channel that has stopped moving is shown as degraded; default true',
})

/** The plausible values of a channel, and what becomes of a sample with another one. */
export const ChannelRange = Type.Object(
  {
    min: Type.Optional(Type.Number({ description: 'smallest plausible value' })),
    max: Type.Optional(Type.Number({ description: 'largest plausible value' })),
    action: Type.Optional(
      word(
        ['reject', 'clip', 'flag'],
        'outside: reject refuses the sample, clip takes the nearest limit, flag takes the value as it is; clip and ' +
          'flag show the sample as degraded; default reject',
      ),
    ),
  },
  { ...strict, minProperties: 1 },
)
export type ChannelRange = Static<typeof ChannelRange>

/** How long after a sample an answer is still taken. */
export const LateRule = Type.Object({
  samples: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'answers to so many latest samples are taken; at most as many as were set aside at the creation',
  }),
  seconds: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description: 'and only so long after the sample' }),
  ),
})
export type LateRule = Static<typeof LateRule>

/** How the answers of several people are brought together. */
export const ReviewRule = Type.Object({
  secondOpinion: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'share of answered questions that a second person is asked, without seeing the answer; default 0',
  }),
  trust: Type.Boolean({
    description:
      'true: answers teach less often where second opinions show that their reviewer errs more than usual; default false',
  }),
})
export type ReviewRule = Static<typeof ReviewRule>

/** How often samples of known levels may be called novel. */
export const NoveltyRule = Type.Object({
  falseAlarmEvery: Type.Integer({
    minimum: 10,
    maximum: 10_000,
    description: 'of the samples of known levels, at most one in so many is called novel; default 1,000',
  }),
})
export type NoveltyRule = Static<typeof NoveltyRule>

const level = name('level')

/** The fields that may change while a system lives, as a caller gives them. */
const changeable = {
  title: Type.Optional(name('name for people')),
  missing: Type.Optional(missing),
  stuck: Type.Optional(stuck),
  alarm: Type.Optional(GivenAlarmRule),
  alarms: Type.Optional(
    Type.Record(RuleName, Type.Union([GivenAlarmSetting, Type.Null()]), {
      ...strict,
      description: 'rules of alarms by name, each replacing the one before; null removes a rule (docs/alarms.md)',
    }),
  ),
  stale: Type.Optional(
    Type.Union([StaleRule, Type.Null()], {
      description: 'when data are stale; default {}: three intervals as the first samples came; null: never',
    }),
  ),
  queue: Type.Optional(Type.Partial(QueueWeights, strict)),
  ask: Type.Optional(Type.Union([AskRule, Type.Null()], { description: 'a rule, or null to ask about everything' })),
  promises: Type.Optional(
    Type.Partial(
      Type.Object({
        ...promiseRule,
        block,
        target: Type.Union([target, Type.Null()], {
          description: 'accuracy whose fall is an alarm; null or left out: what the first 5,000 samples certify',
        }),
      }),
      { ...strict, description: 'what is promised, how surely, and when a fall of accuracy is an alarm' },
    ),
  ),
  novelty: Type.Optional(
    Type.Union([Type.Partial(NoveltyRule, strict), Type.Null()], {
      description: 'find samples of none of the known levels, at this rate of false alarms; null: do not',
    }),
  ),
  ranges: Type.Optional(
    Type.Record(Type.String(), Type.Union([ChannelRange, Type.Null()]), {
      description: 'plausible values by channel name; null removes the range of a channel',
    }),
  ),
  units: Type.Optional(
    Type.Record(Type.String(), Type.Union([name('unit'), Type.Null()]), {
      description: 'units by channel name, such as bar; null removes the unit of a channel',
    }),
  ),
  late: Type.Optional(
    Type.Partial(
      Type.Object({ ...LateRule.properties, seconds: Type.Union([LateRule.properties.seconds, Type.Null()]) }),
      {
        ...strict,
        description: 'how long after a sample an answer is still taken; seconds null: no limit in time',
      },
    ),
  ),
  review: Type.Optional(
    Type.Partial(ReviewRule, { ...strict, description: 'how the answers of several people are brought together' }),
  ),
}

/** A change of a configuration as callers send it. The model cannot change: it is the fold of its whole log. */
export const GivenChange = Type.Object(
  {
    ...changeable,
    levels: Type.Optional(
      Type.Array(level, { minItems: 2, maxItems: 100, description: 'new names of the levels, as many, safest first' }),
    ),
    archived: Type.Optional(
      Type.Boolean({ description: 'true: the system is only read, and left out of the list; false: it goes on' }),
    ),
  },
  { ...strict, minProperties: 1 },
)
export type GivenChange = Static<typeof GivenChange>

/** A change as the log holds it: levels are indices. */
export const ConfigurationChange = Type.Object({
  ...GivenChange.properties,
  alarm: Type.Optional(Type.Partial(AlarmRule)),
  alarms: Type.Optional(Type.Record(RuleName, Type.Union([AlarmSetting, Type.Null()]))),
})
export type ConfigurationChange = Static<typeof ConfigurationChange>

const given = {
  channels: Type.Array(name('channel'), {
    minItems: 1,
    maxItems: 10_000,
    description: 'names, in the order of the numbers of a sample',
  }),
  levels: Type.Array(level, { minItems: 2, maxItems: 100, description: 'names, safest first' }),
  method: Type.Optional(name('a method of GET /v1/methods; pb-oel-plus where it is left out')),
  options: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'options of the method' })),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  ...changeable,
}

/** Everything about a new system but its name. */
const SystemRequest = Type.Object(given, strict)
export type SystemRequest = Static<typeof SystemRequest>

/** What a caller must and may say about a new system. */
export const NewSystem = Type.Object({ id: SystemId, ...given }, strict)
export type NewSystem = Static<typeof NewSystem>

/** What a system is and how it is assessed, complete: the `created` record holds it. */
export const Configuration = Type.Object({
  title: Type.String(),
  channels: Type.Array(Type.String()),
  levels: Type.Array(Type.String()),
  method: Type.String(),
  options: Type.Record(Type.String(), Type.Unknown()),
  seed: Type.Integer({ description: 'seed of all randomness of the assessor' }),
  missing,
  alarm: AlarmRule,
  alarms: Type.Optional(
    Type.Record(RuleName, AlarmSetting, { description: 'rules of alarms by name; absent in systems from before' }),
  ),
  stale: Type.Optional(StaleRule),
  queue: QueueWeights,
  ask: Type.Optional(AskRule),
  promises: Type.Optional(PromiseRule),
  novelty: Type.Optional(NoveltyRule),
  stuck: Type.Optional(stuck),
  ranges: Type.Optional(Type.Record(Type.String(), ChannelRange, { description: 'plausible values by channel name' })),
  units: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'units by channel name' })),
  late: Type.Optional(LateRule),
  review: Type.Optional(ReviewRule),
  archived: Type.Optional(Type.Boolean({ description: 'the system is only read, and left out of the list' })),
  edition: Type.Optional(
    Type.Union([Type.Literal(1), Type.Literal(2)], {
      description:
        'edition of method and asker that the system was created with; a log that names none is of the first',
    }),
  ),
})
export type Configuration = Static<typeof Configuration>
