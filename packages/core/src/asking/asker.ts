import type { Assessment, Feedback } from '../assessor.ts'
import type { QuestionKind } from '../feedback/feedback-model.ts'
import { log } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { integerIn, numberIn, oneOf, onlyKnown, positive } from '../options/checks.ts'
import { type Stateful, type StateIo, StateReader, StateWriter } from '../state/state-io.ts'
import { ASKING_SCORES, type AskingScore, type AskingStrategy } from './scores.ts'

/** Options of an {@link Asker}. */
export interface AskingOptions {
  /** Which samples are asked about. Default `margin`. */
  strategy?: AskingStrategy
  /** Budget B: questions per thousand samples, in (0, 1000]. Default 50. */
  perThousand?: number
  /**
   * `verdict` asks whether the assessment is right, `label` for the level, `auto` for whichever is expected to tell more
   * for its price. Default `verdict`.
   */
  question?: QuestionKind | 'auto'
  /** A question for the label takes this many questions of the budget, 1 … 1,000. Default 3. */
  labelPrice?: number
  /** Share of the budget that goes to all samples alike, so that each can be asked about, in (0, 1]. Default 0.2. */
  floor?: number
  /** Seed of the choice, 0 … 2^53 − 1. Default 1. */
  seed?: number
}

const OPTIONS = ['strategy', 'perThousand', 'question', 'labelPrice', 'floor', 'seed']

/** A question to put. */
export interface Question {
  readonly kind: QuestionKind
  /** Probability with which this question was put; goes into `asked` of the feedback. */
  readonly probability: number
}

/** Weight of the newest score in the mean score. */
const FRESH = 0.002

/** When the budget of more than this many samples lies unspent, more is asked. */
const SPARE = 100

/**
 * Chooses which assessments people are asked about, within a budget.
 *
 * A sample is asked about with probability π = b·(f + (1−f)·score/mean score), at most 1, with b the budget a sample and
 * f the floor. π is recorded and the estimators divide by it, so that they stay unbiased whatever the strategy
 * prefers. The budget is kept: after t samples at most b·t + 1 questions have been put.
 *
 * @example
 * import { Asker, PbOelPlus } from '@pb-oel/core'
 * const assessor = new PbOelPlus({ channels: 1, levels: 2 })
 * const asker = new Asker({ strategy: 'margin', perThousand: 100 })
 * let asked = 0
 * for (let t = 0; t < 1000; t++) {
 *   const assessment = assessor.assess(Float64Array.of(t % 2))
 *   const question = asker.consider(assessment)
 *   if (!question) continue
 *   asked++
 *   const feedback = { kind: assessment.level === t % 2 ? 'confirm' : 'reject', asked: question.probability } as const
 *   assessor.learn(assessment.id, feedback)
 *   asker.hear(feedback)
 * }
 * asked <= 101 // true
 */
export class Asker implements Stateful {
  private readonly score: AskingScore
  private readonly budget: number
  private readonly question: QuestionKind | 'auto'
  private readonly labelPrice: number
  private readonly floor: number
  private readonly random: Random
  private meanScore = 0
  private seen = 0
  private purse = 1

  constructor(options: AskingOptions = {}) {
    onlyKnown(options, OPTIONS)
    const strategies = Object.keys(ASKING_SCORES) as AskingStrategy[]
    this.score = ASKING_SCORES[oneOf('strategy', options.strategy ?? 'margin', strategies)]()
    this.budget = positive('perThousand', options.perThousand ?? 50, 1_000) / 1_000
    this.question = oneOf('question', options.question ?? 'verdict', ['verdict', 'label', 'auto'])
    this.labelPrice = numberIn('labelPrice', options.labelPrice ?? 3, 1, 1_000)
    this.floor = positive('floor', options.floor ?? 0.2, 1)
    this.random = new Random(integerIn('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER), 'asking')
  }

  /** Decides about an assessment. `undefined`: do not ask. */
  consider(assessment: Assessment): Question | undefined {
    const score = this.score.score(assessment)
    this.seen++
    this.meanScore += Math.max(FRESH, 1 / this.seen) * (score - this.meanScore)
    const kind = this.kindOf(assessment)
    const price = kind === 'label' ? this.labelPrice : 1
    this.purse = Math.min(this.purse + this.budget, Math.max(1_000 * this.budget, this.labelPrice))
    const relative = this.meanScore > 0 ? score / this.meanScore : 1
    const spare = Math.max(1, this.purse / (SPARE * this.budget))
    const probability = Math.min(1, spare * (this.budget / price) * (this.floor + (1 - this.floor) * relative))
    const chosen = this.random.uniform() < probability
    if (!chosen || this.purse < price) return undefined
    this.purse -= price
    return { kind, probability }
  }

  /** Hears an answer; strategies that suspect drift listen. */
  hear(feedback: Feedback): void {
    this.score.hear(feedback)
  }

  /** The state as bytes. */
  snapshot(): Uint8Array {
    const writer = new StateWriter()
    this.transfer(writer)
    return writer.finish()
  }

  /** Goes on from the snapshot of an asker with the same options. */
  restore(bytes: Uint8Array): void {
    this.transfer(new StateReader(bytes))
  }

  transfer(io: StateIo): void {
    this.score.transfer(io)
    this.random.position = io.number(this.random.position)
    this.meanScore = io.number(this.meanScore)
    this.seen = io.number(this.seen)
    this.purse = io.number(this.purse)
  }

  /** `auto`: the answer's entropy per price, believing the assessment's probabilities. */
  private kindOf({ probabilities, level }: Assessment): QuestionKind {
    if (this.question !== 'auto') return this.question
    let label = 0
    for (let k = 0; k < probabilities.length; k++) label += surprise(probabilities[k])
    const verdict = surprise(probabilities[level]) + surprise(1 - probabilities[level])
    return label > verdict * this.labelPrice ? 'label' : 'verdict'
  }
}

function surprise(p: number): number {
  return p > 0 ? -p * log(p) : 0
}
