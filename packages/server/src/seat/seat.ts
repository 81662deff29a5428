import type { AnswerEffect, Configuration, SystemEvent, SystemRequest, SystemSummary } from '@pb-oel/protocol'
import type { NotReady } from '../errors.ts'
import type { SnapshotBytes } from '../log/event-log.ts'
import type { NewRecord } from '../log/record.ts'
import type { Input } from './input.ts'

/** What a fold can be asked, by kind. All of it is plain data: the fold may be in another thread. */
interface Operations {
  /** Apply an input. */
  write: { input: Input; now: number }
  /** Look at the state. */
  read: { view: string; args: readonly unknown[] }
  /** Pass a record that changes no state. */
  mark: { event: SystemEvent; now: number }
  /** Save the state, and pass the record that says so. */
  snapshot: { now: number }
}

/** What comes of it. */
export interface Results {
  write: Entry | Repeated
  read: unknown
  mark: Entry
  snapshot: Entry
}

export type OperationKind = keyof Operations
export type Operation<K extends OperationKind = OperationKind> = { [P in K]: { kind: P } & Operations[P] }[K]

/** Records that belong together: the state includes them, and the log does not yet. */
export interface Entry {
  /** Number of the first record. */
  sequence: number
  time: number
  events: readonly SystemEvent[]
  /** The same events for the log. */
  records: readonly NewRecord[]
  /** What an answer changed at once. */
  effect?: AnswerEffect
  /** A saved state that goes with the records. */
  snapshot?: SnapshotBytes
  /** What time alone will bring. */
  outlook: readonly Due[]
}

/** Something that time alone will do to an alarm. */
export interface Due {
  /** The name of its rule; with `/later` behind it where it is not raised. */
  alarm: string
  /** Milliseconds of steady time from the latest record until then. */
  wait: number
  /** Milliseconds that a sensor has after a start of the server. */
  grace: number
}

/** The key of the input was used before, with this record. */
export interface Repeated {
  repeated: number
}

/** How an operation ended. An error that is a defect may have left half a change behind. */
export type Outcome<T> = { value: T } | { error: Error; defect: boolean }

/** A system that has just taken its seat. */
export interface Opened {
  configuration: Configuration
  /** Number of the last record, and its time. */
  sequence: number
  time: number
  /** Milliseconds of steady time for each of the times of records. */
  pace: number
  outlook: readonly Due[]
  /** Number of the last record that the snapshot it began with includes; 0 without one. */
  snapshotAt: number
  summary: SystemSummary
  /** Snapshots that were damaged and left out. */
  damages: readonly string[]
}

/** The place of one fold: in this thread or in another. Operations are done in the order in which they are asked. */
export interface Seat {
  /** Calls back when it is done, in the order of the calls. */
  perform<K extends OperationKind>(operation: Operation<K>, done: (outcome: Outcome<Results[K]>) => void): void
  /** Throws the state away and rebuilds it from the log. */
  reopen(): Promise<Opened>
  /** Gives the seat up. */
  leave(): void
  /** Called when the state is gone because its thread has ended. What was asked and not answered fails then. */
  onLost: (reason: NotReady) => void
}

/** The seats of a server. */
export interface Seats {
  /** How many systems can be rebuilt at once. */
  readonly lanes: number
  /** Seats a system that is new. */
  create(id: string, given: SystemRequest, now: number): Promise<{ seat: Seat; opened: Opened }>
  /** Seats a system of the log. */
  open(id: string): Promise<{ seat: Seat; opened: Opened }>
  close(): Promise<void>
}
