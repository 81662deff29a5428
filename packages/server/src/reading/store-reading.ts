import { type ExportQuery, exportSystem } from '../export/export-system.ts'
import type { LogReader } from '../log/event-log.ts'
import { rebuild, verifyChain } from '../replay/recover.ts'
import { olderKeys, type UsedKey } from '../replay/used-keys.ts'
import { LocalReading } from './local-reading.ts'

/** A system as it was rebuilt in another thread. */
export interface RebuiltState {
  /** The whole state. */
  bytes: Uint8Array
  /** Number of the last record that the snapshot it began with includes; 0 without one. */
  snapshotAt: number
  /** Snapshots that were damaged and left out. */
  damages: string[]
  /** Keys of the latest minutes that the state does not hold any more. */
  keys: UsedKey[]
}

/** What the threads of a store are asked: reading, and rebuilding systems. */
export class StoreReading extends LocalReading {
  private readonly reader: LogReader
  private exporting: AsyncGenerator<Uint8Array> | undefined

  constructor(log: LogReader) {
    super(log)
    this.reader = log
  }

  /** Rebuilds a system. */
  async rebuild(system: string): Promise<RebuiltState> {
    let snapshotAt = 0
    const damages: string[] = []
    const fold = await rebuild(this.reader, system, {
      onSnapshot: (sequence) => (snapshotAt = sequence),
      onDamage: ({ message }) => damages.push(message),
    })
    return { bytes: fold.save(), snapshotAt, damages, keys: await olderKeys(this.reader, fold) }
  }

  /** Verifies the chain of a system up to a record. */
  verify(system: string, through: number): Promise<void> {
    return verifyChain(this.reader, system, through)
  }

  /** The next piece of the export that this thread is for; `undefined` at its end. */
  async exportNext(query: ExportQuery): Promise<Uint8Array | undefined> {
    this.exporting ??= exportSystem(this.reader, query)
    return (await this.exporting.next()).value ?? undefined
  }

  /** Answers when the thread is up. */
  async ready(): Promise<void> {}
}
