import type { Feedback } from '../assessor.ts'
import { log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/** What a score looks at: an assessment, or the record of one. */
export interface Scored {
  readonly probabilities: ArrayLike<number>
  readonly confidence: number
  readonly experts: ArrayLike<number>
  readonly drifts: ArrayLike<number>
}

/** Says how much asking about an assessment would teach: any number ≥ 0, on its own scale. */
export interface AskingScore extends Stateful {
  score(assessment: Scored): number
  /** Hears an answer. */
  hear(feedback: Feedback): void
}

/** A score that depends on the assessment alone. */
class Plain implements AskingScore {
  readonly score: (assessment: Scored) => number

  constructor(score: (assessment: Scored) => number) {
    this.score = score
  }

  hear(): void {}
  transfer(): void {}
}

/** 1 − (largest − second largest probability). */
function margin({ probabilities: p }: Scored): number {
  let first = 0
  let second = 0
  for (let k = 0; k < p.length; k++) {
    if (p[k] > first) {
      second = first
      first = p[k]
    } else if (p[k] > second) second = p[k]
  }
  return 1 - (first - second)
}

/** Entropy of the experts' votes, each expert counting alike, in nats. */
function disagreement({ experts, probabilities }: Scored): number {
  let entropy = 0
  for (let k = 0; k < probabilities.length; k++) {
    let votes = 0
    for (let n = 0; n < experts.length; n++) if (experts[n] === k) votes++
    const share = votes / experts.length
    if (share > 0) entropy -= share * log(share)
  }
  return entropy
}

/**
 * Σ_n |Δq_n| / η to first order when the label is told, in expectation over labels y ~ s: under hard advice a share s_y
 * of the weight gains what the others lose, s_y(1 − s_y) each way, so 2 Σ s_y²(1 − s_y).
 */
function weightChange({ probabilities: s }: Scored): number {
  let change = 0
  for (let k = 0; k < s.length; k++) change += 2 * s[k] * s[k] * (1 - s[k])
  return change
}

/** Weights of the newest confidence in its fast and its slow mean. */
const FAST = 0.2
const SLOW = 0.005

/**
 * Suspicion that the concept has changed: after a rejection or the refit of a network until confirmations calm it,
 * and while the confidence is below its usual height.
 */
class DriftSuspicion implements AskingScore {
  private suspicion = 0
  private fast = 1
  private slow = 1

  score({ confidence, drifts }: Scored): number {
    this.fast += FAST * (confidence - this.fast)
    this.slow += SLOW * (confidence - this.slow)
    for (let n = 0; n < drifts.length; n++) if (drifts[n] === 1) this.suspicion = 1
    return this.suspicion + Math.max(0, this.slow - this.fast)
  }

  hear(feedback: Feedback): void {
    if (feedback.kind === 'reject') this.suspicion = 1
    else if (feedback.kind === 'confirm') this.suspicion /= 2
  }

  transfer(io: StateIo): void {
    this.suspicion = io.number(this.suspicion)
    this.fast = io.number(this.fast)
    this.slow = io.number(this.slow)
  }
}

/**
 * How much there is to learn from asking about an assessment, by name of the strategy.
 *
 * @example
 * import { ASKING_SCORES } from '@pb-oel/core'
 * const torn = { probabilities: [0.5, 0.5, 0], confidence: 0.5, experts: [0, 1], drifts: [0, 0] }
 * ASKING_SCORES.margin().score(torn) // 1
 */
export const ASKING_SCORES = {
  random: (): AskingScore => new Plain(() => 1),
  margin: (): AskingScore => new Plain(margin),
  disagreement: (): AskingScore => new Plain(disagreement),
  'weight-change': (): AskingScore => new Plain(weightChange),
  drift: (): AskingScore => new DriftSuspicion(),
}

/** Names of the strategies. */
export type AskingStrategy = keyof typeof ASKING_SCORES
