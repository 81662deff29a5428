import { type Static, Type } from '@sinclair/typebox'

const regretBound = {
  value: Type.Number({ description: 'no expert was better by more than this, per sample' }),
  confidence: Type.Number({ description: 'probability with which that holds, at all times at once' }),
  samples: Type.Integer({ description: 'samples it speaks about, answered or not' }),
  terms: Type.Record(Type.String(), Type.Number(), { description: 'what the value is made of, per sample' }),
}

/** Bound, regret and whether the assumptions hold, for the rounds so far. */
export const Guarantee = Type.Object({
  applies: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'why it does not apply' })),
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
  regretWithConfidence: Type.Optional(
    Type.Object(
      { ...regretBound, window: Type.Object(regretBound, { description: 'the same for the latest samples alone' }) },
      { description: 'how much better any expert was at most, whatever the delays' },
    ),
  ),
})
export type Guarantee = Static<typeof Guarantee>
