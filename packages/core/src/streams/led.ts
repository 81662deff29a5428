import { Random } from '../math/random.ts'
import { integerIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { GENERATOR_OPTIONS, generatedStream, numbered } from './generated-stream.ts'
import { defineStream, type Stream, type StreamEntry } from './stream.ts'

/** The options of {@link led}. */
export const LED_OPTIONS = {
  ...GENERATOR_OPTIONS,
  noise: option.number({ from: 0, to: 0.5, default: 0.1, about: 'Probability that a segment shows the opposite.' }),
  irrelevant: option.integer({
    from: 0,
    to: 1000,
    default: 17,
    about: 'Number of channels beside the segments that say nothing.',
  }),
  swapped: option.integer({
    from: 0,
    to: 7,
    default: 0,
    about: 'How many segments have changed places with irrelevant channels, at most as many as there are of these.',
  }),
}

/** Options of {@link led}, as {@link LED_OPTIONS} declares them. */
export type LedOptions = OptionsOf<typeof LED_OPTIONS>

/**
 * Which of the seven segments (top, upper left, upper right, middle, lower left, lower right, bottom) a digit lights.
 */
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
 * import { led } from '@pb-oel/core/streams'
 * const [{ x, level }] = led({ samples: 1, noise: 0, irrelevant: 0 })
 * level // 5
 * x.join('') // 1101011
 */
export function led(options: LedOptions = {}): Stream {
  const settings = readOptions(LED_OPTIONS, options)
  const { seed, samples, noise, irrelevant } = settings
  const swapped = integerIn('swapped', settings.swapped, 0, Math.min(7, irrelevant))
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

/** The entry of {@link led}. */
export const LED: StreamEntry = defineStream({
  name: 'led',
  summary: 'a seven-segment display with faults: 24 channels, 10 levels',
  options: LED_OPTIONS,
  create: led,
})
