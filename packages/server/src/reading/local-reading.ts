import type { Extensions } from '@pb-oel/core'
import type { Answer } from '@pb-oel/protocol'
import { type ExportQuery, exportSystem } from '../export/export-system.ts'
import type { LogReader } from '../log/event-log.ts'
import { rebuild } from '../replay/recover.ts'
import { wholeState } from '../views/system.ts'
import { chartOf } from './chart.ts'
import { eventPage } from './event-page.ts'
import type { ChartQuery, EventPage, EventQuery, Names, Reading, RecordQuery, SampleQuery } from './reading.ts'
import { recordPage } from './record-page.ts'
import { sampleOf, samplePage } from './sample-page.ts'

/** Reading in the thread that calls. */
export class LocalReading implements Reading {
  private readonly log: LogReader
  private readonly extensions: Extensions | undefined

  /** @param extensions methods, detectors and learners from outside that systems may use */
  constructor(log: LogReader, extensions?: Extensions) {
    this.log = log
    this.extensions = extensions
  }

  events(query: EventQuery): Promise<EventPage> {
    return eventPage(this.log, query)
  }

  async samples(query: SampleQuery): Promise<Uint8Array> {
    return json(await samplePage(this.log, query))
  }

  async chart(query: ChartQuery): Promise<Uint8Array> {
    return json(await chartOf(this.log, query))
  }

  async sample(names: Names, assessment: number, answer: Answer | undefined): Promise<Uint8Array> {
    return json(await sampleOf(this.log, names, assessment, answer))
  }

  async records(query: RecordQuery): Promise<Uint8Array> {
    return json(await recordPage(this.log, query))
  }

  async state(system: string, at: number, signal?: AbortSignal): Promise<Uint8Array> {
    const { extensions } = this
    const onRecord = () => signal?.throwIfAborted()
    return json(wholeState().look(await rebuild(this.log, system, { at, extensions, onRecord })))
  }

  export(query: ExportQuery): AsyncGenerator<Uint8Array> {
    return exportSystem(this.log, query)
  }

  async close(): Promise<void> {}
}

function json(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
