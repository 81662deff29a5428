import type { Assessment } from '../assessor.ts'
import { numberIn } from '../options/checks.ts'

/**
 * Says when an assessment should be passed on to a person: when the experts disagree beyond a
 * threshold. The assessed level stays as it is, so that answers to it keep their meaning.
 *
 * @example
 * import { Escalation } from '@pb-oel/core'
 * const escalation = new Escalation(0.3)
 * escalation.check({ probabilities: Float64Array.of(0.6, 0.4) }) // true
 * escalation.check({ probabilities: Float64Array.of(0.9, 0.1) }) // false
 * escalation.share // 0.5
 */
export class Escalation {
  private readonly threshold: number
  private seen = 0
  private passedOn = 0

  /** @param threshold disagreement above which an assessment is passed on, 0 … 1 */
  constructor(threshold: number) {
    this.threshold = numberIn('escalateAbove', threshold, 0, 1)
  }

  /** Counts one assessment. True when it should be passed on. */
  check({ probabilities }: Pick<Assessment, 'probabilities'>): boolean {
    this.seen++
    const escalate = disagreementOf(probabilities) > this.threshold
    if (escalate) this.passedOn++
    return escalate
  }

  /** Share of assessments passed on. */
  get share(): number {
    return this.passedOn / Math.max(1, this.seen)
  }
}

/** 1 − the largest probability: the weight of the experts that contradict the leading level. */
export function disagreementOf(probabilities: Float64Array): number {
  let most = 0
  for (let k = 0; k < probabilities.length; k++) if (probabilities[k] > most) most = probabilities[k]
  return 1 - most
}
