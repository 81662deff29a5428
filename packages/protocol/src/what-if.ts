import { type Static, Type } from '@sinclair/typebox'
import { by, milliseconds, name, nullable, share, strict } from './field.ts'

/** Another model that is to run over a log. */
export const GivenWhatIf = Type.Object(
  {
    method: Type.Optional(name('a method of GET /v1/methods; left out: the one of the system')),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'options of the method' })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  strict,
)
export type GivenWhatIf = Static<typeof GivenWhatIf>

/** What ran beside what would have run, over the answers that tell about both. */
export const WhatIfResult = Type.Object({
  system: Type.String(),
  method: Type.String(),
  options: Type.Record(Type.String(), Type.Unknown()),
  samples: Type.Integer({ description: 'that both models have seen' }),
  excluded: Type.Integer({ description: 'samples that the recorded model was made to forget' }),
  agreement: Type.Integer({ description: 'samples with the same level' }),
  comparable: Type.Integer({ description: 'answers about both models' }),
  undecided: Type.Integer({ description: 'answers about the recorded model only' }),
  recordedAccuracy: nullable(share('of the recorded model, by these answers')),
  whatIfAccuracy: nullable(share('of the other model, by these answers')),
})
export type WhatIfResult = Static<typeof WhatIfResult>

/** How often a reviewer is right, as far as second opinions tell. */
export const Reliability = Type.Object(
  {
    estimate: share('of their answers that are right'),
    low: share('lower end of a range that holds it with 90 % probability'),
    high: share('upper end'),
  },
  { description: 'of a reviewer with second opinions, under the model of docs/people.md' },
)
export type Reliability = Static<typeof Reliability>

/** What one reviewer has said. */
export const ReviewerRecord = Type.Object({
  by,
  answers: Type.Integer({ description: 'single answers and corrections' }),
  right: Type.Integer({ description: 'of them, that the assessment was right, also by naming its level' }),
  stretches: Type.Integer(),
  stretchAnswers: Type.Integer({ description: 'samples that the stretches answered' }),
  corrected: Type.Integer({ description: 'single answers of theirs that somebody else has replaced by another one' }),
  cannotTell: Type.Integer({ description: 'questions that they could not tell' }),
  compared: Type.Integer({ description: 'answers of theirs that were compared with a second opinion, or are one' }),
  agreed: Type.Integer({ description: 'of them, that say the same' }),
  reliability: Type.Optional(Reliability),
  latest: milliseconds('of the latest of them'),
})
export type ReviewerRecord = Static<typeof ReviewerRecord>

/** All reviewers of a system, who said most first. */
export const ReviewerList = Type.Object({ reviewers: Type.Array(ReviewerRecord) })
export type ReviewerList = Static<typeof ReviewerList>
