import { Random } from '../math/random.ts'
import { integerIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { GENERATOR_OPTIONS, generatedStream, labelNoise, numbered } from './generated-stream.ts'
import { defineStream, type Stream, type StreamEntry } from './stream.ts'

/** The options of {@link hyperplane}. */
export const HYPERPLANE_OPTIONS = {
  ...GENERATOR_OPTIONS,
  channels: option.integer({ from: 2, to: 1000, default: 10, about: 'Number of channels.' }),
  drifting: option.integer({
    from: 0,
    to: 1000,
    default: 2,
    about: 'How many of the weights drift, at most as many as there are channels.',
  }),
  magnitude: option.number({ from: 0, to: 1, default: 0.001, about: 'Change of a drifting weight per sample.' }),
  turn: option.number({
    from: 0,
    to: 1,
    default: 0.1,
    about: 'Probability per sample that a weight turns and drifts the other way.',
  }),
  noise: labelNoise(0.05),
}

/** Options of {@link hyperplane}, as {@link HYPERPLANE_OPTIONS} declares them. */
export type HyperplaneOptions = OptionsOf<typeof HYPERPLANE_OPTIONS>

/**
 * A hyperplane that moves a little with every sample: channels uniform on [0, 1), level 1 when Σ wᵢxᵢ ≥ ½ Σ wᵢ
 * (Hulten, Spencer and Domingos, "Mining time-changing data streams", KDD 2001). Incremental drift.
 *
 * @example
 * import { hyperplane } from '@pb-oel/core/streams'
 * let ones = 0
 * for (const { level } of hyperplane({ samples: 20000 })) ones += level
 * ones / 20000 // 0.5
 */
export function hyperplane(options: HyperplaneOptions = {}): Stream {
  const settings = readOptions(HYPERPLANE_OPTIONS, options)
  const { seed, samples, channels: width, magnitude, turn, noise } = settings
  const drifting = integerIn('drifting', settings.drifting, 0, width)
  const about = { name: 'hyperplane', channels: numbered('channel', width), levels: ['below', 'above'] }
  return generatedStream(about, samples, () => {
    const random = new Random(seed, 'hyperplane')
    const drift = new Random(seed, 'hyperplane drift')
    const flips = new Random(seed, 'hyperplane labels')
    const weights = Float64Array.from({ length: width }, () => drift.uniform())
    const directions = new Float64Array(width).fill(1)
    return (x) => {
      let side = 0
      for (let i = 0; i < width; i++) {
        x[i] = random.uniform()
        side += weights[i] * (x[i] - 0.5)
      }
      for (let i = 0; i < drifting; i++) {
        weights[i] += directions[i] * magnitude
        if (drift.uniform() < turn) directions[i] = -directions[i]
      }
      const level = side >= 0 ? 1 : 0
      return flips.uniform() < noise ? 1 - level : level
    }
  })
}

/** The entry of {@link hyperplane}. */
export const HYPERPLANE: StreamEntry = defineStream({
  name: 'hyperplane',
  summary: 'a hyperplane that moves a little with every sample: 10 channels, 2 levels',
  options: HYPERPLANE_OPTIONS,
  create: hyperplane,
})
