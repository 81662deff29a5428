import type { Assessment, AssessmentId, Feedback, FeedbackMode } from '../assessor.ts'
import { power } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { integerIn, numberIn, onlyKnown, positive } from '../options/checks.ts'
import { Delay, type DelayOptions } from './delay.ts'

/** Options of a {@link FeedbackModel}. */
export interface FeedbackModelOptions {
  /** Number of levels K, 2 … 255. */
  levels: number
  /** Share of full labels ρ, 0 … 1; the other answers are right or wrong. Default 0. */
  rho?: number
  /** Seed of everything the people do by chance, 0 … 2^53 − 1. Default 1. */
  seed?: number
  /** How late answers come; a number is a fixed delay in samples. Default 0. */
  delay?: number | DelayOptions
  /** Share of questions that are never answered, 0 … 1. Default 0. */
  missing?: number
  /** Share of answers that are wrong, 0 … 1: right for wrong and wrong for right, any other level for a label. Default 0. */
  wrong?: number
  /** Fatigue: samples after which people answer half as often as at first, above 0. Default: they do not tire. */
  halfLife?: number
  /** People answer only what looks easy: assessments with at least this confidence, 0 … 1. Default 0: everything. */
  easyAbove?: number
}

const OPTIONS = ['levels', 'rho', 'seed', 'delay', 'missing', 'wrong', 'halfLife', 'easyAbove']

/** What was asked about an assessment: `verdict`, right or wrong, or the `label`. */
export type QuestionKind = 'verdict' | 'label'

/** What a person sees of an assessment. */
type Asked = Pick<Assessment, 'id' | 'level' | 'confidence'>

/** An answer that has arrived. */
export interface ArrivedAnswer {
  readonly id: AssessmentId
  readonly feedback: Feedback
}

/**
 * People as they really answer, simulated: late, not at all, wrongly, tired, or only what is easy. With no options but
 * ρ it is the expert of the paper's experiments. Each habit has its own random numbers, so switching one on does not
 * change the others.
 *
 * For every sample: `mode`, then assess, then `ask`, then learn everything `arrived`.
 *
 * @example
 * import { FeedbackModel } from '@pb-oel/core'
 * const people = new FeedbackModel({ levels: 3, delay: 1 })
 * const assessment = { id: 0, level: 2, confidence: 0.9 }
 * people.ask(assessment, 2, 'verdict')
 * people.arrived().length // 0
 * people.arrived()[0].feedback.kind === 'confirm' // true
 */
export class FeedbackModel {
  private readonly levels: number
  private readonly rho: number
  private readonly delay: Delay
  private readonly missing: number
  private readonly wrong: number
  private readonly halfLife: number
  private readonly easyAbove: number
  private readonly modes: Random
  private readonly delays: Random
  private readonly absences: Random
  private readonly errors: Random
  private readonly underway = new Map<number, ArrivedAnswer[]>()
  private time = 0

  constructor(options: FeedbackModelOptions) {
    onlyKnown(options, OPTIONS)
    const { delay = 0, halfLife = Infinity } = options
    const seed = integerIn('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER)
    this.levels = integerIn('levels', options.levels, 2, 255)
    this.rho = numberIn('rho', options.rho ?? 0, 0, 1)
    this.delay = new Delay(typeof delay === 'number' ? { mean: delay, limit: 2 ** 20 - 1 } : delay)
    this.missing = numberIn('missing', options.missing ?? 0, 0, 1)
    this.wrong = numberIn('wrong', options.wrong ?? 0, 0, 1)
    this.halfLife = halfLife === Infinity ? halfLife : positive('halfLife', halfLife)
    this.easyAbove = numberIn('easyAbove', options.easyAbove ?? 0, 0, 1)
    this.modes = new Random(seed, 'feedback')
    this.delays = new Random(seed, 'feedback delays')
    this.absences = new Random(seed, 'feedback absences')
    this.errors = new Random(seed, 'feedback errors')
  }

  /** What will be asked about the next sample when everything is: the label with probability ρ. */
  mode(): FeedbackMode {
    return this.modes.uniform() < this.rho ? 'full' : 'partial'
  }

  /**
   * Asks about an assessment whose true level is `truth`.
   *
   * @param asked probability with which this question was asked, carried with the answer
   */
  ask(assessment: Asked, truth: number, kind: QuestionKind, asked = 1): void {
    const { id, level, confidence } = assessment
    const willing = (1 - this.missing) * power(2, -this.time / this.halfLife)
    const absent = this.absences.uniform() >= willing || confidence < this.easyAbove
    const delay = this.delay.draw(this.delays)
    if (absent || delay < 0) return
    const due = this.time + delay
    const answer = { id, feedback: { ...this.answer(level, truth, kind), ...(asked < 1 && { asked }) } }
    const others = this.underway.get(due)
    if (others) others.push(answer)
    else this.underway.set(due, [answer])
  }

  /** The answers that arrive now. Each call is one sample later. */
  arrived(): readonly ArrivedAnswer[] {
    const answers = this.underway.get(this.time) ?? NONE
    this.underway.delete(this.time)
    this.time++
    return answers
  }

  private answer(level: number, truth: number, kind: QuestionKind): Feedback {
    const wrong = this.errors.uniform() < this.wrong
    if (kind === 'label') {
      const { levels } = this
      const shift = wrong ? 1 + this.errors.integer(levels - 1) : 0
      return { kind: 'label', level: (truth + shift) % levels }
    }
    return (level === truth) !== wrong ? { kind: 'confirm' } : { kind: 'reject' }
  }
}

const NONE: readonly ArrivedAnswer[] = []
