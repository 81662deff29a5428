import type { Answer, GivenWhatIf, RecordKind } from '@pb-oel/protocol'
import type { ExportQuery } from '../export/export-system.ts'

/** The names that the records of a system are read with. */
export interface Names {
  system: string
  channels: readonly string[]
  levels: readonly string[]
}

/** Which events to read. */
export interface EventQuery extends Names {
  /** Number of the last record that is not wanted any more. */
  after: number
  kinds: readonly RecordKind[]
}

/** Events of the past, ready to be sent. */
export interface EventPage {
  /** The text of the events. */
  bytes: Uint8Array
  /** Number of the last record that was looked at. */
  last: number
  /** There may be more behind it. */
  more: boolean
}

/** Which samples to read. */
export interface SampleQuery extends Names {
  /** Arrival at or after, and before; milliseconds since 1970. */
  from?: number
  to?: number
  limit: number
  /** The answers that count, by assessment. */
  answers: ReadonlyMap<number, Answer>
}

/** Which stretch of time to draw. */
export interface ChartQuery extends Names {
  /** Arrival at or after, and before; milliseconds since 1970. */
  from?: number
  to?: number
  /** Points at most. */
  points: number
  /** Leaves out everything but the levels. */
  only?: 'levels'
}

/** Which level to explain. */
export interface ExplainQuery extends Names {
  /** The present model as bytes. */
  model: Uint8Array
  /** Number of the last record that the model includes. */
  through: number
  /** Explain the sample of this assessment; the latest one when left out. */
  assessment?: number
}

/** Which records to read. */
export interface RecordQuery {
  system: string
  channels: readonly string[]
  from?: number
  to?: number
  kinds?: readonly RecordKind[]
  by?: string
  limit: number
  latest: boolean
}

/**
 * Everything long that people read from the log. Answers are bytes that are ready to be sent, so that they can be made
 * in another thread than the one that takes samples.
 */
export interface Reading {
  /** A page of events. */
  events(query: EventQuery): Promise<EventPage>
  /** Samples with their assessments, as JSON. */
  samples(query: SampleQuery): Promise<Uint8Array>
  /** A stretch of time as charts show it, as JSON. */
  chart(query: ChartQuery): Promise<Uint8Array>
  /** One sample by the number of its assessment, as JSON. */
  sample(names: Names, assessment: number, answer: Answer | undefined): Promise<Uint8Array>
  /** A page of the log, as JSON. */
  records(query: RecordQuery): Promise<Uint8Array>
  /** Why a level, by the present model, as JSON. */
  explain(query: ExplainQuery): Promise<Uint8Array>
  /**
   * The state after a record, as JSON; with an explanation of its level where one is wanted. The signal ends the
   * replay.
   */
  state(system: string, at: number, signal?: AbortSignal, explained?: boolean): Promise<Uint8Array>
  /** What another model would have said, as JSON. The signal ends it. */
  whatIf(system: string, change: GivenWhatIf, signal?: AbortSignal): Promise<Uint8Array>
  /** What each reviewer has said, as JSON. */
  reviewers(names: Names): Promise<Uint8Array>
  /** The comments on the moment of an assessment, as JSON. */
  comments(names: Names, assessment: number): Promise<Uint8Array>
  /** A file of samples, a piece at a time. It ends when nobody takes the pieces any more. */
  export(query: ExportQuery): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}
