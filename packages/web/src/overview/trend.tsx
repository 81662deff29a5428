import { levelTone } from '../level/tone.ts'
import { text } from '../strings/en.ts'
import { type TrendPoint, trendWords } from './trend-words.ts'

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
