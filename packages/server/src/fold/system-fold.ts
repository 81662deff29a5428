import { hash } from 'node:crypto'
import {
  ANSWERS_PER_LEVEL,
  type Asker,
  type Assessment,
  type Assessor,
  addLevel,
  type Feedback as CoreFeedback,
  type Extensions,
  isBounded,
  isEnsemble,
  type Novelty,
  type PromisedAssessment,
  type Promises,
  type PromisesOptions,
  restoreAssessor,
  type StuckChannels,
  UnknownAssessmentError,
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
  Guarantee,
  PromiseRule,
  PromisesReport,
  Sample,
  StretchBody,
  SystemEvent,
} from '@pb-oel/protocol'
import type { Moment } from './alarm.ts'
import { AlarmBook, type AlarmDue } from './alarm-book.ts'
import type { Sight } from './alarm-rule.ts'
import {
  makeAsker,
  makeAssessor,
  makeNovelty,
  makePromises,
  makeStuck,
  promiseOptions,
  reconfigure,
} from './configure.ts'
import { type Excluded, excludedBefore, isExcluded, withRange } from './excluded.ts'
import { KeyQueue } from './key-queue.ts'
import { mostProbable } from './most-probable.ts'
import { setAside } from './names-and-limits.ts'
import { Progress } from './progress.ts'
import { type RecentAssessment, RecentAssessments } from './recent-assessments.ts'
import { ReviewerBook } from './reviewer-book.ts'
import { restoreAlarms } from './saved-alarms.ts'
import { decodeState, encodeState, type SavedParts } from './saved-state.ts'
import { coin, isChosen } from './second-opinion.ts'
import { shownAssessment } from './shown-assessment.ts'
import { answeredBy } from './stretch.ts'
import { levelTold, outcomeOf, Tally } from './tally.ts'
import { toldAnswer } from './told-answer.ts'
import { withChannel, withLevel } from './widen.ts'

/** What people say that teaches the model nothing. */
type PersonEvent = Extract<SystemEvent, { kind: 'abstention' | 'second-opinion' | 'comment' | 'assignment' }>

/** How many idempotency keys of a system are remembered. */
export const KEYS_KEPT = 10_000

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
  assessor: Assessor
  /** Chooses what people are asked, where the configuration says so. */
  private asker: Asker | undefined
  /** What is promised whatever the method; systems from before promises were kept have none. */
  promises: Promises | undefined
  /** Finds samples of none of the known levels, where the configuration says so. */
  novelty: Novelty | undefined
  /** Notices channels that have stopped moving, where the configuration says so. */
  stuck: StuckChannels | undefined
  recent: RecentAssessments
  /** Number of the first assessment of the present model; above 0 where a channel was added. */
  firstAssessment = 0
  /** Assessments whose samples the present model has forgotten. */
  excluded: Excluded = []
  readonly tally: Tally
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
  private readonly keys = new KeyQueue<number>()
  /** Stretches that the model is not told. */
  private readonly leftOut = new Set<number>()
  private readonly extensions: Extensions | undefined

  /**
   * A system just created by its first record.
   *
   * @param extensions methods, detectors and learners from outside that the configuration may name
   * @param assessor where it goes on with one; a fresh one when left out
   */
  constructor(
    id: string,
    configuration: Configuration,
    sequence = 1,
    time = 0,
    extensions?: Extensions,
    assessor = makeAssessor(configuration, extensions),
  ) {
    this.id = id
    this.configuration = configuration
    this.sequence = sequence
    this.time = time
    this.extensions = extensions
    this.steady = time
    this.assessor = assessor
    this.asker = makeAsker(configuration)
    this.promises = makePromises(configuration, this.asker)
    this.novelty = makeNovelty(configuration)
    this.stuck = makeStuck(configuration)
    this.alarms = new AlarmBook(configuration)
    this.recent = new RecentAssessments(setAside(configuration.options))
    this.tally = new Tally()
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
    if (key !== undefined) this.remember(key, sequence)
    this.sequence = sequence + derived.length
    this.time = time
    this.steady = steady
    return derived
  }

  /** The model forgets these samples: {@link adopt} must follow. Nobody is asked about them any more. */
  exclude({ from, to }: Pick<ExclusionBody, 'from' | 'to'>): void {
    this.excluded = withRange(this.excluded, from, to)
    this.recent.exclude(from, to)
  }

  /** How many samples the model has forgotten. */
  get forgotten(): number {
    return excludedBefore(this.excluded, Number.POSITIVE_INFINITY)
  }

  /** Goes on with the model of a run that never saw the excluded samples. Whatever was shown stays as it was. */
  adopt({ assessor, novelty, recent, lastValues }: SystemFold): void {
    this.assessor = assessor
    this.novelty = novelty
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
    return this.alarms.due(this.heard, this.trained)
  }

  /** The record an idempotency key was first used with. */
  sequenceOfKey(key: string): number | undefined {
    return this.keys.get(key)
  }

  /** The record of the oldest key, once as many are remembered as can be: there may be more in the log. */
  get oldestKey(): number | undefined {
    return this.keys.size < KEYS_KEPT ? undefined : this.keys.oldest
  }

  /**
   * All idempotency keys of the records behind `after`: that is the one given, or a later one if some are forgotten.
   */
  keysBehind(sequence: number): { after: number; keys: [key: string, sequence: number][] } {
    const after = Math.max(sequence, (this.oldestKey ?? 1) - 1)
    return { after, keys: [...this.keys].filter(([, at]) => at > after) }
  }

  /** What is promised and reached; methods without theorems say so. */
  guarantee(): Guarantee {
    if (isBounded(this.assessor)) return this.assessor.guarantee()
    return { applies: false, reason: `method ${this.configuration.method} has no theorem` }
  }

  /** Everything that is promised now, where promises are kept. */
  promisesReport(): PromisesReport | undefined {
    const { promises, configuration } = this
    if (!promises) return undefined
    // There are promises where there is a rule for them.
    const { window, missTarget } = configuration.promises as PromiseRule
    const { answersPerLevel, reliability, keptAccuracy, ...report } = promises.report()
    return {
      ...report,
      answersPerLevel: [...answersPerLevel],
      answersNeeded: ANSWERS_PER_LEVEL,
      window,
      estimated: this.estimated,
      levels: configuration.levels.map((_, level) => promises.outcomesOf(level)),
      missTarget,
      reliability: [...reliability],
      keptAccuracy: keptAccuracy === 0 ? null : keptAccuracy,
    }
  }

  /** Whether a level is a finding. Systems from before promises were kept have no rule for it. */
  get trained(): boolean {
    return this.promises?.trained ?? true
  }

  /** Share of assessments that were right, by the answers, each counted 1/π-fold; `null` before any answer. */
  get accuracy(): number | null {
    if (!this.promises) return this.tally.accuracy
    const { weight, accuracy } = this.promises.outcomesOf()
    return weight > 0 ? accuracy : null
  }

  /** Whether questions are chosen, so that accuracies are estimates. */
  get estimated(): boolean {
    return this.asker !== undefined
  }

  /** Shares of the experts, where the method has them. */
  weights(): number[] | undefined {
    return isEnsemble(this.assessor) ? Array.from(this.assessor.shares) : undefined
  }

  /** How often the weights have restarted, where they do. */
  restarts(): number | undefined {
    return isEnsemble(this.assessor) ? this.assessor.restarts : undefined
  }

  /** The whole state as bytes. */
  save(): Uint8Array {
    const { id, sequence, time, configuration, alarms, lastValues, degraded, tally, progress } = this
    return encodeState({
      ...{ id, sequence, time, configuration, alarms, lastValues, degraded, tally, progress },
      asker: this.asker?.snapshot(),
      promises: this.promises?.snapshot(),
      novelty: this.novelty?.snapshot(),
      stuck: this.stuck?.snapshot(),
      steadiness: this.steadiness,
      excluded: this.excluded.length > 0 ? this.excluded : undefined,
      recent: this.recent.list(),
      keys: [...this.keys],
      firstAssessment: this.firstAssessment || undefined,
      pairs: this.pairs,
      assignedTo: this.assignedTo,
      assessor: this.assessor.snapshot(),
    })
  }

  /** The system that {@link save} saved. */
  static load(bytes: Uint8Array, extensions?: Extensions): SystemFold {
    const saved = decodeState(bytes)
    const { id, configuration, sequence, time } = saved
    const assessor = restoreAssessor(saved.assessor, extensions)
    const fold = new SystemFold(id, configuration, sequence, time, extensions, assessor)
    restoreAlarms(fold.alarms, saved)
    fold.firstAssessment = saved.firstAssessment ?? 0
    fold.lastValues = saved.lastValues
    fold.degraded = saved.degraded
    Object.assign(fold.tally, saved.tally)
    Object.assign(fold.progress, saved.progress)
    fold.restoreParts(saved)
    fold.recent.load(saved.recent)
    Object.assign(fold, saved.steadiness ?? { heard: fold.recent.latest?.time ?? null })
    fold.excluded = saved.excluded ?? []
    fold.reviewers.load(saved.pairs ?? [])
    fold.assignedTo = saved.assignedTo
    for (const [key, sequence] of saved.keys) fold.keys.set(key, sequence)
    return fold
  }

  /**
   * The first state of a clone: what was learned, counted and promised so far. Questions, keys and alarms stay with the
   * original, and the latest sample does, too.
   */
  cloned(id: string, configuration: Configuration, time: number): SystemFold {
    const { extensions } = this
    const assessor = restoreAssessor(this.assessor.snapshot(), extensions)
    const clone = new SystemFold(id, configuration, 1, time, extensions, assessor)
    clone.firstAssessment = this.firstAssessment
    clone.excluded = this.excluded
    clone.restoreParts({
      asker: this.asker?.snapshot(),
      promises: this.promises?.snapshot(),
      novelty: this.novelty?.snapshot(),
    })
    Object.assign(clone.tally, structuredClone({ ...this.tally }))
    clone.reviewers.load(this.reviewers.list())
    return clone
  }

  /** Goes on with the saved state of each part that it has. */
  private restoreParts(saved: Partial<Pick<SavedParts, 'asker' | 'promises' | 'novelty' | 'stuck'>>): void {
    for (const part of ['asker', 'promises', 'novelty', 'stuck'] as const) {
      const bytes = saved[part]
      if (bytes) this[part]?.restore(bytes)
    }
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
        this.hearPerson(event)
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

  /** Changes of the rules of asking and promising take effect with the next sample. */
  private reconfigure(change: ConfigurationChange): void {
    this.configuration = reconfigure(this.configuration, change)
    if (change.novelty !== undefined) this.novelty = this.changedNovelty()
    if (change.stuck !== undefined) this.stuck = makeStuck(this.configuration)
    if (change.ask !== undefined) this.asker = makeAsker(this.configuration)
    if (change.ask === undefined && change.promises === undefined) return
    // There are options where there are promises.
    this.promises = this.promises?.changed(promiseOptions(this.configuration, this.asker) as PromisesOptions)
  }

  /** What was told stays known when only the rate changes. */
  private changedNovelty(): Novelty | undefined {
    const { novelty } = this.configuration
    return novelty && (this.novelty?.changed(novelty.falseAlarmEvery) ?? makeNovelty(this.configuration))
  }

  /**
   * Adds a channel. The model begins anew, warmed up by the answered samples that the record holds, and so does
   * everything that is promised. Questions about the former model are closed: it is gone.
   */
  private widen(channel: AddedChannel): void {
    const configuration = withChannel(this.configuration, channel, this.extensions)
    // Made before anything changes: either may refuse.
    const assessor = makeAssessor(configuration, this.extensions)
    const asker = makeAsker(configuration)
    const promises = this.promises && makePromises(configuration, asker)
    const novelty = makeNovelty(configuration)
    Object.assign(this, { configuration, assessor, asker, promises, novelty, stuck: makeStuck(configuration) })
    // Not behind the latest assessment that is kept: a clone keeps none of its original's.
    this.firstAssessment = this.tally.samples
    this.recent = new RecentAssessments(this.recent.capacity)
    this.excluded = []
    if (this.lastValues) this.lastValues = [...this.lastValues, channel.usual]
  }

  /**
   * Adds a level behind the others. What was learned, asked and promised stays; of the new level nothing is known until
   * an answer names it.
   */
  private takeLevel(level: AddedLevel): void {
    const configuration = withLevel(this.configuration, level)
    // Made before anything changes: it may refuse.
    const assessor = addLevel(this.assessor, this.extensions)
    Object.assign(this, { configuration, assessor, promises: this.promises?.withLevel() })
    this.novelty?.addLevel()
  }

  private sample(sample: Sample, now: Moment, sequence: number, shown?: AssessmentBody): SystemEvent[] {
    const { values, degraded } = sample
    const drawn = this.assess(sample, shown)
    const result = shown ? shownAssessment(shown) : this.numbered(drawn as Assessment)
    const drifts = Array.from(result.drifts.keys()).filter((n) => result.drifts[n] === 1)
    const found = drawn && this.novelty?.assess(result.id, Float64Array.from(values))
    const novelty = shown ? shown.novelty : found
    const asked = this.asker?.consider(result, novelty?.novel)
    const promised = this.promise(result, asked !== undefined, drawn?.id)
    const body: AssessmentBody = {
      assessment: result.id,
      level: result.level,
      probabilities: Array.from(result.probabilities),
      confidence: promised?.confidence ?? result.confidence,
      ...(promised && {
        rawConfidence: result.confidence,
        safeSide: promised.safeSideLevel,
        trained: promised.trained,
      }),
      ...(novelty && { novelty }),
      experts: Array.from(result.experts),
      ...(drifts.length > 0 && { drifts }),
      ...(this.asker && { asked: asked ?? false }),
    }
    // A value of an excluded sample does not stand in for a missing one.
    if (drawn) this.lastValues = values
    this.degraded = degraded ?? []
    this.stuck?.feed(values)
    this.recent.add({
      ...{ ...body, sequence, time: now.time, ...(degraded && { degraded }) },
      // A sample that the model will forget is excluded for people only from the record on that says so.
      ...(drawn && drawn.level !== result.level && { redrawn: drawn.level }),
    })
    this.heard = now.steady
    this.tally.sample(drifts.length, degraded !== undefined)
    const changes = this.alarms.sample(this.sight(values), drifts.length > 0, now)
    if (promised?.fell) changes.push(...this.fall(now))
    return [{ kind: 'assessment', body }, ...this.alarmEvents(changes, now)]
  }

  /** What the model says of a sample; `undefined` where it is not to see it. */
  private assess({ values, mode }: Sample, shown: AssessmentBody | undefined): Assessment | undefined {
    if (shown && isExcluded(this.excluded, shown.assessment)) return undefined
    return this.assessor.assess(Float64Array.from(values), mode)
  }

  /** An assessment of the model with the number that everybody else knows it by. */
  private numbered(assessment: Assessment): Assessment {
    const { id, level, probabilities, confidence, experts, drifts } = assessment
    return { id: id + this.firstAssessment + this.forgotten, level, probabilities, confidence, experts, drifts }
  }

  /** The number that the model has for an assessment. */
  private innerNumber(assessment: number): number {
    return assessment - this.firstAssessment - excludedBefore(this.excluded, assessment)
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

  /**
   * Opens the promises of an assessment, and tells the account of regret of the asker's coin.
   *
   * @param inner the number that the model has for the assessment; left out where it has not seen the sample
   */
  private promise(assessment: Assessment, asked: boolean, inner?: number): PromisedAssessment | undefined {
    const { promises, asker, assessor } = this
    if (!promises || !asker) return promises?.open(assessment)
    const coin = { probability: asker.probability, asked }
    if (isBounded(assessor) && inner !== undefined) assessor.noteCoin(inner, coin)
    return promises.open(assessment, coin)
  }

  /** Accuracy has fallen, as the promises say. */
  private fall(now: Moment): AlarmChange[] {
    const { keptAccuracy } = this.promises as Promises
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
      const { answer, level, assessment } = recent
      if (answer?.stretch !== stretch) continue
      this.promises?.withdraw(assessment - this.firstAssessment)
      this.tally.withdraw(answer.number, answer.kind, outcomeOf(level, levels, answer))
      this.recent.withdraw(recent)
      delete recent.untold
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
    const recent = this.recent.get(assessment)
    if (!recent) throw new UnknownAssessmentError(assessment, 'never made, or no longer kept')
    const feedback = {
      ...{ kind, correction: recordKind === 'correction' },
      ...(kind === 'label' && { level }),
      ...(recent.asked && { asked: recent.asked.probability }),
    } as CoreFeedback
    const told = toldAnswer(recent, feedback, this.configuration.levels.length)
    const leftOut = (stretch !== undefined && this.leftOut.has(stretch)) || !this.isTrusted(assessment, by)
    this.teach(recent, isExcluded(this.excluded, assessment) ? undefined : told, leftOut)
    this.asker?.hear(feedback)
    const settled = recent.withdrawn ? { ...feedback, correction: true } : feedback
    const fell = this.promises?.settle(assessment - this.firstAssessment, settled) ?? false
    delete recent.withdrawn
    const levels = this.configuration.levels.length
    const outcome = outcomeOf(recent.level, levels, body)
    const earlier = recent.answer
    if (earlier) this.tally.correct(earlier.number, outcomeOf(recent.level, levels, earlier), outcome)
    const number = earlier ? earlier.number : this.tally.answer(kind, outcome, this.weightOf(recent))
    this.recent.answer(recent, { kind, by, number, level, stretch })
    return fell
  }

  /** Wants a second opinion on an answer, where the coin says so. A level that came with its sample is no person's. */
  private askAgain(assessment: number, time: number): void {
    const recent = this.recent.get(assessment) as RecentAssessment
    if (recent.time < time && !recent.excluded && isChosen(this.configuration, assessment)) recent.second = 'wanted'
  }

  /** What people say that teaches the model nothing. */
  private hearPerson({ kind, body }: PersonEvent): void {
    if (kind === 'comment') return
    if (kind === 'assignment' && body.assessment === undefined) {
      this.assignedTo = body.to ?? undefined
      return
    }
    const recent = this.recent.get(body.assessment as number)
    if (!recent) throw new UnknownAssessmentError(body.assessment as number, 'never made, or no longer kept')
    if (kind === 'assignment') {
      if (body.to === null) delete recent.assignedTo
      else recent.assignedTo = body.to
    } else if (kind === 'abstention') {
      recent.abstained = [...(recent.abstained ?? []), body.by]
      this.tally.abstentions = (this.tally.abstentions ?? 0) + 1
    } else {
      recent.second = { by: body.by }
      this.tally.secondOpinions = (this.tally.secondOpinions ?? 0) + 1
      this.reviewers.count(body)
    }
  }

  /** Whether an answer teaches: always, unless the system trusts its reviewers by what second opinions say of them. */
  private isTrusted(assessment: number, by: string): boolean {
    const { review, seed, levels } = this.configuration
    return !review?.trust || coin(seed, 'trust', assessment) < this.reviewers.trustIn(by, levels.length)
  }

  /** Tells the model an answer, unless it is left out; a correction of what it never heard is the first. */
  private teach(recent: RecentAssessment, told: CoreFeedback | undefined, leftOut: boolean): void {
    if (leftOut) recent.untold = true
    else if (told) {
      const first = recent.untold ? { correction: false } : {}
      this.assessor.learn(this.innerNumber(recent.assessment), { ...told, ...first })
      this.novelty?.told(recent.assessment, levelTold(recent.level, this.assessor.levels, told))
      delete recent.untold
    }
  }

  /** How many samples the answer to an assessment stands for: none where people were not asked. */
  private weightOf({ asked }: RecentAssessment): number {
    if (!this.promises || asked === undefined) return 1
    return asked ? 1 / asked.probability : 0
  }

  private progressPoint(sequence: number, time: number) {
    const { accuracy } = this
    const { recentAccuracy } = this.tally
    const { ultimate, bestExpertAccuracy, value, applies } = this.guarantee()
    const weights = this.weights()?.map((weight) => Math.round(weight * 1e4) / 1e4)
    const restarts = this.restarts()
    const certified = this.promises?.certify().certified
    return {
      ...{ sequence, time, accuracy, recentAccuracy, certified },
      ...{ ultimate, bestExpertAccuracy, value, applies, weights, restarts },
    }
  }

  private remember(key: string, sequence: number): void {
    this.keys.set(key, sequence)
    if (this.keys.size > KEYS_KEPT) this.keys.shift()
  }
}
