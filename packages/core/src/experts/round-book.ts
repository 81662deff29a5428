import type { AssessmentId, Coin, Feedback, FeedbackMode, RegretWithConfidence } from '../assessor.ts'
import { FeedbackError, UnknownAssessmentError } from '../errors.ts'
import type { PendingAssessments } from '../pending.ts'
import { RegretAccount } from '../promises/regret-account.ts'
import { StaggeredWindow } from '../promises/staggered-window.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/** Where things are in the row of a pending assessment, and how many experts and levels there are. */
export interface RoundBookSettings {
  experts: number
  levels: number
  /** Length of the window that has an account of its own, in samples. */
  window: number
  /** Probability with which the bounds hold. */
  confidence: number
  /** Offsets in a row: of the advice, of the assessed level, of the book's own numbers. */
  advice: number
  assessed: number
  notes: number
}

/**
 * The book's own numbers in a row: π of the coin, negative where it passed the sample over; what was promised; the
 * latest answer.
 */
const COIN = 0
const PROMISED = 1
const KNOWN = 2

/**
 * What became of every assessment of an ensemble: whether it was asked about, whether the answer was of the kind that
 * had been promised, and what it says about regret (docs/promises.md).
 */
export class RoundBook implements Stateful {
  /** How many numbers of a row are the book's. */
  static readonly WIDTH = 3
  /** Assessments that the coin passed over. */
  passedOver = 0
  /** Labels that nobody had promised, promised labels that were mere verdicts, and verdicts. */
  private volunteered = 0
  private withheld = 0
  private verdicts = 0
  private readonly pending: PendingAssessments
  private readonly settings: RoundBookSettings
  private readonly account: RegretAccount
  private readonly window: StaggeredWindow
  /** What the sums were at the latest refit, the assessment that came next, and how often networks were refitted. */
  private readonly refitMark: Float64Array
  private refitStart = 0
  private refits = 0

  constructor(pending: PendingAssessments, settings: RoundBookSettings) {
    const { experts, levels } = settings
    this.pending = pending
    this.settings = settings
    this.account = new RegretAccount(experts, levels)
    this.window = new StaggeredWindow(settings.window, this.account.sums.length)
    this.refitMark = this.account.sums.slice()
  }

  /**
   * Enters an assessment whose row is complete.
   *
   * @param refitted whether a network has been refitted since the assessment before
   */
  open(id: AssessmentId, mode: FeedbackMode, refitted: boolean): void {
    const { data } = this.pending
    const row = this.pending.offset(id)
    const { advice, assessed, notes } = this.settings
    const level = data[row + assessed]
    data[row + notes + COIN] = 1
    data[row + notes + PROMISED] = mode === 'full' ? 1 : 0
    this.window.advance(this.account.sums)
    if (refitted) {
      this.refitMark.set(this.account.sums)
      this.refitStart = id
      this.refits++
    }
    this.account.begin(data, row + advice, level)
  }

  /** Enters what the coin said about an assessment. */
  toss(id: AssessmentId, { probability, asked }: Coin): void {
    const { pending } = this
    if (!(probability >= 0 && probability <= 1)) throw new FeedbackError('asked', probability, 'a number in [0, 1]')
    if (!Number.isInteger(id) || id < pending.count - pending.capacity || id < 0 || id >= pending.count) {
      throw new UnknownAssessmentError(id, 'never made, or no longer kept')
    }
    const { data } = pending
    const row = pending.offset(id)
    const { advice, assessed, notes } = this.settings
    if (!pending.isOpen(id) || data[row + notes + COIN] !== 1) {
      throw new UnknownAssessmentError(id, 'the coin must be noted once, before the answer')
    }
    if (!RegretAccount.usable(probability)) return
    data[row + notes + COIN] = asked ? probability : -probability
    if (!asked) this.passedOver++
    const level = data[row + assessed]
    this.account.toss(data, row + advice, level, probability, asked)
    this.changeMarksAfter(id, (mark) => this.account.toss(data, row + advice, level, probability, asked, mark))
  }

  /** Enters an answer, before the row is closed. */
  settle(id: AssessmentId, feedback: Feedback, correction: boolean): void {
    const { data } = this.pending
    const row = this.pending.offset(id)
    const { assessed, notes } = this.settings
    const coin = data[row + notes + COIN]
    const told = feedback.kind === 'reject' ? -1 : data[row + assessed]
    const known = feedback.kind === 'label' ? feedback.level : told
    if (!correction) this.classify(feedback, data[row + notes + PROMISED] === 1)
    // Nobody was asked: who answers all the same may have looked at the assessment first.
    if (coin > 0) {
      this.enter(this.account.sums, row, known, correction)
      this.changeMarksAfter(id, (mark) => this.enter(mark, row, known, correction))
    } else if (!correction) this.passedOver--
    data[row + notes + KNOWN] = known
  }

  /** Whether the label of an assessment had been promised before its level was drawn. */
  promised(id: AssessmentId): boolean {
    return this.pending.data[this.pending.offset(id) + this.settings.notes + PROMISED] === 1
  }

  /** How much better any expert can have been. */
  regret(): RegretWithConfidence {
    const { account, refits, refitMark } = this
    const { confidence } = this.settings
    return {
      ...account.bound({ confidence }),
      window: account.bound({ confidence, mark: this.window.mark }),
      ...(refits > 0 && {
        // Σ 1/(k(k+1)) = 1, so all windows since a refit hold at once.
        sinceRefit: { ...account.bound({ confidence, mark: refitMark, shared: refits * (refits + 1) }), refits },
      }),
    }
  }

  /** Why whether labels came may have depended on what was drawn, if so. */
  brokenPromise(): string | undefined {
    const { withheld, volunteered, verdicts } = this
    if (withheld > 0) return `${labels(withheld)} had been promised, but only right or wrong was told`
    if (volunteered > 0 && verdicts > 0) {
      return `${labels(volunteered)} had not been promised; whether they came may depend on what was drawn`
    }
    return undefined
  }

  transfer(io: StateIo): void {
    this.passedOver = io.number(this.passedOver)
    this.volunteered = io.number(this.volunteered)
    this.withheld = io.number(this.withheld)
    this.verdicts = io.number(this.verdicts)
    this.account.transfer(io)
    this.window.transfer(io)
    io.fill(this.refitMark)
    this.refitStart = io.number(this.refitStart)
    this.refits = io.number(this.refits)
  }

  /** Calls `change` with each mark that was set after assessment `id`. */
  private changeMarksAfter(id: AssessmentId, change: (mark: Float64Array) => void): void {
    this.window.changeMarksAfter(id, change)
    if (id < this.refitStart) change(this.refitMark)
  }

  /** Enters what is known now into sums, in place of what was known before. */
  private enter(sums: Float64Array, row: number, known: number, correction: boolean): void {
    const { account } = this
    const { data } = this.pending
    const { advice, assessed, notes } = this.settings
    const level = data[row + assessed]
    const coin = data[row + notes + COIN]
    if (correction) account.settle(data, row + advice, level, data[row + notes + KNOWN], coin, -1, sums)
    account.settle(data, row + advice, level, known, coin, 1, sums)
  }

  private classify(feedback: Feedback, promised: boolean): void {
    // With two levels a verdict is a label.
    const label = feedback.kind === 'label'
    if (!label) this.verdicts++
    if (this.settings.levels === 2) return
    if (label && !promised) this.volunteered++
    if (!label && promised) this.withheld++
  }
}

function labels(count: number): string {
  return count === 1 ? '1 label' : `${count} labels`
}
