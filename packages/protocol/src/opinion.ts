import { type Static, Type } from '@sinclair/typebox'
import { kind } from './answer-kind.ts'
import { assessmentNumber, by, key, level, milliseconds } from './field.ts'
import { word } from './word.ts'

const at = Type.Optional(milliseconds('clock of the reviewer'))

/** A reviewer cannot tell, as the log holds it: the model learns nothing, and others are still asked. */
export const AbstentionBody = Type.Object({
  assessment: assessmentNumber,
  note: Type.Optional(Type.String({ description: 'why the reviewer could not tell' })),
  at,
  key: Type.Optional(key),
  by,
})
export type AbstentionBody = Static<typeof AbstentionBody>

/**
 * What a second reviewer says of an answered assessment without knowing the first answer, as the log holds it. The
 * first answer goes on counting; the two are compared.
 */
export const SecondOpinionBody = Type.Object({
  assessment: assessmentNumber,
  kind,
  level: Type.Optional(Type.Integer({ ...level, description: 'the true level; with `label`' })),
  of: Type.String({ description: 'who gave the first answer' }),
  compared: word(['verdict', 'level'], 'level where both named one; otherwise whether the assessment was right'),
  agrees: Type.Boolean({ description: 'whether both say the same, as far as they can be compared' }),
  at,
  key: Type.Optional(key),
  by,
})
export type SecondOpinionBody = Static<typeof SecondOpinionBody>
