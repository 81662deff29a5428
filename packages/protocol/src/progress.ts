import { type Static, Type } from '@sinclair/typebox'
import { milliseconds, nullable, sequence, share } from './field.ts'

/** How a system was doing after an answer. Fields that its method does not have are left out. */
export const ProgressPoint = Type.Object({
  sequence: Type.Integer({ ...sequence, description: 'number of the record of the answer' }),
  time: milliseconds('arrival of the answer'),
  accuracy: nullable(share('of answered assessments that were right')),
  recentAccuracy: nullable(share('the same over the latest 500')),
  certified: Type.Optional(share('at least this share of all assessments was right, with the confidence promised')),
  ultimate: Type.Optional(Type.Number()),
  bestExpertAccuracy: Type.Optional(Type.Number()),
  value: Type.Optional(Type.Number()),
  applies: Type.Boolean(),
  weights: Type.Optional(Type.Array(Type.Number(), { description: 'shares of the experts, to four digits' })),
  restarts: Type.Optional(Type.Integer()),
})
export type ProgressPoint = Static<typeof ProgressPoint>

/** Accuracy, guarantee and weights so far, point by point. */
export const Progress = Type.Object({ points: Type.Array(ProgressPoint, { description: 'oldest first' }) })
export type Progress = Static<typeof Progress>
