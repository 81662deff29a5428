import type { StoredMsg } from '@nats-io/jetstream'
import { decodeBatch, ID_HEADER, type StoredBatch } from './batch.ts'
import type { Nats } from './connection.ts'
import { fromToken, type Names, shardOf } from './names.ts'
import { isPassing, patiently } from './patience.ts'

/** Messages fetched one by one before a consumer is worth its making. */
const SINGLY = 4
/** Messages asked for at once from a consumer. */
const PAGE = 256
/** Milliseconds a consumer waits for messages that must be there. */
const FETCH_EXPIRES = 2_000
/** Milliseconds a reader goes on without a message that must be there. */
const READ_PATIENCE = 20_000

/** The messages of systems in the streams of their shards. Single reads go to the leader of the stream. */
export class BatchSource {
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
  last(system: string): Promise<StoredBatch | undefined> {
    const { stream, subject } = this.address(system)
    return this.get(stream, { last_by_subj: subject })
  }

  /** The first message of a system at or behind a place. */
  next(system: string, place: number): Promise<StoredBatch | undefined> {
    const { stream, subject } = this.address(system)
    return this.get(stream, { seq: Math.max(1, place), next_by_subj: subject })
  }

  /** The messages of a system from a place to its end, both included. */
  async *range(system: string, from: number, end: number): AsyncGenerator<StoredBatch> {
    let place = from
    for (let i = 0; i < SINGLY && place <= end; i++) {
      const batch = await this.next(system, place)
      if (!batch || batch.place > end) return
      place = batch.place + 1
      yield batch
    }
    const patience = performance.now() + READ_PATIENCE
    while (place <= end) {
      const before = place
      try {
        for await (const batch of this.consume(system, place, end)) {
          place = batch.place + 1
          yield batch
        }
      } catch (error) {
        if (!isPassing(error as Error)) throw error
      }
      // A replica that lags gives nothing yet; the leader has it.
      if (place === before && place <= end) {
        const batch = await this.next(system, place)
        if (!batch || batch.place > end || performance.now() > patience) return
        place = batch.place + 1
        yield batch
      }
    }
  }

  /** The first message of a system from … to that fits, when all behind it do; by bisection. */
  async find(
    system: string,
    from: number,
    to: number,
    fits: (batch: StoredBatch) => boolean,
  ): Promise<StoredBatch | undefined> {
    let low = from
    let high = to
    let found: StoredBatch | undefined
    while (low <= high) {
      const middle = Math.floor((low + high) / 2)
      const batch = await this.next(system, middle)
      if (!batch || batch.place > to || fits(batch)) {
        if (batch && batch.place <= to) found = batch
        high = middle - 1
      } else low = batch.place + 1
    }
    return found
  }

  private async *consume(system: string, from: number, end: number): AsyncGenerator<StoredBatch> {
    const { stream, subject } = this.address(system)
    // One filter as text: servers before 2.10 know no list.
    const options = { filter_subjects: subject, opt_start_seq: from, inactive_threshold: 30_000 }
    const consumer = await patiently(stream, () => this.nats.js.consumers.get(stream, options))
    try {
      for (let place = 0; place < end; ) {
        const messages = await consumer.fetch({ max_messages: PAGE, expires: FETCH_EXPIRES })
        let received = 0
        for await (const { seq, headers, data } of messages) {
          received++
          place = seq
          if (seq > end) return
          yield decodeBatch(seq, headers?.get(ID_HEADER) ?? '', data)
          // Nothing behind the end is waited for.
          if (seq === end) return
        }
        if (received === 0) return
      }
    } finally {
      await consumer.delete().catch(() => {})
    }
  }

  private async get(
    stream: string,
    query: { last_by_subj: string } | { seq: number; next_by_subj: string },
  ): Promise<StoredBatch | undefined> {
    const message: StoredMsg | null = await patiently(stream, () => this.nats.jsm.streams.getMessage(stream, query))
    return message ? decodeBatch(message.seq, message.header?.get(ID_HEADER) ?? '', message.data) : undefined
  }
}
