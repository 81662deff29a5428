import { type Static, Type } from '@sinclair/typebox'
import { share } from './field.ts'
import { PromisesReport } from './promises.ts'

/** How much better any expert can have been (promise B of docs/promises.md). */
const regretBound = {
  value: Type.Number({ description: 'no expert was better by more than this, per sample' }),
  confidence: share('probability with which that holds, at all times at once'),
  samples: Type.Integer({ description: 'samples it speaks about, answered or not' }),
  terms: Type.Object(
    { against: Type.Number(), inFavour: Type.Number(), open: Type.Number(), chance: Type.Number() },
    {
      description:
        'what the value is made of, per sample, for the expert it is largest for: rejected samples of which the ' +
        'expert said something else, confirmed ones of which it did, open ones of which it did, what the coin may hide',
    },
  ),
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
      {
        ...regretBound,
        window: Type.Object(regretBound, { description: 'the same for the latest samples alone' }),
        sinceRefit: Type.Optional(
          Type.Object(
            { ...regretBound, refits: Type.Integer({ description: 'how often networks have been refitted' }) },
            { description: 'the same since a network was last refitted; absent before the first refit' },
          ),
        ),
      },
      { description: 'no expert was better by more than `value`, whatever the delays; absent without experts' },
    ),
  ),
  promises: Type.Optional(PromisesReport),
  secondsPerSample: Type.Optional(
    Type.Number({ description: 'mean time between the latest samples; turns a number of samples into a time' }),
  ),
})
export type Guarantee = Static<typeof Guarantee>
