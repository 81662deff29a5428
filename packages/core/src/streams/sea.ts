import { Random } from '../math/random.ts'
import { integerIn, numberIn, onlyKnown } from '../options/checks.ts'
import { type GeneratorOptions, generatedStream, generatorSettings, numbered } from './generated-stream.ts'
import type { Stream } from './stream.ts'

/** Options of {@link sea}. */
export interface SeaOptions extends GeneratorOptions {
  /** Which of the four concepts holds, 0 … 3: the threshold is 8, 9, 7 or 9.5. Default 0. */
  concept?: number
  /** Probability that a label is wrong, 0 … 0.5. Default 0.1. */
  noise?: number
}

const THRESHOLDS = [8, 9, 7, 9.5]

/**
 * SEA concepts: three channels uniform on [0, 10), of which the first two matter; level 1 when their sum exceeds a
 * threshold (Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale classification", KDD 2001).
 * One concept a stream; {@link abruptDrift} and its relatives change from one to the next.
 *
 * @example
 * import { sea } from '@pb-oel/core'
 * let wrong = 0
 * for (const { x, level } of sea({ noise: 0 })) if (level !== Number(x[0] + x[1] > 8)) wrong++
 * wrong // 0
 */
export function sea(options: SeaOptions = {}): Stream {
  onlyKnown(options, ['seed', 'samples', 'concept', 'noise'])
  const { seed, samples } = generatorSettings(options)
  const threshold = THRESHOLDS[integerIn('concept', options.concept ?? 0, 0, 3)]
  const noise = numberIn('noise', options.noise ?? 0.1, 0, 0.5)
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
