/**
 * The public API of @pb-oel/core.
 *
 * @packageDocumentation
 */

export type { AskingOptions, Question } from './asking/asker.ts'
export { Asker } from './asking/asker.ts'
export type { AskingScore, AskingStrategy, Scored } from './asking/scores.ts'
export { ASKING_SCORES } from './asking/scores.ts'
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
// The contract
export { copyAssessment, isBounded } from './assessor.ts'
export type { CostMatrix } from './decision/cost-matrix.ts'
export { orderedCosts } from './decision/cost-matrix.ts'
export { Escalation } from './decision/escalation.ts'
export type { AdwinBucket, AdwinOptions } from './drift/adwin.ts'
export { Adwin } from './drift/adwin.ts'
export type { DdmOptions } from './drift/ddm.ts'
export { Ddm } from './drift/ddm.ts'
// Drift detectors
export type { DriftDetector, DriftSignal } from './drift/detector.ts'
export type { EddmOptions } from './drift/eddm.ts'
export { Eddm } from './drift/eddm.ts'
export type { HddmAOptions } from './drift/hddm-a.ts'
export { HddmA } from './drift/hddm-a.ts'
export type { HddmWOptions } from './drift/hddm-w.ts'
export { HddmW } from './drift/hddm-w.ts'
export type { KswinOptions } from './drift/kswin.ts'
export { Kswin } from './drift/kswin.ts'
export type { PageHinkleyOptions } from './drift/page-hinkley.ts'
export { PageHinkley } from './drift/page-hinkley.ts'
export {
  FeedbackError,
  OptionError,
  PbOelError,
  RepeatedFeedbackError,
  SampleError,
  SnapshotError,
  UnknownAssessmentError,
} from './errors.ts'
// Experts of either
export type { EnsembleOptions } from './experts/expert-ensemble.ts'
export type { Member, MemberKind } from './experts/member.ts'
export { PersistenceExpert } from './experts/persistence.ts'
export type { DelayOptions } from './feedback/delay.ts'
export type { ArrivedAnswer, FeedbackModelOptions, QuestionKind } from './feedback/feedback-model.ts'
// People: how they answer, what they are asked, when they are called, what mistakes cost
export { FeedbackModel } from './feedback/feedback-model.ts'
export { HoeffdingTree } from './learners/hoeffding-tree/hoeffding-tree.ts'
export type { HoeffdingTreeOptions, TreeGrowthOptions } from './learners/hoeffding-tree/options.ts'
// Learners they are built from
export type { Learner } from './learners/learner.ts'
export type { NaiveBayesOptions } from './learners/naive-bayes.ts'
export { NaiveBayes } from './learners/naive-bayes.ts'
export type { NearestNeighboursOptions } from './learners/nearest-neighbours.ts'
export { NearestNeighbours } from './learners/nearest-neighbours.ts'
// Numbers and state
export { erf, erfc, normalCdf, normalPdf } from './math/erf.ts'
export type { KolmogorovSmirnov } from './math/kolmogorov-smirnov.ts'
export { kolmogorovSmirnov } from './math/kolmogorov-smirnov.ts'
export { Poisson } from './math/poisson.ts'
export { Random } from './math/random.ts'
export type { Method, Task } from './methods.ts'
export { createAssessor, findMethod, METHODS, restoreAssessor } from './methods.ts'
// Metrics
export { ConfusionMatrix } from './metrics/confusion.ts'
export { PrequentialMetrics } from './metrics/prequential.ts'
export type { BoundSetting } from './pb-oel/bounds.ts'
export { explorationRate, restartRegret, scaledRegret, standardRegret, varianceFactor } from './pb-oel/bounds.ts'
export { GuaranteeMonitor } from './pb-oel/guarantee.ts'
export type { PbOelOptions } from './pb-oel/pb-oel.ts'
// The method
export { PbOel } from './pb-oel/pb-oel.ts'
export { lossRate, lossRegret, lossVarianceFactor } from './pb-oel-plus/bounds.ts'
export type { PbOelPlusOptions } from './pb-oel-plus/pb-oel-plus.ts'
// Our own successor of it
export { PbOelPlus } from './pb-oel-plus/pb-oel-plus.ts'
export type { AdaptiveTreesOptions } from './rivals/adaptive-trees.ts'
export type { ArfOptions } from './rivals/arf.ts'
export { Arf } from './rivals/arf.ts'
export type { CpssdsOptions } from './rivals/cpssds.ts'
export { Cpssds } from './rivals/cpssds.ts'
export type { EpsilonGreedyOptions } from './rivals/epsilon-greedy.ts'
export { EpsilonGreedyAssessor } from './rivals/epsilon-greedy.ts'
export { Flip } from './rivals/flip.ts'
export { Majority } from './rivals/majority.ts'
export { NoChange } from './rivals/no-change.ts'
export type { Oadac2Options } from './rivals/oadac2.ts'
export { Oadac2 } from './rivals/oadac2.ts'
export type { ObAdwinOptions } from './rivals/ob-adwin.ts'
export { ObAdwin } from './rivals/ob-adwin.ts'
export type { RoaleDiOptions } from './rivals/roale-di.ts'
export { RoaleDi } from './rivals/roale-di.ts'
export type { RvflSingleOptions } from './rivals/rvfl-single.ts'
// Rivals and baselines
export { Rvfl, RvflHddmNp } from './rivals/rvfl-single.ts'
export type { SrpOptions } from './rivals/srp.ts'
export { Srp } from './rivals/srp.ts'
export type { Arithmetic, KernelOptions } from './rvfl/kernel/create.ts'

// The kernel behind the networks, for benchmarks and for a start without blocking in a browser
export { createKernel } from './rvfl/kernel/create.ts'
export type { KernelArithmetic, Precision, RvflKernel, RvflShape } from './rvfl/kernel/kernel.ts'
export { prepareKernel } from './rvfl/kernel/wasm.ts'
export type { Numbers, Stateful, StateIo } from './state/state-io.ts'
export type { CheckerboardOptions } from './streams/checkerboard.ts'
// Streams
export { checkerboard } from './streams/checkerboard.ts'
export type { DiveOptions } from './streams/dive.ts'
export { dive } from './streams/dive.ts'
export type { AbruptDriftOptions, GradualDriftOptions, RecurringDriftOptions } from './streams/drift.ts'
export { abruptDrift, gradualDrift, recurringDrift } from './streams/drift.ts'
export type { GeneratorOptions } from './streams/generated-stream.ts'
export type { HyperplaneOptions } from './streams/hyperplane.ts'
export { hyperplane } from './streams/hyperplane.ts'
export type { LedOptions } from './streams/led.ts'
export { led } from './streams/led.ts'
export type { SeaOptions } from './streams/sea.ts'
export { sea } from './streams/sea.ts'
export type { Sample, Stream } from './streams/stream.ts'
export type { WaveformOptions } from './streams/waveform.ts'
export { waveform } from './streams/waveform.ts'
