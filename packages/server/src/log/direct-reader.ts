import type { LogExtent, LogQuery, LogReader, Snapshot } from './event-log.ts'
import type { StoredRecord } from './record.ts'
import { SqliteStore } from './sqlite-store.ts'

/** A store read in the thread that calls: for threads that do nothing else. */
export class DirectReader implements LogReader {
  private readonly store: SqliteStore

  constructor(file: string) {
    this.store = new SqliteStore(file, { readOnly: true })
  }

  async systems(): Promise<string[]> {
    return this.store.systems()
  }

  async read(system: string, query?: LogQuery): Promise<StoredRecord[]> {
    return this.store.read(system, query)
  }

  async pick(system: string, sequences: readonly number[]): Promise<StoredRecord[]> {
    return this.store.pick(system, sequences)
  }

  async extent(system: string): Promise<LogExtent | undefined> {
    return this.store.extent(system)
  }

  async snapshot(system: string, atMost?: number): Promise<Snapshot | undefined> {
    return this.store.snapshot(system, atMost)
  }

  async sequenceAt(system: string, time: number): Promise<number> {
    return this.store.sequenceAt(system, time)
  }

  async cursor(name: string): Promise<number> {
    return this.store.cursor(name)
  }

  async close(): Promise<void> {
    this.store.close()
  }
}
