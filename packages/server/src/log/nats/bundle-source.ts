import { decodeBundle, type StoredBundle } from './bundle.ts'
import type { Nats } from './connection.ts'
import type { MessageQuery } from './leader-message.ts'
import { fromToken, type Names, shardOf } from './names.ts'
import { patiently } from './patience.ts'
import { type Address, subjectMessages } from './subject-messages.ts'

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
  address(system: string): Address {
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
    for await (const { seq, id, data } of subjectMessages(this.nats, this.address(system), { from, end, many })) {
      yield decodeBundle(seq, id, data)
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

  private async get(stream: string, query: MessageQuery): Promise<StoredBundle | undefined> {
    const message = await patiently(stream, () => this.nats.message(stream, query))
    return message && decodeBundle(message.seq, message.id, message.data)
  }
}
