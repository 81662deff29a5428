import { setTimeout } from 'node:timers/promises'
import type { Nats } from '../log/nats/connection.ts'

/** Milliseconds between two questions to a stream, and how long one waits. */
const EVERY = 100
const TIMEOUT = 1_000

/** How long some of the streams did not answer: the part of an outage that is the servers' own. */
export class Silence {
  /** Seconds in which at least one stream was silent, since the start. */
  seconds = 0
  private readonly nats: Nats
  private readonly subjects: readonly string[]
  private readonly watching: Promise<void>
  private stopped = false

  constructor(nats: Nats, streams: readonly string[]) {
    this.nats = nats
    this.subjects = streams.map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`)
    this.watching = this.watch()
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.watching
  }

  private async watch(): Promise<void> {
    const question = JSON.stringify({ seq: 1 })
    while (!this.stopped) {
      const start = performance.now()
      const answers = await Promise.allSettled(
        this.subjects.map((subject) => this.nats.connection.request(subject, question, { timeout: TIMEOUT })),
      )
      await setTimeout(EVERY)
      // Only the leader of a stream answers, be it that it has no such message.
      if (answers.some(({ status }) => status === 'rejected')) this.seconds += (performance.now() - start) / 1000
    }
  }
}
