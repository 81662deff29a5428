import { levelTone } from '../level/tone.ts'
import { text } from '../strings/en.ts'

/** The likely level at one moment. */
export interface TrendPoint {
  time: number
  likely: number
}

/** The trend in one word: the mean level of the last quarter, compared with that of the first. */
export function trendOf(points: readonly TrendPoint[]): 'rising' | 'steady' | 'falling' | 'none' {
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

const WIDTH = 240
const HEIGHT = 36

/**
 * A small staircase of the levels of the latest minutes. Its width is always the whole span: where there are samples of
 * twenty seconds only, they take the place of twenty seconds.
 */
export function Trend({ points, levels, span }: { points: readonly TrendPoint[]; levels: number; span: number }) {
  const to = points.at(-1)?.time ?? 0
  const x = (time: number) => WIDTH * (1 - (to - time) / span)
  const y = (level: number) => HEIGHT - 2 - ((HEIGHT - 5) * level) / Math.max(1, levels - 1)
  const path = points.map(
    ({ time, likely }, i) => `${i === 0 ? 'M' : 'H'}${x(time).toFixed(1)}${i === 0 ? ',' : 'V'}${y(likely).toFixed(1)}`,
  )
  const last = points.at(-1)?.likely ?? 0
  const words = trendWords(points, span)
  return (
    <svg
      class="trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text.charts.trend(words)}
    >
      <title>{words}</title>
      <line class="trend-foot" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      <path d={path.join('')} class={`tone-${levelTone(last, levels)}`} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
