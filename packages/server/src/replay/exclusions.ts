import { type AssessmentBody, decodeBody, type ExclusionBody } from '@pb-oel/protocol'
import { ChainError } from '../errors.ts'
import { type Excluded, withRange } from '../fold/excluded.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { Replayer } from './replayer.ts'

/** Records read at once. */
const PAGE = 200

/** An exclusion with the number of its record. */
interface RecordedExclusion extends ExclusionBody {
  sequence: number
}

/** The exclusions of a log up to a record, oldest first. */
async function exclusionsOf(log: LogReader, system: string, to?: number): Promise<RecordedExclusion[]> {
  const found: RecordedExclusion[] = []
  for (let from = 1; ; ) {
    const records = await log.read(system, { from, to, kinds: ['exclusion'], limit: PAGE })
    found.push(...records.map(({ sequence, body }) => ({ ...decodeBody('exclusion', body, []).body, sequence })))
    if (records.length < PAGE) return found
    from = records[records.length - 1].sequence + 1
  }
}

/** The assessments whose samples the model of a system has forgotten by the end of its log. */
export async function excludedIn(log: LogReader, system: string): Promise<Excluded> {
  const ranges = await exclusionsOf(log, system)
  return ranges.reduce<Excluded>((excluded, { from, to }) => withRange(excluded, from, to), [])
}

/** The latest record up to `atMost` whose state no later exclusion changes: each lies behind its own samples, too. */
function settledBefore(exclusions: readonly RecordedExclusion[], atMost: number): number {
  const later = exclusions.find(({ sequence, first }) => sequence > atMost && first <= atMost)
  return later ? settledBefore(exclusions, later.first - 1) : atMost
}

/**
 * A system as it is after an exclusion, with a model that never saw the excluded samples: the log is run again from
 * before the first of them. Shown levels, alarms and answers stay as they were recorded, and are compared with it.
 *
 * @param exclusion the record
 * @param rebuild gives the state after a record
 */
export async function runWithout(
  log: LogReader,
  system: string,
  exclusion: StoredRecord,
  rebuild: (at: number) => Promise<SystemFold>,
): Promise<SystemFold> {
  const exclusions = await exclusionsOf(log, system, exclusion.sequence)
  const { first } = decodeBody('exclusion', exclusion.body, []).body
  const base = settledBefore(exclusions, first - 1)
  const fold = await rebuild(base)
  for (const later of exclusions) if (later.sequence > base) fold.exclude(later)
  const { channels } = fold.configuration
  const replayer = new Replayer(system, fold)
  let sample: StoredRecord | undefined
  for (let from = base + 1; from <= exclusion.sequence; ) {
    const records = await log.read(system, { from, to: exclusion.sequence, limit: PAGE })
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
 * The record up to which a log may be cut, at most `atMost`: behind the cut there must be the samples of every
 * exclusion that is behind it, or a replay could not make the model anew.
 */
export async function cutBeforeExclusions(log: LogReader, system: string, atMost: number): Promise<number> {
  return settledBefore(await exclusionsOf(log, system), atMost)
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
