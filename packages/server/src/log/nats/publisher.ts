import { JetStreamApiError } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { Conflict, StorageError, Unconfirmed } from '../../errors.ts'
import { type Bundle, encodeBundle, ID_HEADER } from './bundle.ts'
import type { BundleSource } from './bundle-source.ts'
import { type Nats, REQUEST_TIMEOUT } from './connection.ts'
import { isPassing, isWrongSequence } from './patience.ts'

/** Milliseconds a message is published again while nobody answers. */
const PATIENCE = 30_000
/** Messages under way from one worker at which they begin to cost each other time. */
const CROWD = 2

/**
 * Publishes bundles so that each is in the stream exactly once or not at all.
 *
 * The message says which message of the system it expects to follow, so of two writers only one can succeed. Its id
 * lets the server recognise a repetition; when it came too late for that, the stream itself tells whose message is at
 * the place. The id has the writer in it: another writer's record of the same number is no repetition.
 */
export class Publisher {
  private readonly nats: Nats
  private readonly source: BundleSource
  private readonly writer: string
  private underWay = 0

  /** @param writer text that no other process has */
  constructor(nats: Nats, source: BundleSource, writer: string) {
    this.nats = nats
    this.source = source
    this.writer = writer
  }

  /** Whether so many messages are under way that another one would only wait among them. */
  get crowded(): boolean {
    return this.underWay >= CROWD
  }

  /**
   * Publishes behind the message at `after`; resolves with the place of the new one. A {@link Conflict} when another
   * writer was faster, a {@link StorageError} when nothing was kept, {@link Unconfirmed} when that is not known.
   */
  async publish(system: string, bundle: Bundle, after: number): Promise<number> {
    this.underWay++
    try {
      return await this.publishUntilKnown(system, bundle, after)
    } finally {
      this.underWay--
    }
  }

  private async publishUntilKnown(system: string, bundle: Bundle, after: number): Promise<number> {
    const { stream, subject } = this.source.address(system)
    const id = `${this.writer}.${bundle.first}.${bundle.records.at(-1)?.hash ?? bundle.before}.${after}`
    const header = headers()
    header.set(ID_HEADER, id)
    const payload = encodeBundle(bundle)
    const options = {
      ...{ msgID: id, timeout: REQUEST_TIMEOUT, headers: header },
      expect: { streamName: stream, lastSubjectSequence: after },
    }
    const end = this.nats.clock.monotonic() + PATIENCE
    let uncertain = false
    for (let wait = 20; ; wait = Math.min(500, 2 * wait)) {
      try {
        const { seq, duplicate } = await this.nats.js.publish(subject, payload, options)
        if (!duplicate) return seq
        // A leader may call a message repeated and still lose it before it passes it on: only a look tells.
        const own = await this.own(system, id, after)
        if (own !== undefined) return own
        uncertain = true
        if (this.nats.clock.monotonic() > end) throw new Unconfirmed('the servers know the message and do not have it')
      } catch (error) {
        if (error instanceof Unconfirmed) throw error
        if (isWrongSequence(error)) {
          const own = uncertain ? await this.own(system, id, after) : undefined
          if (own !== undefined) return own
          throw new Conflict(`log of ${system}: another writer went on behind message ${after}`)
        }
        const reason = (error as Error).message
        if (!isPassing(error as Error)) throw uncertain ? new Unconfirmed(reason) : new StorageError(reason)
        // Without a listener nothing was kept; any other silence leaves it open.
        uncertain ||= !(error instanceof JetStreamApiError) && !/responders|not enabled/i.test(reason)
        if (this.nats.clock.monotonic() > end) throw uncertain ? new Unconfirmed(reason) : new StorageError(reason)
      }
      await this.nats.clock.pause(wait)
    }
  }

  /** The place of this very message, when an earlier attempt has put it behind `after`. */
  private async own(system: string, id: string, after: number): Promise<number | undefined> {
    try {
      const next = await this.source.next(system, after + 1)
      return next?.id === id ? next.place : undefined
    } catch (error) {
      throw new Unconfirmed((error as Error).message)
    }
  }
}
