import type {
  Assessment,
  AssessmentId,
  Audit,
  BoundedAssessor,
  Feedback,
  FeedbackMode,
  Guarantee,
} from '../assessor.ts'
import { type CostMatrix, scaledCosts } from '../decision/cost-matrix.ts'
import { argmax } from '../learners/learner.ts'
import { Random } from '../math/random.ts'
import { integerIn, oneOf, onlyKnown } from '../options/checks.ts'
import { checkFeedback, checkMode, checkSample, PendingAssessments } from '../pending.ts'
import { RVFL_OPTIONS, type RvflOptions, rvflSettings } from '../rvfl/options.ts'
import { writeSnapshot } from '../state/snapshot.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { Committee } from './committee.ts'
import { createMembers, type Member } from './member.ts'
import { drawLevel, mixAdvice } from './mixture.ts'

/** Options of every ensemble of experts. */
export interface EnsembleOptions extends RvflOptions {
  /** Number of RVFL networks, 0 … 1,000; 0 only where there are `members`. Default 10. */
  experts?: number
  /** Further experts beside the networks, such as `{ kind: 'persistence' }` or any learner. */
  members?: readonly Member[]
  /** What experts tell the ensemble: `hard`, one-hot of their level, or `soft`, their confidences. Default `hard`. */
  advice?: 'hard' | 'soft'
  /** Costs of mistakes: with hard advice experts vote for their level of least expected cost. Default: all alike. */
  costs?: CostMatrix
  /** `sample` draws the level, as the guarantee needs; `argmax` takes the most probable, without guarantee. Default `sample`. */
  action?: 'sample' | 'argmax'
  /** How many assessments wait for an answer at most, 1 … 2^20. Default 1024. */
  pending?: number
}

const OPTIONS: readonly string[] = [...RVFL_OPTIONS, 'experts', 'members', 'advice', 'costs', 'action', 'pending']

/** An answer as the weights see it. One object serves all rounds. */
export interface Answer {
  /** The level that was assessed, and the probability p_a it was drawn with. */
  assessed: number
  probability: number
  /** The true level where the answer tells it, else −1. */
  known: number
  /** Whether the label was given, so that it is known whatever was assessed. */
  full: boolean
  /** 1 / the probability that this sample was asked about. */
  importance: number
  /** Where the advice of decision time, and the subclass's notes, begin in the data of the pending assessments. */
  advice: number
  notes: number
}

/**
 * What ensembles of experts have in common: experts advise, weights combine them, a level is drawn from the mixture;
 * the answer, whenever it comes, is credited with the advice and the probability of decision time, and teaches every
 * expert. How the weights learn is the subclass's.
 */
export abstract class ExpertEnsemble implements BoundedAssessor, Stateful {
  readonly channels: number
  readonly levels: number
  /** Advice ξ of the latest assessment, N × K. */
  readonly advice: Float64Array
  /** Number of experts N, networks and other members. */
  protected readonly experts: number
  protected readonly pending: PendingAssessments
  protected readonly result: { -readonly [K in keyof Assessment]: Assessment[K] }
  /** Whether the level is drawn, as the theorems need. */
  protected readonly sampled: boolean
  /** The cost matrix, row by row, scaled to 0 … 1, when there is one. */
  protected readonly costs: Float64Array | undefined
  /** How many answers came after a later assessment. */
  protected late = 0
  private readonly method: string
  private readonly options: EnsembleOptions
  private readonly committee: Committee
  private readonly actions: Random
  private readonly hard: boolean
  private readonly sample: Float64Array
  private readonly rowNotes: number
  private readonly answer: Answer

  /**
   * @param method name that snapshots carry
   * @param options what the caller gave
   * @param known names of the subclass's own options
   * @param notes how many numbers the subclass keeps with each pending assessment
   * @param members the experts beside the networks when the caller names none
   */
  constructor(
    method: string,
    options: EnsembleOptions,
    known: readonly string[],
    notes: number,
    members: readonly Member[] = [],
  ) {
    onlyKnown(options, [...OPTIONS, ...known])
    this.method = method
    this.options = { ...options }
    const chosen = options.members ?? members
    const networks = integerIn('experts', options.experts ?? 10, chosen.length > 0 ? 0 : 1, 1_000)
    const settings = rvflSettings(options, networks)
    const { channels, levels } = settings
    this.channels = channels
    this.levels = levels
    this.costs = options.costs === undefined ? undefined : scaledCosts(options.costs, levels)
    this.hard = oneOf('advice', options.advice ?? 'hard', ['hard', 'soft']) === 'hard'
    this.sampled = oneOf('action', options.action ?? 'sample', ['sample', 'argmax']) === 'sample'
    const capacity = integerIn('pending', options.pending ?? 1024, 1, 2 ** 20)
    this.committee = new Committee(settings, createMembers(chosen, channels, levels), this.costs)
    this.experts = this.committee.size
    this.rowNotes = channels + this.experts * levels
    this.pending = new PendingAssessments(capacity, this.rowNotes + 2 + notes)
    this.actions = new Random(settings.seed, 'actions')
    this.sample = new Float64Array(channels)
    this.advice = new Float64Array(this.experts * levels)
    this.answer = { assessed: 0, probability: 1, known: -1, full: false, importance: 1, advice: 0, notes: 0 }
    this.result = {
      id: -1,
      level: 0,
      probabilities: new Float64Array(levels),
      confidence: 0,
      experts: this.committee.votes,
      drifts: new Uint8Array(this.experts),
    }
  }

  /** Normalised weights q of the experts. */
  protected abstract readonly shares: Float64Array
  /** Turns the mixture s in `p` into the distribution to draw from; may keep notes for `credit` in pending data from `notes`. */
  protected abstract decide(p: Float64Array, mode: FeedbackMode, notes: number): void
  /** Credits the experts for an answer; `correction` when it replaces an earlier one. */
  protected abstract credit(answer: Answer, correction: boolean): void
  /** Saves or loads the weights and what goes with them. */
  protected abstract transferWeights(io: StateIo): void
  abstract guarantee(): Guarantee
  abstract audit(): Audit

  /** Normalised weights q of the experts, networks first; a copy. */
  get expertShares(): Float64Array {
    return this.shares.slice()
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
    mixAdvice(this.shares, advice, p)
    const { data } = pending
    const row = pending.offset(id)
    const notes = row + this.rowNotes
    this.decide(p, mode, notes + 2)
    const u = this.actions.uniform()
    const level = this.sampled ? drawLevel(p, u) : argmax(p)
    result.id = id
    result.level = level
    result.confidence = this.support(level)
    result.drifts.set(committee.drifts)
    committee.drifts.fill(0)

    data.set(x, row)
    data.set(advice, row + this.channels)
    data[notes] = level
    data[notes + 1] = p[level]
    return result
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
    answer.assessed = assessed
    answer.probability = data[notes + 1]
    answer.known = known
    answer.full = full
    answer.importance = 1 / (feedback.asked ?? 1)
    answer.advice = row + channels
    answer.notes = notes + 2
    this.credit(answer, correction)
    pending.close(id)

    for (let i = 0; i < channels; i++) sample[i] = data[row + i]
    if (known >= 0) committee.teach(sample, id, known)
    else committee.refute(sample, id, assessed)
    this.endRound(full, correction)
  }

  /** Whether "wrong" is taken to reveal the label, as it does when there are two levels. */
  protected get rejectionReveals(): boolean {
    return false
  }

  private revealed(rejected: number): number {
    return this.rejectionReveals ? 1 - rejected : -1
  }

  /** Called when an answer has been credited and learned. */
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
  }

  /** Why no ensemble of this kind could keep its promise, if so. */
  protected brokenAssumption(): string | undefined {
    if (!this.sampled) return 'the level is the most probable one, not drawn (action: argmax)'
    if (this.late > 0) return `${this.late} answers came after a later assessment; the theorems assume they come before`
    return undefined
  }

  /** Σ q_n · confidence of expert n in `level`. */
  private support(level: number): number {
    const { shares, committee } = this
    let sum = 0
    for (let n = 0; n < shares.length; n++) sum += shares[n] * committee.confidences[n * this.levels + level]
    return sum
  }
}
