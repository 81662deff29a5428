import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { GENERATOR_OPTIONS, generatedStream, numbered } from './generated-stream.ts'
import { defineStream, type Stream, type StreamEntry } from './stream.ts'

const channelCount = (about: string) => option.integer({ from: 0, to: 10_000, default: 0, about })

/** The options of {@link plant}. */
export const PLANT_OPTIONS = {
  ...GENERATOR_OPTIONS,
  channels: option.integer({ from: 1, to: 10_000, default: 20, about: 'Number of channels.' }),
  levels: option.integer({ from: 2, to: 100, default: 3, about: 'Number of levels.' }),
  spread: option.number({
    from: 0,
    to: 30,
    default: 0,
    about: 'Orders of magnitude between the scale of the first channel and that of the last.',
  }),
  constant: channelCount('Number of channels, the last ones, that never change.'),
  dead: channelCount('Number of channels, the first ones, that stay at their value from half of the stream on.'),
  held: option.number({
    from: 0,
    to: 0.95,
    default: 0,
    about: 'Share of values that repeat the value before, as missing values do that are filled in.',
  }),
  rare: option.number({
    from: 0,
    to: 0.5,
    default: 0,
    about: 'Share of samples at the highest level; with 0 all levels are equally frequent.',
  }),
  late: option.number({
    from: 0,
    to: 0.9,
    default: 0,
    about: 'The highest level does not occur in this share of the stream, at its beginning.',
  }),
}

/** Options of {@link plant}, as {@link PLANT_OPTIONS} declares them. */
export type PlantOptions = OptionsOf<typeof PLANT_OPTIONS>

/** Samples that a level lasts on average. */
const STAY = 20
/** How far apart levels are, all channels together, in deviations of the noise. */
const DISTANCE = 5

/**
 * Data as plants have it: each level shifts the channels to another place, with noise, and lasts for some samples. The
 * options make it as awkward as real files are: channels of very different scales, constant or dead channels, held
 * values, a rare level, a level that comes late.
 *
 * @example
 * import { plant } from '@pb-oel/core/streams'
 * const stream = plant({ samples: 1000, channels: 4, constant: 1 })
 * new Set(Array.from(stream, ({ x }) => x[3])).size // 1
 */
export function plant(options: PlantOptions = {}): Stream {
  const given = readOptions(PLANT_OPTIONS, options)
  const { seed, samples, channels, levels, spread, constant, dead, held, rare, late } = given
  const about = { name: 'plant', channels: numbered('channel', channels), levels: numbered('level', levels) }
  return generatedStream(about, samples, () => {
    const noise = new Random(seed, 'plant noise')
    const states = new Random(seed, 'plant levels')
    const holes = new Random(seed, 'plant holes')
    const centres = centresOf(seed, channels, levels)
    const scales = Float64Array.from({ length: channels }, (_, i) =>
      Number(`1e${Math.round(scaleOf(i, channels, spread))}`),
    )
    let level = 0
    return (x, t) => {
      const isLate = t < late * samples
      if (t < levels && !isLate) level = t
      else if (states.uniform() < 1 / STAY || (isLate && level === levels - 1)) {
        level = nextLevel(states, isLate ? levels - 1 : levels, isLate ? 0 : rare)
      }
      for (let i = 0; i < channels; i++) {
        const value = scales[i] * (centres[level * channels + i] + noise.normal())
        if (i >= channels - constant) x[i] = scales[i]
        else if (t > 0 && ((i < dead && t >= samples / 2) || (held > 0 && holes.uniform() < held))) continue
        else x[i] = value
      }
      return level
    }
  })
}

const scaleOf = (i: number, channels: number, spread: number): number =>
  channels === 1 ? 0 : spread * (i / (channels - 1) - 0.5)

/** Where each level shifts each channel to: random directions, all at the same distance from each other on average. */
function centresOf(seed: number, channels: number, levels: number): Float64Array {
  const random = new Random(seed, 'plant centres')
  if (channels === 1) return Float64Array.from({ length: levels }, (_, level) => level * DISTANCE)
  const size = DISTANCE / Math.sqrt(2 * channels)
  return Float64Array.from({ length: levels * channels }, () => size * random.normal())
}

/** The next level. A rare level is entered as seldom as its share says; the others share the rest equally. */
function nextLevel(random: Random, levels: number, rare: number): number {
  if (rare === 0) return Math.floor(random.uniform() * levels)
  return random.uniform() < rare ? levels - 1 : Math.floor(random.uniform() * (levels - 1))
}

/** The entry of {@link plant}. */
export const PLANT: StreamEntry = defineStream({
  name: 'plant',
  summary: 'data as plants have it: scales, constant and dead channels, held values, rare and late levels',
  options: PLANT_OPTIONS,
  create: plant,
})
