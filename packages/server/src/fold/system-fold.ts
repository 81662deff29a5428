import { hash } from 'node:crypto'
import {
  type Asker,
  type Assessor,
  type Feedback as CoreFeedback,
  isBounded,
  isEnsemble,
  restoreAssessor,
  UnknownAssessmentError,
} from '@pb-oel/core'
import type { AssessmentBody, Configuration, Feedback, Guarantee, Sample, SystemEvent } from '@pb-oel/protocol'
import { type AlarmState, acknowledge, observeLevel, quietAlarm } from './alarm.ts'
import { makeAsker, makeAssessor, reconfigure } from './configure.ts'
import { Progress } from './progress.ts'
import { RecentAssessments } from './recent-assessments.ts'
import { decodeState, encodeState } from './saved-state.ts'
import { outcomeOf, Tally } from './tally.ts'

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
  configuration: Configuration
  assessor: Assessor
  /** Chooses what people are asked, where the configuration says so. */
  private asker: Asker | undefined
  readonly recent: RecentAssessments
  readonly tally: Tally
  readonly progress = new Progress()
  readonly alarm: AlarmState = quietAlarm()
  /** The latest sample as it was assessed. */
  lastValues: number[] | undefined
  /** Names of the channels held in it. */
  degraded: readonly string[] = []
  private readonly keys = new Map<string, number>()

  /** A system just created by its first record. */
  constructor(id: string, configuration: Configuration, sequence = 1, time = 0) {
    this.id = id
    this.configuration = configuration
    this.sequence = sequence
    this.time = time
    this.assessor = makeAssessor(configuration)
    this.asker = makeAsker(configuration)
    const { pending } = configuration.options
    this.recent = new RecentAssessments(typeof pending === 'number' ? pending : 1024)
    this.tally = new Tally()
  }

  /** Applies an input at the next place of the log; the derived events take the places behind it. */
  apply(event: SystemEvent, time: number): SystemEvent[] {
    const sequence = this.sequence + 1
    const derived = this.change(event, time, sequence)
    const { key } = event.body as { key?: string }
    if (key !== undefined) this.remember(key, sequence)
    this.sequence = sequence + derived.length
    this.time = time
    return derived
  }

  /** Passes a record that changes no state. */
  skip(time: number): void {
    this.sequence++
    this.time = time
  }

  /** The record an idempotency key was first used with. */
  sequenceOfKey(key: string): number | undefined {
    return this.keys.get(key)
  }

  /** The record of the oldest key, once as many are remembered as can be: there may be more in the log. */
  get oldestKey(): number | undefined {
    return this.keys.size < KEYS_KEPT ? undefined : this.keys.values().next().value
  }

  /** What is promised and reached; methods without theorems say so. */
  guarantee(): Guarantee {
    if (isBounded(this.assessor)) return this.assessor.guarantee()
    return { applies: false, reason: `method ${this.configuration.method} has no theorem` }
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
    const { id, sequence, time, configuration, alarm, lastValues, degraded, tally, progress } = this
    return encodeState({
      ...{ id, sequence, time, configuration, alarm, lastValues, degraded, tally, progress },
      asker: this.asker?.snapshot(),
      recent: this.recent.list(),
      keys: [...this.keys],
      assessor: this.assessor.snapshot(),
    })
  }

  /** The system that {@link save} saved. */
  static load(bytes: Uint8Array): SystemFold {
    const saved = decodeState(bytes)
    const fold = new SystemFold(saved.id, saved.configuration, saved.sequence, saved.time)
    fold.assessor = restoreAssessor(saved.assessor)
    Object.assign(fold.alarm, saved.alarm)
    fold.lastValues = saved.lastValues
    fold.degraded = saved.degraded
    Object.assign(fold.tally, saved.tally)
    Object.assign(fold.progress, saved.progress)
    if (saved.asker) fold.asker?.restore(saved.asker)
    fold.recent.load(saved.recent)
    for (const [key, sequence] of saved.keys) fold.keys.set(key, sequence)
    return fold
  }

  /** SHA-256 of the whole state: equal hashes, equal futures. */
  stateHash(): string {
    return hash('sha256', this.save())
  }

  private change(event: SystemEvent, time: number, sequence: number): SystemEvent[] {
    switch (event.kind) {
      case 'sample':
        return this.sample(event.body, time, sequence)
      case 'feedback':
      case 'correction':
        this.feedback(event.kind, event.body)
        this.progress.observe(() => this.progressPoint(sequence, time))
        return []
      case 'configuration':
        this.configuration = reconfigure(this.configuration, event.body.change)
        if (event.body.change.ask !== undefined) this.asker = makeAsker(this.configuration)
        return []
      case 'acknowledgement': {
        const { number, by } = event.body
        return [{ kind: 'alarm', body: acknowledge(this.alarm, number, by, time) }]
      }
      default:
        throw new Error(`a ${event.kind} record is no input of a system`)
    }
  }

  private sample({ values, degraded, mode }: Sample, time: number, sequence: number): SystemEvent[] {
    const result = this.assessor.assess(Float64Array.from(values), mode)
    const drifts = Array.from(result.drifts.keys()).filter((n) => result.drifts[n] === 1)
    const body: AssessmentBody = {
      assessment: result.id,
      level: result.level,
      probabilities: Array.from(result.probabilities),
      confidence: result.confidence,
      experts: Array.from(result.experts),
      ...(drifts.length > 0 && { drifts }),
      ...(this.asker && { asked: this.asker.consider(result) ?? false }),
    }
    this.lastValues = values
    this.degraded = degraded ?? []
    this.recent.add({ ...body, sequence, time, ...(degraded && { degraded }) })
    this.tally.sample(drifts.length, degraded !== undefined)
    const alarm = observeLevel(this.alarm, this.configuration.alarm, mostProbable(body.probabilities), time)
    const derived: SystemEvent[] = [{ kind: 'assessment', body }]
    if (alarm) derived.push({ kind: 'alarm', body: alarm })
    return derived
  }

  private feedback(recordKind: 'feedback' | 'correction', body: Feedback): void {
    const { assessment, kind, level, by } = body
    const recent = this.recent.get(assessment)
    if (!recent) throw new UnknownAssessmentError(assessment, 'never made, or no longer kept')
    const feedback = {
      ...{ kind, correction: recordKind === 'correction' },
      ...(kind === 'label' && { level }),
      ...(recent.asked && { asked: recent.asked.probability }),
    } as CoreFeedback
    this.assessor.learn(assessment, feedback)
    this.asker?.hear(feedback)
    const levels = this.configuration.levels.length
    const outcome = outcomeOf(recent.level, levels, body)
    const earlier = recent.answer
    if (earlier) this.tally.correct(earlier.number, outcomeOf(recent.level, levels, earlier), outcome)
    const number = earlier ? earlier.number : this.tally.answer(kind, outcome)
    this.recent.answer(recent, { kind, by, number, ...(level !== undefined && { level }) })
  }

  private progressPoint(sequence: number, time: number) {
    const { accuracy, recentAccuracy } = this.tally
    const { ultimate, bestExpertAccuracy, value, applies } = this.guarantee()
    const weights = this.weights()?.map((weight) => Math.round(weight * 1e4) / 1e4)
    const restarts = this.restarts()
    return {
      ...{ sequence, time, accuracy, recentAccuracy },
      ...{ ultimate, bestExpertAccuracy, value, applies, weights, restarts },
    }
  }

  private remember(key: string, sequence: number): void {
    this.keys.set(key, sequence)
    if (this.keys.size > KEYS_KEPT) this.keys.delete(this.keys.keys().next().value as string)
  }
}

/** Index of the largest probability, the first of equals. */
export function mostProbable(probabilities: readonly number[]): number {
  return probabilities.indexOf(Math.max(...probabilities))
}
