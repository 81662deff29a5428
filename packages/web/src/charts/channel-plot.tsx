import { useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { channelName, reading } from '../format.ts'
import type { SampleRing } from '../live/sample-ring.ts'
import { screenScale } from '../screen.ts'
import { text } from '../strings/en.ts'
import { cursor, timeAxis, valueAxis } from './axes.ts'
import { gaps } from './gaps.ts'
import { palette } from './palette.ts'
import { Plot } from './plot.tsx'

/** Where a chart gets its samples. */
export interface Samples {
  readonly ring: SampleRing
  readonly from: number
  readonly to: number
}

interface ChannelPlotProps {
  name: string
  channel: number
  samples: Samples
  /** Charts with the same key share their cross-hair. */
  group: string
  height?: number
  /** A moment to point out. */
  moment?: number
  axis?: boolean
  /** Called with the stretch of time a person has drawn. */
  onSelect?: (from: number, to: number) => void
  /** Extra words after the name. */
  note?: string
}

/** One channel over time, with its latest value or the one under the cross-hair. */
export function ChannelPlot(props: ChannelPlotProps) {
  const { name, channel, samples, group, height = 64, moment, axis = false, onSelect, note } = props
  const value = useRef<HTMLElement>(null)
  const columns = useRef<Float32Array>(new Float32Array())
  const resting = useRef(-1)
  /** The value under the cross-hair, otherwise the one at the moment or the latest. */
  const show = ({ cursor: { idx } }: uPlot, values = columns.current) => {
    const number = values.at(idx ?? resting.current)
    if (value.current) value.current.textContent = number === undefined ? '–' : reading(number)
  }

  const options = (): Omit<uPlot.Options, 'width' | 'height'> => ({
    ms: 1,
    legend: { show: false },
    cursor: cursor(group, onSelect !== undefined),
    padding: [4, axis ? 24 : 6, axis ? 0 : 4, 0],
    scales: { x: { time: true }, y: { range: (_, low, high) => padded(low, high) } },
    axes: [axis ? timeAxis() : { show: false }, valueAxis(shortReading, 42, 18)],
    series: [{}, { stroke: palette.peek().line, width: 1, points: { show: false }, gaps }],
    hooks: {
      setCursor: [(plot) => show(plot)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4 || !onSelect) return
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
        },
      ],
      draw: [(plot) => moment !== undefined && drawMoment(plot, moment)],
    },
  })

  const update = (plot: uPlot) => {
    const { ring, from, to } = samples
    const { start, end } = ring.range(from, to)
    columns.current = ring.column(channel, start, end)
    if (moment !== undefined) resting.current = Math.max(0, ring.range(moment, moment).end - 1 - start)
    plot.batch(() => {
      plot.setData([ring.time(start, end), columns.current] as never, false)
      plot.setScale('x', { min: from, max: Math.max(to, from + 1) })
    })
    show(plot)
    return millisecondsPerPixel(plot)
  }

  return (
    <figure class="channel">
      <figcaption>
        <span class="channel-name" title={channelName(name)}>
          {channelName(name)}
        </span>
        {note && <span class="muted">{note}</span>}
        <strong ref={value} class="number" />
      </figcaption>
      <Plot
        options={options}
        update={update}
        height={Math.round(height * screenScale.value ** 1.5)}
        label={text.charts.channel(channelName(name))}
      />
    </figure>
  )
}

/** How long a chart that moves with time looks the same. */
export function millisecondsPerPixel({ scales, bbox }: uPlot): number {
  return ((scales.x.max as number) - (scales.x.min as number)) / Math.max(1, bbox.width)
}

/** A line at a moment. */
function drawMoment({ ctx, bbox, valToPos }: uPlot, moment: number): void {
  const x = Math.round(valToPos(moment, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.save()
  ctx.fillStyle = palette.peek().accent
  ctx.fillRect(x - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height)
  ctx.restore()
}

/** The range of the axis: a little more than the values, and never nothing. */
function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1]
  const margin = 0.1 * (high - low) || Math.max(1e-3, 0.05 * Math.abs(high))
  return [low - margin, high + margin]
}

/** Axis numbers have little room. */
function shortReading(value: number): string {
  const size = Math.abs(value)
  if (size >= 10_000) return `${(value / 1000).toFixed(0)}k`
  return String(Number(value.toPrecision(4))).replace('-', '−')
}
