import { integerIn } from '../options/checks.ts'
import type { Sample, Stream } from './stream.ts'

/** Options every generator has. */
export interface GeneratorOptions {
  /** Seed of all randomness, 0 … 2^53 − 1. Default 1. */
  seed?: number
  /** Number of samples, at least 1. Default 30,000. */
  samples?: number
}

/** Writes the channels of sample `index` into `x` and returns its level. Called with 0, 1, 2, … in order. */
export type Draw = (x: Float64Array, index: number) => number

/**
 * A stream whose samples are drawn one by one.
 *
 * @param start makes the drawing function of one iteration, with all its randomness fresh
 */
export function generatedStream(
  about: Pick<Stream, 'name' | 'channels' | 'levels'>,
  samples: number,
  start: () => Draw,
): Stream {
  return {
    ...about,
    samples,
    [Symbol.iterator]: () => {
      const draw = start()
      const sample = { x: new Float64Array(about.channels.length), level: 0 }
      const result: IteratorYieldResult<Sample> = { value: sample, done: false }
      let index = 0
      return {
        next() {
          if (index === samples) return { value: undefined, done: true }
          sample.level = draw(sample.x, index++)
          return result
        },
      }
    },
  }
}

/** Seed and number of samples, checked. */
export function generatorSettings({ seed = 1, samples = 30_000 }: GeneratorOptions): { seed: number; samples: number } {
  return {
    seed: integerIn('seed', seed, 0, Number.MAX_SAFE_INTEGER),
    samples: integerIn('samples', samples, 1, 2 ** 40),
  }
}

/** `prefix 1`, `prefix 2`, …: names of channels that have none. */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix} ${i + 1}`)
}
