import type { Extensions } from '@pb-oel/core'
import { type ExportQuery, exportSystem } from '../export/export-system.ts'
import type { LogReader } from '../log/event-log.ts'
import { verifyChain } from '../replay/recover.ts'
import { LocalReading } from './local-reading.ts'

/** What the threads of a store are asked: reading, and verifying logs. */
export class StoreReading extends LocalReading {
  private readonly reader: LogReader
  private exporting: AsyncGenerator<Uint8Array> | undefined

  /** @param extensions methods, detectors and learners from outside that systems may use */
  constructor(log: LogReader, extensions?: Extensions) {
    super(log, extensions)
    this.reader = log
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
}
