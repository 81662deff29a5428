import type { GivenExclusion } from '@pb-oel/protocol'
import { Gone, InvalidRequest, NotFound } from '../errors.ts'
import type { EventLog, LogExtent } from '../log/event-log.ts'
import { firstAssessmentAfter, recordOfAssessment } from '../replay/exclusions.ts'

/** Refuses what says neither a range of samples nor everything behind a record, or both. */
export function checkExclusion({ from, to, afterRecord }: GivenExclusion): void {
  if ((from === undefined) === (afterRecord === undefined) || (afterRecord !== undefined && to !== undefined)) {
    throw new InvalidRequest('say either from, perhaps with to, or afterRecord alone')
  }
  if ((to ?? Number.POSITIVE_INFINITY) < (from ?? 0)) {
    throw new InvalidRequest(`to should be at least from, which is ${from}, instead it is ${to}`)
  }
}

/**
 * The first sample of an exclusion: its assessment, and the number of its record.
 *
 * @param latest the latest assessment
 */
export async function firstExcluded(
  log: EventLog,
  id: string,
  latest: number,
  { from, afterRecord = 0 }: GivenExclusion,
): Promise<{ assessment: number; record: number }> {
  if (from === undefined) {
    const found = await firstAssessmentAfter(log, id, afterRecord)
    if (!found) throw new NotFound(`the log of ${id} has no sample behind record ${afterRecord}`)
    const { first } = (await log.extent(id)) as LogExtent
    if (afterRecord < first - 1) throw new Gone(`record ${afterRecord} was removed; the log begins at record ${first}`)
    return found
  }
  if (from > latest) throw new NotFound(`there is no assessment ${from}; the latest is ${latest}`)
  const record = await recordOfAssessment(log, id, from)
  if (record !== undefined) return { assessment: from, record }
  const kept = await firstAssessmentAfter(log, id, 0)
  throw new Gone(
    `the sample of assessment ${from} is not in the log of ${id}: it was removed by compaction, or belongs to the ` +
      'original of a clone, so that the model cannot be made without it; ' +
      (kept ? `the first there is ${kept.assessment}` : 'no other sample is there'),
  )
}
