import type { LogReader } from '../log/event-log.ts'
import { rebuild } from '../replay/recover.ts'
import { LocalReading } from './local-reading.ts'

/** A system as it was rebuilt in another thread. */
export interface RebuiltState {
  /** The whole state. */
  bytes: Uint8Array
  /** Number of the last record that the snapshot it began with includes; 0 without one. */
  snapshotAt: number
}

/** What the threads of a store are asked: reading, and rebuilding systems. */
export class StoreReading extends LocalReading {
  private readonly reader: LogReader

  constructor(log: LogReader) {
    super(log)
    this.reader = log
  }

  /** Rebuilds a system. */
  async rebuild(system: string): Promise<RebuiltState> {
    let snapshotAt = 0
    const fold = await rebuild(this.reader, system, { onSnapshot: (sequence) => (snapshotAt = sequence) })
    return { bytes: fold.save(), snapshotAt }
  }
}
