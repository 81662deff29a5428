import { hash } from 'node:crypto'
import type { SensorSample } from '@pb-oel/protocol'
import { ServiceError } from '../../errors.ts'
import { InvalidLine, type Point } from './line-protocol.ts'

/** Nanoseconds of the units of time that a request may name; `/write` has other names for some. */
export const PRECISIONS: Readonly<Record<string, bigint>> = {
  ...{ ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n },
  ...{ n: 1n, u: 1_000n, m: 60_000_000_000n, h: 3_600_000_000_000n },
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000n
/** The latest moment that a date can hold. */
const LATEST = 8_640_000_000_000_000n

/** Samples in one write, at most. */
const MOST_SAMPLES = 10_000

/** A sample of the points of one moment, and the first line of them. */
export interface Moment {
  line: number
  sample: SensorSample
}

/**
 * Joins points to samples: the fields of all points with the same time are one sample. Fields that no channel is named
 * after are left out. A channel is named after a field (`pressure`), or where that is not enough after more of the
 * point: `tank.pressure`, `tank,site=north.pressure`.
 *
 * Clients send a batch again when no answer came. A sample with a time is recognised by its content then.
 */
export function samplesOf(
  points: readonly Point[],
  channels: readonly string[],
  unit: bigint,
): { moments: Moment[]; wrong: InvalidLine[] } {
  const names = new ChannelNames(channels)
  const wrong: InvalidLine[] = []
  const moments: (Moment & { time: bigint })[] = []
  const groups = Map.groupBy(points, ({ timestamp }) => timestamp)
  if (groups.size > MOST_SAMPLES) {
    throw new ServiceError(413, 'Too large', `expected at most ${MOST_SAMPLES} times in one write, got ${groups.size}`)
  }
  for (const together of groups.values()) {
    try {
      const values = valuesOf(together, names)
      if (Object.keys(values).length === 0) continue
      const [{ timestamp, line }] = together
      if (timestamp === undefined) moments.push({ line, sample: { values }, time: LATEST })
      else moments.push({ line, ...timed(values, timestamp * unit, line) })
    } catch (error) {
      if (!(error instanceof InvalidLine)) throw error
      wrong.push(error)
    }
  }
  // A batch may be in any order; what was first is assessed first.
  moments.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  return { moments: moments.map(({ line, sample }) => ({ line, sample })), wrong }
}

function timed(values: Record<string, number>, nanoseconds: bigint, line: number) {
  const time = nanoseconds / NANOSECONDS_PER_MILLISECOND
  if (time > LATEST || time < 0n) throw new InvalidLine(line, 'the time is none that a date can hold: see precision')
  const key = `influx:${hash('sha256', JSON.stringify([String(nanoseconds), values]))}`
  return { time, sample: { values, at: Number(time), key } }
}

function valuesOf(points: readonly Point[], names: ChannelNames): Record<string, number> {
  const values = new Map<string, number>()
  for (const point of points) {
    const prefixes = names.prefixesOf(point)
    for (const [field, value] of point.fields) {
      const channel = names.find(prefixes, field)
      if (channel === undefined) continue
      const what = `channel ${JSON.stringify(channel)}`
      if (typeof value === 'string') throw new InvalidLine(point.line, `${what} has a text, expected a number`)
      if (values.has(channel)) {
        const better = `${seriesOf(point)[0]}.${field}`
        throw new InvalidLine(point.line, `${what} has two values at one time: name it as ${JSON.stringify(better)}`)
      }
      values.set(channel, value)
    }
  }
  return Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Finds the channel of a field. What stands before the field is looked up once per point, not once per field. */
class ChannelNames {
  private readonly channels: ReadonlySet<string>
  private readonly prefixes = new Set<string>()

  constructor(channels: readonly string[]) {
    this.channels = new Set(channels)
    for (const name of channels) {
      for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
        this.prefixes.add(name.slice(0, dot))
    }
  }

  prefixesOf(point: Point): string[] {
    return seriesOf(point).filter((series) => this.prefixes.has(series))
  }

  find(prefixes: readonly string[], field: string): string | undefined {
    const exact = prefixes.map((prefix) => `${prefix}.${field}`).find((name) => this.channels.has(name))
    return exact ?? (this.channels.has(field) ? field : undefined)
  }
}

/** The names of the series that a point is of, the most exact first: with all tags, with one, with none. */
function seriesOf({ measurement, tags }: Point): string[] {
  const each = tags.map(([key, value]) => `,${key}=${value}`)
  const all = each.length > 1 ? [`${measurement}${[...each].sort().join('')}`] : []
  return [...all, ...each.map((tag) => `${measurement}${tag}`), measurement]
}
