import type uPlot from 'uplot'
import { timeAxis, valueAxis } from '../charts/axes.ts'
import { palette } from '../charts/palette.ts'
import { Plot } from '../charts/plot.tsx'
import { screenScale } from '../device/screen.ts'

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
}

/** A few lines over the whole life of a system. */
export function ProgressPlot({ times, lines, label, height, format, limits }: ProgressPlotProps) {
  const options = (): Omit<uPlot.Options, 'width' | 'height'> => ({
    ms: 1,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 8, 0, 0],
    scales: { x: { time: true }, y: { range: (_, low, high) => within(low, high, limits) } },
    axes: [timeAxis(), valueAxis(format, 48)],
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
          <strong class="number">{latest(values, format)}</strong>
        </li>
      ))}
    </ul>
  )
}

function latest(values: readonly (number | null)[], format: (value: number) => string): string {
  const value = values.at(-1)
  return value === null || value === undefined ? '–' : format(value)
}
