/**
 * The public API of @pb-oel/core: values, then types, in the order of the folders.
 *
 * Detectors, learners, rivals, streams and the law suite have entries of their own: `@pb-oel/core/drift`, `/learners`,
 * `/rivals`, `/streams` and `/laws`.
 *
 * @packageDocumentation
 */

export { ASKING_OPTIONS, Asker } from './asking/asker.ts'
export { ASKING_SCORES } from './asking/scores.ts'
export { copyAssessment, isBounded, isEnsemble } from './assessor.ts'
export { orderedCosts } from './decision/cost-matrix.ts'
export { Escalation } from './decision/escalation.ts'
export { defineDetector } from './drift/detector.ts'
export * from './errors.ts'
export { ENSEMBLE_OPTIONS } from './experts/ensemble-options.ts'
export { PersistenceExpert } from './experts/persistence.ts'
export { EXPLAIN_OPTIONS, explain } from './explain/explain.ts'
export { extensionsOf } from './extensions.ts'
export { DELAY_OPTIONS } from './feedback/delay.ts'
export { FEEDBACK_OPTIONS, FeedbackModel } from './feedback/feedback-model.ts'
export { defineLearner } from './learners/learner.ts'
export { erf, erfc, normalCdf, normalPdf } from './math/erf.ts'
export { kolmogorovSmirnov } from './math/kolmogorov-smirnov.ts'
export { Poisson } from './math/poisson.ts'
export { Random } from './math/random.ts'
export { defineMethod } from './method.ts'
export { addLevel, createAssessor, findMethod, METHODS, restoreAssessor } from './methods.ts'
export { ConfusionMatrix } from './metrics/confusion.ts'
export { PrequentialMetrics } from './metrics/prequential.ts'
export { outcomeOf, WeightedOutcomes } from './metrics/weighted-outcomes.ts'
export { NOVELTY_OPTIONS, Novelty } from './novelty/novelty.ts'
export { describeOptions } from './options/describe-options.ts'
export { option } from './options/option.ts'
export { readOptions } from './options/option-table.ts'
export { explorationRate, restartRegret, scaledRegret, standardRegret, varianceFactor } from './pb-oel/bounds.ts'
export { GuaranteeMonitor } from './pb-oel/guarantee.ts'
export { PB_OEL_OPTIONS, PbOel } from './pb-oel/pb-oel.ts'
export { lossRate, lossRegret, lossVarianceFactor } from './pb-oel-plus/bounds.ts'
export { PB_OEL_PLUS_OPTIONS } from './pb-oel-plus/options.ts'
export { PbOelPlus } from './pb-oel-plus/pb-oel-plus.ts'
export { RegretMonitor } from './pb-oel-plus/regret-monitor.ts'
export { checkFeedback, checkMode, checkSample, PendingAssessments } from './pending.ts'
export {
  ANSWERS_PER_LEVEL,
  CERTIFY_OPTIONS,
  CertifiedAccuracy,
  certify,
  FallAlarm,
  PROMISES_OPTIONS,
  Promises,
  Recalibration,
  Reliability,
  SafeSide,
  Training,
} from './promises/index.ts'
export { EpsilonGreedyAssessor, RIVAL_OPTIONS } from './rivals/base/epsilon-greedy.ts'
export { createKernel } from './rvfl/kernel/create.ts'
export { prepareKernel } from './rvfl/kernel/wasm.ts'
export { StuckChannels } from './scaling/stuck-channels.ts'
export { openSnapshot, writeSnapshot } from './state/snapshot.ts'
export { stateSize } from './state-size.ts'
export { dive } from './streams/dive.ts'
export { defineStream } from './streams/stream.ts'

// Types

export type { Asked, AskingOptions } from './asking/asker.ts'
export type { AskingScore, AskingStrategy, Scored } from './asking/scores.ts'
export type * from './assessor.ts'
export type { CostMatrix } from './decision/cost-matrix.ts'
export type { DetectorEntry, DriftDetector, DriftSignal } from './drift/detector.ts'
export type { EnsembleOptions } from './experts/ensemble-options.ts'
export type { Member } from './experts/member.ts'
export type { ExplainOptions, Explanation } from './explain/explain.ts'
export type { DelayOptions } from './feedback/delay.ts'
export type { ArrivedAnswer, AskedKind, FeedbackModelOptions } from './feedback/feedback-model.ts'
export type { Learner, LearnerEntry } from './learners/learner.ts'
export type { Extensions, Method, MethodDefinition, Task } from './method.ts'
export type { Outcome, OutcomeShares } from './metrics/weighted-outcomes.ts'
export type { NoveltyFinding, NoveltyOptions } from './novelty/novelty.ts'
export type { OptionDescription } from './options/describe-options.ts'
export type { Option, OptionKind } from './options/option.ts'
export type { GivenOptions, OptionsOf, OptionTable, SettingsOf } from './options/option-table.ts'
export type { BoundSetting } from './pb-oel/bounds.ts'
export type { PbOelOptions } from './pb-oel/pb-oel.ts'
export type { PbOelPlusOptions } from './pb-oel-plus/options.ts'
export type * from './promises/index.ts'
export type { EpsilonGreedyOptions } from './rivals/base/epsilon-greedy.ts'
export type { KernelArithmetic, Precision, RvflKernel, RvflShape } from './rvfl/kernel/kernel.ts'
export type { Arithmetic, KernelOptions } from './rvfl/kernel/options.ts'
export type { DetectorChoice } from './rvfl/monitoring.ts'
export type { Numbers, Stateful, StateIo } from './state/state-io.ts'
export type { DiveOptions } from './streams/dive.ts'
export type { Sample, Stream, StreamEntry } from './streams/stream.ts'
