import { cos, sin } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { numberIn, onlyKnown, positive } from '../options/checks.ts'
import { type GeneratorOptions, generatedStream, generatorSettings } from './generated-stream.ts'
import type { Stream } from './stream.ts'

/** Options of {@link checkerboard}. */
export interface CheckerboardOptions extends GeneratorOptions {
  /** Side of a field, in (0, 1]. Default 0.5. */
  side?: number
  /** Turns of the board over the whole stream, 0 … 1,000. Default 1. */
  turns?: number
  /** Probability that a label is wrong, 0 … 0.5. Default 0. */
  noise?: number
}

/**
 * A rotating checkerboard: points uniform on the unit square, the level is the colour of the field under them, and
 * the board turns about its corner with every sample (Elwell and Polikar, "Incremental learning of concept drift in
 * nonstationary environments", IEEE Transactions on Neural Networks 22, 2011). Gradual and recurring drift.
 *
 * @example
 * import { checkerboard } from '@pb-oel/core'
 * const [{ x, level }] = checkerboard({ samples: 1 })
 * level === Number(x[0] >= 0.5 !== x[1] >= 0.5) // true: not turned yet
 */
export function checkerboard(options: CheckerboardOptions = {}): Stream {
  onlyKnown(options, ['seed', 'samples', 'side', 'turns', 'noise'])
  const { seed, samples } = generatorSettings(options)
  const side = positive('side', options.side ?? 0.5, 1)
  const turns = numberIn('turns', options.turns ?? 1, 0, 1000)
  const noise = numberIn('noise', options.noise ?? 0, 0, 0.5)
  return generatedStream({ name: 'checkerboard', channels: ['x', 'y'], levels: ['white', 'black'] }, samples, () => {
    const random = new Random(seed, 'checkerboard')
    const flips = new Random(seed, 'checkerboard labels')
    return (x, index) => {
      x[0] = random.uniform()
      x[1] = random.uniform()
      const angle = (2 * Math.PI * turns * index) / samples
      const column = Math.floor((x[0] * cos(angle) - x[1] * sin(angle)) / side)
      const row = Math.floor((x[0] * sin(angle) + x[1] * cos(angle)) / side)
      const level = Math.abs(column + row) % 2
      return flips.uniform() < noise ? 1 - level : level
    }
  })
}
