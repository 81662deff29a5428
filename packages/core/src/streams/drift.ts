import { OptionError } from '../errors.ts'
import { sigmoid } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { integerIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { SEED } from '../options/task-options.ts'
import type { Sample, Stream } from './stream.ts'

/**
 * Drift made from two streams of the same shape: each sample comes from one of the two, and both move on together.
 */

const MIDDLE = 'the middle of the stream'

/** The options of {@link abruptDrift}. */
export const ABRUPT_DRIFT_OPTIONS = {
  at: option.integer({ from: 0, otherwise: MIDDLE, about: 'Index of the first sample of the second stream.' }),
}

/** The options of {@link gradualDrift}. */
export const GRADUAL_DRIFT_OPTIONS = {
  at: option.integer({ from: 0, otherwise: MIDDLE, about: 'Index around which the change happens.' }),
  width: option.integer({
    from: 1,
    to: Number.MAX_SAFE_INTEGER,
    otherwise: 'a tenth of the stream',
    about: 'Number of samples the change takes.',
  }),
  seed: { ...SEED, about: 'Seed of the choice between the two streams.' },
}

/** The options of {@link recurringDrift}. */
export const RECURRING_DRIFT_OPTIONS = {
  period: option.integer({
    from: 1,
    to: Number.MAX_SAFE_INTEGER,
    otherwise: 'a sixth of the stream',
    about: 'Number of samples until the concept changes.',
  }),
}

/** Options of {@link abruptDrift}, as {@link ABRUPT_DRIFT_OPTIONS} declares them. */
export type AbruptDriftOptions = OptionsOf<typeof ABRUPT_DRIFT_OPTIONS>
/** Options of {@link gradualDrift}, as {@link GRADUAL_DRIFT_OPTIONS} declares them. */
export type GradualDriftOptions = OptionsOf<typeof GRADUAL_DRIFT_OPTIONS>
/** Options of {@link recurringDrift}, as {@link RECURRING_DRIFT_OPTIONS} declares them. */
export type RecurringDriftOptions = OptionsOf<typeof RECURRING_DRIFT_OPTIONS>

/**
 * From the first stream to the second at once.
 *
 * @example
 * import { abruptDrift, sea } from '@pb-oel/core/streams'
 * const stream = abruptDrift(sea({ concept: 2, noise: 0 }), sea({ concept: 3, noise: 0 }), { at: 1000 })
 * let wrong = 0
 * let t = 0
 * for (const { x, level } of stream) if (level !== Number(x[0] + x[1] > (t++ < 1000 ? 7 : 9.5))) wrong++
 * wrong // 0
 */
export function abruptDrift(first: Stream, second: Stream, options: AbruptDriftOptions = {}): Stream {
  const settings = readOptions(ABRUPT_DRIFT_OPTIONS, options)
  const samples = commonLength(first, second)
  const at = integerIn('at', settings.at ?? Math.floor(samples / 2), 0, samples)
  return { ...between('abrupt', first, second, () => (index) => index >= at), changes: [at] }
}

/**
 * From the first stream to the second little by little: the chance of the second follows a logistic curve around `at`
 * that rises from 2 % to 98 % over `width` samples (as MOA's ConceptDriftStream does).
 */
export function gradualDrift(first: Stream, second: Stream, options: GradualDriftOptions = {}): Stream {
  const settings = readOptions(GRADUAL_DRIFT_OPTIONS, options)
  const samples = commonLength(first, second)
  const at = integerIn('at', settings.at ?? Math.floor(samples / 2), 0, samples)
  const { seed, width = Math.max(1, Math.floor(samples / 10)) } = settings
  return between('gradual', first, second, () => {
    const random = new Random(seed, 'gradual drift')
    return (index) => random.uniform() < sigmoid((8 * (index - at)) / width)
  })
}

/** First stream, second stream, first stream, … with a change every `period` samples: old concepts come back. */
export function recurringDrift(first: Stream, second: Stream, options: RecurringDriftOptions = {}): Stream {
  const settings = readOptions(RECURRING_DRIFT_OPTIONS, options)
  const samples = commonLength(first, second)
  const { period = Math.max(1, Math.floor(samples / 6)) } = settings
  const changes = Array.from({ length: Math.ceil(samples / period) - 1 }, (_, i) => (i + 1) * period)
  return { ...between('recurring', first, second, () => (index) => Math.floor(index / period) % 2 === 1), changes }
}

/** Length of both together; refuses streams of different shape. */
function commonLength(first: Stream, second: Stream): number {
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((name, i) => name === b[i])
  if (!same(first.channels, second.channels) || !same(first.levels, second.levels)) {
    throw new OptionError('second', second.name, `a stream with the channels and levels of ${first.name}`)
  }
  return Math.min(first.samples, second.samples)
}

/** @param start makes, for one iteration, the function that says whether the second stream is shown at an index */
function between(kind: string, first: Stream, second: Stream, start: () => (index: number) => boolean): Stream {
  const samples = Math.min(first.samples, second.samples)
  return {
    name: `${kind}(${first.name}, ${second.name})`,
    channels: first.channels,
    levels: first.levels,
    samples,
    *[Symbol.iterator](): Generator<Sample> {
      const showsSecond = start()
      const a = first[Symbol.iterator]()
      const b = second[Symbol.iterator]()
      for (let index = 0; index < samples; index++) {
        const fromFirst = a.next().value as Sample
        const fromSecond = b.next().value as Sample
        yield showsSecond(index) ? fromSecond : fromFirst
      }
    },
  }
}
