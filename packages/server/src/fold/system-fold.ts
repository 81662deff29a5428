import { hash } from 'node:crypto'
import {
  type Assessor,
  type Feedback,
  type Guarantee,
  isBounded,
  restoreAssessor,
  UnknownAssessmentError,
} from '@pb-oel/core'
import { type AlarmState, acknowledge, observeLevel, quietAlarm } from './alarm.ts'
import { makeAssessor, reconfigure, type SystemConfiguration } from './configuration.ts'
import type { EventBodies, FeedbackBody, SampleBody, SystemEvent } from './events.ts'
import { type Question, Questions } from './questions.ts'
import { Tally } from './tally.ts'

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
  readonly questions: Questions
  readonly tally: Tally
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

  /** The whole state as bytes: a JSON head, then the assessor's own snapshot. */
  save(): Uint8Array {
    const { id, sequence, time, configuration, alarm, lastValues, held } = this
    const head = Buffer.from(
      JSON.stringify({
        version: 1,
        ...{ id, sequence, time, configuration, alarm, lastValues, held },
        tally: this.tally,
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
        return []
      case 'configuration':
        this.configuration = reconfigure(this.configuration, event.body.change)
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
    const feedback = (
      answer === 'label' ? { kind: answer, level, correction } : { kind: answer, correction }
    ) as Feedback
    const question = this.questions.get(assessment)
    if (!question) throw new UnknownAssessmentError(assessment, 'never made, or no longer kept')
    this.assessor.learn(assessment, feedback)
    const right = isRight(question, body)
    const earlier = question.answer
    if (earlier) this.tally.correct(earlier.number, isRight(question, earlier), right)
    const number = earlier ? earlier.number : this.tally.answer(answer, right)
    this.questions.answer(question, { answer, by, number, ...(level !== undefined && { level }) })
  }

  private remember(key: string, sequence: number): void {
    this.keys.set(key, sequence)
    if (this.keys.size > KEYS_KEPT) this.keys.delete(this.keys.keys().next().value as string)
  }
}

/** Whether an answer says that the assessed level was right. */
function isRight(question: Question, { answer, level }: { answer: string; level?: number }): boolean {
  return answer === 'label' ? level === question.level : answer === 'confirm'
}

/** Index of the largest probability, the first of equals. */
export function mostProbable(probabilities: readonly number[]): number {
  return probabilities.indexOf(Math.max(...probabilities))
}
