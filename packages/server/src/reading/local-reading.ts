import { type Extensions, restoreAssessor } from '@pb-oel/core'
import type { Answer, GivenWhatIf } from '@pb-oel/protocol'
import { Conflict } from '../errors.ts'
import { type ExportQuery, exportSystem } from '../export/export-system.ts'
import type { LogReader } from '../log/event-log.ts'
import { rebuild } from '../replay/recover.ts'
import { whatIf } from '../replay/what-if.ts'
import { wholeState } from '../views/system.ts'
import { chartOf } from './chart.ts'
import { commentsOn } from './comments.ts'
import { eventPage } from './event-page.ts'
import { explanationOf } from './explanation.ts'
import type {
  ChartQuery,
  EventPage,
  EventQuery,
  ExplainQuery,
  Names,
  Reading,
  RecordQuery,
  SampleQuery,
} from './reading.ts'
import { recordPage } from './record-page.ts'
import { reviewersOf } from './reviewers.ts'
import { findAssessment, sampleOf, samplePage } from './sample-page.ts'

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

  async explain({ model, assessment, ...query }: ExplainQuery): Promise<Uint8Array> {
    const assessor = restoreAssessor(model, this.extensions)
    const through = assessment === undefined ? query.through : await findAssessment(this.log, query, assessment)
    return json(await explanationOf(this.log, assessor, { ...query, through, model: 'present' }))
  }

  async state(system: string, at: number, signal?: AbortSignal, explained = false): Promise<Uint8Array> {
    const { extensions } = this
    const onRecord = () => signal?.throwIfAborted()
    const fold = await rebuild(this.log, system, { at, extensions, onRecord })
    const state = wholeState().look(fold)
    const { channels, levels } = fold.configuration
    const question = { system, channels, levels, through: at, model: 'then' as const }
    // The fold was rebuilt for this request alone, so that its model may be used up.
    const explanation = explained
      ? await explanationOf(this.log, fold.model.assessor, question).catch(unexplained)
      : undefined
    return json({ ...state, ...(explanation && { explanation }) })
  }

  async whatIf(system: string, change: GivenWhatIf, signal?: AbortSignal): Promise<Uint8Array> {
    return json(await whatIf(this.log, system, change, this.extensions, signal))
  }

  async reviewers(names: Names): Promise<Uint8Array> {
    return json(await reviewersOf(this.log, names))
  }

  async comments(names: Names, assessment: number): Promise<Uint8Array> {
    return json(await commentsOn(this.log, names, assessment))
  }

  export(query: ExportQuery): AsyncGenerator<Uint8Array> {
    return exportSystem(this.log, query)
  }

  async close(): Promise<void> {}
}

/** A state without a level that could be explained is still a state. */
function unexplained(error: Error): undefined {
  if (!(error instanceof Conflict)) throw error
}

function json(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
