import { type Static, Type } from '@sinclair/typebox'
import { type AnswerKind, givenKind, kind } from './answer-kind.ts'
import { note } from './comment.ts'
import {
  assessmentNumber,
  by,
  key,
  level,
  levelOrName,
  milliseconds,
  moment,
  name,
  nullable,
  sequence,
  share,
  strict,
} from './field.ts'
import { readMoment } from './moment.ts'
import { InvalidShape, reader } from './reader.ts'

const at = Type.Optional(milliseconds('clock of the reviewer'))
const given = Type.Optional(
  Type.Integer({ ...level, description: 'the true level; with `label`, and with no other kind' }),
)

/** An answer as callers send it. */
export const GivenAnswer = Type.Object(
  {
    assessment: assessmentNumber,
    kind: givenKind,
    level: Type.Optional(levelOrName('the true level, with `label` and with no other kind')),
    note: Type.Optional(note('why the reviewer cannot tell; with `cannot-tell`, and with no other kind')),
    correction: Type.Optional(Type.Boolean({ description: 'replace an earlier answer' })),
    at: Type.Optional(moment('clock of the reviewer')),
    key: Type.Optional(key),
    by: Type.Optional(name('who; counts only on a server without tokens')),
  },
  {
    ...strict,
    description: 'what a reviewer says of one assessment; `answer`, the former name of `kind`, is still taken',
  },
)

/** An answer that says something of the level. */
export type ToldAnswer = GivenAnswer & { kind: AnswerKind; level?: number }

/** An answer that was checked: its moment is a number. */
export type GivenAnswer = Omit<Static<typeof GivenAnswer>, 'at'> & { at?: number }

/** An answer as the log holds it; the kind of the record says whether it is a correction. */
export const Feedback = Type.Object({
  assessment: assessmentNumber,
  kind,
  level: given,
  at,
  key: Type.Optional(key),
  by,
})
export type Feedback = Static<typeof Feedback>

/** An answer as it happens. */
export const AnswerEvent = Type.Object({
  ...Feedback.properties,
  correction: Type.Optional(Type.Boolean({ description: 'it replaced an earlier answer' })),
  sequence,
  time: milliseconds('arrival'),
})
export type AnswerEvent = Static<typeof AnswerEvent>

/** The answer that counts, beside the assessment it is about. */
export const Answer = Type.Object({ kind, level: given, by })
export type Answer = Static<typeof Answer>

const beforeAfter = <T>(items: object) =>
  Type.Unsafe<[T, T]>(Type.Array(items as never, { minItems: 2, maxItems: 2, description: 'before and after' }))

/** What an answer changed at once. */
export const AnswerEffect = Type.Object({
  accuracy: beforeAfter<number | null>(nullable(share('of answered assessments that were right'))),
  weights: Type.Optional(beforeAfter<number[]>(Type.Array(Type.Number()))),
})
export type AnswerEffect = Static<typeof AnswerEffect>

/** Says that an answer is on disk, and learned where it teaches anything. */
export const AnswerReceipt = Type.Object({
  assessment: assessmentNumber,
  kind: givenKind,
  correction: Type.Optional(Type.Boolean({ description: 'it replaced an earlier answer' })),
  second: Type.Optional(Type.Boolean({ description: 'it is a second opinion: the first answer goes on counting' })),
  sequence,
  time: milliseconds('arrival'),
  repeated: Type.Optional(Type.Boolean({ description: 'the key was used before; this is the first receipt' })),
  effect: Type.Optional(AnswerEffect),
})
export type AnswerReceipt = Static<typeof AnswerReceipt>

const readGiven = reader(GivenAnswer, 'answer')

/** Checks an answer that a caller sent. The only place that takes `answer`, the former name of `kind`. */
export function readAnswer(value: unknown): GivenAnswer {
  const answer = readGiven(withPresentName(value))
  if ((answer.kind === 'label') !== (answer.level !== undefined)) {
    throw new InvalidShape('answer', '/level', 'a level belongs to the kind label, and to no other')
  }
  if (answer.note !== undefined && answer.kind !== 'cannot-tell') {
    throw new InvalidShape('answer', '/note', 'a note belongs to the kind cannot-tell; send a comment for any other')
  }
  if (answer.kind === 'cannot-tell' && answer.correction) {
    throw new InvalidShape('answer', '/correction', 'an answer is corrected by another answer, not by cannot-tell')
  }
  const { at, ...rest } = answer
  return at === undefined ? rest : { ...rest, at: readMoment(at, 'answer/at') }
}

function withPresentName(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !('answer' in value)) return value
  if ('kind' in value) throw new InvalidShape('answer', '/answer', 'this is the former name of kind; send kind alone')
  const { answer, ...rest } = value
  return { ...rest, kind: answer }
}
