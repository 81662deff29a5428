import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../clock/clock.ts'
import { Conflict, SetupError } from '../errors.ts'
import type { EventLog, LogExtent, LogQuery, LogReader, Snapshot, SnapshotBytes } from './event-log.ts'
import type { NewRecord, StoredRecord } from './record.ts'
import type { Append } from './sqlite-store.ts'
import { checkFormat } from './store-format.ts'
import { StoreLock } from './store-lock.ts'
import { type StoreAccess, StoreThread } from './store-thread.ts'

/** A store that is only read, also while a server writes to it. */
export class SqliteLogReader implements LogReader {
  protected readonly reader: StoreAccess

  protected constructor(reader: StoreAccess) {
    this.reader = reader
  }

  /**
   * Opens a store that exists.
   *
   * @param openStore where its connection is; in a thread of its own by default
   */
  static async openReader(file: string, openStore = openThread): Promise<SqliteLogReader> {
    return new SqliteLogReader(await openStore(file, true))
  }

  systems(): Promise<string[]> {
    return this.reader.call('systems')
  }

  read(system: string, query?: LogQuery): Promise<StoredRecord[]> {
    return this.reader.call('read', system, query)
  }

  pick(system: string, sequences: readonly number[]): Promise<StoredRecord[]> {
    return this.reader.call('pick', system, sequences)
  }

  extent(system: string): Promise<LogExtent | undefined> {
    return this.reader.call('extent', system)
  }

  snapshot(system: string, atMost?: number): Promise<Snapshot | undefined> {
    return this.reader.call('snapshot', system, atMost)
  }

  sequenceAt(system: string, time: number): Promise<number> {
    return this.reader.call('sequenceAt', system, time)
  }

  cursor(name: string): Promise<number> {
    return this.reader.call('cursor', name)
  }

  close(): Promise<void> {
    return this.reader.close()
  }
}

/** Opens the store of a file, to write to it or only to read. */
export type OpenStore = (file: string, readOnly: boolean) => Promise<StoreAccess>

const openThread: OpenStore = (file, readOnly) => new StoreThread(file, readOnly).open()

/**
 * The embedded log: one SQLite file, a thread that writes and a thread that reads.
 *
 * Group commit: records that are appended while a transaction is on its way to the disk go into the next one together.
 * So one fsync serves many callers, and a lone caller waits for one fsync only.
 */
export class SqliteLog extends SqliteLogReader implements EventLog {
  private readonly file: string
  private readonly openStore: OpenStore
  private readonly writer: StoreAccess
  private readonly lock: StoreLock
  private waiting: { append: Append; answer: PromiseWithResolvers<void> }[] = []
  private committing: Promise<void> | undefined
  /** Called after every commit with its seconds and number of records. */
  onCommit: (seconds: number, records: number) => void = () => {}

  private constructor(file: string, openStore: OpenStore, lock: StoreLock, writer: StoreAccess, reader: StoreAccess) {
    super(reader)
    this.file = file
    this.openStore = openStore
    this.lock = lock
    this.writer = writer
  }

  /**
   * Opens a store for this process alone, and makes one where there was none. A file that is no store, or none of this
   * release, is refused untouched.
   *
   * @param openStore where its connections are; each in a thread of its own by default
   */
  static async open(file: string, openStore: OpenStore = openThread): Promise<SqliteLog> {
    // Before there is a lock beside it: the file may belong to another program.
    const found = size(file) > 0 && hasTables(file)
    const lock = StoreLock.take(file)
    try {
      if (!found) refuseLoss(file, lock)
      const writer = await openStore(file, false)
      lock.sign()
      return new SqliteLog(file, openStore, lock, writer, await openStore(file, true))
    } catch (error) {
      lock.release()
      throw error
    }
  }

  append(system: string, first: number, records: readonly NewRecord[], snapshot?: SnapshotBytes): Promise<void> {
    const answer = Promise.withResolvers<void>()
    this.waiting.push({ append: { system, first, records, snapshot }, answer })
    this.committing ??= this.commitAll()
    return answer.promise
  }

  /** How many records that were on disk are missing: the write-ahead log was damaged or cut. */
  lost(): Promise<number> {
    return this.writer.call('lost')
  }

  begin(system: string, through: number, hash: string): Promise<void> {
    return this.writer.call('begin', system, through, hash)
  }

  compact(system: string, through: number): Promise<void> {
    return this.writer.call('compact', system, through)
  }

  async remove(system: string, record: NewRecord, cursors: string): Promise<void> {
    // Nothing of the system may be on its way.
    while (this.committing) await this.committing
    await this.writer.call('remove', system, record, cursors)
  }

  moveCursor(name: string, value: number): Promise<void> {
    return this.writer.call('moveCursor', name, value)
  }

  probe(): Promise<void> {
    return this.writer.call('probe')
  }

  /** In a thread of its own, so that a long copy holds up neither writers nor readers. */
  async backup(file: string): Promise<void> {
    const copier = await this.openStore(this.file, true)
    try {
      await copier.call('backup', file)
    } finally {
      await copier.close()
    }
  }

  override async close(): Promise<void> {
    while (this.committing) await this.committing
    await super.close()
    await this.writer.close()
    this.lock.release()
  }

  private async commitAll(): Promise<void> {
    // One turn of the event loop first: callers of the same moment share the first transaction too.
    await new Promise(setImmediate)
    while (this.waiting.length > 0) {
      const group = this.waiting
      this.waiting = []
      const start = systemClock.monotonic()
      try {
        const conflicts = await this.writer.call(
          'append',
          group.map(({ append }) => append),
        )
        group.forEach(({ answer }, i) => {
          if (conflicts[i] === undefined) answer.resolve()
          else answer.reject(new Conflict(conflicts[i]))
        })
        const records = group.reduce((sum, { append }) => sum + append.records.length, 0)
        this.onCommit((systemClock.monotonic() - start) / 1000, records)
      } catch (error) {
        for (const { answer } of group) answer.reject(error)
      }
    }
    this.committing = undefined
  }
}

/** Bytes of a file; 0 where there is none. */
function size(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Whether a file is a store with its tables; one whose write-ahead log was lost early has none. */
function hasTables(file: string): boolean {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    return checkFormat(db)
  } catch (error) {
    throw new SetupError(`${file} is not a store of pb-oel, or cannot be opened (${(error as Error).message})`)
  } finally {
    db?.close()
  }
}

/** Refuses to begin anew where a store was lost. */
function refuseLoss(file: string, lock: StoreLock): void {
  const traces = [`${file}-lock`, `${file}-wal`].filter((name, i) => (i === 0 ? lock.signed : size(name) > 0))
  if (traces.length === 0) return
  throw new SetupError(
    `${file} is missing or empty, and ${traces.join(' and ')} beside it show that there was a store: ` +
      'restore the latest back-up, or remove these files to begin anew',
  )
}
