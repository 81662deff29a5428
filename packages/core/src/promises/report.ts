import type { AssessmentId } from '../assessor.ts'
import type { OutcomeShares } from '../metrics/weighted-outcomes.ts'
import type { Certificate } from './certified-accuracy.ts'
import type { ReliabilityBin } from './reliability.ts'

/** What `Promises.open` says beside the assessment. */
export interface PromisedAssessment {
  /** Lowest level that keeps misses below their target (promise D). */
  readonly safeSideLevel: number
  /** Probability that the assessed level is right, recalibrated by the answers (promise E). */
  readonly confidence: number
  /** False while too little has been learned for any level to be a finding. */
  readonly trained: boolean
  /** True when an alarm is raised because accuracy fell. */
  readonly fell: boolean
}

/** Everything that is promised now. */
export interface PromisesReport {
  readonly trained: boolean
  /** The first assessment that the certificates speak about; 0 unless the options were changed. */
  readonly since: AssessmentId
  /** How often each level has been told. */
  readonly answersPerLevel: readonly number[]
  /** At least this accurate, overall and over the latest samples. */
  readonly accuracy: Certificate
  readonly windowAccuracy: Certificate
  /** The same where only misses count: `certified` is the share of samples that were no misses. */
  readonly misses: Certificate
  readonly windowMisses: Certificate
  /** Estimated figures, weighted by 1/π. */
  readonly outcomes: OutcomeShares
  /** Reliability curve and expected calibration error of the recalibrated confidence, and the error of the raw one. */
  readonly reliability: readonly ReliabilityBin[]
  readonly calibrationError: number
  readonly rawCalibrationError: number
  /** How often accuracy was found to have fallen, and the accuracy that is to be kept. */
  readonly falls: number
  readonly keptAccuracy: number
}
