/**
 * The public API of @pb-oel/core.
 *
 * @packageDocumentation
 */

// The contract
export { copyAssessment, isBounded } from './assessor.ts'
export type {
  Assessment,
  AssessmentId,
  Assessor,
  Audit,
  BoundedAssessor,
  Feedback,
  FeedbackMode,
  Guarantee,
  LabelledSample,
} from './assessor.ts'
export {
  FeedbackError,
  OptionError,
  PbOelError,
  RepeatedFeedbackError,
  SampleError,
  SnapshotError,
  UnknownAssessmentError,
} from './errors.ts'
export { createAssessor, findMethod, METHODS, restoreAssessor } from './methods.ts'
export type { Method, Task } from './methods.ts'

// The method
export { PbOel } from './pb-oel/pb-oel.ts'
export type { PbOelOptions } from './pb-oel/pb-oel.ts'
export { explorationRate, restartRegret, scaledRegret, standardRegret, varianceFactor } from './pb-oel/bounds.ts'
export type { BoundSetting } from './pb-oel/bounds.ts'
export { GuaranteeMonitor } from './pb-oel/guarantee.ts'

// Rivals and baselines
export { Rvfl, RvflHddmNp } from './rivals/rvfl-single.ts'
export type { RvflSingleOptions } from './rivals/rvfl-single.ts'

// Drift detectors
export { HddmA } from './drift/hddm-a.ts'
export type { HddmAOptions } from './drift/hddm-a.ts'
export type { DriftDetector, DriftSignal } from './drift/detector.ts'

// Streams
export { dive } from './streams/dive.ts'
export type { DiveOptions } from './streams/dive.ts'
export type { Sample, Stream } from './streams/stream.ts'

// Metrics
export { ConfusionMatrix } from './metrics/confusion.ts'
export { PrequentialMetrics } from './metrics/prequential.ts'

// Numbers and state
export { Random } from './math/random.ts'
export type { Numbers, StateIo, Stateful } from './state/state-io.ts'
