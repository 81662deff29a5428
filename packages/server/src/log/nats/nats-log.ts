import { randomBytes } from 'node:crypto'
import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { Conflict, NotFound, ServiceError, SetupError, StorageError, Unconfirmed } from '../../errors.ts'
import { copyLog } from '../copy-log.ts'
import type { EventLog, SnapshotBytes } from '../event-log.ts'
import { type NewRecord, SERVER_LOG } from '../record.ts'
import { SqliteLog } from '../sqlite-log.ts'
import { type Head, placeOf } from './bundle.ts'
import { ChainWriter } from './chain-writer.ts'
import { type ConnectNats, connectNats, type Nats, weaknessOf } from './connection.ts'
import { Names, toToken } from './names.ts'
import { type Cut, NatsLogReader, type NatsOptions, type NatsParts, partsOf } from './nats-log-reader.ts'
import { isPassing, isWrongSequence, patiently } from './patience.ts'
import { Publisher } from './publisher.ts'
import { StateBucket } from './state-bucket.ts'

/** How a log is made where there is none. */
export interface NatsLogOptions extends NatsOptions {
  /** Streams the systems are spread over; fixed when the cluster is made. Default: what is there, or 64. */
  shards?: number
  /** Copies of everything, on as many servers. Default: 3 in a cluster of servers, 1 on a single one. */
  replicas?: number
  /** Also writes to servers before 2.11, which lose acknowledged messages now and then. Default false. */
  allowOldServers?: boolean
}

/** Shards of a new cluster unless asked otherwise. */
const SHARDS = 64
/** Seconds in which the servers recognise a repeated message by its id; afterwards its place tells. */
const DUPLICATE_WINDOW = 60
/** Deletions of the server's own log among which one that is finished late is looked for. */
const SAID_LATELY = 100
/** Streams made at once: the servers elect a leader for each. */
const MADE_AT_ONCE = 8

/**
 * The log in JetStream: one stream per shard, one subject per system, one message per moment of writing.
 *
 * A message is acknowledged when a majority of the servers has it. While one is under way, later records of the same
 * system wait and go into the next one together; different systems do not wait for each other.
 */
export class NatsLog extends NatsLogReader implements EventLog {
  private readonly publisher: Publisher
  private readonly writer: string
  private readonly chains = new Map<string, ChainWriter>()
  private readonly cuts = new Map<string, Cut>()
  /** Called after every message with its seconds and number of records. */
  onCommit: (seconds: number, records: number) => void = () => {}

  private constructor(parts: NatsParts, writer: string) {
    super(parts)
    this.writer = writer
    this.publisher = new Publisher(parts.nats, parts.source, writer)
  }

  /** Opens the log of a cluster, and makes it when there is none. */
  static async open(options: NatsLogOptions, connect: ConnectNats = connectNats): Promise<NatsLog> {
    const { servers, cluster = 'pb-oel', shards, replicas, allowOldServers = false } = options
    if (!/^[\w-]+$/.test(cluster))
      throw new SetupError(`${cluster}: the name of a cluster has letters, digits, _ and -`)
    const writer = randomBytes(8).toString('hex')
    const nats = await connect(servers, `pb-oel ${writer}`)
    try {
      const weakness = weaknessOf(nats.connection.info?.version ?? 'of an unknown release')
      if (weakness && !allowOldServers) throw new SetupError(`${weakness}, or allow it (--allow-old-nats)`)
      const copies = replicas ?? (nats.connection.info?.cluster === undefined ? 1 : 3)
      const names = new Names(cluster)
      const state = await StateBucket.open(nats, names.state, copies)
      const count = await agreeOnShards(state, shards)
      await makeStreams(nats, names, count, copies)
      return new NatsLog(await partsOf(nats, names, state, count, copies), writer)
    } catch (error) {
      await nats.connection.close()
      throw error
    }
  }

  /** For others that keep something in the same cluster. */
  get cluster(): { nats: Nats; names: Names; replicas: () => Promise<number> } {
    const { nats, names } = this.parts
    const replicas = async () =>
      (await patiently(names.stream(0), () => nats.jsm.streams.info(names.stream(0)))).config.num_replicas
    return { nats, names, replicas }
  }

  /** A small value that all processes of the cluster share; the first process that asks decides it. */
  shared<T>(key: string, make: () => T): Promise<T> {
    return agree(this.parts.state, key, make)
  }

  /** The subject everything about a system is published on. */
  subjectOf(system: string): string {
    return this.parts.source.address(system).subject
  }

  append(system: string, first: number, records: readonly NewRecord[], snapshot?: SnapshotBytes): Promise<void> {
    return this.chain(system).append({ first, records, snapshot })
  }

  /**
   * Ends the writing of everybody else: a writer that published to this system before and has not looked since is
   * refused from now on, even if nothing was appended in between. A read after this includes everything it wrote.
   */
  async fence(system: string): Promise<void> {
    await this.chain(system).fence()
  }

  /** Frees what is remembered about a system; the next use looks at the stream again. */
  forget(system: string): void {
    this.chains.delete(system)
    this.cuts.delete(system)
    this.forgetIndex(system)
  }

  async begin(system: string, through: number, hash: string): Promise<void> {
    await this.parts.state.put(`cut.${toToken(system)}`, { through, hash })
    await this.chain(system).begin(through, hash)
  }

  async compact(system: string, through: number): Promise<void> {
    const extent = await this.extent(system)
    if (!extent || through < extent.first) return
    if (through >= extent.last) throw new Conflict(`log of ${system}: its last record cannot be removed`)
    const [last] = await this.pick(system, [through])
    const rest = await this.locate(system, through + 1)
    if (!last || !rest) throw new NotFound(`log of ${system} has no record ${through}`)
    const cut = { through, hash: last.hash }
    // The cut is recorded before anything is removed: records behind it that are still there are not shown.
    await this.parts.state.put(`cut.${toToken(system)}`, cut)
    this.cuts.set(system, cut)
    const { stream, subject } = this.parts.source.address(system)
    const { jsm } = this.parts.nats
    await patiently(stream, () => jsm.streams.purge(stream, { filter: subject, seq: rest.place }))
    await this.parts.snapshots.removeBefore(system, through)
    await this.parts.apart.removeThrough(system, through)
  }

  /**
   * The decision is one message behind the last one of the system. Everything else follows from it, and whoever takes
   * the system over before all is done finishes it ({@link finishDeletion}).
   */
  async remove(system: string, record: NewRecord, cursors: string): Promise<void> {
    await this.chain(system).end({ record, cursors })
    try {
      await this.finishDeletion(system)
    } catch (error) {
      throw new Unconfirmed(`system ${system} is deleted; what is left of it goes later: ${(error as Error).message}`)
    }
  }

  /** Removes what is left of a system that was deleted; false when it was not. */
  async finishDeletion(system: string): Promise<boolean> {
    const { place, deletion } = await this.head(system)
    if (!deletion) return false
    await this.sayOnce(deletion.record)
    const { state, snapshots, apart, keys, nats, source } = this.parts
    await snapshots.removeBefore(system, Number.POSITIVE_INFINITY)
    await keys.remove(system)
    await apart.removeThrough(system, Number.POSITIVE_INFINITY)
    await state.removeAll(`cursor.${toToken(deletion.cursors)}`)
    for (const kind of ['snapshots', 'cut']) await state.remove(`${kind}.${toToken(system)}`)
    const { stream, subject } = source.address(system)
    // The decision goes last. What somebody has written behind it under the same name since then stays.
    await patiently(stream, () => nats.jsm.streams.purge(stream, { filter: subject, seq: place + 1 }))
    this.forget(system)
    return true
  }

  /** Adds a record to the server's own log, which every worker writes, unless it is there already. */
  private async sayOnce(record: NewRecord): Promise<void> {
    for (;;) {
      const latest = await this.read(SERVER_LOG, { kinds: [record.kind], reverse: true, limit: SAID_LATELY })
      if (latest.some(({ time, body }) => time === record.time && body === record.body)) return
      const { sequence } = await super.head(SERVER_LOG)
      try {
        return await this.append(SERVER_LOG, sequence + 1, [record])
      } catch (error) {
        if (!(error instanceof Conflict)) throw error
      }
    }
  }

  moveCursor(name: string, value: number): Promise<void> {
    return this.parts.state.put(`cursor.${toToken(name)}`, value)
  }

  async probe(): Promise<void> {
    try {
      await this.parts.state.putOnce('probe', this.writer)
    } catch (error) {
      throw error instanceof ServiceError ? error : new StorageError((error as Error).message)
    }
  }

  /** As a store of a single server, which can also be copied back. */
  async backup(file: string): Promise<void> {
    const copy = await SqliteLog.open(file)
    try {
      await copyLog(this, copy)
    } finally {
      await copy.close()
    }
  }

  override async close(): Promise<void> {
    await Promise.all([...this.chains.values()].map((chain) => chain.settled()))
    await super.close()
  }

  /** The writer's own view, where it has one: if anybody else had gone on, its next append would be refused. */
  protected override async head(system: string): Promise<Head> {
    // The log of the server itself is written by every worker.
    if (system.startsWith('$')) return super.head(system)
    return this.chains.get(system)?.head ?? super.head(system)
  }

  protected override async cut(system: string): Promise<Cut> {
    const known = this.cuts.get(system)
    if (known) return known
    const cut = await super.cut(system)
    if (this.chains.get(system)?.head) this.cuts.set(system, cut)
    return cut
  }

  private async hashAt(system: string, sequence: number): Promise<string | undefined> {
    const { through, hash } = await this.cut(system)
    return sequence === through ? hash : (await this.pick(system, [sequence]))[0]?.hash
  }

  private chain(system: string): ChainWriter {
    let chain = this.chains.get(system)
    if (!chain) {
      chain = new ChainWriter(system, {
        clock: this.parts.nats.clock,
        publisher: this.publisher,
        snapshots: this.parts.snapshots,
        keys: this.parts.keys,
        apart: this.parts.apart,
        writer: this.writer,
        load: () => super.head(system),
        hashAt: (sequence) => this.hashAt(system, sequence),
        onStored: (bundle, previous, seconds) => {
          this.index(system).add(placeOf(bundle), previous)
          this.onCommit(seconds, bundle.records.length)
        },
      })
      this.chains.set(system, chain)
    }
    return chain
  }
}

/** The number of shards never changes: the place of every system follows from it. */
async function agreeOnShards(state: StateBucket, wanted: number | undefined): Promise<number> {
  const shards = await agree(state, 'shards', () => wanted ?? SHARDS)
  if (wanted !== undefined && wanted !== shards) {
    throw new SetupError(`this cluster was made with ${shards} shards, and that cannot be changed to ${wanted}`)
  }
  return shards
}

/** Of two processes that begin at once, one is refused and reads what the other wrote. */
async function agree<T>(state: StateBucket, key: string, make: () => T): Promise<T> {
  for (;;) {
    const found = await state.get<T>(key)
    if (found !== undefined) return found
    await state.replaceOnce(key, make(), 0).catch((error) => {
      if (!isPassing(error) && !isWrongSequence(error)) throw error
    })
  }
}

async function makeStreams({ jsm }: Nats, names: Names, shards: number, replicas: number): Promise<void> {
  const known = new Set<string>()
  const list = () => listStreams(jsm)
  for (const name of await patiently('streams', list)) known.add(name)
  const missing = Array.from({ length: shards }, (_, shard) => shard).filter((shard) => !known.has(names.stream(shard)))
  const make = async () => {
    for (let shard = missing.shift(); shard !== undefined; shard = missing.shift()) {
      const config = {
        ...{ name: names.stream(shard), subjects: [names.subjects(shard)], num_replicas: replicas },
        ...{ storage: StorageType.File, retention: RetentionPolicy.Limits, discard: DiscardPolicy.New },
        ...{ duplicate_window: DUPLICATE_WINDOW * 1e9, allow_direct: false },
      }
      await patiently(config.name, () => jsm.streams.add(config))
    }
  }
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, make))
}

async function listStreams(jsm: Nats['jsm']): Promise<string[]> {
  const names: string[] = []
  for await (const name of jsm.streams.names()) names.push(name)
  return names
}
