import type { Snapshot, SnapshotBytes } from '../event-log.ts'
import { superfluousSnapshots } from '../snapshot-thinning.ts'
import type { Place } from './bundle-index.ts'
import { toToken } from './names.ts'
import type { StateBucket } from './state-bucket.ts'
import type { StoredObjects } from './stored-objects.ts'

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
  private readonly objects: StoredObjects
  private readonly state: StateBucket

  constructor(objects: StoredObjects, state: StateBucket) {
    this.objects = objects
    this.state = state
  }

  /** Writes the bytes; returns the name of the object. */
  async upload(system: string, { sequence, bytes }: SnapshotBytes, writer: string): Promise<string> {
    const name = `${toToken(system)}.${sequence}.${writer}`
    await this.objects.put(name, bytes)
    return name
  }

  /** Removes an object that no record names. */
  discard(object: string): Promise<void> {
    return this.objects.discard(object)
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
    for (const { sequence, object } of all) if (places.has(sequence)) await this.objects.discard(object)
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
    for (const { object } of old) await this.objects.discard(object)
  }

  /** The latest snapshot at or before a record whose bytes are there. */
  async latest(
    system: string,
    atMost: number,
  ): Promise<(Snapshot & Pick<SnapshotEntry, 'message' | 'before'>) | undefined> {
    const list = await this.list(system)
    for (const { sequence, hash, object, message, before } of list.reverse()) {
      if (sequence > atMost) continue
      const bytes = await this.objects.get(object)
      if (bytes) return { sequence, hash, bytes, message, before }
    }
    return undefined
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
