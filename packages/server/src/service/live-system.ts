import { hash } from 'node:crypto'
import { Conflict, NotReady, StorageError } from '../errors.ts'
import type { SystemEvent } from '../fold/events.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import type { EventLog } from '../log/event-log.ts'
import type { LogRecord, NewRecord } from '../log/record.ts'
import { rebuild } from '../replay/recover.ts'
import { Leases } from './leases.ts'

/** A record that is on disk, as subscribers see it. */
export type StoredRecord = Omit<LogRecord, 'hash'>

/** What a write leaves behind once it is on disk: its own record and those that followed from it. */
export interface Written {
  /** Number of the input's record. */
  sequence: number
  time: number
  events: SystemEvent[]
}

/** Seconds between attempts to write again after the disk refused. */
const RETRY_SECONDS = 1

/**
 * One system in memory with its place in the log: applies an event, appends it with what follows from it, and answers
 * when both are on disk. When the log refuses, memory is ahead of the truth: it is thrown away and rebuilt.
 */
export class LiveSystem {
  fold: SystemFold
  readonly leases = new Leases()
  private readonly log: EventLog
  private readonly snapshotEvery: number
  private readonly clock: () => number
  private readonly subscribers = new Set<(record: StoredRecord) => void>()
  private readonly enders = new Set<() => void>()
  /** Settles when everything appended so far is on disk or refused. */
  private tail: Promise<unknown> = Promise.resolve()
  private broken: StorageError | NotReady | undefined
  private snapshotAt: number
  /** Called when a background task fails in a way nobody waits for. */
  onTrouble: (error: Error) => void = () => {}

  constructor(log: EventLog, fold: SystemFold, snapshotEvery: number, snapshotAt: number, clock: () => number) {
    this.log = log
    this.fold = fold
    this.snapshotEvery = snapshotEvery
    this.snapshotAt = snapshotAt
    this.clock = clock
  }

  get id(): string {
    return this.fold.id
  }

  /** True while the system takes events. */
  get ready(): boolean {
    return this.broken === undefined
  }

  /** Applies an input and resolves when it and what followed from it are on disk. */
  write(event: SystemEvent): Promise<Written> {
    if (this.broken) return Promise.reject(this.broken)
    const time = Math.max(this.fold.time, this.clock())
    const sequence = this.fold.sequence + 1
    let derived: SystemEvent[]
    try {
      derived = this.fold.apply(event, time)
    } catch (error) {
      return Promise.reject(error)
    }
    const events = [event, ...derived]
    const records = events.map(({ kind, body }) => ({ time, kind, body: JSON.stringify(body) }))
    const stored = this.append(sequence, records).then(() => ({ sequence, time, events }))
    if (this.fold.sequence - this.snapshotAt >= this.snapshotEvery) this.saveSnapshot().catch(this.onTrouble)
    return stored
  }

  /** Resolves when everything this process has written so far is on disk, so that nothing else is ever shown. */
  async settled(): Promise<void> {
    await this.tail
    if (this.broken) throw this.broken
  }

  /** Calls back for every record that has reached the disk, in order. Returns how to end it. */
  subscribe(listener: (record: StoredRecord) => void): () => void {
    this.subscribers.add(listener)
    return () => this.subscribers.delete(listener)
  }

  /** Writes the state to the log, so that a start or a compaction need not go further back. */
  saveSnapshot(): Promise<void> {
    if (this.broken) return Promise.reject(this.broken)
    const { sequence } = this.fold
    const bytes = this.fold.save()
    this.snapshotAt = sequence
    return this.mark('snapshot', { sequence, sha256: hash('sha256', bytes) }, { sequence, bytes })
  }

  /** Whether anything has happened since the latest snapshot. */
  get dirty(): boolean {
    // The mark itself is one record.
    return this.fold.sequence > this.snapshotAt + 1
  }

  /** Removes old records, as many as possible while `keep` remain, and says so in the chain. */
  async compact(keep: number, by: string): Promise<number> {
    await this.saveSnapshot()
    const extent = await this.log.extent(this.id)
    // An open question still shows its sample.
    const oldest = this.fold.questions.oldestOpen?.sequence ?? Number.MAX_SAFE_INTEGER
    const through = Math.min(this.snapshotAt, oldest - 1, (extent?.last ?? 0) - keep)
    // A compacted log must begin with a state: the cut is where the nearest snapshot stands.
    const base = await this.log.snapshot(this.id, through)
    if (!extent || !base || base.sequence < extent.first)
      throw new Conflict(`log of ${this.id}: there is nothing to remove`)
    await this.mark('compaction', { through: base.sequence, hash: base.hash, by })
    await this.log.compact(this.id, base.sequence)
    return base.sequence
  }

  /** Appends a record that changes no state. */
  private mark(
    kind: 'snapshot' | 'compaction',
    body: object,
    snapshot?: { sequence: number; bytes: Uint8Array },
  ): Promise<void> {
    const time = Math.max(this.fold.time, this.clock())
    const sequence = this.fold.sequence + 1
    this.fold.skip(time)
    return this.append(sequence, [{ time, kind, body: JSON.stringify(body) }], snapshot)
  }

  private append(
    first: number,
    records: NewRecord[],
    snapshot?: { sequence: number; bytes: Uint8Array },
  ): Promise<void> {
    const stored = this.log.append(this.id, first, records, snapshot).then(
      () => {
        for (let i = 0; i < records.length; i++) {
          for (const listener of this.subscribers) listener({ sequence: first + i, ...records[i] })
        }
      },
      (error) => {
        throw this.refused(error)
      },
    )
    this.tail = stored.catch(() => {})
    return stored
  }

  private refused(error: Error): Error {
    const reason = error instanceof Conflict ? new NotReady(error.message) : (error as StorageError)
    if (!this.broken) {
      this.broken = reason
      this.onTrouble(reason)
      void this.tail.then(() => this.retry())
    }
    return reason
  }

  /** Ends the system in this process: nothing is written any more, and those who follow it are told to go elsewhere. */
  end(): void {
    this.stop()
    this.broken = new NotReady(`system ${this.id} has moved to another worker`)
    for (const listener of this.enders) listener()
    this.enders.clear()
  }

  /** Calls back when the system ends in this process. */
  onEnd(listener: () => void): () => void {
    this.enders.add(listener)
    return () => this.enders.delete(listener)
  }

  /** Waits until the disk takes records again, then rebuilds from what it holds. */
  private async retry(): Promise<void> {
    if (this.stopped) return
    try {
      await this.log.probe()
      if (this.stopped) return
      this.broken = new NotReady(`system ${this.id} is being rebuilt from its log`)
      let snapshotAt = 0
      const fold = await rebuild(this.log, this.id, { onSnapshot: (sequence) => (snapshotAt = sequence) })
      if (this.stopped) return
      this.fold = fold
      this.snapshotAt = snapshotAt
      this.broken = undefined
    } catch (error) {
      if (this.stopped) return
      this.broken = error instanceof StorageError ? error : new StorageError((error as Error).message)
      if (!this.stopped) setTimeout(() => void this.retry(), RETRY_SECONDS * 1000).unref()
    }
  }

  private stopped = false

  /** Ends attempts to recover; the log is about to close. */
  stop(): void {
    this.stopped = true
  }
}
