import { type Static, Type } from '@sinclair/typebox'
import { assessmentNumber, nullable, share } from './field.ts'

/** What random checks certify, at all times at once (promise C of docs/promises.md). */
export const Certificate = Type.Object({
  samples: Type.Integer({ description: 'samples that it speaks about' }),
  checks: Type.Integer({ description: 'samples among them that were asked about' }),
  wrong: Type.Integer({ description: 'checks that found a mistake, with those that nobody has answered' }),
  confidence: share('probability with which the statement holds'),
  wrongAtMost: Type.Number({ description: 'at most this many of the samples are wrong' }),
  certified: share('at least this share of the samples is right; 0 before the first sample'),
  estimate: share('the share estimated from the answers, each counted 1/π-fold; no bound; 0 before the first answer'),
})
export type Certificate = Static<typeof Certificate>

/** Shares of the samples, estimated from the answers: each counts 1/π-fold, so that chosen questions bias nothing. */
export const Outcomes = Type.Object({
  weight: Type.Number({ description: 'how many samples the answers stand for' }),
  accuracy: share('of samples that were right'),
  misses: share('of samples assessed safer than they were'),
  falseAlarms: share('of samples assessed less safe than they were'),
  wrong: share('of samples that were wrong in a direction nobody told'),
})
export type Outcomes = Static<typeof Outcomes>

/** One bin of the reliability curve. */
const ReliabilityBin = Type.Object({
  from: share('where the bin begins'),
  to: share('where it ends'),
  weight: Type.Number({ description: 'how many samples the answers in it stand for' }),
  confidence: share('mean confidence that was shown'),
  accuracy: share('of them that were right'),
})

/** What is promised whatever the method, and what the promises stand on (docs/promises.md). */
export const PromisesReport = Type.Object({
  trained: Type.Boolean({ description: 'false while too little has been learned for any level to be a finding' }),
  answersPerLevel: Type.Array(Type.Integer(), { description: 'how often each level has been told' }),
  answersNeeded: Type.Integer({
    description: 'a system is trained when every level that has been told was told so often',
  }),
  since: Type.Integer({
    ...assessmentNumber,
    description: 'first assessment that the certificates speak about; a change of the rules begins them anew',
  }),
  accuracy: Certificate,
  windowAccuracy: Certificate,
  misses: Type.Object(Certificate.properties, { description: 'the same where only misses count as wrong' }),
  windowMisses: Certificate,
  window: Type.Integer({ description: 'the certificates of the window speak about half to all of so many samples' }),
  estimated: Type.Boolean({ description: 'true where questions are chosen, so that outcomes are estimates' }),
  outcomes: Outcomes,
  levels: Type.Array(Outcomes, { description: 'the same over the samples assessed as each level' }),
  missTarget: share('of the safe-side levels that may be safer than the truth, in the long run'),
  reliability: Type.Array(ReliabilityBin, { description: 'what became of each confidence that was shown' }),
  calibrationError: share('expected calibration error of the confidence'),
  rawCalibrationError: share('the same of the raw confidence'),
  falls: Type.Integer({ description: 'how often accuracy was found to have fallen' }),
  keptAccuracy: nullable(share('accuracy whose fall raises an alarm; null while it is still being measured')),
})
export type PromisesReport = Static<typeof PromisesReport>
