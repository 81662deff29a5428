import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { GENERATOR_OPTIONS, generatedStream, numbered } from './generated-stream.ts'
import { defineStream, type Stream, type StreamEntry } from './stream.ts'

/** The options of {@link waveform}. */
export const WAVEFORM_OPTIONS = {
  ...GENERATOR_OPTIONS,
  irrelevant: option.integer({
    from: 0,
    to: 1000,
    default: 0,
    about: 'Number of channels of pure noise behind the 21 of the wave.',
  }),
  concept: option.integer({
    from: 0,
    to: 2,
    default: 0,
    about: 'Turns by this many places which level stands for which pair of waves.',
  }),
}

/** Options of {@link waveform}, as {@link WAVEFORM_OPTIONS} declares them. */
export type WaveformOptions = OptionsOf<typeof WAVEFORM_OPTIONS>

const POINTS = 21
/** Points where the three triangles of height 6 have their tops. */
const TOPS = [6, 14, 10]
/** The two waves each level is mixed from. */
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
]

/**
 * Three kinds of wave, each a random mixture of two of three triangles, seen at 21 points with standard normal noise
 * (Breiman et al., "Classification and Regression Trees", 1984). The best possible accuracy is about 0.86.
 *
 * @example
 * import { waveform } from '@pb-oel/core/streams'
 * waveform({ irrelevant: 19 }).channels.length // 40
 */
export function waveform(options: WaveformOptions = {}): Stream {
  const { seed, samples, irrelevant, concept } = readOptions(WAVEFORM_OPTIONS, options)
  const width = POINTS + irrelevant
  const levels = ['first', 'second', 'third']
  return generatedStream({ name: 'waveform', channels: numbered('point', width), levels }, samples, () => {
    const random = new Random(seed, 'waveform')
    return (x) => {
      const kind = random.integer(3)
      const share = random.uniform()
      const [a, b] = PAIRS[kind]
      for (let i = 0; i < width; i++) {
        const wave = i < POINTS ? share * triangle(a, i) + (1 - share) * triangle(b, i) : 0
        x[i] = wave + random.normal()
      }
      return (kind + concept) % 3
    }
  })
}

/** The entry of {@link waveform}. */
export const WAVEFORM: StreamEntry = defineStream({
  name: 'waveform',
  summary: 'mixtures of three waves in noise: 21 channels, 3 levels',
  options: WAVEFORM_OPTIONS,
  create: waveform,
})

function triangle(wave: number, point: number): number {
  return Math.max(0, 6 - Math.abs(point - TOPS[wave]))
}
