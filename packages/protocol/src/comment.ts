import { type Static, Type } from '@sinclair/typebox'
import { assessmentNumber, by, key, milliseconds, name, sequence, strict } from './field.ts'

/** What a person writes for others, on one line. */
export const note = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description })

/** A comment on the moment of an assessment, as callers send it. */
export const GivenComment = Type.Object(
  {
    assessment: assessmentNumber,
    text: note('what others shall know about that moment'),
    key: Type.Optional(key),
    by: Type.Optional(name('who; counts only on a server without tokens')),
  },
  { ...strict, description: 'what a person remarks on the moment of an assessment; the model does not learn from it' },
)
export type GivenComment = Static<typeof GivenComment>

/** A comment as the log holds it. */
export const CommentBody = Type.Object({
  assessment: assessmentNumber,
  text: Type.String(),
  key: Type.Optional(key),
  by,
})
export type CommentBody = Static<typeof CommentBody>

/** A comment, or the note of somebody who could not tell. */
export const Comment = Type.Object({
  assessment: assessmentNumber,
  text: Type.String(),
  cannotTell: Type.Optional(Type.Boolean({ description: 'true: the note of somebody who could not tell' })),
  by,
  sequence,
  time: milliseconds('arrival'),
})
export type Comment = Static<typeof Comment>

/** The comments on a moment, oldest first. */
export const CommentList = Type.Object({ comments: Type.Array(Comment) })
export type CommentList = Static<typeof CommentList>
