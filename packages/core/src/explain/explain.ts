import type { Assessor } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'

/** The options of {@link explain}. */
export const EXPLAIN_OPTIONS = {
  budget: option.integer({
    from: 1,
    to: 1e6,
    default: 2_000,
    about: 'Most samples that are tried. There are at least four walks, each with one try per channel.',
  }),
  seed: option.integer({ from: 0, to: Number.MAX_SAFE_INTEGER, default: 1, about: 'Seed of the orders of channels.' }),
  level: option.integer({
    from: 0,
    to: 1000,
    otherwise: 'the likely level of the window',
    about: 'The level to be explained.',
  }),
  against: option.integer({
    from: 0,
    to: 1000,
    otherwise: 'the likely level of the reference, or the second most probable one',
    about: 'The level that it is compared with.',
  }),
}

/** Options of {@link explain}, as {@link EXPLAIN_OPTIONS} declares them. */
export type ExplainOptions = OptionsOf<typeof EXPLAIN_OPTIONS>

/** Why an assessor finds one level more probable than another. */
export interface Explanation {
  /** The level that is explained. */
  readonly level: number
  /** The level it is compared with. */
  readonly against: number
  /**
   * What each channel adds to the lead of `level` over `against`, −2 … 2. They sum to `lead` − `referenceLead`, apart
   * from rounding.
   */
  readonly contributions: Float64Array
  /** Probability of `level` less that of `against`, over the walked samples of the window, −1 … 1. */
  readonly lead: number
  /** The same for the reference. */
  readonly referenceLead: number
}

/** Fewest walks: fewer say more about the order of channels than about the channels. */
const FEWEST_WALKS = 4
/** More walks change nothing that a person can see. */
const MOST_WALKS = 64

/**
 * Why the samples of a window have their level: what each channel contributes, as compared with reference samples.
 *
 * Contributions are Shapley values, estimated by walks (E. Štrumbelj and I. Kononenko, "Explaining prediction models
 * and individual predictions with feature contributions", 2014). A walk begins at a reference sample and replaces its
 * channels by those of the window, one after the other in random order; what the lead gains at a step belongs to the
 * channel of that step. Every order is also walked backwards, which halves the noise. Unlike replacing one channel at a
 * time, this also finds causes that stand in for each other, and nothing is counted twice.
 *
 * It works for every assessor, because it only calls `assess`. **The assessor is used up**: its pending assessments are
 * those of the walks afterwards. Give it a copy: `restoreAssessor(assessor.snapshot())`.
 *
 * @param assessor a copy of the assessor to be explained
 * @param window samples whose level is to be explained, such as those of the latest two seconds
 * @param reference samples they are compared with, best those of another level
 *
 * @example
 * import { explain, PbOel, restoreAssessor } from '@pb-oel/core'
 * const assessor = new PbOel({ channels: 3, levels: 2, seed: 1 })
 * const sample = (depth: number) => Float64Array.of(0.5, depth, 0.5)
 * for (let t = 0; t < 300; t++) {
 *   const { id } = assessor.assess(sample(t % 2))
 *   assessor.learn(id, { kind: 'label', level: t % 2 })
 * }
 * const { level, contributions } = explain(restoreAssessor(assessor.snapshot()), [sample(1)], [sample(0)])
 * level // 1
 * contributions.indexOf(Math.max(...contributions)) // 1
 */
export function explain(
  assessor: Assessor,
  window: readonly Float64Array[],
  reference: readonly Float64Array[],
  options: ExplainOptions = {},
): Explanation {
  const settings = readOptions(EXPLAIN_OPTIONS, options)
  if (window.length === 0) throw new OptionError('window', window, 'at least one sample')
  if (reference.length === 0) throw new OptionError('reference', reference, 'at least one sample')
  const { channels, levels } = assessor
  const level = settings.level ?? largest(meanProbabilities(assessor, window))
  const against = settings.against ?? alternative(assessor, window, reference, level)
  if (level >= levels) throw new OptionError('level', level, `a level below ${levels}`)
  if (against >= levels || against === level) {
    throw new OptionError('against', against, `another level than ${level}, below ${levels}`)
  }
  const lead = (x: Float64Array) => {
    const { probabilities } = assessor.assess(x)
    return probabilities[level] - probabilities[against]
  }
  const walks = Math.max(FEWEST_WALKS, Math.min(MOST_WALKS, Math.floor(settings.budget / (channels + 1))))
  return { level, against, ...walk(lead, { window, reference, walks, seed: settings.seed }) }
}

/** The pairs of samples that are walked between, and how often. */
interface Walks {
  window: readonly Float64Array[]
  reference: readonly Float64Array[]
  walks: number
  seed: number
}

function walk(lead: (x: Float64Array) => number, { window, reference, walks, seed }: Walks) {
  const channels = window[0].length
  const random = new Random(seed, 'explain')
  const order = Array.from({ length: channels }, (_, channel) => channel)
  const contributions = new Float64Array(channels)
  const x = new Float64Array(channels)
  let [leads, referenceLeads] = [0, 0]
  let target = window[0]
  let source = reference[0]
  for (let n = 0; n < walks; n++) {
    // Every second walk goes the same way backwards, between the same two samples.
    if (n % 2 === 1) order.reverse()
    else {
      shuffle(order, random)
      target = window[(n / 2) % window.length]
      source = reference[random.integer(reference.length)]
    }
    x.set(source)
    let before = lead(x)
    referenceLeads += before
    for (const channel of order) {
      if (x[channel] === target[channel]) continue
      x[channel] = target[channel]
      const after = lead(x)
      contributions[channel] += after - before
      before = after
    }
    leads += before
  }
  for (let channel = 0; channel < channels; channel++) contributions[channel] /= walks
  return { contributions, lead: leads / walks, referenceLead: referenceLeads / walks }
}

/** The level that the reference speaks for; where that is the explained one, the second most probable of the window. */
function alternative(
  assessor: Assessor,
  window: readonly Float64Array[],
  reference: readonly Float64Array[],
  level: number,
): number {
  const found = largest(meanProbabilities(assessor, reference))
  if (found !== level) return found
  const others = meanProbabilities(assessor, window)
  others[level] = -1
  return largest(others)
}

/** Samples that the likely level of many is taken from. */
const LOOKED_AT = 32

function meanProbabilities(assessor: Assessor, samples: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(assessor.levels)
  const step = Math.max(1, Math.floor(samples.length / LOOKED_AT))
  for (let i = 0; i < samples.length; i += step) {
    const { probabilities } = assessor.assess(samples[i])
    for (let k = 0; k < sum.length; k++) sum[k] += probabilities[k]
  }
  return sum
}

function largest(values: Float64Array): number {
  return values.indexOf(Math.max(...values))
}

/** R. Durstenfeld, "Algorithm 235: Random permutation", 1964. */
function shuffle(order: number[], random: Random): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.integer(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
}
