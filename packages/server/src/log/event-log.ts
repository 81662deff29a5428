import type { RecordKind } from '@pb-oel/protocol'
import type { NewRecord, StoredRecord } from './record.ts'

/** What can be asked of a log. */
export interface LogReader {
  /** Names of all systems with records, sorted. */
  systems(): Promise<string[]>
  /** Records in order of their number; none for an unknown system. */
  read(system: string, query?: LogQuery): Promise<StoredRecord[]>
  /** Single records by their numbers; those that do not exist are left out. */
  pick(system: string, sequences: readonly number[]): Promise<StoredRecord[]>
  /** First and last record number and the hashes at both ends; `undefined` for an unknown system. */
  extent(system: string): Promise<LogExtent | undefined>
  /** The latest snapshot whose state is that after record `atMost` or earlier. */
  snapshot(system: string, atMost?: number): Promise<Snapshot | undefined>
  /** The number of the first record whose time is at least `time`; one past the end when there is none. */
  sequenceAt(system: string, time: number): Promise<number>
  /**
   * Pages of idempotency keys as far as they are kept, oldest first; absent where records themselves are quick to read.
   */
  keyPages?(system: string): Promise<KeyPage[]>
  /** A small named value kept with the log, such as how far a reader has come; 0 before it was set. */
  cursor(name: string): Promise<number>
  /** Ends. A log that writes ends after everything appended is on disk. */
  close(): Promise<void>
}

/**
 * Where everything that happened is kept. One implementation is embedded ({@link SqliteLog}); the conformance suite
 * in `testing/` says what any other must do.
 *
 * Each system has a chain of records of its own. A writer says which number its first record has. The append is
 * refused when the log does not end just before it, so a writer whose view is out of date cannot write.
 */
export interface EventLog extends LogReader {
  /**
   * Adds records; resolves when they are on disk. Records of one call are kept together or not at all.
   * Calls are kept in the order they were made. A {@link StorageError} means that nothing was kept.
   */
  append(system: string, first: number, records: readonly NewRecord[], snapshot?: SnapshotBytes): Promise<void>
  /**
   * Makes a system whose records up to and including `through` were removed elsewhere, the last of them with this hash.
   * This is how a compacted log is copied. Refused when the system exists.
   */
  begin(system: string, through: number, hash: string): Promise<void>
  /** Removes the records up to and including `through`, and the snapshots before it. The hash of the last one stays. */
  compact(system: string, through: number): Promise<void>
  /**
   * Removes a system for good, with all its records and snapshots and the cursors whose names begin with a text, and
   * adds a record to the server's own log; both or neither. Resolves when that is on disk.
   */
  remove(system: string, record: NewRecord, cursors: string): Promise<void>
  /** Replaces a cursor. */
  moveCursor(name: string, value: number): Promise<void>
  /** Resolves when a write reaches the disk, rejects with a {@link StorageError} while it does not. */
  probe(): Promise<void>
  /** Writes a consistent copy of the whole store to a new file while the log goes on. */
  backup(file: string): Promise<void>
}

/** Which records to read; everything by default. */
export interface LogQuery {
  /** First record number. */
  from?: number
  /** Last record number. */
  to?: number
  /** Only these kinds. */
  kinds?: readonly RecordKind[]
  /** Only what this person or program caused: the exact `by` of the body. */
  by?: string
  /** At most so many, default 1,000. */
  limit?: number
  /** Latest first. */
  reverse?: boolean
  /** Thins out: of every `stride` numbers from `from` on, only the first record that fits. Not with `reverse`. */
  stride?: number
}

/** Both ends of the chain of a system. */
export interface LogExtent {
  /** Number of the first record that is kept. */
  first: number
  /** Hash of the record before it; {@link GENESIS} unless the log was compacted. */
  before: string
  /** Number of the last record. */
  last: number
  /** Its hash. */
  hash: string
}

/** The saved state after a record. */
export interface SnapshotBytes {
  /** Number of the last record that the state includes. */
  sequence: number
  bytes: Uint8Array
  /** The keys used since the state before. */
  keys?: KeyPage
}

/** Milliseconds that an idempotency key is known, beside the latest 10,000, which the state itself keeps. */
export const KEYS_KNOWN_FOR = 600_000

/** All idempotency keys of a stretch of records. */
export interface KeyPage {
  /** The records behind `after`, up to and including `to`. */
  after: number
  to: number
  /** Time of the last of them, in milliseconds since 1970. */
  time: number
  /** Each with its record, oldest first. */
  keys: readonly (readonly [key: string, sequence: number])[]
}

/** A saved state, with the hash of the chain at its place. */
export interface Snapshot extends SnapshotBytes {
  hash: string
}
