import { type Static, Type } from '@sinclair/typebox'
import { Alarm, ListedAlarm } from './alarm.ts'
import { Configuration, SystemId } from './configuration.ts'
import { Explanation } from './explanation.ts'
import { level, milliseconds, nullable, sequence, share } from './field.ts'
import { Guarantee } from './guarantee.ts'
import { degraded } from './sample.ts'
import { word } from './word.ts'

/**
 * One row of the list of systems. While a system is not ready or untrained, nothing is said of the latest sample: its
 * fields are `null`.
 */
export const SystemSummary = Type.Object({
  id: SystemId,
  title: Type.String(),
  levels: Type.Array(Type.String(), { description: 'names, safest first' }),
  archived: Type.Optional(Type.Boolean({ description: 'true: the system is only read' })),
  ready: Type.Boolean({ description: 'false while the system takes no events, such as with a full disk' }),
  reason: Type.Optional(
    Type.String({ description: 'why the system is not ready, or which damage was found in its log' }),
  ),
  sequence: Type.Integer({ ...sequence, description: 'number of the latest record' }),
  trained: Type.Boolean({
    description:
      'false while too little has been learned for any level to be a finding; true in systems without promises',
  }),
  level: nullable(level),
  levelName: nullable(Type.String()),
  likely: nullable(Type.Integer({ description: 'the most probable level; the assessed one may be drawn to learn' })),
  safeSide: nullable(
    Type.Integer({ description: 'lowest level that keeps misses below their target; null without promises' }),
  ),
  confidence: nullable(share('probability that the assessed level is right, recalibrated by the answers')),
  probabilities: Type.Array(Type.Number(), { description: 'how much weight stands behind each level; they sum to 1' }),
  novel: Type.Optional(
    Type.Boolean({
      description: 'whether the latest sample is of none of the known levels; absent where nobody looks',
    }),
  ),
  alarm: Alarm,
  accuracyAlarm: Type.Optional(Alarm),
  staleAlarm: Type.Optional(Alarm),
  alarms: Type.Array(ListedAlarm, { description: 'the alarms of all rules, those three among them' }),
  degraded,
  lastSampleTime: nullable(milliseconds('arrival of the latest sample')),
  lastSampleAge: nullable(Type.Number({ description: 'seconds since then, by the monotonic clock of the server' })),
  stale: Type.Boolean({ description: 'true while nothing has come for longer than `staleAfter`' }),
  staleAfter: nullable(
    Type.Number({ description: 'seconds without a sample after which data are stale; null while there is no rate' }),
  ),
  now: milliseconds('time of a record that would be written now'),
  samples: Type.Integer(),
  openQuestions: Type.Integer(),
  assignedTo: Type.Optional(Type.String({ description: 'who shall answer its questions; left out: anybody' })),
  accuracy: nullable(share('of assessments that were right, from the answers, each counted 1/π-fold')),
  recentAccuracy: nullable(share('the same over the latest 500 answers')),
  answersMissing: Type.Integer({ description: 'answers that it needs at least before it is trained; 0 once it is' }),
  estimated: Type.Boolean({ description: 'true where questions are chosen, so that accuracies are estimates' }),
  certifiedAccuracy: nullable(
    share('accuracy that is certain with the confidence of the promises; null before the first sample'),
  ),
})
export type SystemSummary = Static<typeof SystemSummary>

/** All systems that a caller may see. */
export const SystemList = Type.Object({ systems: Type.Array(SystemSummary) })
export type SystemList = Static<typeof SystemList>

/** The counts of what happened to a system: of the answers as they are, not of what they stand for. */
export const Tally = Type.Object({
  samples: Type.Integer(),
  degraded: Type.Integer({ description: 'samples with held channels or channels outside their range' }),
  drifts: Type.Integer(),
  confirms: Type.Integer(),
  rejects: Type.Integer(),
  labels: Type.Integer(),
  corrections: Type.Integer(),
  right: Type.Integer(),
  wrong: Type.Integer(),
  misses: Type.Integer({ description: 'assessed safer than it was, as far as answers tell' }),
  falseAlarms: Type.Integer({ description: 'assessed less safe than it was, as far as answers tell' }),
  abstentions: Type.Optional(Type.Integer({ description: 'times that a reviewer could not tell; left out: none' })),
  secondOpinions: Type.Optional(Type.Integer({ description: 'left out: none' })),
})
export type Tally = Static<typeof Tally>

/** Everything about one system. */
export const SystemDetail = Type.Object({
  ...SystemSummary.properties,
  configuration: Configuration,
  counts: Tally,
  weights: Type.Optional(Type.Array(Type.Number(), { description: 'shares of the experts: normalised weights' })),
  restarts: Type.Optional(Type.Integer({ description: 'how often the weights have restarted' })),
  lastValues: Type.Array(Type.Number()),
  novelty: Type.Optional(
    Type.Object({
      samples: Type.Integer({ description: 'samples that were called novel' }),
      answersMissing: Type.Integer({ description: 'answers needed before any sample can be; 0 once it can' }),
    }),
  ),
  excluded: Type.Optional(Type.Integer({ description: 'samples that the model was made to forget; absent: none' })),
})
export type SystemDetail = Static<typeof SystemDetail>

/** The state after a record. */
export const SystemState = Type.Object({
  system: SystemDetail,
  guarantee: Guarantee,
  stateHash: Type.String({ description: 'SHA-256 of the whole state; equal hashes, equal futures' }),
  explanation: Type.Optional(Explanation),
})
export type SystemState = Static<typeof SystemState>

/** An option of a method: what a form needs to ask for it and to check it. */
const MethodOption = Type.Object({
  name: Type.String(),
  kind: word(['number', 'integer', 'flag', 'choice', 'json']),
  about: Type.String({ description: 'one sentence that says what it does' }),
  allowed: Type.String({ description: 'the accepted values in words' }),
  above: Type.Optional(Type.Number({ description: 'numbers must be above this' })),
  from: Type.Optional(Type.Number({ description: 'numbers must be at least this' })),
  to: Type.Optional(Type.Number({ description: 'numbers must be at most this' })),
  words: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Boolean(), Type.Number()]))),
  default: Type.Optional(Type.Unknown()),
  otherwise: Type.Optional(Type.String({ description: 'the default in words, where it depends on other options' })),
  required: Type.Optional(Type.Boolean()),
  formerly: Type.Optional(Type.String({ description: 'an earlier name that is still accepted' })),
})

/** The methods that a system can be created with. */
export const MethodList = Type.Object({
  methods: Type.Array(
    Type.Object({
      name: Type.String({ description: 'what a configuration calls it: a name, or the path of a module' }),
      title: Type.String(),
      role: word(['method', 'rival', 'baseline']),
      summary: Type.String(),
      options: Type.Array(MethodOption),
    }),
  ),
})
export type MethodList = Static<typeof MethodList>
