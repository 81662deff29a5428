import { Random } from '../math/random.ts'
import { integerIn, onlyKnown } from '../options/checks.ts'
import { type GeneratorOptions, generatedStream, generatorSettings, numbered } from './generated-stream.ts'
import type { Stream } from './stream.ts'

/** Options of {@link waveform}. */
export interface WaveformOptions extends GeneratorOptions {
  /** Number of channels of pure noise behind the 21 of the wave, 0 … 1,000. Default 0. */
  irrelevant?: number
  /** Which level stands for which pair of waves is turned by this many places, 0 … 2: one value a concept. Default 0. */
  concept?: number
}

const POINTS = 21
/** Where the three triangles of height 6 have their tops. */
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
 * import { waveform } from '@pb-oel/core'
 * waveform({ irrelevant: 19 }).channels.length // 40
 */
export function waveform(options: WaveformOptions = {}): Stream {
  onlyKnown(options, ['seed', 'samples', 'irrelevant', 'concept'])
  const { seed, samples } = generatorSettings(options)
  const width = POINTS + integerIn('irrelevant', options.irrelevant ?? 0, 0, 1000)
  const concept = integerIn('concept', options.concept ?? 0, 0, 2)
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

function triangle(wave: number, point: number): number {
  return Math.max(0, 6 - Math.abs(point - TOPS[wave]))
}
