import { cos, sin } from '../math/elementary.ts'
import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { GENERATOR_OPTIONS, generatedStream, labelNoise } from './generated-stream.ts'
import { defineStream, type Stream, type StreamEntry } from './stream.ts'

/** The options of {@link checkerboard}. */
export const CHECKERBOARD_OPTIONS = {
  ...GENERATOR_OPTIONS,
  side: option.number({ above: 0, to: 1, default: 0.5, about: 'Side of a field.' }),
  turns: option.number({ from: 0, to: 1000, default: 1, about: 'Turns of the board over the whole stream.' }),
  noise: labelNoise(0),
}

/** Options of {@link checkerboard}, as {@link CHECKERBOARD_OPTIONS} declares them. */
export type CheckerboardOptions = OptionsOf<typeof CHECKERBOARD_OPTIONS>

/**
 * A rotating checkerboard: points uniform on the unit square, the level is the colour of the field under them, and
 * the board turns about its corner with every sample (Elwell and Polikar, "Incremental learning of concept drift in
 * nonstationary environments", IEEE Transactions on Neural Networks 22, 2011). Gradual and recurring drift.
 *
 * @example
 * import { checkerboard } from '@pb-oel/core/streams'
 * const [{ x, level }] = checkerboard({ samples: 1 })
 * level === Number(x[0] >= 0.5 !== x[1] >= 0.5) // true: not turned yet
 */
export function checkerboard(options: CheckerboardOptions = {}): Stream {
  const { seed, samples, side, turns, noise } = readOptions(CHECKERBOARD_OPTIONS, options)
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

/** The entry of {@link checkerboard}. */
export const CHECKERBOARD: StreamEntry = defineStream({
  name: 'checkerboard',
  summary: 'a checkerboard that turns: 2 channels, 2 levels',
  options: CHECKERBOARD_OPTIONS,
  create: checkerboard,
})
