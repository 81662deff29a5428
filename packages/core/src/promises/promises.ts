import type { Assessment, AssessmentId, Coin, Feedback } from '../assessor.ts'
import { type Outcome, type OutcomeShares, outcomeOf, WeightedOutcomes } from '../metrics/weighted-outcomes.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions, type SettingsOf } from '../options/option-table.ts'
import { TASK_OPTIONS } from '../options/task-options.ts'
import { PendingAssessments } from '../pending.ts'
import { type Stateful, type StateIo, StateReader, StateWriter, stateBytes, WideningReader } from '../state/state-io.ts'
import { CERTIFICATE_OPTIONS, CertifiedAccuracy } from './certified-accuracy.ts'
import type { CertifyResult } from './certify.ts'
import { FALL_OPTIONS, FallAlarm } from './fall-alarm.ts'
import { Recalibration } from './recalibration.ts'
import { Reliability } from './reliability.ts'
import type { PromisedAssessment, PromisesReport } from './report.ts'
import { SAFE_SIDE_OPTIONS, SafeSide } from './safe-side.ts'
import { StaggeredWindow } from './staggered-window.ts'
import { Training } from './training.ts'

/** The options of {@link Promises}. */
export const PROMISES_OPTIONS = {
  levels: TASK_OPTIONS.levels,
  confidence: CERTIFICATE_OPTIONS.confidence,
  floor: CERTIFICATE_OPTIONS.floor,
  wrong: CERTIFICATE_OPTIONS.wrong,
  wrongAtMost: CERTIFICATE_OPTIONS.wrongAtMost,
  window: option.integer({
    from: 2,
    to: 2 ** 40,
    default: 3600,
    about: 'Number of latest samples that have certificates of their own.',
  }),
  missTarget: SAFE_SIDE_OPTIONS.missTarget,
  target: FALL_OPTIONS.target,
  reference: FALL_OPTIONS.reference,
  tolerance: FALL_OPTIONS.tolerance,
  falseAlarmEvery: FALL_OPTIONS.falseAlarmEvery,
  block: FALL_OPTIONS.block,
  pending: TASK_OPTIONS.pending,
  warmUp: TASK_OPTIONS.warmUp,
}

/** Options of {@link Promises}, as {@link PROMISES_OPTIONS} declares them. */
export type PromisesOptions = OptionsOf<typeof PROMISES_OPTIONS>

const LEVEL = 0
const COIN = 1
const ASKED = 2
const SAFE_SIDE = 3
const RAW = 4
const CALIBRATED = 5
const EARLIER = 6
const WIDTH = 7

/** What an answer told: −1 that the level was wrong, else the true level. */
const WRONG = -1
/** Stands for the level that an answer told, where the answer was taken back. */
const WITHDRAWN = -2

/**
 * The promises that hold for every method, kept beside an assessor (docs/promises.md): certified accuracy and misses,
 * the safe-side level, recalibrated confidence, the alarm for a fall of accuracy, figures weighted by 1/π, and whether
 * the system is trained. Call `open` after each `assess`, `settle` with each answer.
 *
 * @example
 * import { NoChange } from '@pb-oel/core/rivals'
 * import { Promises } from '@pb-oel/core'
 * const assessor = new NoChange({ channels: 1, levels: 2 })
 * const promises = new Promises({ levels: 2 })
 * for (let t = 0; t < 100; t++) {
 *   const assessment = assessor.assess(Float64Array.of(0))
 *   promises.open(assessment)
 *   const answer = { kind: 'label', level: 0 } as const
 *   assessor.learn(assessment.id, answer)
 *   promises.settle(assessment.id, answer)
 * }
 * promises.report().accuracy.certified >= 0.99 // true
 */
export class Promises implements Stateful {
  private readonly settings: SettingsOf<typeof PROMISES_OPTIONS>
  private readonly levels: number
  private readonly floor: number
  private readonly accuracy: CertifiedAccuracy
  private readonly misses: CertifiedAccuracy
  private readonly windowAccuracy: StaggeredWindow
  private readonly windowMisses: StaggeredWindow
  private readonly safeSide: SafeSide
  private readonly recalibration = new Recalibration()
  private readonly rawReliability = new Reliability()
  private readonly reliability = new Reliability()
  private readonly outcomes: WeightedOutcomes
  private readonly training: Training
  private readonly fall: FallAlarm
  private readonly pending: PendingAssessments
  /** The assessment that the certificates and the alarm begin with. */
  private since = 0

  constructor(options: PromisesOptions) {
    const settings = readOptions(PROMISES_OPTIONS, options)
    const { levels, confidence, floor, window, missTarget, pending, warmUp } = settings
    const { target, reference, tolerance, falseAlarmEvery, block, wrong, wrongAtMost } = settings
    const certificate = () => new CertifiedAccuracy({ floor, confidence, wrong, wrongAtMost })
    this.settings = settings
    this.levels = levels
    this.floor = floor
    this.accuracy = certificate()
    this.misses = certificate()
    this.windowAccuracy = new StaggeredWindow(window, this.accuracy.sums.length)
    this.windowMisses = new StaggeredWindow(window, this.misses.sums.length)
    this.safeSide = new SafeSide({ floor, missTarget })
    this.outcomes = new WeightedOutcomes(levels)
    this.training = new Training(levels)
    this.fall = new FallAlarm({ target, reference, tolerance, falseAlarmEvery, block, floor, patience: pending })
    this.pending = new PendingAssessments(pending, WIDTH)
    for (const { level } of warmUp) this.training.told(level)
  }

  /**
   * Opens the next assessment.
   *
   * @param coin whether it is asked about, and with which probability it was to be. Default: every sample is
   */
  open(assessment: Assessment, coin: Coin = EVERY): PromisedAssessment {
    const { pending, recalibration, training } = this
    const { level } = assessment
    const { probability, asked } = coin
    const id = pending.open()
    const row = pending.offset(id)
    const safeSideLevel = this.safeSide.levelFor(assessment.probabilities)
    const confidence = recalibration.calibrate(assessment.confidence)
    const { data } = pending
    data[row + LEVEL] = level
    data[row + COIN] = probability
    data[row + ASKED] = asked ? 1 : 0
    data[row + SAFE_SIDE] = safeSideLevel
    data[row + RAW] = assessment.confidence
    data[row + CALIBRATED] = confidence
    this.windowAccuracy.advance(this.accuracy.sums)
    this.windowMisses.advance(this.misses.sums)
    this.accuracy.sample(probability, asked)
    this.misses.sample(probability, asked)
    const fell = this.fall.sample(id - this.since, probability, asked)
    return { safeSideLevel, confidence, trained: training.trained, fell }
  }

  /**
   * Hears an answer. One that nobody asked for teaches, but certifies nothing: who volunteers it may have looked at
   * the assessment first. True when an alarm is raised because accuracy fell.
   */
  settle(id: AssessmentId, feedback: Feedback): boolean {
    const { pending } = this
    const correction = pending.check(id, feedback)
    pending.close(id)
    const row = pending.offset(id)
    const assessed = pending.data[row + LEVEL]
    const known =
      feedback.kind === 'label' ? feedback.level : feedback.kind === 'confirm' ? assessed : this.other(assessed)
    if (pending.data[row + ASKED] === 1) {
      if (correction && pending.data[row + EARLIER] !== WITHDRAWN) this.count(id, pending.data[row + EARLIER], -1)
      this.count(id, known, 1)
    }
    pending.data[row + EARLIER] = known
    if (correction) return false
    if (known !== WRONG) this.training.told(known)
    return pending.data[row + ASKED] === 1 && this.adapt(id, known)
  }

  /**
   * Takes the answer to an assessment back: the assessment counts as not answered. What the answer taught stays. The
   * next answer to it is a correction.
   */
  withdraw(id: AssessmentId): void {
    const { pending } = this
    pending.check(id, { kind: 'confirm', correction: true })
    const row = pending.offset(id)
    if (pending.isOpen(id) || pending.data[row + EARLIER] === WITHDRAWN) return
    if (pending.data[row + ASKED] === 1) this.count(id, pending.data[row + EARLIER], -1)
    pending.data[row + EARLIER] = WITHDRAWN
  }

  /** Everything that is promised now. */
  report(): PromisesReport {
    return {
      trained: this.training.trained,
      since: this.since,
      answersPerLevel: this.training.answers,
      accuracy: this.accuracy.report(),
      windowAccuracy: this.accuracy.report(undefined, this.windowAccuracy.mark),
      misses: this.misses.report(),
      windowMisses: this.misses.report(undefined, this.windowMisses.mark),
      outcomes: this.outcomes.shares(),
      reliability: this.reliability.bins,
      calibrationError: this.reliability.expectedError,
      rawCalibrationError: this.rawReliability.expectedError,
      falls: this.fall.raised,
      keptAccuracy: this.keptAccuracy,
    }
  }

  /** Whether a level is a finding. */
  get trained(): boolean {
    return this.training.trained
  }

  /** How many more answers an untrained system needs at least; 0 once it is trained. */
  get answersMissing(): number {
    return this.training.missing
  }

  /** The accuracy whose fall raises an alarm; 0 while it is still being measured. */
  get keptAccuracy(): number {
    return this.fall.target
  }

  /** Estimated figures over all samples, or over those assessed as `level`. */
  outcomesOf(level?: number): OutcomeShares {
    return this.outcomes.shares(level)
  }

  /**
   * The certificate of the accuracy, and how many more checks a target needs.
   *
   * @param confidence with which it is to hold; the option's when left out
   */
  certify({ confidence, target }: { confidence?: number; target?: number } = {}): CertifyResult {
    const { samples, checks, wrong, certified, confidence: held } = this.accuracy.report(confidence)
    return {
      ...{ samples, checks, wrong, confidence: held, certified },
      ...(target !== undefined && { target, moreChecks: this.accuracy.moreChecks(target, confidence) ?? null }),
    }
  }

  /**
   * Goes on with other options, of which levels and pending are as before. What was learned stays. Certificates and
   * the alarm begin anew with the next sample where one of {@link RULES} has changed: their proofs hold for one rule.
   */
  changed(options: PromisesOptions): Promises {
    const next = new Promises(options)
    if (RULES.every((rule) => next.settings[rule] === this.settings[rule])) next.restore(this.snapshot())
    else {
      const writer = new StateWriter()
      this.transferLearned(writer)
      next.transferLearned(new StateReader(writer.finish()))
      next.since = next.pending.count
    }
    return next
  }

  /** The same with one level more, of which nothing is known yet. Every promise goes on. */
  withLevel(): Promises {
    const next = new Promises({ ...this.settings, levels: this.levels + 1 })
    next.transfer(new WideningReader(this.snapshot()))
    return next
  }

  /** The state as bytes. */
  snapshot(): Uint8Array {
    return stateBytes(this)
  }

  /** Goes on from the snapshot of promises with the same options. */
  restore(bytes: Uint8Array): void {
    this.transfer(new StateReader(bytes))
  }

  transfer(io: StateIo): void {
    this.accuracy.transfer(io)
    this.misses.transfer(io)
    this.windowAccuracy.transfer(io)
    this.windowMisses.transfer(io)
    this.fall.transfer(io)
    this.since = io.number(this.since)
    this.transferLearned(io)
  }

  private transferLearned(io: StateIo): void {
    this.safeSide.transfer(io)
    this.recalibration.transfer(io)
    this.rawReliability.transfer(io)
    this.reliability.transfer(io)
    this.outcomes.transfer(io)
    this.training.transfer(io)
    this.pending.transfer(io)
  }

  /** "Wrong" names the level where there are two. */
  private other(rejected: number): number {
    return this.levels === 2 ? 1 - rejected : WRONG
  }

  /** Counts an answer in every figure, or takes it back. */
  private count(id: AssessmentId, known: number, sign: 1 | -1): void {
    const { data } = this.pending
    const row = this.pending.offset(id)
    const assessed = data[row + LEVEL]
    const coin = data[row + COIN]
    const right = known === assessed
    // A "wrong" whose direction is not known counts as a miss, unless nothing is less safe than the assessed level.
    const noMiss = known === WRONG ? assessed === this.levels - 1 : known <= assessed
    const tell = (account: CertifiedAccuracy, good: boolean, sums?: Float64Array) =>
      sign === 1 ? account.answer(coin, good, sums) : account.withdraw(coin, good, sums)
    const place = id - this.since
    if (place >= 0) {
      tell(this.accuracy, right)
      tell(this.misses, noMiss)
      this.windowAccuracy.changeMarksAfter(place, (mark) => tell(this.accuracy, right, mark))
      this.windowMisses.changeMarksAfter(place, (mark) => tell(this.misses, noMiss, mark))
    }
    this.outcomes.add(assessed, this.outcome(assessed, known), sign / coin)
    this.rawReliability.add(data[row + RAW], right, sign / coin)
    this.reliability.add(data[row + CALIBRATED], right, sign / coin)
  }

  /** Of the safest level only a less safe one is left, of the least safe only a safer one. */
  private outcome(assessed: number, known: number): Outcome {
    if (known !== WRONG) return outcomeOf(assessed, known)
    return assessed === 0 ? 'miss' : assessed === this.levels - 1 ? 'false alarm' : 'wrong'
  }

  /** What adapts to an answer: the safe-side level, the confidence, the alarm. */
  private adapt(id: AssessmentId, known: number): boolean {
    const { data } = this.pending
    const row = this.pending.offset(id)
    const assessed = data[row + LEVEL]
    const coin = Math.max(this.floor, data[row + COIN])
    const possible = (level: number) => (known === WRONG ? level !== assessed : level === known)
    this.safeSide.learn(data[row + SAFE_SIDE], possible, this.levels, coin)
    this.recalibration.learn(data[row + RAW], known === assessed, this.floor / coin)
    return this.fall.answer(id - this.since, known === assessed)
  }
}

/** Options that a certificate or the alarm is proved for. */
const RULES = [
  'floor',
  'window',
  'target',
  'reference',
  'tolerance',
  'falseAlarmEvery',
  'block',
  'wrong',
  'wrongAtMost',
] as const

const EVERY: Coin = { probability: 1, asked: true }
