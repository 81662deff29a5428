import type { SystemSummary } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'

/** The likely level at one moment. */
export interface TrendPoint {
  time: number
  likely: number
}

/** The points of a trend up to the latest sample: a trend is asked for more seldom than the level it stands beside. */
export function upToNow(
  points: readonly TrendPoint[],
  { likely, lastSampleTime }: Pick<SystemSummary, 'likely' | 'lastSampleTime'>,
): readonly TrendPoint[] {
  const last = points.at(-1)
  if (!last || likely === null || lastSampleTime === null || lastSampleTime <= last.time) return points
  return [...points, { time: lastSampleTime, likely }]
}

/**
 * The trend in one word: the mean level of the last quarter, compared with that of the first. Where the latest level
 * does not agree with it, the level went up and down.
 */
function trendOf(points: readonly TrendPoint[]): keyof typeof text.overview.trends {
  const last = points.at(-1)
  if (!last) return 'none'
  const part = Math.max(1, Math.floor(points.length / 4))
  const mean = (some: readonly TrendPoint[]) => some.reduce((sum, { likely }) => sum + likely, 0) / some.length
  const first = mean(points.slice(0, part))
  const word = compared(mean(points.slice(-part)), first)
  return word === 'steady' || word === compared(last.likely, first) ? word : 'mixed'
}

function compared(level: number, earlier: number): 'rising' | 'falling' | 'steady' {
  return level > earlier + 0.25 ? 'rising' : level < earlier - 0.25 ? 'falling' : 'steady'
}

/** How much time the trend really covers, and how it goes: `last 20 s: steady`. */
export function trendWords(points: readonly TrendPoint[], span: number): string {
  const covered = points.length === 0 ? 0 : (points.at(-1) as TrendPoint).time - points[0].time
  const { trend, trends } = text.overview
  if (points.length === 0) return trends.none
  const seconds = Math.round((covered > 0.95 * span ? span : covered) / 1000)
  return `${trend(seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`)}: ${trends[trendOf(points)]}`
}
