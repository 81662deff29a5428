import { type Answer, type AssessedSample, type AssessedSamples, decodeBody } from '@pb-oel/protocol'
import { Gone } from '../errors.ts'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { assessedSample } from '../views/assessed-sample.ts'
import type { Names, SampleQuery } from './reading.ts'

/** Samples of a time with their assessments, thinned out evenly when there are more than the limit. */
export async function samplePage(log: LogReader, query: SampleQuery): Promise<AssessedSamples> {
  const { system, limit, answers } = query
  const { from, to } = await recordRange(log, query)
  // A sample takes two records, so half of them are samples at most.
  const stride = Math.max(1, Math.ceil((to - from + 1) / limit))
  const samples = await log.read(system, { from, to, kinds: ['sample'], limit, stride: stride <= 2 ? 1 : stride })
  const assessed = await withAssessments(log, query, samples)
  return { samples: assessed.map((one) => withAnswer(one, answers.get(one.assessment))), thinned: stride > 2 }
}

/** The numbers of the first and the last record between two moments; everything where they are left out. */
export async function recordRange(log: LogReader, query: Pick<SampleQuery, 'system' | 'from' | 'to'>) {
  const { system } = query
  const extent = await log.extent(system)
  const from = query.from === undefined ? (extent?.first ?? 1) : await log.sequenceAt(system, query.from)
  const to = query.to === undefined ? (extent?.last ?? 0) : (await log.sequenceAt(system, query.to)) - 1
  return { from, to }
}

/** The sample of an assessment that was made. */
export async function sampleOf(
  log: LogReader,
  names: Names,
  assessment: number,
  answer: Answer | undefined,
): Promise<AssessedSample> {
  const sequence = await findAssessment(log, names, assessment)
  const [found] = await withAssessments(log, names, await log.pick(names.system, [sequence - 1]))
  if (!found) throw new Gone(`assessment ${assessment} was removed by compaction`)
  return withAnswer(found, answer)
}

function withAnswer(sample: AssessedSample, answer: Answer | undefined): AssessedSample {
  return answer ? { ...sample, answer } : sample
}

/** Each recorded sample with the assessment recorded right behind it. */
export async function withAssessments(
  log: LogReader,
  { system, channels, levels }: Names,
  samples: readonly StoredRecord[],
): Promise<AssessedSample[]> {
  const following = await log.pick(
    system,
    samples.map(({ sequence }) => sequence + 1),
  )
  const bySequence = new Map(following.map((record) => [record.sequence, record]))
  return samples.flatMap((record) => {
    const next = bySequence.get(record.sequence + 1)
    if (!next) return []
    const sample = decodeBody('sample', record.body, channels).body
    return [assessedSample(levels, record, sample, decodeBody('assessment', next.body, channels).body)]
  })
}

/** The number of the record of an assessment, by bisection: the numbers of both rise together. */
export async function findAssessment(log: LogReader, { system, channels }: Names, wanted: number): Promise<number> {
  const extent = await log.extent(system)
  const numberOf = ({ body }: StoredRecord) => decodeBody('assessment', body, channels).body.assessment
  let low = extent?.first ?? 1
  let high = extent?.last ?? 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [record] = await log.read(system, { from: middle, to: high, kinds: ['assessment'], limit: 1 })
    if (!record || numberOf(record) >= wanted) high = record?.sequence === low ? low : middle
    else low = record.sequence + 1
  }
  const [record] = await log.read(system, { from: low, kinds: ['assessment'], limit: 1 })
  return record?.sequence ?? 0
}
