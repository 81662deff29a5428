import { CertifiedAccuracy, type CertifyResult } from '@pb-oel/core'
import type { LogReader } from '../log/event-log.ts'
import { rebuild } from './recover.ts'

/** What the log of a system certifies. */
export interface SystemCertificate extends CertifyResult {
  system: string
}

/** What is wanted of a certificate. */
export interface CertificateWish {
  /** With which probability it is to hold; as the system is configured when left out. */
  confidence?: number
  /** Accuracy that is wanted. */
  target?: number
}

/** What accuracy the log of a system certifies, and how many more checks a target needs (docs/promises.md). */
export async function certifySystem(log: LogReader, system: string, wish: CertificateWish): Promise<SystemCertificate> {
  const {
    model: { promises },
    tally,
  } = await rebuild(log, system)
  if (promises) return { system, ...promises.certify(wish) }
  // From before promises were kept: no coin is recorded, so all that is not known to be right counts as wrong.
  const certificate = new CertifiedAccuracy({ confidence: wish.confidence })
  for (let i = 0; i < tally.samples; i++) certificate.sample(1, true)
  for (let i = 0; i < tally.right; i++) certificate.answer(1, true)
  const { samples, checks, wrong, confidence, certified } = certificate.report()
  const { target } = wish
  return {
    ...{ system, samples, checks, wrong, confidence, certified },
    ...(target !== undefined && { target, moreChecks: certificate.moreChecks(target) ?? null }),
  }
}
