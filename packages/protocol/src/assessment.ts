import { type Static, Type } from '@sinclair/typebox'
import { Answer } from './answer.ts'
import { assessmentNumber, level, milliseconds, sequence, share } from './field.ts'
import { degraded, Sample } from './sample.ts'
import { word } from './word.ts'

/** What was asked about an assessment, and with which probability. */
export const Asked = Type.Object({
  kind: word(['verdict', 'label'], 'right or wrong, or the level'),
  probability: share('with which it was asked'),
})
export type Asked = Static<typeof Asked>

/** Whether a sample is of one of the known levels at all. */
export const NoveltyFinding = Type.Object({
  pValue: share('how rare a sample of a known level is that lies as far off as this one'),
  novel: Type.Boolean({ description: 'true: the sample is of none of the known levels, at the stated rate' }),
})
export type NoveltyFinding = Static<typeof NoveltyFinding>

/** An assessment as the log holds it: names of levels and the likely level follow from it. */
export const AssessmentBody = Type.Object({
  assessment: assessmentNumber,
  level,
  probabilities: Type.Array(Type.Number(), {
    description: 'how much weight stands behind each level, of all experts together; they sum to 1',
  }),
  confidence: share(
    'probability that the assessed level is right, recalibrated by the answers so far; where there is no ' +
      'rawConfidence: what the model says',
  ),
  rawConfidence: Type.Optional(share('how strongly the model itself supports the assessed level')),
  safeSide: Type.Optional(
    Type.Integer({ ...level, description: 'lowest level that keeps misses below their target in the long run' }),
  ),
  trained: Type.Optional(
    Type.Boolean({ description: 'false while too little has been learned for any level to be a finding' }),
  ),
  novelty: Type.Optional(NoveltyFinding),
  experts: Type.Array(Type.Integer(), { description: 'the level each expert voted for' }),
  drifts: Type.Optional(Type.Array(Type.Integer(), { description: 'experts refitted because of drift' })),
  asked: Type.Optional(
    Type.Union([Asked, Type.Literal(false)], {
      description: 'where the system chooses its questions: what is asked, or false when nothing is',
    }),
  ),
})
export type AssessmentBody = Static<typeof AssessmentBody>

/** What an assessor says of one sample. */
export const Assessment = Type.Object({
  ...AssessmentBody.properties,
  trained: Type.Boolean({
    description:
      'false while too little has been learned for any level to be a finding; true in systems without promises',
  }),
  levelName: Type.String(),
  likely: Type.Integer({ ...level, description: 'the most probable level; the assessed one may be drawn to learn' }),
  degraded: Type.Optional(degraded),
  sequence: Type.Integer({ ...sequence, description: 'number of the record of the sample' }),
  time: milliseconds('arrival'),
})
export type Assessment = Static<typeof Assessment>

/** The answer to a sample, sent when it is on disk. */
export const AssessmentReceipt = Type.Object({
  ...Assessment.properties,
  repeated: Type.Optional(Type.Boolean({ description: 'the key was used before; this is the first answer' })),
})
export type AssessmentReceipt = Static<typeof AssessmentReceipt>

/** A sample with its assessment and, where that is known, the answer. */
export const AssessedSample = Type.Object({
  ...Assessment.properties,
  ...Sample.properties,
  answer: Type.Optional(Answer),
})
export type AssessedSample = Static<typeof AssessedSample>

/** A page of earlier samples. */
export const AssessedSamples = Type.Object({
  samples: Type.Array(AssessedSample, { description: 'oldest first' }),
  thinned: Type.Boolean({ description: 'there are more; these are spread evenly over them' }),
})
export type AssessedSamples = Static<typeof AssessedSamples>
