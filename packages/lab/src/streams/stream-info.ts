import type { Sample, Stream } from '@pb-oel/core'
import { streamWarnings, type TableSample, type TableStream } from './table-stream.ts'
import { TimeFigures, type TimeInfo } from './time-info.ts'

/** Figures of one channel, over the values that are not missing. */
export interface ChannelInfo {
  name: string
  /** Its unit, where one is known. */
  unit?: string
  min: number
  max: number
  mean: number
  std: number
  missing: number
}

/** What `pb-oel data info` shows. */
export interface StreamInfo {
  name: string
  samples: number
  channels: ChannelInfo[]
  levels: { name: string; count: number }[]
  /** When the samples were taken, where the stream has times. */
  time?: TimeInfo
  /** Missing values of all channels together. */
  missing: number
  /** Accuracy of repeating the previous true level: what persistence alone is worth. */
  noChange: number
  /** Share of the most frequent level. */
  majority: number
  /** Names of channels that never change. */
  constant: string[]
  /** Groups of channels that are equal in every sample. */
  duplicates: string[][]
  /** Things a careful user should know before trusting a score. */
  warnings: string[]
}

/**
 * Reads a stream once and describes it. Missing values (NaN, as `missing: 'keep'` leaves them) are counted.
 *
 * @example
 * import { describeStream, openStream } from '@pb-oel/lab'
 * describeStream(openStream('sea:samples=1000,noise=0')).levels.length // 2
 */
export function describeStream(stream: Stream): StreamInfo {
  const { timed, units } = stream as Partial<TableStream>
  const channels = stream.channels.map((name) => new ChannelFigures(name))
  const counts = new Array<number>(stream.levels.length).fill(0)
  const alike = new AlikeChannels(channels.length)
  const times = timed ? new TimeFigures() : undefined
  let previous = -1
  let persisted = 0
  let n = 0
  for (const { x, level, time } of stream as Iterable<Sample & Partial<TableSample>>) {
    n++
    if (time !== undefined) times?.add(time)
    counts[level]++
    if (level === previous) persisted++
    previous = level
    for (let i = 0; i < channels.length; i++) channels[i].add(x[i])
    alike.compare(x)
  }
  const figures = channels.map((channel, i) => {
    const unit = units?.[i]
    return unit ? { ...channel.info(), unit } : channel.info()
  })
  const constant = figures.filter(({ min, max }) => min === max).map(({ name }) => name)
  const described = {
    name: stream.name,
    samples: n,
    channels: figures,
    ...(times && { time: times.info() }),
    levels: stream.levels.map((name, level) => ({ name, count: counts[level] })),
    missing: figures.reduce((sum, { missing }) => sum + missing, 0),
    noChange: persisted / Math.max(1, n - 1),
    majority: Math.max(...counts) / n,
    constant,
    duplicates: alike.groups
      .map((group) => group.map((i) => stream.channels[i]))
      .filter(([first]) => !constant.includes(first)),
  }
  return { ...described, warnings: [...streamWarnings(stream), ...warnings(described)] }
}

function warnings({
  noChange,
  levels,
  samples,
  constant,
  duplicates,
  missing,
}: Omit<StreamInfo, 'warnings'>): string[] {
  const found: string[] = []
  const chance = levels.reduce((sum, { count }) => sum + (count / samples) ** 2, 0)
  if (noChange > 0.9) {
    found.push(
      `labels persist: repeating the last true level scores ${noChange.toFixed(4)}; read κ-temporal beside accuracy`,
    )
  } else if (noChange > chance + 0.1) {
    found.push(
      `labels come in runs: the last true level is repeated in ${noChange.toFixed(4)} of samples, by chance ${chance.toFixed(4)}`,
    )
  } else if (noChange < chance / 2) {
    found.push(
      `labels alternate: the last true level is repeated in only ${noChange.toFixed(4)} of samples, by chance ${chance.toFixed(4)}; a learner that sees the last label can exploit this`,
    )
  }
  if (missing > 0)
    found.push(`${missing} missing ${missing === 1 ? 'value' : 'values'}: choose --missing last or --missing mean`)
  if (constant.length > 0) found.push(`constant channels: ${constant.join(', ')}`)
  for (const group of duplicates) found.push(`equal channels: ${group.join(' = ')}`)
  if (levels.some(({ count }) => count < samples * 0.01)) {
    found.push('a level holds less than 1 % of the samples: accuracy hides it, read macro-F1')
  }
  return found
}

/** Running figures of one channel (Welford's mean and variance). */
class ChannelFigures {
  private readonly name: string
  private min = Infinity
  private max = -Infinity
  private mean = 0
  private squares = 0
  private n = 0
  private missing = 0

  constructor(name: string) {
    this.name = name
  }

  add(value: number): void {
    if (Number.isNaN(value)) {
      this.missing++
      return
    }
    this.n++
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
    const delta = value - this.mean
    this.mean += delta / this.n
    this.squares += delta * (value - this.mean)
  }

  info(): ChannelInfo {
    const { name, min, max, mean, missing } = this
    return { name, min, max, mean, std: Math.sqrt(this.squares / Math.max(1, this.n)), missing }
  }
}

/** Groups of channels that have been equal in every sample so far; costs nothing once all differ. */
class AlikeChannels {
  groups: number[][]

  constructor(channels: number) {
    this.groups = channels > 1 ? [Array.from({ length: channels }, (_, i) => i)] : []
  }

  compare(x: Float64Array): void {
    const split = this.groups.some((group) => group.some((i) => !Object.is(x[i], x[group[0]])))
    if (!split) return
    const parts = this.groups.flatMap((group) => [...Map.groupBy(group, (i) => x[i]).values()])
    this.groups = parts.filter((group) => group.length > 1)
  }
}
