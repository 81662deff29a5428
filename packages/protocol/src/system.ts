import { type Static, Type } from '@sinclair/typebox'
import { Alarm } from './alarm.ts'
import { Configuration, SystemId } from './configuration.ts'
import { level, milliseconds, nullable, sequence, share } from './field.ts'
import { Guarantee } from './guarantee.ts'
import { degraded } from './sample.ts'

/** One row of the list of systems. While a system is not ready, what the latest sample says is `null`. */
export const SystemSummary = Type.Object({
  id: SystemId,
  title: Type.String(),
  levels: Type.Array(Type.String(), { description: 'names, safest first' }),
  ready: Type.Boolean({ description: 'false while the system takes no events, such as with a full disk' }),
  reason: Type.Optional(
    Type.String({ description: 'why the system is not ready, or which damage was found in its log' }),
  ),
  sequence: Type.Integer({ ...sequence, description: 'number of the latest record' }),
  level: nullable(level),
  levelName: nullable(Type.String()),
  likely: nullable(Type.Integer({ description: 'the most probable level; the assessed one may be drawn to learn' })),
  confidence: nullable(share('how strongly the model supports the level')),
  probabilities: Type.Array(Type.Number()),
  alarm: Alarm,
  degraded,
  lastSampleTime: nullable(milliseconds('arrival of the latest sample')),
  lastSampleAge: nullable(Type.Number({ description: 'seconds since then' })),
  samples: Type.Integer(),
  openQuestions: Type.Integer(),
  accuracy: nullable(share('share of answered assessments that were right')),
  recentAccuracy: nullable(share('the same over the latest 500')),
})
export type SystemSummary = Static<typeof SystemSummary>

/** All systems that a caller may see. */
export const SystemList = Type.Object({ systems: Type.Array(SystemSummary) })
export type SystemList = Static<typeof SystemList>

/** The counts of what happened to a system. */
export const Tally = Type.Object({
  samples: Type.Integer(),
  degraded: Type.Integer({ description: 'samples with held channels' }),
  drifts: Type.Integer(),
  confirms: Type.Integer(),
  rejects: Type.Integer(),
  labels: Type.Integer(),
  corrections: Type.Integer(),
  right: Type.Integer(),
  wrong: Type.Integer(),
  misses: Type.Integer({ description: 'assessed safer than it was, as far as answers tell' }),
  falseAlarms: Type.Integer({ description: 'assessed less safe than it was, as far as answers tell' }),
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
})
export type SystemDetail = Static<typeof SystemDetail>

/** The state after a record. */
export const SystemState = Type.Object({
  system: SystemDetail,
  guarantee: Guarantee,
  stateHash: Type.String({ description: 'SHA-256 of the whole state; equal hashes, equal futures' }),
})
export type SystemState = Static<typeof SystemState>

/** A method that a system can be created with. */
export const MethodList = Type.Object({
  methods: Type.Array(Type.Object({ name: Type.String(), summary: Type.String() })),
})
export type MethodList = Static<typeof MethodList>
