import { type AssessedSample, decodeBody } from '@pb-oel/protocol'
import type { EventLog } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import type { LiveSystem } from '../service/live-system.ts'
import { answersTo, assessedSample } from '../views/assessed-sample.ts'

/** Each recorded sample with the assessment recorded right behind it and, while it is kept, the answer. */
export async function withAssessments(
  log: EventLog,
  system: LiveSystem,
  samples: readonly StoredRecord[],
): Promise<AssessedSample[]> {
  const { id, channels, levels } = system
  const following = await log.pick(
    id,
    samples.map(({ sequence }) => sequence + 1),
  )
  const bySequence = new Map(following.map((record) => [record.sequence, record]))
  const assessed = samples.flatMap((record) => {
    const next = bySequence.get(record.sequence + 1)
    if (!next) return []
    const sample = decodeBody('sample', record.body, channels).body
    return [assessedSample(levels, record, sample, decodeBody('assessment', next.body, channels).body)]
  })
  const answers = await system.read(answersTo(assessed.map(({ assessment }) => assessment)))
  return assessed.map((sample) => {
    const answer = answers.get(sample.assessment)
    return answer ? { ...sample, answer } : sample
  })
}

/** The number of the record of an assessment, by bisection: the numbers of both rise together. */
export async function findAssessment(log: EventLog, { id, channels }: LiveSystem, wanted: number): Promise<number> {
  const extent = await log.extent(id)
  const numberOf = ({ body }: StoredRecord) => decodeBody('assessment', body, channels).body.assessment
  let low = extent?.first ?? 1
  let high = extent?.last ?? 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [record] = await log.read(id, { from: middle, to: high, kinds: ['assessment'], limit: 1 })
    if (!record || numberOf(record) >= wanted) high = record?.sequence === low ? low : middle
    else low = record.sequence + 1
  }
  const [record] = await log.read(id, { from: low, kinds: ['assessment'], limit: 1 })
  return record?.sequence ?? 0
}
