import { hash } from 'node:crypto'
import {
  type Asker,
  type Assessor,
  type Feedback,
  type Guarantee,
  isBounded,
  isEnsemble,
  restoreAssessor,
  UnknownAssessmentError,
} from '@pb-oel/core'
import { type AlarmState, acknowledge, observeLevel, quietAlarm } from './alarm.ts'
import { makeAsker, makeAssessor, reconfigure, type SystemConfiguration } from './configuration.ts'
import { Course } from './course.ts'
import type { EventBodies, FeedbackBody, SampleBody, SystemEvent } from './events.ts'
import { Questions } from './questions.ts'
import { outcomeOf, Tally } from './tally.ts'

/** How many idempotency keys of a system are remembered. */
export const KEYS_KEPT = 10_000

/**
 * A system as the fold of its log: events in, state and derived events out, nothing else. It reads no clock and does
 * no I/O, so the server, recovery, replay, time travel and what-if all run this one class.
 *
 * An event that can not be applied throws and changes nothing.
 */
export class SystemFold {
  readonly id: string
  /** Number of the last record applied. */
  sequence: number
  /** Its time. */
  time: number
  configuration: SystemConfiguration
  assessor: Assessor
  /** Chooses what people are asked, where the configuration says so. */
  private asker: Asker | undefined
  readonly questions: Questions
  readonly tally: Tally
  /** How accuracy, guarantee and weights came to be what they are. */
  readonly course = new Course()
  readonly alarm: AlarmState = quietAlarm()
  /** The latest sample as it was assessed. */
  lastValues: number[] | undefined
  /** Channels held in it. */
  held: number[] = []
  private readonly keys = new Map<string, number>()

  /** A system just created by its first record. */
  constructor(id: string, configuration: SystemConfiguration, sequence = 1, time = 0) {
    this.id = id
    this.configuration = configuration
    this.sequence = sequence
    this.time = time
    this.assessor = makeAssessor(configuration)
    this.asker = makeAsker(configuration)
    const { pending } = configuration.options
    this.questions = new Questions(typeof pending === 'number' ? pending : 1024)
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

  /** What is promised and reached; methods without theorems say so. */
  guarantee(): Partial<Guarantee> & { applies: boolean } {
    if (isBounded(this.assessor)) return this.assessor.guarantee()
    return { applies: false, reason: `method ${this.configuration.method} has no theorem` }
  }

  /** Normalised weights of the experts, where the method has them. */
  weights(): number[] | undefined {
    return isEnsemble(this.assessor) ? Array.from(this.assessor.shares) : undefined
  }

  /** How often the weights have restarted, where they do. */
  restarts(): number | undefined {
    return isEnsemble(this.assessor) ? this.assessor.restarts : undefined
  }

  /** The whole state as bytes: a JSON head, then the assessor's own snapshot. */
  save(): Uint8Array {
    const { id, sequence, time, configuration, alarm, lastValues, held } = this
    const head = Buffer.from(
      JSON.stringify({
        version: 1,
        ...{ id, sequence, time, configuration, alarm, lastValues, held },
        tally: this.tally,
        course: this.course,
        asker: this.asker && Buffer.from(this.asker.snapshot()).toString('base64'),
        questions: this.questions.list(),
        keys: [...this.keys],
      }),
    )
    const length = Buffer.alloc(4)
    length.writeUInt32LE(head.length)
    return Buffer.concat([length, head, this.assessor.snapshot()])
  }

  /** The system that {@link save} saved. */
  static load(bytes: Uint8Array): SystemFold {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = 4 + buffer.readUInt32LE()
    const head = JSON.parse(buffer.toString('utf8', 4, end))
    const fold = new SystemFold(head.id, head.configuration, head.sequence, head.time)
    fold.assessor = restoreAssessor(Uint8Array.from(buffer.subarray(end)))
    Object.assign(fold.alarm, head.alarm)
    fold.lastValues = head.lastValues
    fold.held = head.held
    Object.assign(fold.tally, head.tally)
    Object.assign(fold.course, head.course)
    if (head.asker) fold.asker?.restore(Uint8Array.from(Buffer.from(head.asker, 'base64')))
    fold.questions.load(head.questions)
    for (const [key, sequence] of head.keys) fold.keys.set(key, sequence)
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
        this.course.observe(this, sequence, time)
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

  private sample({ values, held, mode }: SampleBody, time: number, sequence: number): SystemEvent[] {
    const result = this.assessor.assess(Float64Array.from(values), mode)
    const drifts = Array.from(result.drifts.keys()).filter((n) => result.drifts[n] === 1)
    const body: EventBodies['assessment'] = {
      id: result.id,
      level: result.level,
      probabilities: Array.from(result.probabilities),
      confidence: result.confidence,
      experts: Array.from(result.experts),
      ...(drifts.length > 0 && { drifts }),
      ...(this.asker && { asked: this.asker.consider(result) ?? false }),
    }
    this.lastValues = values
    this.held = held ?? []
    this.questions.add({ ...body, sequence, time, ...(held && { held }) })
    this.tally.sample(drifts.length, held !== undefined)
    const alarm = observeLevel(this.alarm, this.configuration.alarm, mostProbable(body.probabilities), time)
    const derived: SystemEvent[] = [{ kind: 'assessment', body }]
    if (alarm) derived.push({ kind: 'alarm', body: alarm })
    return derived
  }

  private feedback(kind: 'feedback' | 'correction', body: FeedbackBody): void {
    const { assessment, answer, level, by } = body
    const correction = kind === 'correction'
    const question = this.questions.get(assessment)
    if (!question) throw new UnknownAssessmentError(assessment, 'never made, or no longer kept')
    const feedback = {
      ...{ kind: answer, correction },
      ...(answer === 'label' && { level }),
      ...(question.asked && { asked: question.asked.probability }),
    } as Feedback
    this.assessor.learn(assessment, feedback)
    this.asker?.hear(feedback)
    const levels = this.configuration.levels.length
    const outcome = outcomeOf(question.level, levels, body)
    const earlier = question.answer
    if (earlier) this.tally.correct(earlier.number, outcomeOf(question.level, levels, earlier), outcome)
    const number = earlier ? earlier.number : this.tally.answer(answer, outcome)
    this.questions.answer(question, { answer, by, number, ...(level !== undefined && { level }) })
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
