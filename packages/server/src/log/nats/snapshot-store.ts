import type { JetStreamManager } from '@nats-io/jetstream'
import { systemClock } from '../../clock/clock.ts'
import { StorageError } from '../../errors.ts'
import type { Snapshot, SnapshotBytes } from '../event-log.ts'
import { superfluousSnapshots } from '../snapshot-thinning.ts'
import type { Place } from './bundle-index.ts'
import type { Nats } from './connection.ts'
import { toToken } from './names.ts'
import type { Objects } from './object-put.ts'
import { patiently } from './patience.ts'
import type { StateBucket } from './state-bucket.ts'

/** Milliseconds for attempts to write a state. Without it the next start takes longer; nothing else is lost. */
const UPLOAD_PATIENCE = 10_000

/** Messages in front of the description of an object among which its chunks are looked for first. */
const NEAR = 64

/** What the list of a system says about one of its snapshots. */
export interface SnapshotEntry {
  sequence: number
  /** Hash of the chain at its place. */
  hash: string
  /** Name of the object. */
  object: string
  /** The message that recorded it, and the one in front of that: where reading goes on. */
  message: Place
  before: Place
}

/**
 * Saved states in an object store, with a list per system in the state bucket. An object is there before its record
 * is in the log, and in the list only afterwards, so the list never names a state that the log does not know.
 */
export class SnapshotStore {
  private readonly objects: Objects
  private readonly state: StateBucket
  private readonly jsm: JetStreamManager

  private constructor(objects: Objects, state: StateBucket, jsm: JetStreamManager) {
    this.objects = objects
    this.state = state
    this.jsm = jsm
  }

  /** Opens an object store; with a number of replicas it is made when there is none. */
  static async open(nats: Nats, name: string, state: StateBucket, replicas?: number): Promise<SnapshotStore> {
    const objects = await patiently(`object store ${name}`, () => nats.objects(name, replicas))
    return new SnapshotStore(objects, state, nats.jsm)
  }

  /** Writes the bytes; returns the name of the object. */
  async upload(system: string, { sequence, bytes }: SnapshotBytes, writer: string): Promise<string> {
    const name = `${toToken(system)}.${sequence}.${writer}`
    // One attempt may wait forever when the server it talks to falls silent in between.
    const attempt = () => inTime(this.objects.put(name, bytes), UPLOAD_PATIENCE)
    await patiently(`snapshot of ${system}`, attempt, UPLOAD_PATIENCE)
    return name
  }

  /** Removes an object that no record names. An object that stays only takes space, so this does not fail. */
  async discard(object: string): Promise<void> {
    await inTime(this.objects.delete(object), UPLOAD_PATIENCE).catch(() => {})
  }

  /** Adds a snapshot to the list of its system and ends those that need not be kept. */
  async add(system: string, entry: SnapshotEntry): Promise<void> {
    const list = (await this.list(system)).filter(({ sequence }) => sequence !== entry.sequence)
    const all = [...list, entry].sort((a, b) => a.sequence - b.sequence)
    const places = new Set(superfluousSnapshots(all.map(({ sequence }) => sequence)))
    await this.replace(
      system,
      all.filter(({ sequence }) => !places.has(sequence)),
    )
    for (const { sequence, object } of all) if (places.has(sequence)) await this.discard(object)
  }

  /** Removes the snapshots before a record. */
  async removeBefore(system: string, sequence: number): Promise<void> {
    const list = await this.list(system)
    const old = list.filter((entry) => entry.sequence < sequence)
    if (old.length === 0) return
    await this.replace(
      system,
      list.filter((entry) => entry.sequence >= sequence),
    )
    for (const { object } of old) await this.discard(object)
  }

  /** The latest snapshot at or before a record whose bytes are there. */
  async latest(
    system: string,
    atMost: number,
  ): Promise<(Snapshot & Pick<SnapshotEntry, 'message' | 'before'>) | undefined> {
    const list = await this.list(system)
    for (const { sequence, hash, object, message, before } of list.reverse()) {
      if (sequence > atMost) continue
      const bytes = await patiently(`snapshot ${sequence} of ${system}`, () => this.download(object))
      if (bytes) return { sequence, hash, bytes, message, before }
    }
    return undefined
  }

  /**
   * The bytes of an object, chunk by chunk from the leader. The object store's own reading goes through a consumer,
   * which may be on a replica that lags behind.
   */
  private async download(object: string): Promise<Uint8Array | undefined> {
    const info = await this.objects.info(object)
    if (!info || info.deleted) return undefined
    const stream = `OBJ_${info.bucket}`
    const subject = `$O.${info.bucket}.C.${info.nuid}`
    // The chunks are just in front of the message that describes them; a search from the start reads everything.
    for (let reach = NEAR; ; reach *= 8) {
      const chunks = await this.chunks(stream, subject, Math.max(1, info.revision - reach), info.chunks)
      if (chunks.length === info.chunks) return Buffer.concat(chunks)
      if (reach >= info.revision) return undefined
    }
  }

  private async chunks(stream: string, subject: string, from: number, count: number): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = []
    for (let place = from; chunks.length < count; ) {
      const query = { seq: place, next_by_subj: subject }
      const chunk = await this.jsm.streams.getMessage(stream, query)
      if (!chunk) break
      chunks.push(chunk.data)
      place = chunk.seq + 1
    }
    return chunks
  }

  private async list(system: string): Promise<SnapshotEntry[]> {
    return (await this.state.get<SnapshotEntry[]>(this.key(system))) ?? []
  }

  private replace(system: string, list: readonly SnapshotEntry[]): Promise<void> {
    return this.state.put(this.key(system), list)
  }

  private key(system: string): string {
    return `snapshots.${toToken(system)}`
  }
}

/** The outcome of a promise, or an error when it does not come in time. */
async function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  const late = new AbortController()
  const timeout = systemClock.pause(milliseconds, late.signal).then(() => {
    throw new StorageError(`no answer in ${milliseconds} ms`)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    timeout.catch(() => {})
    late.abort()
  }
}
