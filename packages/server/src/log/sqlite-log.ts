import { Conflict } from '../errors.ts'
import type { EventLog, LogExtent, LogQuery, LogReader, Snapshot, SnapshotBytes } from './event-log.ts'
import type { NewRecord, StoredRecord } from './record.ts'
import type { Append } from './sqlite-store.ts'
import { StoreThread } from './store-thread.ts'

/** A store that is only read, also while a server writes to it. */
export class SqliteLogReader implements LogReader {
  protected readonly reader: StoreThread

  protected constructor(reader: StoreThread) {
    this.reader = reader
  }

  /** Opens a store that exists. */
  static async openReader(file: string): Promise<SqliteLogReader> {
    return new SqliteLogReader(await new StoreThread(file, true).open())
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

/**
 * The embedded log: one SQLite file, a thread that writes and a thread that reads.
 *
 * Group commit: records that are appended while a transaction is on its way to the disk go into the next one together.
 * So one fsync serves many callers, and a lone caller waits for one fsync only.
 */
export class SqliteLog extends SqliteLogReader implements EventLog {
  private readonly file: string
  private readonly writer: StoreThread
  private waiting: { append: Append; answer: PromiseWithResolvers<void> }[] = []
  private committing: Promise<void> | undefined
  /** Called after every commit with its seconds and number of records. */
  onCommit: (seconds: number, records: number) => void = () => {}

  private constructor(file: string, writer: StoreThread, reader: StoreThread) {
    super(reader)
    this.file = file
    this.writer = writer
  }

  /** Opens a store, and makes one when the file does not exist. */
  static async open(file: string): Promise<SqliteLog> {
    const writer = await new StoreThread(file, false).open()
    return new SqliteLog(file, writer, await new StoreThread(file, true).open())
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

  moveCursor(name: string, value: number): Promise<void> {
    return this.writer.call('moveCursor', name, value)
  }

  probe(): Promise<void> {
    return this.writer.call('probe')
  }

  /** In a thread of its own, so that a long copy holds up neither writers nor readers. */
  async backup(file: string): Promise<void> {
    const copier = await new StoreThread(this.file, true).open()
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
  }

  private async commitAll(): Promise<void> {
    // One turn of the event loop first: callers of the same moment share the first transaction too.
    await new Promise(setImmediate)
    while (this.waiting.length > 0) {
      const group = this.waiting
      this.waiting = []
      const start = performance.now()
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
        this.onCommit((performance.now() - start) / 1000, records)
      } catch (error) {
        for (const { answer } of group) answer.reject(error)
      }
    }
    this.committing = undefined
  }
}
