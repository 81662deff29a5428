import type { Chart } from '@pb-oel/protocol'
import { get, systemPath } from '../api/client.ts'
import { NO_LEVEL, SampleRing } from './sample-ring.ts'

/** Points of a chart: about one for each pixel of the timeline. */
const POINTS = 800
/** Numbers of one chart at most. A system with many channels gets fewer points, so that it loads as quickly. */
const NUMBERS = 24_000
/** Points that show the course of a channel at least. */
const FEWEST = 120

/** Reads a stretch of time as charts show it: one request for samples, levels, alarms and answers. */
export function readChart(
  system: string,
  channels: number,
  { from, to }: { from: number; to?: number },
  signal?: AbortSignal,
): Promise<Chart> {
  const points = Math.max(FEWEST, Math.min(POINTS, Math.round(NUMBERS / Math.max(1, channels))))
  const range = {
    from: Math.max(0, Math.floor(from)),
    to: to === undefined ? undefined : Math.max(1, Math.ceil(to) + 1),
  }
  return get<Chart>(systemPath(system, '/chart'), { ...range, points }, signal)
}

/** Adds the points of a chart to a ring. */
export function fillRing(ring: SampleRing, { times, values, levels }: Chart): void {
  const row = new Float64Array(ring.channels)
  times.forEach((time, i) => {
    for (let c = 0; c < row.length; c++) row[c] = values[c]?.[i] ?? Number.NaN
    ring.push(time, row, levels[i] ?? NO_LEVEL)
  })
}

/** A ring with the points of a chart. */
export function ringOfChart(chart: Chart, channels: number): SampleRing {
  const ring = new SampleRing(Math.max(1, chart.times.length), channels)
  fillRing(ring, chart)
  return ring
}

/** What the points of a chart leave out. */
export type Thinning = Pick<Chart, 'folded' | 'every' | 'answersEvery'>

/** What a chart leaves out; `null` when it is complete. */
export function thinningOf({ folded, every, answersEvery }: Chart): Thinning | null {
  return folded > 1 || every > 1 || answersEvery > 1 ? { folded, every, answersEvery } : null
}
