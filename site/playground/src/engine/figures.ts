import type { Guarantee } from '@pb-oel/core'

/** Where a run stands, in numbers. */
export interface Figures {
  samples: number
  total: number
  accuracy: number
  recent: number
  macroF1: number
  kappa: number
  kappaTemporal: number
  misses: number
  falseAlarms: number
  /** Accuracy of repeating the previous true level. */
  noChange: number
  labels: number
  answers: number
  drifts: number
  restarts?: number
  guarantee?: Guarantee
  /** Samples assessed and learned per second of computing. */
  speed: number
}

/** The latest assessment, copied out of the assessor. */
export interface LatestAssessment {
  sample: number
  level: number
  probabilities: readonly number[]
  confidence: number
  experts: readonly number[]
}

/** A question to the person in front of the page. */
export interface OwnQuestion extends LatestAssessment {
  id: number
  truth: number
  /** The latest samples, row by row, the one asked about last. */
  recent: Float32Array
  rows: number
}
