/** The promises that hold for every method, in the order of docs/promises.md. */
export {
  CERTIFICATE_OPTIONS,
  type Certificate,
  type CertificateOptions,
  CertifiedAccuracy,
} from './certified-accuracy.ts'
export { CERTIFY_OPTIONS, type CertifyOptions, type CertifyResult, type Check, certify } from './certify.ts'
export { FALL_OPTIONS, FallAlarm, type FallAlarmOptions } from './fall-alarm.ts'
export { PROMISES_OPTIONS, Promises, type PromisesOptions } from './promises.ts'
export { Recalibration } from './recalibration.ts'
export { Reliability, type ReliabilityBin } from './reliability.ts'
export type { PromisedAssessment, PromisesReport } from './report.ts'
export { SAFE_SIDE_OPTIONS, SafeSide, type SafeSideOptions } from './safe-side.ts'
export { ANSWERS_PER_LEVEL, Training } from './training.ts'
