import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { count } from '../text.ts'
import { colours, theme } from '../theme.ts'
import { hovered, pointAt } from './hover.ts'

/** A line over the samples; `undefined` leaves a gap. */
export interface Line {
  name: string
  colour: string
  values: readonly (number | undefined)[]
  dash?: number[]
  width?: number
}

interface LineChartProps {
  /** Sample of each value. */
  samples: readonly number[]
  lines: readonly Line[]
  /** Last sample of the axis. */
  total: number
  label: string
  height: number
  format: (value: number) => string
  /** Keeps the value axis within these. */
  limits: readonly [number, number]
}

/** A few lines over the samples of a run, with a legend that names them and tells their values. */
export function LineChart(props: LineChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const plot = useRef<uPlot | undefined>(undefined)
  const { lines, height, total } = props
  const shape = [theme.value, height, total, ...lines.map(({ name, colour }) => name + colour)].join()
  useEffect(() => {
    const element = place.current as HTMLDivElement
    const made = new uPlot(optionsOf(latest, element.clientWidth), dataOf(latest.current), element)
    plot.current = made
    const size = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height: latest.current.height })
    })
    size.observe(element)
    return () => {
      size.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape])
  useEffect(() => {
    const frame = requestAnimationFrame(() => plot.current?.setData(dataOf(latest.current)))
    return () => cancelAnimationFrame(frame)
  }, [lines.map(({ values }) => values.length).join()])
  return (
    <>
      <div ref={place} class="plot" role="img" aria-label={props.label} style={{ height: `${height}px` }} />
      <Legend {...props} />
    </>
  )
}

const dataOf = ({ samples, lines }: LineChartProps): uPlot.AlignedData =>
  [samples, ...lines.map(({ values }) => values)] as uPlot.AlignedData

function optionsOf(latest: { current: LineChartProps }, width: number): uPlot.Options {
  const { lines, height, total, limits, format } = latest.current
  const { muted, grid } = colours.peek()
  const axis = {
    stroke: muted,
    font: '11px "Segoe UI", Roboto, "DejaVu Sans Condensed", system-ui, sans-serif',
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    gap: 4,
  }
  return {
    width: Math.max(50, width),
    height,
    legend: { show: false },
    padding: [8, 22, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 }, sync: { key: 'playground' } },
    scales: {
      x: { time: false, range: [0, Math.max(1, total)] },
      y: { range: (_, low, high) => within(low, high, limits) },
    },
    axes: [
      { ...axis, size: 24, space: 70, values: (_, splits) => splits.map(count) },
      { ...axis, size: 52, space: 28, values: (_, splits) => splits.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ colour, dash, width = 1.5 }) => ({ stroke: colour, dash, width, points: { show: false } })),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx }, data }) => {
          hovered.value = idx === null || idx === undefined ? undefined : (data[0][idx] as number)
        },
      ],
    },
  }
}

function within(low: number | null, high: number | null, [least, most]: readonly [number, number]): [number, number] {
  if (low === null || high === null) return [least, most]
  const margin = Math.max(0.01, 0.08 * (high - low))
  return [Math.max(least, low - margin), Math.min(most, high + margin)]
}

function Legend({ lines, samples, format }: LineChartProps) {
  const sample = hovered.value
  const at =
    sample === undefined
      ? samples.length - 1
      : pointAt(
          samples.map((sample) => ({ sample })),
          sample,
        )
  return (
    <ul class="legend">
      {lines.map(({ name, colour, dash, values, width = 1.5 }) => (
        <li key={name}>
          <svg width="18" height="8" aria-hidden="true">
            <line
              x1="0"
              y1="4"
              x2="18"
              y2="4"
              stroke={colour}
              stroke-width={width + 0.5}
              stroke-dasharray={dash?.join()}
            />
          </svg>
          <span>{name}</span>
          <strong class="number">{values[at] === undefined ? '–' : format(values[at])}</strong>
        </li>
      ))}
    </ul>
  )
}
