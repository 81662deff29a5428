/**
 * The law suites, for your own assessors, detectors, learners and streams, and for any test runner.
 *
 * @packageDocumentation
 */

export { laws, subjectOf } from './assessor-laws.ts'
export { detectorLaws } from './detector-laws.ts'
export { BrokenLaw } from './law.ts'
export { learnerLaws } from './learner-laws.ts'
export { streamLaws } from './stream-laws.ts'
export { CHANNELS, draw, LEVELS, MAX_DELAY } from './task.ts'

// Types

export type { AssessorLaw, AssessorSubject } from './assessor-laws.ts'
export type { DetectorSubject } from './detector-laws.ts'
export type { Law } from './law.ts'
export type { LearnerSubject } from './learner-laws.ts'
export type { StreamSubject } from './stream-laws.ts'
