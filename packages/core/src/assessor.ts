/**
 * The contract of everything that assesses: PB-OEL, each rival, each trivial baseline.
 *
 * One round is `assess(x)`, then, at any later time and in any order, `learn(id, feedback)`. An assessor is a
 * deterministic fold: the same options and the same calls give the same state, bit for bit, on every engine.
 */

/** Number of an assessment: 0, 1, 2, … in the order of the calls of `assess`. */
export type AssessmentId = number

/**
 * What is known on arrival about the answer to come: `full` (the label), `partial` (right or wrong), or `unknown`.
 * Under `partial` and `unknown` an assessor that needs exploration explores.
 */
export type FeedbackMode = 'full' | 'partial' | 'unknown'

/**
 * An answer. `label` reveals the level, `confirm` says the assessed level was right, `reject` that it was wrong.
 * `correction` replaces an earlier answer for the same assessment; without it a second answer is refused. `asked` is
 * the probability with which this sample was chosen to be asked about, in (0, 1]; 1 when every sample is.
 */
export type Feedback = (
  | { readonly kind: 'label'; readonly level: number }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'reject' }
) & { readonly correction?: boolean; readonly asked?: number }

/** A sample whose level is known, as plain numbers, so that it can stand in options and in JSON. */
export interface LabelledSample {
  readonly x: readonly number[]
  readonly level: number
}

/**
 * The answer of `assess`. The object belongs to the assessor, which overwrites it at the next `assess`: read it at
 * once, or keep a copy by {@link copyAssessment}. (One object for all rounds keeps the hot path free of allocation.)
 */
export interface Assessment {
  /** Names this assessment in `learn`. */
  readonly id: AssessmentId
  /** The assessed level, 0 … levels − 1; 0 is the safest. */
  readonly level: number
  /** The distribution over levels from which `level` was drawn, or whose largest it is; sums to 1. */
  readonly probabilities: Float64Array
  /**
   * How strongly the model itself supports `level`, 0 … 1: for an ensemble the weighted mean of its experts'
   * confidence.
   */
  readonly confidence: number
  /** The level each expert voted for; one entry for a single model. */
  readonly experts: Int32Array
  /** 1 for each expert that was refitted or replaced because of drift since the assessment before this one. */
  readonly drifts: Uint8Array
}

/**
 * Assesses samples and learns from answers.
 *
 * @example
 * import { PbOel } from '@pb-oel/core'
 * const assessor = new PbOel({ channels: 2, levels: 3, seed: 1 })
 * const { id, level } = assessor.assess(Float64Array.of(0.2, 1.4))
 * assessor.learn(id, level === 1 ? { kind: 'confirm' } : { kind: 'reject' })
 */
export interface Assessor {
  /** Number of safety levels K ≥ 2. */
  readonly levels: number
  /** Number of channels d ≥ 1 of a sample. */
  readonly channels: number
  /**
   * Assesses one sample of `channels` finite numbers. Consumes randomness and keeps a pending entry; learns nothing.
   */
  assess(x: Float64Array, mode?: FeedbackMode): Assessment
  /** Learns from the answer to an earlier assessment. */
  learn(id: AssessmentId, feedback: Feedback): void
  /** The whole state as bytes, versioned; `restoreAssessor` makes an assessor that goes on with the same bits. */
  snapshot(): Uint8Array
}

/** What can be promised, and what has been reached, over the rounds so far. */
export interface Guarantee {
  /** False when an assumption of the theorems does not hold; `reason` then says which. */
  applies: boolean
  reason?: string
  /** Answered samples so far. */
  rounds: number
  /** Rounds among them whose label was given, so that every expert's reward is known and not estimated. */
  labelledRounds: number
  /** Share of rounds that were right. */
  accuracy: number
  /** The ultimate bound: mean reward of the best expert of each batch. */
  ultimate: number
  /** Index of the expert with the largest reward over all rounds. */
  bestExpert: number
  /** Mean reward of that expert. */
  bestExpertAccuracy: number
  /** What the theorem subtracts from the ultimate bound, for the batches and rates that really happened. */
  penalty: number
  /** `ultimate` − `penalty`: the expected accuracy is at least this, where the guarantee applies. */
  value: number
  /** `ultimate` − `accuracy`: the regret per round that was really paid. */
  regret: number
  /** What the penalty is made of, and other bounds for the same rounds to compare it with, by name, per round. */
  terms?: Readonly<Record<string, number>>
  /** "No expert was better by more than `value` per sample", at all times, whatever the delays (docs/promises.md). */
  regretWithConfidence?: RegretWithConfidence
}

/** How much better any expert can have been. */
export interface RegretBound {
  /** No expert was better by more than this, per sample. */
  readonly value: number
  /** Probability with which that holds, at all times at once. */
  readonly confidence: number
  /** Samples it speaks about: all since the account began, answered or not. */
  readonly samples: number
  /**
   * What the value is made of, per sample, for the expert it is largest for: `against`, rejected rounds in which the
   * expert said something else; `inFavour`, confirmed rounds in which it did (negative); `open`, rounds not answered
   * yet in which it did; `chance`, what the coin may hide where only some rounds were asked about.
   */
  readonly terms: Readonly<Record<'against' | 'inFavour' | 'open' | 'chance', number>>
}

/** A bound of the regret, over everything, over the latest rounds and since the latest refit. */
export interface RegretWithConfidence extends RegretBound {
  /** The same for the latest rounds alone. */
  readonly window: RegretBound
  /**
   * The same since a network was last refitted because of drift; absent before the first refit. It holds with
   * `confidence` for all refits at once. `refits` says how many there were.
   */
  readonly sinceRefit?: RegretBound & { readonly refits: number }
}

/** The coin of an assessment: with which probability it was to be asked about, and whether it is. */
export interface Coin {
  readonly probability: number
  readonly asked: boolean
}

/** An assessor whose accuracy comes with a guarantee. */
export interface BoundedAssessor extends Assessor {
  /** What is promised and what has been reached, from the answers alone. */
  guarantee(): Guarantee
  /**
   * Hears whether the system's own coin chose an assessment to be asked about; to be called before any answer to it.
   * An assessment without this call is taken to be asked about for certain, so that a missing answer counts against us.
   */
  noteCoin(id: AssessmentId, coin: Coin): void
}

/** Whether an assessor has a guarantee. */
export function isBounded(assessor: Assessor): assessor is BoundedAssessor {
  return 'guarantee' in assessor && 'noteCoin' in assessor
}

/** An assessor that combines the advice of experts by weights. */
export interface Ensemble extends Assessor {
  /** Normalised weights of the experts, networks first; a copy. */
  readonly shares: Float64Array
  /** What each expert advised for the latest assessment, one number for each level; overwritten by the next. */
  readonly advice: Float64Array
  /** How often the weights have restarted; undefined for an ensemble whose weights never do. */
  readonly restarts: number | undefined
}

/** Whether an assessor combines the advice of experts. */
export function isEnsemble(assessor: Assessor): assessor is Ensemble {
  return 'shares' in assessor && 'advice' in assessor && 'restarts' in assessor
}

/** A copy of an assessment that outlives the next call of `assess`. */
export function copyAssessment(assessment: Assessment): Assessment {
  return {
    ...assessment,
    probabilities: assessment.probabilities.slice(),
    experts: assessment.experts.slice(),
    drifts: assessment.drifts.slice(),
  }
}
