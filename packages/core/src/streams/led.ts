import { Random } from '../math/random.ts'
import { integerIn, numberIn, onlyKnown } from '../options/checks.ts'
import { type GeneratorOptions, generatedStream, generatorSettings, numbered } from './generated-stream.ts'
import type { Stream } from './stream.ts'

/** Options of {@link led}. */
export interface LedOptions extends GeneratorOptions {
  /** Probability that a segment shows the opposite, 0 … 0.5. Default 0.1. */
  noise?: number
  /** Number of channels beside the segments that say nothing, 0 … 1,000. Default 17. */
  irrelevant?: number
  /** How many segments have changed places with irrelevant channels, 0 … 7: one value a concept. Default 0. */
  swapped?: number
}

/** Which of the seven segments (top, upper left, upper right, middle, lower left, lower right, bottom) a digit lights. */
const DIGITS = [
  [1, 1, 1, 0, 1, 1, 1],
  [0, 0, 1, 0, 0, 1, 0],
  [1, 0, 1, 1, 1, 0, 1],
  [1, 0, 1, 1, 0, 1, 1],
  [0, 1, 1, 1, 0, 1, 0],
  [1, 1, 0, 1, 0, 1, 1],
  [1, 1, 0, 1, 1, 1, 1],
  [1, 0, 1, 0, 0, 1, 0],
  [1, 1, 1, 1, 1, 1, 1],
  [1, 1, 1, 1, 0, 1, 1],
]

/**
 * The digit on a seven-segment display with faulty segments, among channels that say nothing: ten levels (Breiman,
 * Friedman, Olshen and Stone, "Classification and Regression Trees", 1984). With the default noise the best possible
 * accuracy is 0.74. `swapped` moves segments to other channels, so two streams that differ in it make a drift.
 *
 * @example
 * import { led } from '@pb-oel/core'
 * const [{ x, level }] = led({ samples: 1, noise: 0, irrelevant: 0 })
 * level // 5
 * x.join('') // 1101011
 */
export function led(options: LedOptions = {}): Stream {
  onlyKnown(options, ['seed', 'samples', 'noise', 'irrelevant', 'swapped'])
  const { seed, samples } = generatorSettings(options)
  const noise = numberIn('noise', options.noise ?? 0.1, 0, 0.5)
  const irrelevant = integerIn('irrelevant', options.irrelevant ?? 17, 0, 1000)
  const swapped = integerIn('swapped', options.swapped ?? 0, 0, Math.min(7, irrelevant))
  const width = 7 + irrelevant
  const levels = Array.from(DIGITS, (_, digit) => String(digit))
  return generatedStream({ name: 'led', channels: numbered('channel', width), levels }, samples, () => {
    const random = new Random(seed, 'led')
    return (x) => {
      const digit = random.integer(10)
      for (let i = 0; i < width; i++) {
        const lit = i < 7 ? DIGITS[digit][i] : random.integer(2)
        x[i] = i < 7 && random.uniform() < noise ? 1 - lit : lit
      }
      for (let i = 0; i < swapped; i++) {
        const segment = x[i]
        x[i] = x[7 + i]
        x[7 + i] = segment
      }
      return digit
    }
  })
}
