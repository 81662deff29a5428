import type { Answer, AssessmentBody, Sample, StretchBody } from '@pb-oel/protocol'
import { decodeBody } from '@pb-oel/protocol'
import { type Excluded, isExcluded, withRange } from '../fold/excluded.ts'
import { answerWithin } from '../fold/stretch.ts'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { excludedIn } from '../replay/exclusions.ts'

/** Which samples to export, and what is needed to read them. */
export interface ExportedRange {
  system: string
  channels: readonly string[]
  levels: readonly string[]
  /** How many assessments later an answer can still come. */
  pending: number
  /** Arrival at or after, and before; milliseconds since 1970. */
  from?: number
  to?: number
}

/** A sample with everything that the log says about it. */
export interface ExportedSample {
  /** Arrival, milliseconds since 1970. */
  time: number
  sample: Sample
  assessment: AssessmentBody
  /** Whether the model has forgotten it. */
  excluded: boolean
  /** The answer that counts. */
  answer?: Pick<Answer, 'kind' | 'level' | 'by'>
  /** Number of the record of the stretch that gave it. */
  stretch?: number
}

/** Numbers that are read at once: pages of systems with many channels have fewer records. */
const PAGE_NUMBERS = 100_000
const LARGEST_PAGE = 1_000

/**
 * The samples of a time with their assessments and answers, oldest first. An answer comes later than its sample, so a
 * sample waits until no answer to it can come any more: memory holds at most `pending` samples and one page.
 */
export async function* exportedSamples(log: LogReader, range: ExportedRange): AsyncGenerator<ExportedSample> {
  const { system, channels, pending } = range
  const extent = await log.extent(system)
  const last = extent?.last ?? 0
  const from = range.from === undefined ? (extent?.first ?? 1) : await log.sequenceAt(system, range.from)
  const to = range.to === undefined ? last : (await log.sequenceAt(system, range.to)) - 1
  const limit = Math.max(10, Math.min(LARGEST_PAGE, Math.floor(PAGE_NUMBERS / channels.length)))
  const excluded = await excludedIn(log, system)
  const open = new Map<number, ExportedSample>()
  const known: Known = { channels, to, excluded, forgotten: [] }
  let before: StoredRecord | undefined
  for (let next = from; next <= last && (next <= to || open.size > 0); ) {
    const kinds = ['sample', 'assessment', 'feedback', 'correction', 'stretch', 'withdrawal', 'exclusion'] as const
    const records = await log.read(system, { from: next, to: last, kinds, limit })
    if (records.length === 0) break
    for (const record of records) {
      const made = take(open, record, before, known)
      if (record.kind === 'sample') before = record
      if (made !== undefined) yield* finished(open, made - pending)
    }
    next = (records.at(-1) as StoredRecord).sequence + 1
  }
  yield* open.values()
}

/** What is known while records are taken in. */
interface Known {
  channels: readonly string[]
  /** Number of the last record whose sample is wanted. */
  to: number
  /** The samples that are excluded in the end, and those that were when the present record was written. */
  excluded: Excluded
  forgotten: Excluded
}

/** Takes a record in; the number of the assessment, where it is one. */
function take(
  open: Map<number, ExportedSample>,
  record: StoredRecord,
  before: StoredRecord | undefined,
  known: Known,
): number | undefined {
  const { channels, to, excluded, forgotten } = known
  if (record.kind === 'assessment') {
    const { body } = decodeBody('assessment', record.body, channels)
    // A range may begin between a sample and its assessment.
    if (before?.sequence === record.sequence - 1 && before.sequence <= to) {
      const sample = decodeBody('sample', before.body, channels).body
      const { time } = before
      open.set(body.assessment, { time, sample, assessment: body, excluded: isExcluded(excluded, body.assessment) })
    }
    return body.assessment
  }
  if (record.kind === 'feedback' || record.kind === 'correction') {
    const { assessment, kind, level, by } = decodeBody(record.kind, record.body, channels).body
    const about = open.get(assessment)
    if (about) Object.assign(about, { answer: { kind, level, by }, stretch: undefined })
  }
  if (record.kind === 'exclusion') {
    const { from, to } = decodeBody(record.kind, record.body, channels).body
    known.forgotten = withRange(forgotten, from, to)
  }
  if (record.kind === 'stretch') {
    takeStretch(open, decodeBody(record.kind, record.body, channels).body, record.sequence, forgotten)
  }
  if (record.kind === 'withdrawal') {
    const { stretch } = decodeBody(record.kind, record.body, channels).body
    for (const about of open.values()) if (about.stretch === stretch) delete about.answer
  }
  return undefined
}

/** One answer about many samples; those that have an answer keep it, and excluded ones get none. */
function takeStretch(
  open: Map<number, ExportedSample>,
  stretch: StretchBody,
  sequence: number,
  forgotten: Excluded,
): void {
  for (const [assessment, about] of open) {
    if (assessment < stretch.from || assessment > stretch.to || about.answer) continue
    if (isExcluded(forgotten, assessment)) continue
    const answer = answerWithin(about.assessment, stretch)
    if (answer) Object.assign(about, { answer: { ...answer, by: stretch.by }, stretch: sequence })
  }
}

/** Hands out the samples up to an assessment that no answer can reach any more. */
function* finished(open: Map<number, ExportedSample>, through: number): Generator<ExportedSample> {
  for (const [assessment, sample] of open) {
    if (assessment > through) return
    open.delete(assessment)
    yield sample
  }
}
