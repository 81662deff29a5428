import { type AssessedSample, type Chart, decodeBody, type RecordKind } from '@pb-oel/protocol'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import type { ChartQuery } from './reading.ts'
import { recordRange, withAssessments } from './sample-page.ts'

/** Most samples and answers that one chart reads: so much work one request can make. */
const SAMPLES_READ = 6_000
const ANSWERS_READ = 6_000
/** Samples read for a chart of levels alone: small ones, of which there are many. */
const LEVELS_READ = 400
/** Most changes of alarms on a chart; of more, the latest. */
const ALARMS_READ = 5_000
/** Moments that the answers are counted by. */
const ANSWER_MOMENTS = 400

/** A stretch of time in columns, with at most `points` points. */
export async function chartOf(log: LogReader, query: ChartQuery): Promise<Chart> {
  const range = await recordRange(log, query)
  const { samples, every } = await readSamples(log, query, range)
  const channels = query.only === 'levels' ? 0 : query.channels.length
  const { times, values, levels, folded } = foldSamples(samples, channels, query.points)
  const drawn = { ...{ times, values, levels, folded, every }, last: samples.at(-1)?.sequence ?? 0 }
  if (query.only === 'levels') return { ...drawn, drifts: [], alarms: [], answers: [], answersEvery: 1 }
  const answers = await readThinned(log, query.system, range, ['feedback', 'correction'], ANSWERS_READ)
  return {
    ...drawn,
    drifts: samples.flatMap(({ drifts, time }) => (drifts ? [time] : [])),
    alarms: await readAlarms(log, query, range),
    answers: countAnswers(answers.records, query.channels),
    answersEvery: answers.every,
  }
}

/** Record numbers from the first to the last. */
interface Range {
  from: number
  to: number
}

async function readSamples(log: LogReader, query: ChartQuery, range: Range) {
  // A sample takes two records, so that twice as many records may be looked through.
  const most = query.only === 'levels' ? LEVELS_READ : Math.max(query.points, SAMPLES_READ)
  const length = range.to - range.from + 1
  const stride = length <= 2 * most ? 1 : Math.ceil(length / most)
  const records = await log.read(query.system, { ...range, kinds: ['sample'], limit: most, stride })
  return { samples: await withAssessments(log, query, records), every: await skipped(log, query.system, records) }
}

/** How many samples there are for each of some evenly chosen ones: counted in one gap, where there is any. */
async function skipped(log: LogReader, system: string, records: readonly StoredRecord[]): Promise<number> {
  if (records.length < 2) return 1
  const middle = records.length >> 1
  const [from, to] = [records[middle - 1].sequence, records[middle].sequence - 1]
  return (await log.read(system, { from, to, kinds: ['sample'], limit: to - from + 1 })).length
}

/** Records of some kinds, spread over the whole range when there are too many. */
async function readThinned(log: LogReader, system: string, range: Range, kinds: RecordKind[], most: number) {
  const records = await log.read(system, { ...range, kinds, limit: most + 1 })
  if (records.length <= most) return { records, every: 1 }
  const stride = Math.ceil((range.to - range.from + 1) / most)
  const some = await log.read(system, { ...range, kinds, limit: most, stride })
  const seen = records[most].sequence - range.from + 1
  const all = (records.length * (range.to - range.from + 1)) / seen
  return { records: some, every: Math.max(1, Math.round(all / Math.max(1, some.length))) }
}

async function readAlarms(log: LogReader, { system, channels }: ChartQuery, range: Range): Promise<Chart['alarms']> {
  const records = await log.read(system, { ...range, kinds: ['alarm'], limit: ALARMS_READ, reverse: true })
  return records
    .reverse()
    .map(({ sequence, time, body }) => ({ ...decodeBody('alarm', body, channels).body, sequence, time }))
}

/** Counts answers by moment, so that as many as there are need no more room. */
function countAnswers(records: readonly StoredRecord[], channels: readonly string[]): Chart['answers'] {
  if (records.length === 0) return []
  const first = records[0].time
  const width = Math.max(1, (records[records.length - 1].time - first) / ANSWER_MOMENTS)
  const moments = new Map<number, Chart['answers'][number]>()
  for (const { time, body } of records) {
    const at = Math.floor((time - first) / width)
    const moment = moments.get(at) ?? { time: Math.round(first + (at + 0.5) * width), right: 0, wrong: 0, named: 0 }
    const { kind } = decodeBody('feedback', body, channels).body
    moment[kind === 'confirm' ? 'right' : kind === 'reject' ? 'wrong' : 'named']++
    moments.set(at, moment)
  }
  return [...moments.values()]
}

type Columns = Pick<Chart, 'times' | 'values' | 'levels' | 'folded'>

/** Samples as columns. Where there are more than points, lowest and highest stand for each stretch of them. */
export function foldSamples(samples: readonly AssessedSample[], channels: number, points: number): Columns {
  const folded = samples.length <= points ? 1 : Math.ceil(samples.length / Math.max(1, points >> 1))
  const values: (number | null)[][] = Array.from({ length: channels }, () => [])
  if (folded === 1) {
    samples.forEach((sample) => {
      for (let c = 0; c < channels; c++) values[c].push(short(sample.values[c]))
    })
    return { times: samples.map(({ time }) => time), values, levels: samples.map(levelOf), folded }
  }
  const times: number[] = []
  const levels: (number | null)[] = []
  for (let start = 0; start < samples.length; start += folded) {
    const stretch = samples.slice(start, start + folded)
    times.push(stretch[0].time, (stretch.at(-1) as AssessedSample).time)
    const worst = stretch.map(levelOf).reduce((a, b) => (a === null ? b : b === null ? a : Math.max(a, b)))
    levels.push(worst, worst)
    for (let c = 0; c < channels; c++) values[c].push(...extremes(stretch, c))
  }
  return { times, values, levels, folded }
}

/** The lowest and the highest value of a channel, in the order in which they came. */
function extremes(stretch: readonly AssessedSample[], channel: number): [number | null, number | null] {
  let low = 0
  let high = 0
  for (let i = 1; i < stretch.length; i++) {
    const value = stretch[i].values[channel]
    if (value < stretch[low].values[channel]) low = i
    if (value > stretch[high].values[channel]) high = i
  }
  const [first, second] = low <= high ? [low, high] : [high, low]
  return [short(stretch[first].values[channel]), short(stretch[second].values[channel])]
}

function levelOf({ likely, trained }: AssessedSample): number | null {
  return trained ? likely : null
}

/** Six significant digits: more than a chart or a tooltip can show. */
function short(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(6))
}
