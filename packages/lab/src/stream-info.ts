import type { Stream } from '@pb-oel/core'

/** What `pb-oel data info` shows. */
export interface StreamInfo {
  name: string
  samples: number
  channels: { name: string; min: number; max: number; mean: number; std: number }[]
  levels: { name: string; count: number }[]
  /** Accuracy of repeating the previous true level: what persistence alone is worth. */
  noChange: number
  /** Share of the most frequent level. */
  majority: number
  /** Names of channels that never change. */
  constant: string[]
  /** Things a careful user should know before trusting a score. */
  warnings: string[]
}

/** Reads a stream once and describes it. */
export function describeStream(stream: Stream): StreamInfo {
  const width = stream.channels.length
  const min = new Float64Array(width).fill(Infinity)
  const max = new Float64Array(width).fill(-Infinity)
  const mean = new Float64Array(width)
  const squares = new Float64Array(width)
  const counts = new Array<number>(stream.levels.length).fill(0)
  let previous = -1
  let persisted = 0
  let n = 0
  for (const { x, level } of stream) {
    n++
    counts[level]++
    if (level === previous) persisted++
    previous = level
    for (let i = 0; i < width; i++) {
      min[i] = Math.min(min[i], x[i])
      max[i] = Math.max(max[i], x[i])
      const delta = x[i] - mean[i]
      mean[i] += delta / n
      squares[i] += delta * (x[i] - mean[i])
    }
  }
  const noChange = persisted / Math.max(1, n - 1)
  const majority = Math.max(...counts) / n
  const constant = stream.channels.filter((_, i) => min[i] === max[i])
  const warnings: string[] = []
  if (noChange > 0.9) warnings.push(`labels persist: repeating the last true level scores ${noChange.toFixed(4)}`)
  if (noChange < 0.5 / stream.levels.length) warnings.push('labels alternate: a learner that sees the last label can exploit this')
  if (constant.length > 0) warnings.push(`constant channels: ${constant.join(', ')}`)
  if (counts.some((count) => count < n * 0.01)) warnings.push('a level holds less than 1 % of the samples: accuracy hides it, read macro-F1')
  return {
    name: stream.name,
    samples: n,
    channels: stream.channels.map((name, i) => ({
      name,
      min: min[i],
      max: max[i],
      mean: mean[i],
      std: Math.sqrt(squares[i] / n),
    })),
    levels: stream.levels.map((name, level) => ({ name, count: counts[level] })),
    noChange,
    majority,
    constant,
    warnings,
  }
}
