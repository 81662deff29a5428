import type { Assessment, Feedback } from '../assessor.ts'
import type { AskedKind } from '../feedback/feedback-model.ts'
import { log } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { EDITION, SEED } from '../options/task-options.ts'
import { type Stateful, type StateIo, StateReader, StateWriter } from '../state/state-io.ts'
import { ASKING_SCORES, type AskingScore, type AskingStrategy } from './scores.ts'

/** The options of an {@link Asker}. */
export const ASKING_OPTIONS = {
  strategy: option.choice(Object.keys(ASKING_SCORES) as AskingStrategy[], {
    default: 'margin',
    about: 'Which samples are asked about.',
  }),
  perThousand: option.number({
    above: 0,
    to: 1000,
    default: 50,
    about: 'Budget B: questions per thousand samples.',
  }),
  question: option.choice(['verdict', 'label', 'auto'], {
    default: 'verdict',
    about:
      '`verdict` asks whether the assessment is right, `label` for the level, `auto` for whichever is expected to ' +
      'tell more for its price.',
  }),
  labelPrice: option.number({
    from: 1,
    to: 1000,
    default: 3,
    about: 'A question for the label takes this many questions of the budget.',
  }),
  floor: option.number({
    above: 0,
    to: 1,
    default: 0.2,
    about: 'Share of the budget that is kept for random checks to the end, so that each sample can be asked about.',
  }),
  seed: { ...SEED, about: 'Seed of the choice.' },
  edition: EDITION,
}

/** Options of an {@link Asker}, as {@link ASKING_OPTIONS} declares them. */
export type AskingOptions = OptionsOf<typeof ASKING_OPTIONS>

/** What is asked about an assessment. */
export interface Asked {
  readonly kind: AskedKind
  /** Probability with which it was asked; goes into `asked` of the feedback. */
  readonly probability: number
}

/** Weight of the newest score in the mean score. */
const FRESH = 0.002

/** How much more than a usual sample a novel one is worth: it is asked about whenever the purse can pay. */
const NOVEL = 1e9

/** When the budget of more than this many samples lies unspent, more is asked. */
const SPARE = 100

/**
 * Chooses which assessments reviewers are asked about, within a budget.
 *
 * A sample is asked about with probability π = b·f + b·(1−f)·score/mean score, at most 1, with b the budget per
 * sample and f the floor. The first part is a random check, which every sample can become, to the end. The second
 * part waits while the budget is spent. So π ≥ b·f always, and after t samples b·t + 1 questions are exceeded only by
 * as many as chance brings the checks above their part. π is recorded, and estimators and certificates make up for
 * it.
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
  private readonly question: AskedKind | 'auto'
  private readonly labelPrice: number
  private readonly floor: number
  private readonly random: Random
  private readonly edition: 1 | 2
  private latest = 0
  private meanScore = 0
  private seen = 0
  private purse = 1

  constructor(options: AskingOptions = {}) {
    const settings = readOptions(ASKING_OPTIONS, options)
    this.score = ASKING_SCORES[settings.strategy]()
    this.budget = settings.perThousand / 1_000
    this.question = settings.question
    this.labelPrice = settings.labelPrice
    this.edition = settings.edition
    // Asking at random is all check and no choice.
    this.floor = settings.strategy === 'random' && this.edition > 1 ? 1 : settings.floor
    this.random = new Random(settings.seed, 'asking')
  }

  /** The smallest probability with which any sample is asked about. */
  get leastProbability(): number {
    return (this.budget * this.floor) / (this.question === 'verdict' ? 1 : this.labelPrice)
  }

  /** The probability π of the latest `consider`, whether it asked or not. */
  get probability(): number {
    return this.latest
  }

  /**
   * Decides about an assessment. `undefined`: do not ask.
   *
   * @param novel whether the sample is of none of the known levels: people are asked for its label, unless the strategy
   * is to ask at random
   */
  consider(assessment: Assessment, novel = false): Asked | undefined {
    const exact = this.score.score(assessment)
    // Probabilities may sum to a little more than 1, and a margin then is a little less than 0.
    const score = this.edition === 1 ? exact : Math.max(0, exact)
    this.seen++
    this.meanScore += Math.max(FRESH, 1 / this.seen) * (score - this.meanScore)
    const kind = novel ? 'label' : this.kindOf(assessment)
    const price = kind === 'label' ? this.labelPrice : 1
    const relative = novel ? NOVEL : this.meanScore > 0 ? score / this.meanScore : 1
    return this.edition === 1 ? this.considerOnce(kind, price, relative) : this.considerFairly(kind, price, relative)
  }

  /** A random check, which the purse need not be able to pay, or a choice, which it must. */
  private considerFairly(kind: AskedKind, price: number, relative: number): Asked | undefined {
    const { budget, floor } = this
    this.purse = Math.min(this.purse + budget, Math.max(1_000 * budget, this.labelPrice))
    const spare = Math.max(1, this.purse / (SPARE * budget))
    const eagerness = this.purse < price ? floor : spare * (floor + (1 - floor) * relative)
    this.latest = Math.min(1, (budget / price) * eagerness)
    if (this.random.uniform() >= this.latest) return undefined
    this.purse -= price
    return { kind, probability: this.latest }
  }

  /** Edition 1: one purse for everything, and nothing is asked while it is empty. */
  private considerOnce(kind: AskedKind, price: number, relative: number): Asked | undefined {
    this.purse = Math.min(this.purse + this.budget, Math.max(1_000 * this.budget, this.labelPrice))
    const spare = Math.max(1, this.purse / (SPARE * this.budget))
    const probability = Math.min(1, spare * (this.budget / price) * (this.floor + (1 - this.floor) * relative))
    const chosen = this.random.uniform() < probability
    this.latest = this.purse < price ? 0 : probability
    if (!chosen || this.purse < price) return undefined
    this.purse -= price
    return { kind, probability }
  }

  /** Hears an answer; strategies that suspect drift use it. */
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
  private kindOf({ probabilities, level }: Assessment): AskedKind {
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
