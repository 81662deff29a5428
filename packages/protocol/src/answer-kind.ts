import type { Static } from '@sinclair/typebox'
import { word } from './word.ts'

/** What a reviewer can say of an assessment. */
export const kind = word(['confirm', 'reject', 'label'], 'right, wrong, or the true level itself')
export type AnswerKind = Static<typeof kind>

/** The same, or that the reviewer cannot tell. */
export const givenKind = word(
  ['confirm', 'reject', 'label', 'cannot-tell'],
  'right, wrong, the true level itself, or that the reviewer cannot tell, which teaches nothing',
)
