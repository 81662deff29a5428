import { PbOelError } from '@pb-oel/core'
import { type AssessedSample, InvalidShape, type Problem } from '@pb-oel/protocol'
import { type Intake, isPassing } from '../bridges/intake.ts'
import type { Clock } from '../clock/clock.ts'
import { problemOf } from '../http/problems.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { parseFeedback, parseSamples } from './payload.ts'

/** What a message is made of that matters here. */
export interface Incoming {
  kind: 'sample' | 'feedback'
  payload: Buffer
  /** The broker kept it and tells it to everybody who comes; it was told to this server before, or is of old. */
  retained: boolean
}

/** What the messages of a system are handled with. */
export interface MessageParts {
  intake: Intake
  clock: Clock
  metrics: Metrics
  /** Aborted when the bridge ends. */
  signal: AbortSignal
  publish: (topic: string, payload: AssessedSample | Problem) => void
  /** Called when a message waits for its system. */
  onFailure: (error: Error) => void
  /** Called when an error of ours kept a message from being handled; it is answered by a problem and acknowledged. */
  onDefect: (error: Error) => void
}

interface Waiting extends Incoming {
  done: (handled: boolean) => void
}

/** One entry of a message that is not on disk yet. */
interface Entry {
  value: never
  message: Waiting
}

/** Messages, and entries of them, that are handled together, at most. */
const TOGETHER = 200
/** Bytes of messages that wait for one system, at most; a single one may have more. */
const MOST_BYTES = 16 << 20
/** Milliseconds between attempts while the store refuses or the system is elsewhere. */
const RETRY = 1_000

/** Handles the messages of one system in order: those of one kind that wait go together. Other systems do not wait. */
export class SystemMessages {
  private readonly system: string
  private readonly parts: MessageParts
  private readonly waiting: Waiting[] = []
  private readonly onIdle: (overflown: boolean) => void
  private running: Promise<void> | undefined
  /** Bytes of the messages that are not handled yet. */
  private bytes = 0
  private overflown = false

  /** @param onIdle called when no message is left, with whether some had to stay with the broker */
  constructor(system: string, parts: MessageParts, onIdle: (overflown: boolean) => void) {
    this.system = system
    this.parts = parts
    this.onIdle = onIdle
  }

  /** Resolves with whether everything that a message led to is on disk; false when the bridge ends before. */
  add(message: Incoming): Promise<boolean> {
    return new Promise((done) => {
      this.bytes += message.payload.length
      this.waiting.push({ ...message, done })
      this.running ??= this.run()
    })
  }

  /** Whether a message of so many bytes must stay with the broker: too much waits, or an earlier one had to stay. */
  refuses(bytes: number): boolean {
    this.overflown ||= this.bytes > 0 && this.bytes + bytes > MOST_BYTES
    return this.overflown
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.running
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const { kind } = this.waiting[0]
      const end = this.waiting.findIndex((message) => message.kind !== kind)
      const messages = this.waiting.splice(0, Math.min(end < 0 ? this.waiting.length : end, TOGETHER))
      await this.handle(kind, messages)
      for (const { payload } of messages) this.bytes -= payload.length
    }
    this.running = undefined
    this.onIdle(this.overflown)
  }

  private async handle(kind: Incoming['kind'], messages: readonly Waiting[]): Promise<void> {
    const { signal, clock } = this.parts
    let left = messages.flatMap((message) => this.entriesOf(message))
    const finish = () => {
      for (const message of messages) if (!left.some((entry) => entry.message === message)) message.done(true)
    }
    for (finish(); left.length > 0 && !signal.aborted; finish()) {
      const again = await this.write(kind, left.slice(0, TOGETHER))
      left = [...again, ...left.slice(TOGETHER)]
      if (again.length > 0) await clock.pause(RETRY, signal)
    }
    for (const { message } of left) message.done(false)
  }

  /**
   * The entries of a message; of a retained one only those with a key, since any other would be taken anew at each
   * connection.
   */
  private entriesOf(message: Waiting): Entry[] {
    const { kind, payload, retained } = message
    try {
      const values: { key?: string }[] = kind === 'sample' ? parseSamples(payload) : parseFeedback(payload)
      const known = retained ? values.filter(({ key }) => key !== undefined) : values
      return known.map((value) => ({ value: value as never, message }))
    } catch (error) {
      // A retained one was refused when it was sent.
      if (!retained) this.refuse(error as Error)
      return []
    }
  }

  /** Writes entries and tells of what became of them; returns those that must be tried again. */
  private async write(kind: Incoming['kind'], entries: readonly Entry[]): Promise<Entry[]> {
    const { intake, metrics, publish, onFailure } = this.parts
    const values = entries.map(({ value }) => value)
    const write = kind === 'sample' ? intake.samples : intake.answers
    const outcomes = await write(this.system, values, 'mqtt').catch((error: Error) => values.map(() => error))
    for (const outcome of outcomes) {
      if (isPassing(outcome)) continue
      if (outcome instanceof Error) this.refuse(outcome)
      else {
        metrics.mqtt(outcome.repeated ? 'repeated' : 'accepted')
        if (kind === 'sample') publish(`pb-oel/${this.system}/assessment`, outcome as AssessedSample)
      }
    }
    const failure = outcomes.find(isPassing)
    if (failure) onFailure(failure as Error)
    return entries.filter((_, i) => isPassing(outcomes[i]))
  }

  private refuse(error: Error): void {
    if (!(error instanceof PbOelError || error instanceof InvalidShape)) this.parts.onDefect(error)
    this.parts.metrics.mqtt('refused')
    this.parts.publish(`pb-oel/${this.system}/problem`, problemOf(error))
  }
}
