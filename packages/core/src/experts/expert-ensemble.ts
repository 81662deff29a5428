import type {
  Assessment,
  AssessmentId,
  BoundedAssessor,
  Coin,
  Ensemble,
  Feedback,
  FeedbackMode,
  Guarantee,
  RegretWithConfidence,
} from '../assessor.ts'
import { scaledCosts } from '../decision/cost-matrix.ts'
import { argmax } from '../learners/learner.ts'
import { Random } from '../math/random.ts'
import type { Extensions, Method } from '../method.ts'
import { integerIn } from '../options/checks.ts'
import type { GivenOptions, SettingsOf } from '../options/option-table.ts'
import { checkFeedback, checkMode, checkSample, PendingAssessments } from '../pending.ts'
import { rvflSettings } from '../rvfl/options.ts'
import { writeSnapshot } from '../state/snapshot.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { Committee } from './committee.ts'
import type { ENSEMBLE_OPTIONS, EnsembleOptions } from './ensemble-options.ts'
import { createMembers, type Member } from './member.ts'
import { drawLevel, mixAdvice } from './mixture.ts'
import { RoundBook } from './round-book.ts'

/** What a subclass decides about its experts. */
interface EnsemblePlan {
  /** The experts beside the networks when the caller names none. */
  readonly members?: readonly Member[]
  readonly extensions?: Extensions
  /** See {@link CommitteePlan}. A matrix of the caller wins. */
  readonly costs?: Float64Array
  readonly blend?: boolean
  readonly guard?: boolean
  /** Whether networks are watched through rejections too. */
  readonly hearsRejections?: boolean
  /** The scaling where the caller names none. */
  readonly scaling?: 'robust'
  /** The number of networks where the caller names none. */
  readonly networks?: number
}

/** An answer as the weights see it. One object serves all rounds. */
export interface Answer {
  /** The level that was assessed, and the probability p_a it was drawn with. */
  assessed: number
  probability: number
  /** The true level where the answer tells it, else −1. */
  known: number
  /** Whether the label was given, so that it is known whatever was assessed. */
  full: boolean
  /** Whether a label had been promised before the level was drawn; true in edition 1, which does not ask. */
  promised: boolean
  /** 1 / the probability that this sample was asked about. */
  importance: number
  /** How many other answers came after the assessment and before this one, as far as that can be told. */
  behind: number
  /** Where the advice of decision time, and the subclass's notes, begin in the data of the pending assessments. */
  advice: number
  notes: number
}

/**
 * What ensembles of experts have in common: experts advise, weights combine them, a level is drawn from the mixture;
 * the answer, whenever it comes, is credited with the advice and the probability of decision time, and teaches every
 * expert. The subclass decides how the weights learn.
 */
export abstract class ExpertEnsemble implements BoundedAssessor, Ensemble, Stateful {
  readonly channels: number
  readonly levels: number
  /** Advice ξ of the latest assessment, N × K. */
  readonly advice: Float64Array
  /** Number of experts N: networks and members. */
  protected readonly experts: number
  protected readonly pending: PendingAssessments
  protected readonly result: { -readonly [K in keyof Assessment]: Assessment[K] }
  /** Whether the level is drawn, as the theorems need. */
  protected readonly sampled: boolean
  /** The cost matrix, row by row, scaled to 0 … 1, when there is one. */
  protected readonly costs: Float64Array | undefined
  /** How many answers came after a later assessment. */
  protected late = 0
  /** What happened to every assessment; there is none in edition 1. */
  protected readonly book: RoundBook | undefined
  private readonly method: string
  private readonly options: GivenOptions
  private readonly committee: Committee
  private readonly actions: Random
  private readonly hard: boolean
  private readonly sample: Float64Array
  private readonly rowNotes: number
  private readonly answer: Answer

  /**
   * @param method entry whose name snapshots carry
   * @param options what the caller gave; goes into snapshots as it is
   * @param settings the same, checked, with the defaults
   * @param notes how many numbers the subclass keeps with each pending assessment
   * @param members the experts beside the networks when the caller names none
   */
  constructor(
    method: Method,
    options: EnsembleOptions,
    settings: SettingsOf<typeof ENSEMBLE_OPTIONS>,
    notes: number,
    { members = [], extensions, ...plan }: EnsemblePlan = {},
  ) {
    this.method = method.name
    const { edition: _, ...given } = options
    // A copy as JSON, as snapshots hold it: later changes to lists of the caller must not reach them.
    this.options = JSON.parse(JSON.stringify(settings.edition === 1 ? given : { ...given, edition: settings.edition }))
    const chosen = settings.members ?? members
    const networks = integerIn('networks', settings.networks ?? plan.networks ?? 10, chosen.length > 0 ? 0 : 1, 1000)
    const bank = rvflSettings(settings, networks, {
      extensions,
      relative: settings.edition > 1,
      otherwise: plan.scaling,
      hearsRejections: plan.hearsRejections,
    })
    const { channels, levels } = settings
    this.channels = channels
    this.levels = levels
    this.costs = settings.costs === undefined ? plan.costs : scaledCosts(settings.costs, levels)
    this.hard = settings.advice === 'hard'
    this.sampled = settings.action === 'sample'
    this.committee = new Committee(
      bank,
      createMembers(chosen, channels, levels, extensions, settings.edition > 1 ? settings.seed : undefined),
      { ...plan, costs: this.costs },
    )
    this.experts = this.committee.size
    this.rowNotes = channels + this.experts * levels
    const second = settings.edition > 1
    const width = this.rowNotes + 2 + notes + (second ? RoundBook.WIDTH : 0)
    this.pending = new PendingAssessments(settings.pending, width, { from: channels, to: this.rowNotes, levels })
    if (second) {
      const { regretWindow: window, regretConfidence: confidence } = settings
      this.book = new RoundBook(this.pending, {
        experts: this.experts,
        levels,
        window,
        confidence,
        advice: channels,
        assessed: this.rowNotes,
        notes: this.rowNotes + 2 + notes,
      })
    }
    this.actions = new Random(settings.seed, 'actions')
    this.sample = new Float64Array(channels)
    this.advice = new Float64Array(this.experts * levels)
    this.answer = {
      assessed: 0,
      probability: 1,
      known: -1,
      full: false,
      promised: true,
      importance: 1,
      behind: 0,
      advice: 0,
      notes: 0,
    }
    this.result = {
      id: -1,
      level: 0,
      probabilities: new Float64Array(levels),
      confidence: 0,
      experts: this.committee.votes,
      drifts: new Uint8Array(this.experts),
    }
  }

  /** Normalised weights q of the experts, not a copy. */
  protected abstract readonly currentShares: Float64Array
  /** How often the weights have restarted; undefined where they never do. */
  abstract readonly restarts: number | undefined
  /**
   * Returns the distribution to draw from, given the mixture s in `p`, which it may change: `p` is what the assessment
   * shows. It may keep notes for `credit` in pending data from `notes`.
   */
  protected abstract decide(p: Float64Array, mode: FeedbackMode, notes: number): Float64Array
  /** Credits the experts for an answer; `correction` when it replaces an earlier one. */
  protected abstract credit(answer: Answer, correction: boolean): void
  /** Saves or loads the weights and what goes with them. */
  protected abstract transferWeights(io: StateIo): void
  abstract guarantee(): Guarantee

  /** Normalised weights q of the experts, networks first; a copy. */
  get shares(): Float64Array {
    return this.currentShares.slice()
  }

  assess(x: Float64Array, mode: FeedbackMode = 'unknown'): Assessment {
    checkSample(x, this.channels)
    checkMode(mode)
    const { committee, pending, result, levels, advice } = this
    const p = result.probabilities
    const id = pending.open()
    committee.predict(x, id)
    if (this.hard) {
      advice.fill(0)
      for (let n = 0; n < committee.size; n++) advice[n * levels + committee.votes[n]] = 1
    } else advice.set(committee.confidences)
    mixAdvice(this.currentShares, advice, p)
    const { data } = pending
    const row = pending.offset(id)
    const notes = row + this.rowNotes
    const drawn = this.decide(p, mode, notes + 2)
    const u = this.actions.uniform()
    const level = this.sampled ? drawLevel(drawn, u) : argmax(drawn)
    result.id = id
    result.level = level
    result.confidence = this.support(level)
    result.drifts.set(committee.drifts)
    committee.drifts.fill(0)

    data.set(x, row)
    data.set(advice, row + this.channels)
    data[notes] = level
    data[notes + 1] = drawn[level]
    this.book?.open(id, mode, result.drifts.includes(1))
    return result
  }

  noteCoin(id: AssessmentId, coin: Coin): void {
    this.book?.toss(id, coin)
  }

  learn(id: AssessmentId, feedback: Feedback): void {
    checkFeedback(feedback, this.levels)
    const { pending, sample, channels, committee, answer } = this
    const correction = pending.check(id, feedback)
    const { data } = pending
    const row = pending.offset(id)
    const notes = row + this.rowNotes
    const assessed = data[notes]
    const full = feedback.kind === 'label' || this.rejectionReveals
    const known =
      feedback.kind === 'label' ? feedback.level : feedback.kind === 'confirm' ? assessed : this.revealed(assessed)
    if (!correction && id !== pending.count - 1) this.late++
    this.book?.settle(id, feedback, correction)
    answer.assessed = assessed
    answer.probability = data[notes + 1]
    answer.known = known
    answer.full = full
    answer.promised = this.book?.promised(id) ?? true
    answer.importance = 1 / (feedback.asked ?? 1)
    answer.behind = this.behind(id)
    answer.advice = row + channels
    answer.notes = notes + 2
    this.credit(answer, correction)
    pending.close(id)

    for (let i = 0; i < channels; i++) sample[i] = data[row + i]
    if (known >= 0) committee.teach(sample, id, known)
    else committee.refute(sample, id, assessed)
    // Only labels that were promised make exploration needless, so only they count towards ρ.
    this.endRound(full && answer.promised, correction)
  }

  /**
   * How many samples came after assessment `id`, times the share of samples up to it that were answered. Not the
   * answers counted since: of the first ones, which come when many are under way, that would say that they come at
   * once.
   */
  private behind(id: AssessmentId): number {
    return (this.pending.count - 1 - id) * Math.min(1, (this.answered + 1) / (id + 1))
  }

  /** Whether "wrong" is taken to reveal the label, as it does when there are two levels. */
  protected get rejectionReveals(): boolean {
    return false
  }

  private revealed(rejected: number): number {
    return this.rejectionReveals ? 1 - rejected : -1
  }

  /** Called when an answer has been credited and learned; `full` where it is a label that had been promised. */
  protected endRound(_full: boolean, _correction: boolean): void {}

  snapshot(): Uint8Array {
    return writeSnapshot(this.method, this.options, this)
  }

  transfer(io: StateIo): void {
    this.committee.transfer(io)
    this.transferWeights(io)
    this.pending.transfer(io)
    this.actions.position = io.number(this.actions.position)
    this.late = io.number(this.late)
    this.book?.transfer(io)
  }

  /** How much better any expert can have been; undefined in edition 1. */
  protected regretWithConfidence(): RegretWithConfidence | undefined {
    return this.book?.regret()
  }

  /** Number of answered assessments. */
  protected abstract readonly answered: number

  /** The first assumption of the theorems that does not hold, if any. */
  brokenAssumption(): string | undefined {
    if (!this.sampled) return 'the level is the most probable one, not drawn (action: argmax)'
    if (this.late > 0) {
      const answers = this.late === 1 ? '1 answer' : `${this.late} answers`
      return `${answers} came after a later assessment; the theorems assume they come before`
    }
    // Progress records of edition 1 hold what it said; it did not look at more.
    if (!this.book) return undefined
    const { count } = this.pending
    const latestOpen = this.pending.isOpen(count - 1) ? 1 : 0
    const unanswered = count - latestOpen - this.answered - this.book.passedOver
    if (unanswered > 0) {
      const assessments = unanswered === 1 ? '1 assessment was' : `${unanswered} assessments were`
      return `${assessments} not answered; which ones may depend on what was drawn`
    }
    return this.book.brokenPromise()
  }

  /** Σ q_n · confidence of expert n in `level`. */
  private support(level: number): number {
    const { currentShares: shares, committee } = this
    let sum = 0
    for (let n = 0; n < shares.length; n++) sum += shares[n] * committee.confidences[n * this.levels + level]
    return sum
  }
}
