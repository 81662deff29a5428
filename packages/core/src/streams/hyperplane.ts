import { Random } from '../math/random.ts'
import { integerIn, numberIn, onlyKnown } from '../options/checks.ts'
import { type GeneratorOptions, generatedStream, generatorSettings, numbered } from './generated-stream.ts'
import type { Stream } from './stream.ts'

/** Options of {@link hyperplane}. */
export interface HyperplaneOptions extends GeneratorOptions {
  /** Number of channels, 2 … 1,000. Default 10. */
  channels?: number
  /** How many of the weights drift, 0 … channels. Default 2. */
  drifting?: number
  /** Change of a drifting weight per sample, 0 … 1. Default 0.001. */
  magnitude?: number
  /** Probability per sample that a weight turns and drifts the other way, 0 … 1. Default 0.1. */
  turn?: number
  /** Probability that a label is wrong, 0 … 0.5. Default 0.05. */
  noise?: number
}

/**
 * A hyperplane that moves a little with every sample: channels uniform on [0, 1), level 1 when Σ wᵢxᵢ ≥ ½ Σ wᵢ
 * (Hulten, Spencer and Domingos, "Mining time-changing data streams", KDD 2001). Incremental drift.
 *
 * @example
 * import { hyperplane } from '@pb-oel/core'
 * let ones = 0
 * for (const { level } of hyperplane({ samples: 20000 })) ones += level
 * ones / 20000 // 0.5
 */
export function hyperplane(options: HyperplaneOptions = {}): Stream {
  onlyKnown(options, ['seed', 'samples', 'channels', 'drifting', 'magnitude', 'turn', 'noise'])
  const { seed, samples } = generatorSettings(options)
  const width = integerIn('channels', options.channels ?? 10, 2, 1000)
  const drifting = integerIn('drifting', options.drifting ?? 2, 0, width)
  const magnitude = numberIn('magnitude', options.magnitude ?? 0.001, 0, 1)
  const turn = numberIn('turn', options.turn ?? 0.1, 0, 1)
  const noise = numberIn('noise', options.noise ?? 0.05, 0, 0.5)
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
