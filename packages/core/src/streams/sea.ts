import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { GENERATOR_OPTIONS, generatedStream, labelNoise, numbered } from './generated-stream.ts'
import { defineStream, type Stream, type StreamEntry } from './stream.ts'

/** The options of {@link sea}. */
export const SEA_OPTIONS = {
  ...GENERATOR_OPTIONS,
  concept: option.integer({
    from: 0,
    to: 3,
    default: 0,
    about: 'Which of the four concepts holds: the threshold is 8, 9, 7 or 9.5.',
  }),
  noise: labelNoise(0.1),
}

/** Options of {@link sea}, as {@link SEA_OPTIONS} declares them. */
export type SeaOptions = OptionsOf<typeof SEA_OPTIONS>

const THRESHOLDS = [8, 9, 7, 9.5]

/**
 * SEA concepts: three channels uniform on [0, 10), of which the first two matter; level 1 when their sum exceeds a
 * threshold (Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale classification", KDD 2001).
 * A stream has one concept; {@link abruptDrift} and its relatives change from one to the next.
 *
 * @example
 * import { sea } from '@pb-oel/core/streams'
 * let wrong = 0
 * for (const { x, level } of sea({ noise: 0 })) if (level !== Number(x[0] + x[1] > 8)) wrong++
 * wrong // 0
 */
export function sea(options: SeaOptions = {}): Stream {
  const { seed, samples, concept, noise } = readOptions(SEA_OPTIONS, options)
  const threshold = THRESHOLDS[concept]
  return generatedStream({ name: 'sea', channels: numbered('channel', 3), levels: ['low', 'high'] }, samples, () => {
    const random = new Random(seed, 'sea')
    const flips = new Random(seed, 'sea labels')
    return (x) => {
      for (let i = 0; i < 3; i++) x[i] = random.between(0, 10)
      const level = x[0] + x[1] > threshold ? 1 : 0
      return flips.uniform() < noise ? 1 - level : level
    }
  })
}

/** The entry of {@link sea}. */
export const SEA: StreamEntry = defineStream({
  name: 'sea',
  summary: 'SEA concepts: 3 channels, 2 levels, a threshold on the sum of two',
  options: SEA_OPTIONS,
  create: sea,
})
