import { option } from '../options/option.ts'
import type { OptionsOf } from '../options/option-table.ts'
import { SEED } from '../options/task-options.ts'
import type { Sample, Stream } from './stream.ts'

/** Options every generator has. */
export const GENERATOR_OPTIONS = {
  seed: SEED,
  samples: option.integer({ from: 1, to: 2 ** 40, default: 30_000, about: 'Number of samples.' }),
}

/** The probability of a wrong label, which several generators have. */
export function labelNoise(share: number) {
  return option.number({ from: 0, to: 0.5, default: share, about: 'Probability that a label is wrong.' })
}

/** Options every generator has, as {@link GENERATOR_OPTIONS} declares them. */
export type GeneratorOptions = OptionsOf<typeof GENERATOR_OPTIONS>

/** Writes the channels of sample `index` into `x` and returns its level. Called with 0, 1, 2, … in order. */
export type Draw = (x: Float64Array, index: number) => number

/**
 * A stream whose samples are drawn one by one.
 *
 * @param start makes the drawing function of one iteration, with fresh random numbers
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

/** `prefix 1`, `prefix 2`, …: names of channels that have none. */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix} ${i + 1}`)
}
