import { join } from 'node:path'
import type { SystemFold } from '../../packages/server/src/fold/system-fold.ts'
import { DirectReader } from '../../packages/server/src/log/direct-reader.ts'
import { SERVER_LOG, type StoredRecord } from '../../packages/server/src/log/record.ts'
import { SqliteStore } from '../../packages/server/src/log/sqlite-store.ts'
import { rebuild } from '../../packages/server/src/replay/recover.ts'
import { type SimulatedDisk, writeFiles } from './disk.ts'
import type { WitnessedLog } from './witness.ts'

/** The name of the store in the folder of a server. */
export const STORE = 'store.db'

/** The store on a simulated disk, as it is, and as a power cut at this moment would leave it at the worst. */
export class DiskLog implements WitnessedLog {
  private readonly disk: SimulatedDisk
  private readonly scratch: string
  private store: SqliteStore | undefined
  private ends = new Map<string, number>()
  private endsAt = -1

  /** @param scratch a folder for copies */
  constructor(disk: SimulatedDisk, scratch: string) {
    this.disk = disk
    this.scratch = scratch
  }

  systems(): string[] {
    return this.now()
      .systems()
      .filter((system) => system !== SERVER_LOG)
  }

  extent(system: string): { first: number; before: string } | undefined {
    return this.now().extent(system)
  }

  read(system: string, from: number): StoredRecord[] {
    return this.now().read(system, { from, limit: 1_000_000 })
  }

  durableEnds(): ReadonlyMap<string, number> {
    const files = this.disk.synced()
    if (this.disk.syncs === this.endsAt) return this.ends
    this.endsAt = this.disk.syncs
    this.ends = new Map()
    if (!files.has(STORE)) return this.ends
    writeFiles(this.scratch, files)
    let store: SqliteStore | undefined
    try {
      store = new SqliteStore(join(this.scratch, STORE), { readOnly: true })
      for (const system of store.systems()) this.ends.set(system, store.extent(system)?.last ?? 0)
    } catch {
      // A store that is not complete yet holds nothing.
    } finally {
      store?.close()
    }
    return this.ends
  }

  async replay(system: string, at: number): Promise<SystemFold> {
    const reader = new DirectReader(join(this.disk.folder, STORE))
    try {
      return await rebuild(reader, system, { at, fromStart: true })
    } finally {
      await reader.close()
    }
  }

  close(): void {
    this.store?.close()
    this.store = undefined
  }

  private now(): SqliteStore {
    this.store ??= new SqliteStore(join(this.disk.folder, STORE), { readOnly: true })
    return this.store
  }
}
