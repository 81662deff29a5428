import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ROLES } from '../auth/roles.ts'
import { RECORD_KINDS } from '../log/record.ts'

/** The shapes of requests and answers: checked on arrival, and the source of /openapi.json. */

const strict = { additionalProperties: false } as const
const word = <T extends string>(words: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...words] })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const nullable = <
  T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>,
>(
  schema: T,
) => Type.Union([schema, Type.Null()])

const beforeAfter = <T extends TSchema>(items: T) =>
  Type.Unsafe<[Static<T>, Static<T>]>({
    type: 'array',
    items,
    minItems: 2,
    maxItems: 2,
    description: 'before and after',
  })

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description })
const milliseconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: `${description}, milliseconds since 1970` })
const sequence = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'number of a record in the log of the system',
})

export const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
  },
  { description: 'a problem document, RFC 9457' },
)

const SystemId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'letters, digits, dot, dash and underscore, at most 64',
})
export const SystemParams = Type.Object({ id: SystemId })
export const AssessmentParams = Type.Object({
  id: SystemId,
  assessment: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})

const level = Type.Integer({ minimum: 0, maximum: 1000, description: 'index of a level; 0 is the safest' })
const seconds = Type.Number({ minimum: 0, maximum: 1e6 })
const weight = Type.Number({ minimum: 0, maximum: 1e6 })

const AlarmRule = Type.Object({
  level: Type.Integer({ minimum: 1, maximum: 1000, description: 'raised at this level or above' }),
  raiseAfter: seconds,
  clearBelow: Type.Integer({ minimum: 1, maximum: 1000 }),
  clearAfter: seconds,
})
const QueueWeights = Type.Object({ uncertainty: weight, disagreement: weight, level: weight, freshness: weight })

const AskRule = Type.Object(
  {
    strategy: Type.Optional(name('random, margin, disagreement, weight-change or drift; default margin')),
    perThousand: Type.Optional(Type.Number({ description: 'questions per thousand samples; default 50' })),
    question: Type.Optional(word(['verdict', 'label', 'auto'])),
    labelPrice: Type.Optional(Type.Number({ description: 'a question for the label counts as so many; default 3' })),
    floor: Type.Optional(Type.Number({ description: 'share of the budget for all samples alike; default 0.2' })),
  },
  { ...strict, description: 'choose what people are asked, within a budget, in place of asking about everything' },
)

const changeable = {
  title: Type.Optional(name('name for people')),
  missing: Type.Optional(word(['hold', 'reject'])),
  alarm: Type.Optional(Type.Partial(AlarmRule, strict)),
  queue: Type.Optional(Type.Partial(QueueWeights, strict)),
  ask: Type.Optional(Type.Union([AskRule, Type.Null()])),
}

export const ChangeSchema = Type.Object(changeable, { ...strict, minProperties: 1 })

export const NewSystemSchema = Type.Object(
  {
    id: SystemId,
    channels: Type.Array(name('channel'), { minItems: 1, maxItems: 10_000 }),
    levels: Type.Array(name('level'), { minItems: 2, maxItems: 100, description: 'safest first' }),
    method: Type.Optional(name('a method of GET /v1/methods')),
    options: Type.Optional(Type.Record(Type.String(), Type.Any(), { description: 'options of the method' })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    ...changeable,
  },
  strict,
)

const Configuration = Type.Object({
  title: Type.String(),
  channels: Type.Array(Type.String()),
  levels: Type.Array(Type.String()),
  method: Type.String(),
  options: Type.Any(),
  seed: Type.Integer(),
  missing: word(['hold', 'reject']),
  alarm: AlarmRule,
  queue: QueueWeights,
  ask: Type.Optional(AskRule),
})

const Alarm = Type.Object({
  number: Type.Integer({ description: 'alarms are numbered 1, 2, 3, …; 0 before the first' }),
  status: word(['normal', 'active', 'acknowledged', 'returned']),
  level,
  since: milliseconds('latest change'),
  acknowledgedBy: Type.Optional(Type.String()),
})

export const SummarySchema = Type.Object({
  id: SystemId,
  title: Type.String(),
  levels: Type.Array(Type.String(), { description: 'names, safest first' }),
  ready: Type.Boolean({ description: 'false while the system takes no events, such as with a full disk' }),
  sequence,
  level: nullable(level),
  levelName: nullable(Type.String()),
  likely: nullable(Type.Integer({ description: 'the most probable level; the assessed one may be an exploration' })),
  confidence: nullable(share('how strongly the model supports the level')),
  probabilities: Type.Array(Type.Number()),
  alarm: Alarm,
  degraded: Type.Array(Type.String(), { description: 'channels whose last value is being held' }),
  lastSampleTime: nullable(milliseconds('arrival of the latest sample')),
  lastSampleAge: nullable(Type.Number({ description: 'seconds since then' })),
  samples: Type.Integer(),
  openQuestions: Type.Integer(),
  accuracy: nullable(share('share of answered assessments that were right')),
  recentAccuracy: nullable(share('the same over the latest 500')),
})

export const DetailSchema = Type.Intersect([
  SummarySchema,
  Type.Object({
    configuration: Configuration,
    counts: Type.Object({
      samples: Type.Integer(),
      degraded: Type.Integer(),
      drifts: Type.Integer(),
      confirms: Type.Integer(),
      rejects: Type.Integer(),
      labels: Type.Integer(),
      corrections: Type.Integer(),
      right: Type.Integer(),
      wrong: Type.Integer(),
      misses: Type.Integer({ description: 'assessed safer than it was, as far as answers tell' }),
      falseAlarms: Type.Integer({ description: 'assessed less safe than it was, as far as answers tell' }),
    }),
    weights: Type.Optional(Type.Array(Type.Number(), { description: 'normalised weights of the experts' })),
    restarts: Type.Optional(Type.Integer({ description: 'how often the weights have restarted' })),
    lastValues: Type.Array(Type.Number()),
  }),
])

const Key = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'idempotency key: a repeated request with the same key changes nothing and gives the first answer',
})

export const SampleSchema = Type.Object(
  {
    values: Type.Union([
      Type.Array(Type.Union([Type.Number(), Type.Null()]), { minItems: 1, maxItems: 10_000 }),
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()])),
    ]),
    at: Type.Optional(milliseconds('clock of the sensor')),
    key: Type.Optional(Key),
    mode: Type.Optional(word(['full', 'partial', 'unknown'])),
  },
  { ...strict, description: 'numbers in the order of the channels or by channel name; null or left out: missing' },
)

export const AssessmentSchema = Type.Object({
  assessment: Type.Integer({ description: 'names this assessment in feedback' }),
  level,
  levelName: Type.String(),
  likely: Type.Integer({ description: 'the most probable level' }),
  probabilities: Type.Array(Type.Number()),
  confidence: share('how strongly the model supports the level'),
  experts: Type.Array(Type.Integer(), { description: 'the level each expert voted for' }),
  drifts: Type.Optional(Type.Array(Type.Integer(), { description: 'experts rebuilt because of drift' })),
  asked: Type.Optional(
    Type.Union([
      Type.Object({ kind: word(['verdict', 'label']), probability: share('with which it was asked') }),
      Type.Literal(false),
    ]),
  ),
  degraded: Type.Optional(Type.Array(Type.String(), { description: 'channels whose last value was held' })),
  sequence,
  time: milliseconds('arrival'),
  repeated: Type.Optional(Type.Boolean({ description: 'the key was used before; this is the first answer' })),
})

export const FeedbackSchema = Type.Object(
  {
    assessment: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    answer: word(['confirm', 'reject', 'label']),
    level: Type.Optional(level),
    correction: Type.Optional(Type.Boolean({ description: 'replace an earlier answer' })),
    at: Type.Optional(milliseconds('clock of the person')),
    key: Type.Optional(Key),
    by: Type.Optional(name('who; counts only on a server without tokens')),
  },
  strict,
)

export const FeedbackAnswerSchema = Type.Object({
  assessment: Type.Integer(),
  kind: word(['feedback', 'correction']),
  sequence,
  time: milliseconds('arrival'),
  repeated: Type.Optional(Type.Boolean()),
  effect: Type.Optional(
    Type.Object({
      accuracy: beforeAfter(nullable(share('of answered assessments that were right'))),
      weights: Type.Optional(beforeAfter(Type.Array(Type.Number()))),
    }),
  ),
})

export const CourseSchema = Type.Object({
  points: Type.Array(
    Type.Object({
      sequence,
      time: milliseconds('arrival of the answer'),
      accuracy: nullable(share('of answered assessments that were right')),
      recentAccuracy: nullable(share('the same over the latest 500')),
      ultimate: Type.Optional(Type.Number()),
      bestExpertAccuracy: Type.Optional(Type.Number()),
      value: Type.Optional(Type.Number()),
      applies: Type.Boolean(),
      weights: Type.Optional(Type.Array(Type.Number())),
      restarts: Type.Optional(Type.Integer()),
    }),
  ),
})

const Answer = Type.Object({
  answer: word(['confirm', 'reject', 'label']),
  level: Type.Optional(level),
  by: Type.String(),
})

/** A sample with its assessment and, while it is kept, its answer. */
export const HistorySchema = Type.Object({
  ...AssessmentSchema.properties,
  values: Type.Array(Type.Number()),
  at: Type.Optional(milliseconds('clock of the sensor')),
  by: Type.String(),
  answer: Type.Optional(Answer),
})

const Lease = Type.Object({ by: Type.String(), until: milliseconds('end of the claim') })
export const LeaseSchema = Lease

export const QuestionSchema = Type.Object({
  ...HistorySchema.properties,
  worth: share('weighted mean of the reasons'),
  reasons: Type.Object({
    uncertainty: share('1 − distance of the two most probable levels'),
    disagreement: share('entropy of the votes: 0 all experts agree, 1 evenly spread'),
    level: share('how unsafe'),
    freshness: share('1 newest, 0 about to be dropped'),
  }),
  votes: Type.Array(Type.Integer(), { description: 'how many experts voted for each level' }),
  age: Type.Number({ description: 'seconds since the assessment' }),
  claim: Type.Optional(Lease),
})

export const GuaranteeSchema = Type.Object({
  applies: Type.Boolean(),
  reason: Type.Optional(Type.String()),
  rounds: Type.Optional(Type.Integer()),
  labelledRounds: Type.Optional(Type.Integer()),
  accuracy: Type.Optional(Type.Number()),
  ultimate: Type.Optional(Type.Number()),
  bestExpert: Type.Optional(Type.Integer()),
  bestExpertAccuracy: Type.Optional(Type.Number()),
  penalty: Type.Optional(Type.Number()),
  value: Type.Optional(
    Type.Number({ description: 'the expected accuracy is at least this, where the guarantee applies' }),
  ),
  regret: Type.Optional(Type.Number()),
})

export const RecordSchema = Type.Object({
  sequence,
  time: milliseconds('arrival'),
  kind: word(RECORD_KINDS),
  body: Type.Any(),
  hash: Type.String({ description: 'SHA-256 over the hash of the record before and this record' }),
})

export const StateSchema = Type.Object({
  system: DetailSchema,
  guarantee: GuaranteeSchema,
  stateHash: Type.String({ description: 'SHA-256 of the whole state; equal hashes, equal futures' }),
})

export const NewTokenSchema = Type.Object(
  {
    name: name('who uses it; stands in the log beside everything they do'),
    roles: Type.Array(word(ROLES), { minItems: 1, maxItems: 4 }),
    systems: Type.Optional(Type.Array(Type.Union([SystemId, Type.Literal('*')]), { minItems: 1, maxItems: 1000 })),
  },
  strict,
)

export const TokenSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  roles: Type.Array(word(ROLES)),
  systems: Type.Array(Type.String()),
  created: milliseconds('when'),
  createdBy: Type.String(),
})

/** Kinds of records in a query, separated by commas. */
export const KindsQuery = Type.String({
  maxLength: 200,
  pattern: `^(${RECORD_KINDS.join('|')})(,(${RECORD_KINDS.join('|')}))*$`,
  description: `of ${RECORD_KINDS.join(', ')}, separated by commas`,
})

/** The query of a list: numbers arrive as text. */
export const integerQuery = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

export { milliseconds, name, sequence, strict, word }
