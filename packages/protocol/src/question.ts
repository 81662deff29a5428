import { type Static, Type } from '@sinclair/typebox'
import { AssessedSample } from './assessment.ts'
import { milliseconds, name, share, strict } from './field.ts'

/** A question taken by one reviewer for a short time. */
export const Claim = Type.Object({ by: Type.String(), until: milliseconds('end of the claim') })
export type Claim = Static<typeof Claim>

/** How a caller takes a question. */
export const NewClaim = Type.Object(
  { seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })), by: Type.Optional(name('who')) },
  strict,
)
export type NewClaim = Static<typeof NewClaim>

/** Why a question is worth an answer. */
export const Reasons = Type.Object({
  uncertainty: share('1 − distance of the two most probable levels'),
  disagreement: share('entropy of the votes: 0 when all experts agree, 1 when they are evenly spread'),
  level: share('how unsafe'),
  freshness: share('1 for the newest, 0 for the next one to be dropped'),
})
export type Reasons = Static<typeof Reasons>

/** An assessment that reviewers are asked about: nobody has answered, or a second opinion is wanted. */
export const Question = Type.Object({
  ...AssessedSample.properties,
  worth: share('weighted mean of the reasons; 1 for a novel sample'),
  reasons: Reasons,
  votes: Type.Array(Type.Integer(), { description: 'how many experts voted for each level' }),
  age: Type.Number({ description: 'seconds since the assessment' }),
  claim: Type.Optional(Claim),
  second: Type.Optional(
    Type.Boolean({ description: 'true: somebody else has answered, and a second opinion is wanted' }),
  ),
  cannotTell: Type.Optional(Type.Integer({ description: 'reviewers who could not tell; left out: none' })),
  assignedTo: Type.Optional(Type.String({ description: 'who shall answer it; left out: anybody' })),
})
export type Question = Static<typeof Question>

/** The review queue. */
export const Queue = Type.Object({
  open: Type.Integer({ description: 'open questions, shown or not' }),
  questions: Type.Array(Question, { description: 'the one whose answer is worth most first' }),
})
export type Queue = Static<typeof Queue>
