import { OptionError } from '../errors.ts'
import { integerIn, numberIn, positive } from '../options.ts'
import { CertifiedAccuracy } from './certified-accuracy.ts'

/** One random check of one sample. */
export interface Check {
  /** Probability with which this sample was chosen to be checked, in (0, 1]. */
  readonly probability: number
  /** Whether the assessment was found right. */
  readonly right: boolean
}

/** What {@link certify} is to certify. */
export interface CertifyOptions {
  /** Number of samples the checks were drawn from, checked or not. */
  samples: number
  /** Smallest probability with which any of them was to be checked. Default: the smallest among the checks. */
  floor?: number
  /** Probability with which the statement is true. Default 0.95. */
  confidence?: number
  /** Accuracy that is wanted, in (0, 1). */
  target?: number
  /** Share of the answers that are wrong by mistake, where it is known, 0 … 0.4. Default 0. */
  wrong?: number
}

/** What can be certified from checks. */
export interface CertifyResult {
  samples: number
  checks: number
  wrong: number
  confidence: number
  /** The accuracy over all samples is at least this. */
  certified: number
  target?: number
  /** How many more checks the target needs, at the rate and with the share of wrong ones so far; null if none suffice. */
  moreChecks?: number | null
}

/**
 * What accuracy random checks certify, for any model (promise C of docs/promises.md).
 *
 * @example
 * import { certify } from '@pb-oel/core'
 * const checks = Array.from({ length: 600 }, (_, i) => ({ probability: 0.02, right: i % 200 !== 0 }))
 * certify(checks, { samples: 30_000 }).certified > 0.98 // true
 */
export function certify(checks: readonly Check[], options: CertifyOptions): CertifyResult {
  const { confidence = 0.95, target, wrong = 0 } = options
  const samples = integerIn('samples', options.samples, 1, Number.MAX_SAFE_INTEGER)
  if (checks.length > samples)
    throw new OptionError('samples', samples, `at least the number of checks, ${checks.length}`)
  if (target !== undefined) numberIn('target', target, 1e-9, 1 - 1e-9)
  let smallest = 1
  for (const [row, { probability }] of checks.entries()) {
    smallest = Math.min(smallest, positive(`checks[${row}].probability`, probability, 1))
  }
  const floor = options.floor ?? smallest
  const certificate = new CertifiedAccuracy({ floor, confidence, wrong })
  for (const { probability, right } of checks) {
    certificate.sample(probability, true)
    certificate.answer(probability, right)
  }
  certificate.pass(floor, samples - checks.length)
  const { certified, wrong: found } = certificate.report()
  return {
    samples,
    checks: checks.length,
    wrong: found,
    confidence,
    certified,
    ...(target !== undefined && { target, moreChecks: certificate.moreChecks(target) ?? null }),
  }
}
