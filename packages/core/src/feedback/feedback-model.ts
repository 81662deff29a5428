import type { Assessment, AssessmentId, Feedback, FeedbackMode } from '../assessor.ts'
import { power } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { SEED, SHAPE_OPTIONS } from '../options/task-options.ts'
import { Delay, type DelayOptions } from './delay.ts'

/** The options of a {@link FeedbackModel}. */
export const FEEDBACK_OPTIONS = {
  levels: SHAPE_OPTIONS.levels,
  rho: option.number({
    from: 0,
    to: 1,
    default: 0,
    about: 'Share ρ of full labels; the other answers are right or wrong.',
  }),
  seed: { ...SEED, about: 'Seed of everything that reviewers do by chance.' },
  delay: option.json('a number of samples, or { law, mean, limit }', isDelay, {
    default: 0,
    about: 'How late answers come; a number is a fixed delay in samples.',
  }),
  missing: option.number({ from: 0, to: 1, default: 0, about: 'Share of questions that are never answered.' }),
  wrong: option.number({
    from: 0,
    to: 1,
    default: 0,
    about: 'Share of answers that are wrong: right for wrong and wrong for right, any other level for a label.',
  }),
  halfLife: option.number({
    above: 0,
    otherwise: 'they do not tire',
    about: 'Fatigue: samples after which reviewers answer half as often as at first.',
  }),
  easyAbove: option.number({
    from: 0,
    to: 1,
    default: 0,
    about: 'Reviewers answer only what looks easy: assessments with at least this confidence.',
  }),
  lateWhenWrong: option.integer({
    from: 0,
    to: 1e6,
    default: 0,
    about: 'How many samples later still the answer to a wrong assessment comes.',
  }),
  lateWhenRight: option.integer({
    from: 0,
    to: 1e6,
    default: 0,
    about: 'How many samples later still the answer to a right assessment comes.',
  }),
  skipWhenWrong: option.number({
    from: 0,
    to: 1,
    default: 0,
    about: 'Share of the questions about wrong assessments that are never answered.',
  }),
  volunteer: option.number({
    from: 0,
    to: 1,
    default: 0,
    about: 'Share of the wrong assessments whose level reviewers name though they were asked for right or wrong.',
  }),
}

/** Options of a {@link FeedbackModel}, as {@link FEEDBACK_OPTIONS} declares them. */
export type FeedbackModelOptions = OptionsOf<typeof FEEDBACK_OPTIONS>

function isDelay(value: unknown): value is number | DelayOptions {
  return typeof value === 'number' || (typeof value === 'object' && value !== null)
}

/** What is asked about an assessment: `verdict`, right or wrong, or the `label`. */
export type AskedKind = 'verdict' | 'label'

/** What a reviewer sees of an assessment. */
type Seen = Pick<Assessment, 'id' | 'level' | 'confidence'>

/** An answer that has arrived. */
export interface ArrivedAnswer {
  readonly id: AssessmentId
  readonly feedback: Feedback
}

const CONFIRM: Feedback = { kind: 'confirm' }
const REJECT: Feedback = { kind: 'reject' }

/**
 * Reviewers as they really answer, simulated: late, not at all, wrongly, tired, or only what is easy. With no options
 * but ρ it is the expert of the paper's experiments. Each habit has its own random numbers, so switching one on does
 * not change the others.
 *
 * For every sample: `mode`, then assess, then `ask`, then learn everything `arrived`.
 *
 * @example
 * import { FeedbackModel } from '@pb-oel/core'
 * const reviewers = new FeedbackModel({ levels: 3, delay: 1 })
 * const assessment = { id: 0, level: 2, confidence: 0.9 }
 * reviewers.ask(assessment, 2, 'verdict')
 * reviewers.arrived().length // 0
 * reviewers.arrived()[0].feedback.kind === 'confirm' // true
 */
export class FeedbackModel {
  private readonly levels: number
  private readonly rho: number
  private readonly delay: Delay
  private readonly missing: number
  private readonly wrong: number
  private readonly halfLife: number
  private readonly easyAbove: number
  private readonly lateWhenWrong: number
  private readonly lateWhenRight: number
  private readonly skipWhenWrong: number
  private readonly volunteer: number
  private readonly modes: Random
  private readonly delays: Random
  private readonly absences: Random
  private readonly errors: Random
  private readonly whims: Random
  private readonly labels: readonly Feedback[]
  private readonly underway = new Map<number, ArrivedAnswer[]>()
  /** The answers that arrive now, in objects that are used again, so that the plain case allocates nothing. */
  private readonly now: ArrivedAnswer[] = []
  private readonly spare: { id: AssessmentId; feedback: Feedback }[] = []
  private shown = false
  private time = 0

  constructor(options: FeedbackModelOptions) {
    const settings = readOptions(FEEDBACK_OPTIONS, options)
    const { levels, delay, seed } = settings
    this.levels = levels
    this.rho = settings.rho
    this.delay = new Delay(typeof delay === 'number' ? { mean: delay, limit: 2 ** 20 - 1 } : delay)
    this.missing = settings.missing
    this.wrong = settings.wrong
    this.halfLife = settings.halfLife ?? Infinity
    this.easyAbove = settings.easyAbove
    this.lateWhenWrong = settings.lateWhenWrong
    this.lateWhenRight = settings.lateWhenRight
    this.skipWhenWrong = settings.skipWhenWrong
    this.volunteer = settings.volunteer
    this.whims = new Random(seed, 'feedback whims')
    this.modes = new Random(seed, 'feedback')
    this.delays = new Random(seed, 'feedback delays')
    this.absences = new Random(seed, 'feedback absences')
    this.errors = new Random(seed, 'feedback errors')
    this.labels = Array.from({ length: levels }, (_, level) => ({ kind: 'label', level }))
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
  ask(assessment: Seen, truth: number, kind: AskedKind, asked = 1): void {
    const { id, level, confidence } = assessment
    const absent = this.isAbsent() || confidence < this.easyAbove
    const delay = this.delay.draw(this.delays)
    if (absent || delay < 0) return
    const right = level === truth
    if (!right && this.skipWhenWrong > 0 && this.whims.uniform() < this.skipWhenWrong) return
    const named = !right && this.volunteer > 0 && this.whims.uniform() < this.volunteer
    const plain = this.answer(level, truth, named ? 'label' : kind)
    const feedback = asked < 1 ? { ...plain, asked } : plain
    const wait = delay + (right ? this.lateWhenRight : this.lateWhenWrong)
    if (wait === 0) this.deliver(id, feedback)
    else this.send(this.time + wait, { id, feedback })
  }

  /**
   * The answers that arrive now. Each call is one sample later. The list and its objects belong to the model, which
   * overwrites them at the next `ask`: use them at once.
   */
  arrived(): readonly ArrivedAnswer[] {
    const { now, underway } = this
    if (this.shown) this.clear()
    if (underway.size > 0) {
      const late = underway.get(this.time)
      // Answers that were under way come before those to the newest question.
      if (late) now.unshift(...late)
      underway.delete(this.time)
    }
    this.time++
    this.shown = true
    return now
  }

  /** Nobody looks at the question. Without such a habit no number is drawn: nothing else would use it. */
  private isAbsent(): boolean {
    const { missing, halfLife } = this
    if (missing === 0 && halfLife === Infinity) return false
    return this.absences.uniform() >= (1 - missing) * power(2, -this.time / halfLife)
  }

  private deliver(id: AssessmentId, feedback: Feedback): void {
    if (this.shown) this.clear()
    const { now, spare } = this
    if (spare.length === now.length) spare.push({ id, feedback })
    const answer = spare[now.length]
    answer.id = id
    answer.feedback = feedback
    now.push(answer)
  }

  private send(due: number, answer: ArrivedAnswer): void {
    const others = this.underway.get(due)
    if (others) others.push(answer)
    else this.underway.set(due, [answer])
  }

  /** Forgets the answers that the caller has seen. */
  private clear(): void {
    this.now.length = 0
    this.shown = false
  }

  private answer(level: number, truth: number, kind: AskedKind): Feedback {
    const { levels } = this
    const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong
    if (kind === 'label') {
      const shift = wrong ? 1 + this.errors.integer(levels - 1) : 0
      return this.labels[(truth + shift) % levels]
    }
    return (level === truth) !== wrong ? CONFIRM : REJECT
  }
}
