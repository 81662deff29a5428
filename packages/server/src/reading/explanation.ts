import { type Assessor, explain } from '@pb-oel/core'
import type { AssessedSample, Explanation } from '@pb-oel/protocol'
import { Conflict } from '../errors.ts'
import { mostProbable } from '../fold/most-probable.ts'
import type { LogReader } from '../log/event-log.ts'
import type { Names } from './reading.ts'
import { withAssessments } from './sample-page.ts'

/** Samples that the model tries at most: so much work one explanation can make. */
const BUDGET = 1_200
/** Latest samples of the same level that are explained together. */
const WINDOW = 10
/** Samples of another level that they are compared with at most, and the fewest that count as a comparison. */
const REFERENCE = 48
const FEWEST = 12
/** How far back to look for them, in records: first nearby, then further, with as many looks. */
const DISTANCES = [400, 4_000, 40_000, 400_000] as const
const LOOKS = 200

/** What is explained: the samples up to a record, by a model that may be used up. */
interface Question extends Names {
  /** Number of the last record that counts. */
  through: number
  model: Explanation['model']
}

/**
 * Why the latest sample up to a record has its level.
 *
 * @param assessor a copy; it is used up
 */
export async function explanationOf(log: LogReader, assessor: Assessor, question: Question): Promise<Explanation> {
  const window = await windowOf(log, question)
  if (window.length === 0) throw new Conflict('there is no sample to explain')
  const { likely: level, trained } = window[window.length - 1]
  if (!trained) throw new Conflict('the system was untrained: its level was no finding that could be explained')
  const before = window[0].sequence - 1
  const { reference, against: other } = await referenceOf(log, assessor, question, before, level)
  if (reference.length === 0) throw new Conflict('there is no earlier sample to compare with')
  const rows = (samples: readonly AssessedSample[]) => samples.map(({ values }) => Float64Array.from(values))
  const { against, contributions, lead, referenceLead } = explain(assessor, rows(window), rows(reference), {
    budget: BUDGET,
    level,
    ...(other !== undefined && { against: other }),
  })
  const { model, channels } = question
  const compared = other === undefined ? ('recent' as const) : ('other-level' as const)
  return {
    ...{ level, against, window: stretchOf(window), reference: stretchOf(reference), compared, model },
    ...{ lead, referenceLead },
    channels: reasons(channels, contributions, window, reference),
  }
}

/** The latest samples, as far back as their likely level is the same. */
async function windowOf(log: LogReader, question: Question): Promise<AssessedSample[]> {
  const { system, through } = question
  const records = await log.read(system, { to: through, kinds: ['sample'], limit: WINDOW, reverse: true })
  const samples = sameWidth(await withAssessments(log, question, records.reverse()), question)
  const last = samples.at(-1)
  const differs = samples.findLastIndex(({ likely, trained }) => likely !== last?.likely || !trained)
  return differs === samples.length - 1 ? samples.slice(-1) : samples.slice(differs + 1)
}

/**
 * The nearest earlier samples of another level, of the most common one, that the model sees so, too. Where it has
 * learned to see nearly everything as this level, those that it sees least so. Where none was of another level, any
 * recent ones.
 */
async function referenceOf(log: LogReader, assessor: Assessor, question: Question, to: number, level: number) {
  let recent: AssessedSample[] = []
  const others: { sample: AssessedSample; probability: number; seen: number }[] = []
  for (const distance of DISTANCES) {
    const from = Math.max(1, to - distance)
    const stride = Math.max(1, Math.floor(distance / LOOKS))
    const records = await log.read(question.system, { from, to, kinds: ['sample'], limit: LOOKS, stride })
    const samples = sameWidth(await withAssessments(log, question, records), question)
    if (recent.length === 0) recent = samples
    for (const sample of samples.filter(({ likely, trained }) => trained && likely !== level)) {
      const probabilities = Array.from(assessor.assess(Float64Array.from(sample.values)).probabilities)
      others.push({ sample, probability: probabilities[level], seen: mostProbable(probabilities) })
    }
    const clear = others.filter(({ seen }) => seen !== level)
    if (clear.length >= FEWEST) return common(clear.map(({ sample, seen }) => ({ sample, as: seen })))
    if (from === 1) break
  }
  if (others.length === 0) return { reference: recent.slice(-REFERENCE), against: undefined }
  const least = others.sort((a, b) => a.probability - b.probability).slice(0, FEWEST)
  return common(least.map(({ sample }) => ({ sample, as: sample.likely })))
}

/** The samples of the most common level. */
function common(samples: readonly { sample: AssessedSample; as: number }[]) {
  const counts = new Map<number, number>()
  for (const { as } of samples) counts.set(as, (counts.get(as) ?? 0) + 1)
  const against = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
  const reference = samples.filter(({ as }) => as === against).map(({ sample }) => sample)
  return { reference: reference.slice(-REFERENCE).sort((a, b) => a.time - b.time), against }
}

/** Samples from before a channel was added cannot be compared with those since. */
function sameWidth(samples: AssessedSample[], { channels }: Names): AssessedSample[] {
  return samples.filter(({ values }) => values.length === channels.length)
}

function reasons(
  channels: readonly string[],
  contributions: Float64Array,
  window: readonly AssessedSample[],
  reference: readonly AssessedSample[],
): Explanation['channels'] {
  const speaksFor = contributions.reduce((sum, value) => sum + Math.max(0, value), 0)
  return channels
    .map((channel, i) => ({
      channel,
      contribution: contributions[i],
      share: speaksFor > 0 ? Math.max(0, contributions[i]) / speaksFor : 0,
      value: window.reduce((sum, { values }) => sum + values[i], 0) / window.length,
      usual: median(reference.map(({ values }) => values[i])),
    }))
    .sort((a, b) => b.contribution - a.contribution)
}

function median(values: number[]): number {
  values.sort((a, b) => a - b)
  const middle = values.length >> 1
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
}

function stretchOf(samples: readonly AssessedSample[]) {
  return { from: samples[0].time, to: samples[samples.length - 1].time, samples: samples.length }
}
