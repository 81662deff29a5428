import { hash } from 'node:crypto'
import {
  ANSWERS_PER_LEVEL,
  type Feedback as CoreFeedback,
  type Extensions,
  type Promises,
  restoreAssessor,
} from '@pb-oel/core'
import type {
  AddedChannel,
  AddedLevel,
  AlarmChange,
  AssessmentBody,
  Configuration,
  ConfigurationChange,
  ExclusionBody,
  Feedback,
  PromiseRule,
  PromisesReport,
  Sample,
  StretchBody,
  SystemEvent,
} from '@pb-oel/protocol'
import type { Moment } from './alarm.ts'
import { AlarmBook, type AlarmDue } from './alarm-book.ts'
import type { Sight } from './alarm-rule.ts'
import { reconfigure } from './configure.ts'
import { hearPerson, spokenOf } from './hear-person.ts'
import { Model } from './model.ts'
import { mostProbable } from './most-probable.ts'
import { setAside } from './names-and-limits.ts'
import { Progress } from './progress.ts'
import { RecentAssessments } from './recent-assessments.ts'
import { RememberedKeys } from './remembered-keys.ts'
import { ReviewerBook } from './reviewer-book.ts'
import { restoreAlarms } from './saved-alarms.ts'
import { decodeState, encodeState } from './saved-state.ts'
import { coin, isChosen } from './second-opinion.ts'
import { answeredBy } from './stretch.ts'
import { outcomeOf, Tally } from './tally.ts'
import { withChannel, withLevel } from './widen.ts'

/**
 * A system as the fold of its log: events in, state and derived events out, nothing else. It reads no clock and does
 * no I/O, so the server, recovery, replay, time travel and what-if all run this one class.
 *
 * An event that cannot be applied throws and changes nothing.
 */
export class SystemFold {
  readonly id: string
  /** Number of the last record applied. */
  sequence: number
  /** Its time. */
  time: number
  /**
   * Steady time: durations are measured by it. It is the time of the records, without the jumps that `clock` records
   * tell of.
   */
  steady: number
  /** Milliseconds of steady time for each of the times of records, as the latest `clock` record says. */
  pace = 1
  /** Steady time of the latest sample; `null` before any. */
  heard: number | null = null
  configuration: Configuration
  model: Model
  /** The latest assessments: questions, and what was answered. */
  recent: RecentAssessments
  readonly tally = new Tally()
  readonly progress = new Progress()
  /** What second opinions say of the reviewers. */
  readonly reviewers = new ReviewerBook()
  /** Who shall answer the questions of the system; undefined: anybody. */
  assignedTo: string | undefined
  /** The alarms of all rules. */
  readonly alarms: AlarmBook
  /** The latest sample as it was assessed, apart from excluded ones. */
  lastValues: number[] | undefined
  /** Names of the channels that are held, outside their range or stuck in it. */
  degraded: readonly string[] = []
  /** The latest idempotency keys. */
  readonly keys = new RememberedKeys()
  /** Stretches that the model is not told. */
  private readonly leftOut = new Set<number>()
  private readonly extensions: Extensions | undefined

  /**
   * A system just created by its first record.
   *
   * @param extensions methods, detectors and learners from outside that the configuration may name
   * @param model where it goes on with one; a fresh one when left out
   */
  constructor(
    id: string,
    configuration: Configuration,
    sequence = 1,
    time = 0,
    extensions?: Extensions,
    model = new Model(configuration, extensions),
  ) {
    this.id = id
    this.configuration = configuration
    this.sequence = sequence
    this.time = time
    this.extensions = extensions
    this.steady = time
    this.model = model
    this.alarms = new AlarmBook(configuration)
    this.recent = new RecentAssessments(setAside(configuration.options))
  }

  /**
   * Applies an input at the next place of the log; the derived events take the places behind it.
   *
   * @param shown what was shown of a sample, where a log is run again with another model
   */
  apply(event: SystemEvent, time: number, shown?: AssessmentBody): SystemEvent[] {
    const sequence = this.sequence + 1
    const steady = this.steadyAt(event.kind === 'clock' ? event.body.until : time)
    const derived = this.change(event, { time, steady }, sequence, shown)
    const { key } = event.body as { key?: string }
    if (key !== undefined) this.keys.remember(key, sequence)
    this.sequence = sequence + derived.length
    this.time = time
    this.steady = steady
    return derived
  }

  /** The model forgets these samples: {@link adopt} must follow. Nobody is asked about them any more. */
  exclude({ from, to }: Pick<ExclusionBody, 'from' | 'to'>): void {
    this.model.exclude(from, to)
    this.recent.exclude(from, to)
  }

  /** Goes on with the model of a run that never saw the excluded samples. Whatever was shown stays as it was. */
  adopt({ model, recent, lastValues }: SystemFold): void {
    this.model.adopt(model)
    this.recent = recent
    this.lastValues = lastValues
  }

  /** Passes a record that changes no state. */
  skip(time: number): void {
    this.sequence++
    this.steady = this.steadyAt(time)
    this.time = time
  }

  /** Steady time at a time of the records to come. */
  steadyAt(time: number): number {
    return this.steady + (time - this.time) * this.pace
  }

  /** What time alone will do to the alarms. */
  get due(): AlarmDue[] {
    return this.alarms.due(this.heard, this.model.trained)
  }

  /** Everything that is promised now, where promises are kept. */
  promisesReport(): PromisesReport | undefined {
    const { configuration } = this
    const { promises, estimated } = this.model
    if (!promises) return undefined
    // There are promises where there is a rule for them.
    const { window, missTarget } = configuration.promises as PromiseRule
    const { answersPerLevel, reliability, keptAccuracy, ...report } = promises.report()
    return {
      ...report,
      answersPerLevel: [...answersPerLevel],
      answersNeeded: ANSWERS_PER_LEVEL,
      window,
      estimated,
      levels: configuration.levels.map((_, level) => promises.outcomesOf(level)),
      missTarget,
      reliability: [...reliability],
      keptAccuracy: keptAccuracy === 0 ? null : keptAccuracy,
    }
  }

  /** Share of assessments that were right, by the answers, each counted 1/π-fold; `null` before any answer. */
  get accuracy(): number | null {
    const { promises } = this.model
    if (!promises) return this.tally.accuracy
    const { weight, accuracy } = promises.outcomesOf()
    return weight > 0 ? accuracy : null
  }

  /** The whole state as bytes. */
  save(): Uint8Array {
    const { id, sequence, time, configuration, model, alarms, lastValues, degraded, tally, progress } = this
    const { firstAssessment, excluded } = model
    return encodeState({
      ...{ id, sequence, time, configuration, alarms, lastValues, degraded, tally, progress },
      ...model.saveParts(),
      steadiness: this.steadiness,
      excluded: excluded.length > 0 ? excluded : undefined,
      recent: this.recent.list(),
      keys: this.keys.list(),
      firstAssessment: firstAssessment || undefined,
      pairs: this.pairs,
      assignedTo: this.assignedTo,
      assessor: model.assessor.snapshot(),
    })
  }

  /** The system that {@link save} saved. */
  static load(bytes: Uint8Array, extensions?: Extensions): SystemFold {
    const saved = decodeState(bytes)
    const { id, configuration, sequence, time } = saved
    const model = new Model(configuration, extensions, restoreAssessor(saved.assessor, extensions))
    model.restoreParts(saved)
    model.firstAssessment = saved.firstAssessment ?? 0
    model.excluded = saved.excluded ?? []
    const fold = new SystemFold(id, configuration, sequence, time, extensions, model)
    restoreAlarms(fold.alarms, saved)
    fold.lastValues = saved.lastValues
    fold.degraded = saved.degraded
    Object.assign(fold.tally, saved.tally)
    Object.assign(fold.progress, saved.progress)
    fold.recent.load(saved.recent)
    Object.assign(fold, saved.steadiness ?? { heard: fold.recent.latest?.time ?? null })
    fold.reviewers.load(saved.pairs ?? [])
    fold.assignedTo = saved.assignedTo
    for (const [key, sequence] of saved.keys) fold.keys.remember(key, sequence)
    return fold
  }

  /**
   * The first state of a clone: what was learned, counted and promised so far. Questions, keys and alarms stay with the
   * original, and the latest sample does, too.
   */
  cloned(id: string, configuration: Configuration, time: number): SystemFold {
    const clone = new SystemFold(id, configuration, 1, time, this.extensions, this.model.cloned(configuration))
    Object.assign(clone.tally, structuredClone({ ...this.tally }))
    clone.reviewers.load(this.reviewers.list())
    return clone
  }

  /** SHA-256 of the whole state: equal hashes, equal futures. */
  stateHash(): string {
    return hash('sha256', this.save())
  }

  /** What a snapshot must say of steady time; nothing while no clock has ever jumped. */
  private get steadiness() {
    const { steady, pace, heard, time, recent } = this
    const usual = steady === time && pace === 1 && heard === (recent.latest?.time ?? null)
    return usual ? undefined : { steady, pace, heard }
  }

  /** What a snapshot must say of second opinions. */
  private get pairs() {
    const pairs = this.reviewers.list()
    return pairs.length > 0 ? pairs : undefined
  }

  private change(event: SystemEvent, now: Moment, sequence: number, shown?: AssessmentBody): SystemEvent[] {
    const { time } = now
    switch (event.kind) {
      case 'sample':
        return this.sample(event.body, now, sequence, shown)
      case 'exclusion':
        this.exclude(event.body)
        return []
      case 'clock':
        this.pace = event.body.pace
        return []
      case 'tick':
        return this.tick(event.body.due, now)
      case 'feedback':
      case 'correction': {
        const fell = this.feedback(event.kind, event.body)
        if (event.kind === 'feedback') this.askAgain(event.body.assessment, time)
        this.progress.observe(() => this.progressPoint(sequence, time))
        return fell ? this.alarmEvents(this.fall(now), now) : []
      }
      case 'stretch': {
        const fell = this.stretch(event.body, sequence)
        this.progress.observe(() => this.progressPoint(sequence, time))
        return fell ? this.alarmEvents(this.fall(now), now) : []
      }
      case 'abstention':
      case 'second-opinion':
      case 'comment':
      case 'assignment':
        hearPerson(this, event)
        return []
      case 'withdrawal':
        this.withdraw(event.body.stretch)
        this.progress.observe(() => this.progressPoint(sequence, time))
        return []
      case 'configuration':
        this.reconfigure(event.body.change)
        return this.alarmEvents(this.alarms.reconfigure(this.configuration, now), now)
      case 'channel':
        this.widen(event.body)
        return this.alarmEvents(this.alarms.reconfigure(this.configuration, now), now)
      case 'level':
        this.takeLevel(event.body)
        return []
      case 'acknowledgement':
        return this.alarmEvents([this.alarms.acknowledge(event.body, now)], now)
      case 'alarm-action':
        return this.alarmEvents([this.alarms.act(event.body, now)], now)
      default:
        throw new Error(`a ${event.kind} record is no input of a system`)
    }
  }

  private reconfigure(change: ConfigurationChange): void {
    this.configuration = reconfigure(this.configuration, change)
    this.model.reconfigure(this.configuration, change)
  }

  /**
   * Adds a channel. The model begins anew, warmed up by the answered samples that the record holds, and so does
   * everything that is promised. Questions about the former model are closed: it is gone.
   */
  private widen(channel: AddedChannel): void {
    const configuration = withChannel(this.configuration, channel, this.extensions)
    // Made before anything changes: it may refuse.
    this.model = new Model(configuration, this.extensions)
    this.configuration = configuration
    // Not behind the latest assessment that is kept: a clone keeps none of its original's.
    this.model.firstAssessment = this.tally.samples
    this.recent = new RecentAssessments(this.recent.capacity)
    if (this.lastValues) this.lastValues = [...this.lastValues, channel.usual]
  }

  /**
   * Adds a level behind the others. What was learned, asked and promised stays; of the new level nothing is known until
   * an answer names it.
   */
  private takeLevel(level: AddedLevel): void {
    const configuration = withLevel(this.configuration, level)
    // First: it may refuse.
    this.model.addLevel()
    this.configuration = configuration
  }

  private sample(sample: Sample, now: Moment, sequence: number, shown?: AssessmentBody): SystemEvent[] {
    const { values, degraded } = sample
    const { body, drawn, fell } = this.model.assess(sample, shown)
    const { drifts = [] } = body
    // A value of an excluded sample does not stand in for a missing one.
    if (drawn !== undefined) this.lastValues = values
    this.degraded = degraded ?? []
    this.recent.add({
      ...{ ...body, sequence, time: now.time, ...(degraded && { degraded }) },
      // A sample that the model will forget is excluded for people only from the record on that says so.
      ...(drawn !== body.level && { redrawn: drawn }),
    })
    this.heard = now.steady
    this.tally.sample(drifts.length, degraded !== undefined)
    const changes = this.alarms.sample(this.sight(values), drifts.length > 0, now)
    if (fell) changes.push(...this.fall(now))
    return [{ kind: 'assessment', body }, ...this.alarmEvents(changes, now)]
  }

  /** Time has passed without a sample. */
  private tick(due: readonly string[], now: Moment): SystemEvent[] {
    const come = this.due.filter(({ alarm, at }) => due.includes(alarm) && at <= now.steady)
    return this.alarmEvents(this.alarms.tick(come, this.sight(this.lastValues ?? []), now), now)
  }

  /** What alarms can see of the latest sample. */
  private sight(values: readonly number[]): Sight {
    return { body: this.recent.latest, values, degraded: this.degraded, level: this.likely }
  }

  private alarmEvents(changes: readonly AlarmChange[], now: Moment): SystemEvent[] {
    return this.alarms.settled(changes, now).map((body) => ({ kind: 'alarm', body }))
  }

  /** The most probable level of the latest sample; the safest before any. */
  private get likely(): number {
    const { latest } = this.recent
    return latest ? mostProbable(latest.probabilities) : 0
  }

  /** Accuracy has fallen, as the promises say. */
  private fall(now: Moment): AlarmChange[] {
    const { keptAccuracy } = this.model.promises as Promises
    return this.alarms.fall(this.likely, keptAccuracy, now)
  }

  /** Learns a stretch in the order of its samples. True when it shows that accuracy has fallen. */
  private stretch(stretch: StretchBody, sequence: number): boolean {
    let fell = false
    for (const { about, answer } of answeredBy(this.recent, stretch)) {
      const { assessment } = about
      fell = this.feedback('feedback', { assessment, ...answer, by: stretch.by }, sequence) || fell
    }
    return fell
  }

  /** Takes the answers of a stretch back. The model still knows them until it is made anew ({@link adopt}). */
  private withdraw(stretch: number): void {
    const levels = this.configuration.levels.length
    for (const recent of this.recent.list()) {
      const { answer, level } = recent
      if (answer?.stretch !== stretch) continue
      this.model.withdraw(recent)
      this.tally.withdraw(answer.number, answer.kind, outcomeOf(level, levels, answer))
      this.recent.withdraw(recent)
    }
  }

  /** The model is not told this stretch when the log is run again: it was taken back later. */
  leaveOut(stretch: number): void {
    this.leftOut.add(stretch)
  }

  /**
   * Learns from an answer. True when it shows that accuracy has fallen.
   *
   * @param stretch number of the record of the stretch that it belongs to
   */
  private feedback(recordKind: 'feedback' | 'correction', body: Feedback, stretch?: number): boolean {
    const { assessment, kind, level, by } = body
    const recent = spokenOf(this.recent, assessment)
    const feedback = {
      ...{ kind, correction: recordKind === 'correction' },
      ...(kind === 'label' && { level }),
      ...(recent.asked && { asked: recent.asked.probability }),
    } as CoreFeedback
    const fell = this.model.learn(recent, feedback, this.teaches(body, stretch))
    delete recent.withdrawn
    const levels = this.configuration.levels.length
    const outcome = outcomeOf(recent.level, levels, body)
    const earlier = recent.answer
    if (earlier) this.tally.correct(earlier.number, outcomeOf(recent.level, levels, earlier), outcome)
    const number = earlier ? earlier.number : this.tally.answer(kind, outcome, this.model.weightOf(recent))
    this.recent.answer(recent, { kind, by, number, level, stretch })
    return fell
  }

  /**
   * Whether an answer teaches: not if its stretch is left out, and with the probability that the system trusts its
   * reviewer, where it does so by what second opinions say.
   */
  private teaches({ assessment, by }: Feedback, stretch?: number): boolean {
    const { review, seed, levels } = this.configuration
    if (stretch !== undefined && this.leftOut.has(stretch)) return false
    return !review?.trust || coin(seed, 'trust', assessment) < this.reviewers.trustIn(by, levels.length)
  }

  /** Wants a second opinion on an answer, where the coin says so. A level that came with its sample is no person's. */
  private askAgain(assessment: number, time: number): void {
    const recent = spokenOf(this.recent, assessment)
    if (recent.time < time && !recent.excluded && isChosen(this.configuration, assessment)) recent.second = 'wanted'
  }

  private progressPoint(sequence: number, time: number) {
    const { accuracy, model } = this
    const { recentAccuracy } = this.tally
    const { ultimate, bestExpertAccuracy, value, applies } = model.guarantee()
    const weights = model.weights()?.map((weight) => Math.round(weight * 1e4) / 1e4)
    const restarts = model.restarts()
    const certified = model.promises?.certify().certified
    return {
      ...{ sequence, time, accuracy, recentAccuracy, certified },
      ...{ ultimate, bestExpertAccuracy, value, applies, weights, restarts },
    }
  }
}
