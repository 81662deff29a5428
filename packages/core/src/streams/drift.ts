import { OptionError } from '../errors.ts'
import { sigmoid } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { integerIn, onlyKnown } from '../options/checks.ts'
import type { Sample, Stream } from './stream.ts'

/**
 * Drift made from two streams of the same shape: at every place one of the two is shown, and both move on together.
 */

/** Options of {@link abruptDrift}. */
export interface AbruptDriftOptions {
  /** Index of the first sample of the second stream. Default: the middle. */
  at?: number
}

/** Options of {@link gradualDrift}. */
export interface GradualDriftOptions {
  /** Index around which the change happens. Default: the middle. */
  at?: number
  /** Number of samples the change takes. Default: a tenth of the stream. */
  width?: number
  /** Seed of the choice between the two streams. Default 1. */
  seed?: number
}

/** Options of {@link recurringDrift}. */
export interface RecurringDriftOptions {
  /** Number of samples until the concept changes. Default: a sixth of the stream. */
  period?: number
}

/**
 * From the first stream to the second at once.
 *
 * @example
 * import { abruptDrift, sea } from '@pb-oel/core'
 * const stream = abruptDrift(sea({ concept: 2, noise: 0 }), sea({ concept: 3, noise: 0 }), { at: 1000 })
 * let wrong = 0
 * let t = 0
 * for (const { x, level } of stream) if (level !== Number(x[0] + x[1] > (t++ < 1000 ? 7 : 9.5))) wrong++
 * wrong // 0
 */
export function abruptDrift(first: Stream, second: Stream, options: AbruptDriftOptions = {}): Stream {
  onlyKnown(options, ['at'])
  const samples = commonLength(first, second)
  const at = integerIn('at', options.at ?? Math.floor(samples / 2), 0, samples)
  return between('abrupt', first, second, () => (index) => index >= at)
}

/**
 * From the first stream to the second little by little: the chance of the second follows a logistic curve around `at`
 * that rises from 2 % to 98 % over `width` samples (as MOA's ConceptDriftStream does).
 */
export function gradualDrift(first: Stream, second: Stream, options: GradualDriftOptions = {}): Stream {
  onlyKnown(options, ['at', 'width', 'seed'])
  const samples = commonLength(first, second)
  const at = integerIn('at', options.at ?? Math.floor(samples / 2), 0, samples)
  const width = integerIn('width', options.width ?? Math.max(1, Math.floor(samples / 10)), 1, Number.MAX_SAFE_INTEGER)
  const seed = integerIn('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER)
  return between('gradual', first, second, () => {
    const random = new Random(seed, 'gradual drift')
    return (index) => random.uniform() < sigmoid((8 * (index - at)) / width)
  })
}

/** First stream, second stream, first stream, … with a change every `period` samples: old concepts come back. */
export function recurringDrift(first: Stream, second: Stream, options: RecurringDriftOptions = {}): Stream {
  onlyKnown(options, ['period'])
  const samples = commonLength(first, second)
  const period = integerIn('period', options.period ?? Math.max(1, Math.floor(samples / 6)), 1, Number.MAX_SAFE_INTEGER)
  return between('recurring', first, second, () => (index) => Math.floor(index / period) % 2 === 1)
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
