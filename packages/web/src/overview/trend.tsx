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

const WIDTH = 240
const HEIGHT = 36

/** A small staircase of the levels of the latest minutes. */
export function Trend({ points, levels }: { points: readonly TrendPoint[]; levels: number }) {
  const words = text.overview.trends[trendOf(points)]
  const from = points[0]?.time ?? 0
  const span = Math.max(1, (points.at(-1)?.time ?? 1) - from)
  const x = (time: number) => (WIDTH * (time - from)) / span
  const y = (level: number) => HEIGHT - 2 - ((HEIGHT - 5) * level) / Math.max(1, levels - 1)
  const path = points.map(
    ({ time, likely }, i) => `${i === 0 ? 'M' : 'H'}${x(time).toFixed(1)}${i === 0 ? ',' : 'V'}${y(likely).toFixed(1)}`,
  )
  const worst = points.at(-1)?.likely ?? 0
  return (
    <svg
      class="trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text.charts.trend(words)}
    >
      <path d={path.join('')} class={`tone-${levelTone(worst, levels)}`} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
