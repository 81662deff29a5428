import { type AssessmentBody, decodeBody, type RecordKind } from '@pb-oel/protocol'
import { ChainError } from '../errors.ts'
import { type Excluded, withRange } from '../fold/excluded.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { Replayer } from './replayer.ts'

/** Records read at once. */
const PAGE = 200

/** A change of what the model has seen: samples that it forgets, or a stretch of answers that was taken back. */
interface PastChange {
  /** Number of its record. */
  sequence: number
  /** Number of the first record that the model is to see differently. */
  first: number
  /** The assessments of the samples that it forgets, from and to. */
  range?: readonly [number, number]
  /** Makes a state see it so. */
  apply: (fold: SystemFold) => void
}

/** The changes of the past in a log up to a record, oldest first. */
async function pastChanges(log: LogReader, system: string, to?: number): Promise<PastChange[]> {
  const found: PastChange[] = []
  for (let from = 1; ; ) {
    const records = await log.read(system, { from, to, kinds: [...PAST_CHANGES], limit: PAGE })
    found.push(...records.map(pastChange))
    if (records.length < PAGE) return found
    from = records[records.length - 1].sequence + 1
  }
}

/** Kinds of records after which the model is made anew. */
export const PAST_CHANGES: readonly RecordKind[] = ['exclusion', 'withdrawal']

function pastChange({ sequence, kind, body }: StoredRecord): PastChange {
  if (kind === 'withdrawal') {
    const { stretch } = decodeBody(kind, body, []).body
    return { sequence, first: stretch, apply: (fold) => fold.leaveOut(stretch) }
  }
  const exclusion = decodeBody('exclusion', body, []).body
  const { first, from, to } = exclusion
  return { sequence, first, range: [from, to], apply: (fold) => fold.exclude(exclusion) }
}

/** The assessments whose samples the model of a system has forgotten by the end of its log. */
export async function excludedIn(log: LogReader, system: string): Promise<Excluded> {
  const changes = await pastChanges(log, system)
  return changes.reduce<Excluded>((excluded, { range }) => (range ? withRange(excluded, ...range) : excluded), [])
}

/** The latest record up to `atMost` whose state no later change of the past touches. */
function settledBefore(changes: readonly PastChange[], atMost: number): number {
  const later = changes.find(({ sequence, first }) => sequence > atMost && first <= atMost)
  return later ? settledBefore(changes, later.first - 1) : atMost
}

/**
 * A system as it is after a change of the past, with a model that never saw the excluded samples, or never heard the
 * stretch: the log is run again from before the first of them. Shown levels, alarms and answers stay as they were
 * recorded, and are compared with it.
 *
 * @param change the record
 * @param rebuild gives the state after a record
 */
export async function runWithout(
  log: LogReader,
  system: string,
  change: StoredRecord,
  rebuild: (at: number) => Promise<SystemFold>,
): Promise<SystemFold> {
  const changes = await pastChanges(log, system, change.sequence)
  const base = settledBefore(changes, pastChange(change).first - 1)
  const fold = await rebuild(base)
  for (const later of changes) if (later.sequence > base) later.apply(fold)
  const { channels } = fold.configuration
  const replayer = new Replayer(system, fold)
  let sample: StoredRecord | undefined
  for (let from = base + 1; from <= change.sequence; ) {
    const records = await log.read(system, { from, to: change.sequence, limit: PAGE })
    if (records.length === 0) throw new ChainError(system, from, 'is missing')
    for (const record of records) {
      if (sample) replayer.feed(sample, shownIn(record, channels))
      sample = record.kind === 'sample' ? record : undefined
      if (!sample) replayer.feed(record)
    }
    from += records.length
  }
  return fold
}

/** What a record shows of the sample before it. */
function shownIn({ kind, body }: StoredRecord, channels: readonly string[]): AssessmentBody | undefined {
  return kind === 'assessment' ? decodeBody(kind, body, channels).body : undefined
}

/**
 * The record up to which a log may be cut, at most `atMost`: behind the cut there must be everything that a change of
 * the past behind it is about, or a replay could not make the model anew.
 */
export async function cutBeforeExclusions(log: LogReader, system: string, atMost: number): Promise<number> {
  return settledBefore(await pastChanges(log, system), atMost)
}

/** The assessment of the first sample behind a record, with the number of the sample's record. */
export async function firstAssessmentAfter(
  log: LogReader,
  system: string,
  record: number,
): Promise<{ assessment: number; record: number } | undefined> {
  // An assessment stands right behind its sample.
  const [found] = await log.read(system, { from: record + 2, kinds: ['assessment'], limit: 1 })
  if (!found) return undefined
  return { assessment: decodeBody('assessment', found.body, []).body.assessment, record: found.sequence - 1 }
}

/** The number of the record of the sample of an assessment; `undefined` where the log does not hold it. */
export async function recordOfAssessment(
  log: LogReader,
  system: string,
  assessment: number,
): Promise<number | undefined> {
  const extent = await log.extent(system)
  let [low, high] = [extent?.first ?? 1, extent?.last ?? 0]
  // Numbers of assessments grow along the log.
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const found = await firstAssessmentAfter(log, system, middle - 1)
    if (found?.assessment === assessment) return found.record
    if (!found || found.assessment > assessment) high = middle - 1
    else low = found.record + 1
  }
  return undefined
}
