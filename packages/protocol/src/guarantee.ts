import { type Static, Type } from '@sinclair/typebox'

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
})
export type Guarantee = Static<typeof Guarantee>
