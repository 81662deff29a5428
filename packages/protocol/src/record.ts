import { type Static, Type } from '@sinclair/typebox'
import { ALARM_ACTIONS, AlarmChange, about, comment } from './alarm.ts'
import { Feedback } from './answer.ts'
import { AssessmentBody } from './assessment.ts'
import { AssignmentBody } from './assignment.ts'
import { AddedChannel } from './channel.ts'
import { ClockChange } from './clock.ts'
import { CommentBody } from './comment.ts'
import { Configuration, ConfigurationChange } from './configuration.ts'
import { ExclusionBody } from './exclusion.ts'
import { by, milliseconds, sequence } from './field.ts'
import { AddedLevel } from './level.ts'
import { AbstentionBody, SecondOpinionBody } from './opinion.ts'
import { RECORD_KINDS } from './record-kind.ts'
import { ROLES } from './role.ts'
import { Sample } from './sample.ts'
import { StretchBody, WithdrawalBody } from './stretch.ts'
import { Token } from './token.ts'
import { word } from './word.ts'

/** The version of the bodies that are written now. */
export const RECORD_VERSION = 2

const StoredToken = Type.Object({ ...Token.properties, roles: Type.Array(word(ROLES)), sha256: Type.String() })

/** What the records of each kind hold, beside their version. */
export const RECORD_BODIES = {
  created: Type.Object({
    configuration: Configuration,
    by,
    from: Type.Optional(
      Type.Object(
        { system: Type.String(), sequence },
        { description: 'the system it was cloned from, and the last record that counts there' },
      ),
    ),
    state: Type.Optional(
      Type.String({ description: 'the state that it began with, in base64; left out: a fresh one' }),
    ),
  }),
  sample: Sample,
  assessment: AssessmentBody,
  feedback: Feedback,
  correction: Feedback,
  configuration: Type.Object({ change: ConfigurationChange, by }),
  channel: AddedChannel,
  level: AddedLevel,
  alarm: AlarmChange,
  acknowledgement: Type.Object({
    about,
    number: Type.Integer({ description: 'of the alarm' }),
    comment,
    by,
  }),
  'alarm-action': Type.Object({
    about,
    action: word(ALARM_ACTIONS),
    seconds: Type.Optional(Type.Number({ description: 'longest time on the shelf' })),
    oneShot: Type.Optional(Type.Boolean({ description: 'true: it ends as soon as the alarm does' })),
    comment,
    by,
  }),
  exclusion: ExclusionBody,
  stretch: StretchBody,
  withdrawal: WithdrawalBody,
  abstention: AbstentionBody,
  'second-opinion': SecondOpinionBody,
  comment: CommentBody,
  assignment: AssignmentBody,
  clock: ClockChange,
  tick: Type.Object({
    due: Type.Array(Type.String(), {
      description:
        'the alarms that time raises; `name/later` where time ends a shelf, calls again or escalates instead',
    }),
  }),
  snapshot: Type.Object({ sequence, sha256: Type.String({ description: 'of the state' }) }),
  compaction: Type.Object({
    through: Type.Integer({ description: 'number of the last record removed' }),
    hash: Type.String({ description: 'its hash' }),
    by,
  }),
  deletion: Type.Object({
    system: Type.String({ description: 'its name' }),
    first: Type.Integer({ description: 'number of the first record that was removed' }),
    last: Type.Integer({ description: 'number of the last one' }),
    hash: Type.String({ description: 'hash of the last one' }),
    by,
  }),
  token: Type.Union([
    Type.Object({ action: Type.Literal('created'), token: StoredToken }),
    Type.Object({ action: Type.Literal('revoked'), id: Type.String(), by }),
    Type.Object({
      action: Type.Literal('limited'),
      id: Type.String(),
      expires: milliseconds('when it ends by itself'),
      by,
    }),
  ]),
}

/** The bodies by kind. */
export type RecordBodies = { [K in keyof typeof RECORD_BODIES]: Static<(typeof RECORD_BODIES)[K]> }

/** What happened to a system: the kind of a record with its body. */
export type SystemEvent = {
  [K in Exclude<keyof RecordBodies, ServerKind>]: { kind: K; body: RecordBodies[K] }
}[Exclude<keyof RecordBodies, ServerKind>]

/** Kinds of the server's own log. */
type ServerKind = 'token' | 'deletion'

/** A record as `/log` shows it, whatever version it was written in. */
export const LogRecord = Type.Object({
  sequence,
  time: milliseconds('arrival'),
  kind: word(RECORD_KINDS),
  body: Type.Record(Type.String(), Type.Unknown(), {
    description: `version ${RECORD_VERSION} of what this kind holds`,
  }),
  hash: Type.String({ description: 'SHA-256 over the hash of the record before and this record as it was written' }),
})
export type LogRecord = Static<typeof LogRecord>

/** A page of the log. */
export const LogPage = Type.Object({
  first: Type.Integer({ description: 'first record that is kept' }),
  last: Type.Integer(),
  records: Type.Array(LogRecord),
  next: Type.Optional(Type.Integer({ description: 'the from (or, latest first, the to) of the next page' })),
})
export type LogPage = Static<typeof LogPage>
