import { setTimeout } from 'node:timers/promises'
import type { RecordKind } from '@pb-oel/protocol'
import type { SnapshotBytes } from '../event-log.ts'
import type { NewRecord } from '../record.ts'
import { MemoryLog } from './memory-log.ts'

/** A log whose records reach the disk a while after they were appended, and that tells what is there at each moment. */
export class SlowLog extends MemoryLog {
  /** Milliseconds until a record is on disk. */
  delay: number
  /** What every record waits for besides, so that a test chooses the moment. */
  held: Promise<unknown> | undefined
  /** How often records were given to it. */
  appended = 0
  private last: Promise<unknown> = Promise.resolve()
  private readonly ends = new Map<string, number>()
  private readonly kinds = new Map<string, number>()

  constructor(delay: number) {
    super()
    this.delay = delay
  }

  /** Number of the last record of a system that is on disk; 0 when there is none. */
  end(system: string): number {
    return this.ends.get(system) ?? 0
  }

  /** How many records of a kind are on disk. */
  count(system: string, kind: RecordKind): number {
    return this.kinds.get(`${system} ${kind}`) ?? 0
  }

  override append(
    system: string,
    first: number,
    records: readonly NewRecord[],
    snapshot?: SnapshotBytes,
  ): Promise<void> {
    this.appended++
    const wait = Promise.all([setTimeout(this.delay), this.held])
    const done = this.last
      .then(() => wait)
      .then(() => {
        const stored = super.append(system, first, records, snapshot)
        if (this.refuses === undefined) this.note(system, first, records)
        return stored
      })
    this.last = done.catch(() => {})
    return done
  }

  private note(system: string, first: number, records: readonly NewRecord[]): void {
    this.ends.set(system, first + records.length - 1)
    for (const { kind } of records) this.kinds.set(`${system} ${kind}`, this.count(system, kind) + 1)
  }
}
