import { OptionError } from '../../errors.ts'

/** Number of channels each leaf of a forest over `channels` channels draws. */
export function leafFeatures(features: number | 'sqrt', channels: number): number {
  if (features === 'sqrt') return Math.max(1, Math.round(Math.sqrt(channels)))
  if (typeof features === 'number' && features > 0 && features < 1) return Math.max(1, Math.round(features * channels))
  if (Number.isInteger(features) && features >= 1 && features <= channels) return features
  throw new OptionError('features', features, `sqrt, a share in (0, 1) or an integer in [1, ${channels}]`)
}
