import { OptionError } from '../errors.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { CERTIFICATE_OPTIONS, CertifiedAccuracy } from './certified-accuracy.ts'

/** One random check of one sample. */
export interface Check {
  /** Probability with which this sample was chosen to be checked, in (0, 1]. */
  readonly probability: number
  /** Whether the assessment was found right. */
  readonly right: boolean
}

/** The options of {@link certify}. */
export const CERTIFY_OPTIONS = {
  samples: option.integer({
    from: 1,
    to: Number.MAX_SAFE_INTEGER,
    required: true,
    about: 'Number of samples the checks were drawn from, checked or not.',
  }),
  floor: option.number({
    above: 0,
    to: 1,
    otherwise: 'the smallest probability among the checks',
    about: 'Smallest probability with which any of the samples was to be checked.',
  }),
  confidence: CERTIFICATE_OPTIONS.confidence,
  target: option.number({ above: 0, to: 1, about: 'Accuracy that is wanted.' }),
  wrong: CERTIFICATE_OPTIONS.wrong,
  wrongAtMost: CERTIFICATE_OPTIONS.wrongAtMost,
}

/** Options of {@link certify}, as {@link CERTIFY_OPTIONS} declares them. */
export type CertifyOptions = OptionsOf<typeof CERTIFY_OPTIONS>

/** What can be certified from checks. */
export interface CertifyResult {
  samples: number
  checks: number
  wrong: number
  confidence: number
  /** The accuracy over all samples is at least this. */
  certified: number
  target?: number
  /**
   * How many more checks the target needs, at the rate and with the share of wrong ones so far; null if none suffice.
   */
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
  const { samples, confidence, target, wrong, wrongAtMost, floor: least } = readOptions(CERTIFY_OPTIONS, options)
  if (checks.length > samples)
    throw new OptionError('samples', samples, `at least the number of checks, ${checks.length}`)
  let smallest = 1
  for (const [row, { probability }] of checks.entries()) {
    if (!(probability > 0 && probability <= 1)) {
      throw new OptionError(`checks[${row}].probability`, probability, 'a number in (0, 1]')
    }
    smallest = Math.min(smallest, probability)
  }
  const floor = least ?? smallest
  const certificate = new CertifiedAccuracy({ floor, confidence, wrong, wrongAtMost })
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
