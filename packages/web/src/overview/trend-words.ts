import { text } from '../strings/en.ts'

/** The likely level at one moment. */
export interface TrendPoint {
  time: number
  likely: number
}

/** The trend in one word: the mean level of the last quarter, compared with that of the first. */
function trendOf(points: readonly TrendPoint[]): 'rising' | 'steady' | 'falling' | 'none' {
  if (points.length === 0) return 'none'
  const part = Math.max(1, Math.floor(points.length / 4))
  const mean = (some: readonly TrendPoint[]) => some.reduce((sum, { likely }) => sum + likely, 0) / some.length
  const change = mean(points.slice(-part)) - mean(points.slice(0, part))
  return change > 0.25 ? 'rising' : change < -0.25 ? 'falling' : 'steady'
}

/** How much time the trend really covers, and how it goes: `last 20 s: steady`. */
export function trendWords(points: readonly TrendPoint[], span: number): string {
  const covered = points.length === 0 ? 0 : (points.at(-1) as TrendPoint).time - points[0].time
  const { trend, trends } = text.overview
  if (points.length === 0) return trends.none
  const seconds = Math.round((covered > 0.95 * span ? span : covered) / 1000)
  return `${trend(seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`)}: ${trends[trendOf(points)]}`
}
