import { useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { timeAxis, valueAxis } from '../charts/axes.ts'
import { axisNumber } from '../charts/axis-number.ts'
import { palette } from '../charts/palette.ts'
import { Plot } from '../charts/plot.tsx'
import { tooltip } from '../charts/tooltip.ts'
import { screenScale } from '../device/screen.ts'
import { text } from '../strings/en.ts'
import { moment } from '../strings/format.ts'

/** One line of the progress; missing values leave a gap. */
export interface ProgressLine {
  name: string
  values: (number | null)[]
  color: string
  dash?: number[]
  width?: number
}

interface ProgressPlotProps {
  times: number[]
  lines: ProgressLine[]
  label: string
  height: number
  format: (value: number) => string
  /** The axis stays between these two. */
  limits: [number, number]
  /** Goes to the moment of a point, where there is one. */
  onPoint?: (index: number) => void
}

/** A few lines over the whole life of a system. */
export function ProgressPlot(props: ProgressPlotProps) {
  const { times, lines, label, height, limits, onPoint } = props
  // The chart outlives changes of what it shows, so that its hooks look here.
  const latest = useRef(props)
  latest.current = props
  const words = (_: uPlot, index: number) => pointWords(latest.current, index)
  const options = (): Omit<uPlot.Options, 'width' | 'height'> => ({
    ms: 1,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    padding: [8, 8, 0, 0],
    scales: { x: { time: true }, y: { range: (_, low, high) => within(low, high, limits) } },
    axes: [timeAxis(), valueAxis(percentLabel, 48)],
    plugins: [tooltip(words)],
    hooks: {
      ready: [({ over, cursor }) => over.addEventListener('click', () => go(cursor.idx, latest.current.onPoint))],
    },
    series: [
      {},
      ...lines.map(({ color, dash, width = 1.5 }) => ({
        stroke: color,
        ...(dash && { dash }),
        width,
        points: { show: false },
      })),
    ],
  })
  const update = (plot: uPlot) => {
    plot.setData([times, ...lines.map(({ values }) => values)] as never)
    return undefined
  }
  // The number of lines is part of a uPlot chart, so that a different number needs a new chart.
  return (
    <Plot
      key={lines.length}
      options={options}
      update={update}
      height={Math.round(height * screenScale.value)}
      label={label}
      class={onPoint ? 'clickable' : ''}
    />
  )
}

function within(low: number | null, high: number | null, [least, most]: [number, number]): [number, number] {
  if (low === null || high === null) return [least, most]
  const margin = Math.max(0.01, 0.1 * (high - low))
  return [Math.max(least, low - margin), Math.min(most, high + margin)]
}

/** The lines with their names and latest values, as text beside the chart. */
export function ProgressLegend({ lines, format }: Pick<ProgressPlotProps, 'lines' | 'format'>) {
  void palette.value
  return (
    <ul class="legend">
      {lines.map(({ name, color, dash, values }) => (
        <li key={name}>
          <svg width="20" height="8" aria-hidden="true">
            <line x1="0" y1="4" x2="20" y2="4" stroke={color} stroke-width="2.5" stroke-dasharray={dash?.join(' ')} />
          </svg>
          <span>{name}</span>
          <strong class="number">{shown(values.at(-1), format)}</strong>
        </li>
      ))}
    </ul>
  )
}

function pointWords({ times, lines, format, onPoint }: ProgressPlotProps, index: number): string {
  const values = lines.map(({ name, values }) => `${name} ${shown(values[index], format)}`)
  return [moment(times[index]), ...values, ...(onPoint ? [text.charts.toMoment] : [])].join('\n')
}

function go(index: number | null | undefined, onPoint: ProgressPlotProps['onPoint']): void {
  if (index !== null && index !== undefined) onPoint?.(index)
}

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}

/** A share on an axis, with as many digits as its neighbours need. */
function percentLabel(value: number, step: number): string {
  return `${axisNumber(100 * value, 100 * step)} %`
}
