import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { decodeBundle, ID_HEADER, type StoredBundle } from './bundle.ts'
import type { Nats } from './connection.ts'
import type { MessageQuery } from './leader-message.ts'
import { fromToken, type Names, shardOf } from './names.ts'
import { isPassing, patiently } from './patience.ts'

/** Messages that are fetched one by one before a consumer is made: each takes a round trip. */
export const SINGLY = 64
/** Messages asked for at once from a consumer. */
const PAGE = 1_024
/** Milliseconds a consumer has to hand out what it has. */
const FETCH_EXPIRES = 2_000

/** The messages of systems in the streams of their shards. Single reads go to the leader of the stream. */
export class BundleSource {
  private readonly nats: Nats
  private readonly names: Names
  readonly shards: number

  constructor(nats: Nats, names: Names, shards: number) {
    this.nats = nats
    this.names = names
    this.shards = shards
  }

  /** The stream and the subject of a system. */
  address(system: string): { stream: string; subject: string } {
    const shard = shardOf(system, this.shards)
    return { stream: this.names.stream(shard), subject: this.names.subject(shard, system) }
  }

  /** The systems with messages in a shard. */
  async systems(shard: number): Promise<string[]> {
    const stream = this.names.stream(shard)
    const subjects_filter = this.names.subjects(shard)
    const info = await patiently(stream, () => this.nats.jsm.streams.info(stream, { subjects_filter }))
    const prefix = subjects_filter.length - 1
    return Object.keys(info.state.subjects ?? {}).map((subject) => fromToken(subject.slice(prefix)))
  }

  /** The latest message of a system. */
  last(system: string): Promise<StoredBundle | undefined> {
    const { stream, subject } = this.address(system)
    return this.get(stream, { last_by_subj: subject })
  }

  /** The first message of a system at or behind a place. */
  next(system: string, place: number): Promise<StoredBundle | undefined> {
    const { stream, subject } = this.address(system)
    return this.get(stream, { seq: Math.max(1, place), next_by_subj: subject })
  }

  /**
   * The messages of a system from a place to its end, both included.
   * @param many whether the caller wants many of them: then a consumer is made at once
   */
  async *range(system: string, from: number, end: number, many: boolean): AsyncGenerator<StoredBundle> {
    let place = from
    for (let singly = many ? 0 : SINGLY; place <= end; singly = PAGE) {
      for (let i = 0; i < singly && place <= end; i++) {
        const bundle = await this.next(system, place)
        if (!bundle || bundle.place > end) return
        place = bundle.place + 1
        yield bundle
      }
      // A replica may lag: the messages it does not have yet are then read from the leader, one by one.
      for await (const bundle of this.consume(system, place, end)) {
        place = bundle.place + 1
        yield bundle
      }
    }
  }

  /** The first message of a system from … to that fits, when all behind it do; by bisection. */
  async find(
    system: string,
    from: number,
    to: number,
    fits: (bundle: StoredBundle) => boolean,
  ): Promise<StoredBundle | undefined> {
    let low = from
    let high = to
    let found: StoredBundle | undefined
    while (low <= high) {
      const middle = Math.floor((low + high) / 2)
      const bundle = await this.next(system, middle)
      if (!bundle || bundle.place > to || fits(bundle)) {
        if (bundle && bundle.place <= to) found = bundle
        high = middle - 1
      } else low = bundle.place + 1
    }
    return found
  }

  /** The messages of a system from a place to its end that one replica has; it does not wait for the others. */
  private async *consume(system: string, from: number, end: number): AsyncGenerator<StoredBundle> {
    if (from > end) return
    const { stream, subject } = this.address(system)
    const config = {
      ...{ filter_subject: subject, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from },
      ...{ ack_policy: AckPolicy.None, mem_storage: true, num_replicas: 1, inactive_threshold: nanos(30_000) },
    }
    const made = await patiently(stream, () => this.nats.jsm.consumers.add(stream, config))
    const consumer = this.nats.js.consumers.getConsumerFromInfo(made)
    let delivered = 0
    try {
      for (let pending = made.num_pending; pending > 0; ) {
        const messages = await consumer.fetch({ max_messages: Math.min(PAGE, pending), expires: FETCH_EXPIRES })
        const before = delivered
        for await (const { seq, headers, data, info } of messages) {
          // A broken connection has lost some.
          if (seq > end || info.deliverySequence !== delivered + 1) return
          delivered++
          pending = info.pending
          yield decodeBundle(seq, headers?.get(ID_HEADER) ?? '', data)
        }
        if (delivered === before) return
      }
    } catch (error) {
      if (!isPassing(error as Error)) throw error
    } finally {
      // Nobody waits for this: a consumer that stays goes by itself.
      void this.nats.jsm.consumers.delete(stream, made.name).catch(() => {})
    }
  }

  private async get(stream: string, query: MessageQuery): Promise<StoredBundle | undefined> {
    const message = await patiently(stream, () => this.nats.message(stream, query))
    return message && decodeBundle(message.seq, message.id, message.data)
  }
}
