import type { SampleRing } from '../feed/sample-ring.ts'

/**
 * Channels, the most unusual first: ordered by the distance of their value at a moment from their mean before it, in
 * standard deviations. A channel that never moved comes last.
 */
export function unusualFirst(ring: SampleRing, moment: number): number[] {
  const { start } = ring.range(Number.NEGATIVE_INFINITY, moment)
  const { end } = ring.range(moment, moment)
  const scores = Array.from({ length: ring.channels }, (_, channel) => deviation(ring.column(channel, start, end)))
  return scores.map((_, channel) => channel).sort((a, b) => scores[b] - scores[a] || a - b)
}

/** Distance of the last value from the mean of the values before it, in their standard deviations. */
export function deviation(values: ArrayLike<number>): number {
  const before = values.length - 1
  if (before < 2) return 0
  let mean = 0
  let squares = 0
  for (let i = 0; i < before; i++) {
    const step = values[i] - mean
    mean += step / (i + 1)
    squares += step * (values[i] - mean)
  }
  const spread = Math.sqrt(squares / before)
  return spread > 0 ? Math.abs(values[before] - mean) / spread : 0
}
