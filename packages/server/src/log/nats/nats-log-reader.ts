import { JetStreamApiError } from '@nats-io/jetstream'
import { NotReady, SetupError } from '../../errors.ts'
import type { KeyPage, LogExtent, LogQuery, LogReader, Snapshot } from '../event-log.ts'
import { GENESIS, type StoredRecord } from '../record.ts'
import { BodiesApart } from './bodies-apart.ts'
import { type Head, headOf, lastOf, NO_HEAD, placeOf, type StoredBundle } from './bundle.ts'
import { BundleIndex } from './bundle-index.ts'
import { BundleSource } from './bundle-source.ts'
import { connectNats, type Nats } from './connection.ts'
import { fits, Thinning } from './filter.ts'
import { KeyPages } from './key-pages.ts'
import { Names, toToken } from './names.ts'
import { patiently } from './patience.ts'
import { SnapshotStore } from './snapshot-store.ts'
import { StateBucket } from './state-bucket.ts'
import { StoredObjects } from './stored-objects.ts'
import { SINGLY } from './subject-messages.ts'

/** Which cluster of which servers. */
export interface NatsOptions {
  /** Addresses with commas between them, such as `nats://a:4222,nats://b:4222`. */
  servers: string
  /** Name of the cluster. Default `pb-oel`. */
  cluster?: string
}

/** What a log works with. */
export interface NatsParts {
  nats: Nats
  names: Names
  source: BundleSource
  state: StateBucket
  snapshots: SnapshotStore
  apart: BodiesApart
  keys: KeyPages
}

/** Where a compaction has cut: the last record removed and its hash. */
export interface Cut {
  through: number
  hash: string
}

/** Records in the first window of a search from the end; each next one is twice as long. */
const WINDOW = 64
const WIDEST_WINDOW = 4_096
/** Searches at once when records far apart are wanted. */
const SEARCHES = 16

/** A log in JetStream that is only read, also while servers write to it. */
export class NatsLogReader implements LogReader {
  protected readonly parts: NatsParts
  private readonly indexes = new Map<string, BundleIndex>()

  protected constructor(parts: NatsParts) {
    this.parts = parts
  }

  /** Opens the log of a cluster that exists. */
  static async openReader({ servers, cluster = 'pb-oel' }: NatsOptions): Promise<NatsLogReader> {
    const nats = await connectNats(servers)
    const names = new Names(cluster)
    try {
      await patiently(servers, async () => {
        const error: unknown = await nats.jsm.streams.info(`KV_${names.state}`).catch((error) => error)
        if (error instanceof JetStreamApiError && error.status === 404) {
          throw new SetupError(`these NATS servers keep no log of a cluster named ${cluster}`)
        }
        if (error instanceof Error) throw error
      })
      const state = await StateBucket.open(nats, names.state)
      const shards = (await state.get<number>('shards')) ?? 0
      return new NatsLogReader(await partsOf(nats, names, state, shards))
    } catch (error) {
      await nats.connection.close()
      throw error
    }
  }

  /** A reader of the same log that remembers nothing yet: for systems that others write. */
  reader(): NatsLogReader {
    return new NatsLogReader(this.parts)
  }

  get shards(): number {
    return this.parts.source.shards
  }

  async systems(): Promise<string[]> {
    const lists = await Promise.all(Array.from({ length: this.shards }, (_, shard) => this.systemsOf(shard)))
    return lists.flat().sort()
  }

  /** The systems of one shard. */
  async systemsOf(shard: number): Promise<string[]> {
    return (await this.parts.source.systems(shard)).sort()
  }

  async read(system: string, query: LogQuery = {}): Promise<StoredRecord[]> {
    const extent = await this.extent(system)
    if (!extent) return []
    const { limit = 1_000, reverse = false, stride = 1 } = query
    const start = query.from ?? 1
    const from = Math.max(start, extent.first)
    const to = Math.min(query.to ?? extent.last, extent.last)
    if (reverse) return this.readBack(system, from, to, query, limit)
    const records: StoredRecord[] = []
    const thinning = new Thinning(start, stride)
    if (stride <= WINDOW) {
      for await (const record of this.records(system, from, to, limit)) {
        if (!fits(record, query) || !thinning.takes(record)) continue
        if (records.push(record) === limit) break
      }
      return records
    }
    // Far apart: one search for every record that is wanted, several at a time.
    const starts: number[] = []
    for (let at = from; at <= to; at = thinning.next(at)) starts.push(at)
    while (starts.length > 0 && records.length < limit) {
      const part = starts.splice(0, Math.min(SEARCHES, limit - records.length))
      const found = await Promise.all(
        part.map((at) => this.firstThatFits(system, at, Math.min(to, thinning.next(at) - 1), query)),
      )
      records.push(...found.filter((record) => record !== undefined))
    }
    return records
  }

  async pick(system: string, sequences: readonly number[]): Promise<StoredRecord[]> {
    const extent = await this.extent(system)
    if (!extent) return []
    const wanted = sequences.filter((sequence) => sequence >= extent.first && sequence <= extent.last)
    const found = await Promise.all(
      wanted.map(async (sequence) => {
        const bundle = await this.locate(system, sequence)
        const { records = [] } = (bundle && (await this.parts.apart.whole(system, bundle))) ?? {}
        return records.find((record) => record.sequence === sequence)
      }),
    )
    return found.filter((record) => record !== undefined)
  }

  async extent(system: string): Promise<LogExtent | undefined> {
    const head = await this.head(system)
    if (head.sequence === 0) return undefined
    const { through, hash } = await this.cut(system)
    return { first: through + 1, before: hash, last: head.sequence, hash: head.hash }
  }

  async snapshot(system: string, atMost = Number.MAX_SAFE_INTEGER): Promise<Snapshot | undefined> {
    const found = await this.parts.snapshots.latest(system, atMost)
    if (!found) return undefined
    const { before, message, ...snapshot } = found
    // The caller goes on reading behind it, and then need not search.
    this.index(system).add(before)
    this.index(system).add(message, before.place)
    return snapshot
  }

  /** By bisection: times never fall within a system. */
  async sequenceAt(system: string, time: number): Promise<number> {
    const extent = await this.extent(system)
    if (!extent) return 1
    const { place } = await this.head(system)
    const bundle = await this.parts.source.find(system, 1, place, (bundle) => bundle.time >= time)
    const record = bundle?.records.find((record) => record.time >= time)
    return Math.max(extent.first, record?.sequence ?? (bundle ? lastOf(bundle) : extent.last) + 1)
  }

  keyPages(system: string): Promise<KeyPage[]> {
    return this.parts.keys.read(system)
  }

  async cursor(name: string): Promise<number> {
    return (await this.parts.state.get<number>(`cursor.${toToken(name)}`)) ?? 0
  }

  async close(): Promise<void> {
    await this.parts.nats.connection.close()
  }

  /** Where the chain of a system ends now. */
  protected async head(system: string): Promise<Head> {
    const last = await this.parts.source.last(system)
    return last ? headOf(last) : NO_HEAD
  }

  /** What a compaction has removed; 0 and {@link GENESIS} before the first. */
  protected async cut(system: string): Promise<Cut> {
    return (await this.parts.state.get<Cut>(`cut.${toToken(system)}`)) ?? { through: 0, hash: GENESIS }
  }

  /** The index of a system, made when it is wanted. */
  protected index(system: string): BundleIndex {
    let index = this.indexes.get(system)
    if (!index) {
      index = new BundleIndex()
      this.indexes.set(system, index)
    }
    return index
  }

  /** Frees what is remembered about a system. */
  protected forgetIndex(system: string): void {
    this.indexes.delete(system)
  }

  /** The message with a record that must exist. */
  protected async locate(system: string, sequence: number): Promise<StoredBundle | undefined> {
    const { place: end } = await this.head(system)
    const { from, to } = this.index(system).range(sequence, end)
    const bundle =
      from === to
        ? await this.parts.source.next(system, from)
        : await this.parts.source.find(system, from, to, (bundle) => lastOf(bundle) >= sequence)
    if (bundle) this.index(system).add(placeOf(bundle))
    return bundle
  }

  /** Records from … to, which must exist; the caller stops after `limit` of them at the earliest. */
  private async *records(system: string, from: number, to: number, limit = 1): AsyncGenerator<StoredRecord> {
    if (from > to) return
    const { place: end } = await this.head(system)
    const start = await this.locate(system, from)
    let next = from
    if (start) {
      let previous: number | undefined
      const many = Math.min(limit, to - from + 1) > SINGLY
      for await (const bundle of this.following(system, start, end, many)) {
        this.index(system).add(placeOf(bundle), previous)
        previous = bundle.place
        for (const record of (await this.parts.apart.whole(system, bundle)).records) {
          if (record.sequence < from) continue
          if (record.sequence > to) return
          next = record.sequence + 1
          yield record
        }
        if (next > to) return
      }
    }
    // The chain tells of damage. Here something cannot be read yet, or no longer.
    if (next <= to) throw new NotReady(`records ${next} to ${to} of ${system} cannot be read at this moment`)
  }

  private async *following(
    system: string,
    start: StoredBundle,
    end: number,
    many: boolean,
  ): AsyncGenerator<StoredBundle> {
    yield start
    yield* this.parts.source.range(system, start.place + 1, end, many)
  }

  private async firstThatFits(
    system: string,
    from: number,
    to: number,
    query: LogQuery,
  ): Promise<StoredRecord | undefined> {
    for await (const record of this.records(system, from, to)) if (fits(record, query)) return record
    return undefined
  }

  /** From the end, in windows: a stream can only be read forwards. */
  private async readBack(
    system: string,
    from: number,
    to: number,
    query: LogQuery,
    limit: number,
  ): Promise<StoredRecord[]> {
    const found: StoredRecord[] = []
    let window = WINDOW
    for (let high = to; high >= from && found.length < limit; window = Math.min(2 * window, WIDEST_WINDOW)) {
      const low = Math.max(from, high - window + 1)
      const part: StoredRecord[] = []
      for await (const record of this.records(system, low, high, window)) if (fits(record, query)) part.push(record)
      found.push(...part.reverse())
      high = low - 1
    }
    return found.slice(0, limit)
  }
}

/** What a log works with; with a number of replicas, the object store is made when there is none. */
export async function partsOf(
  nats: Nats,
  names: Names,
  state: StateBucket,
  shards: number,
  replicas?: number,
): Promise<NatsParts> {
  const objects = await StoredObjects.open(nats, names.snapshots, replicas)
  const apart = new BodiesApart(objects, state, nats.connection.info?.max_payload)
  const source = new BundleSource(nats, names, shards)
  const keys = await KeyPages.open(nats, names, replicas)
  return { nats, names, state, source, apart, keys, snapshots: new SnapshotStore(objects, state) }
}
