import { useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { cursor, timeAxis, valueAxis } from '../charts/axes.ts'
import { gaps } from '../charts/gaps.ts'
import { palette } from '../charts/palette.ts'
import { Plot } from '../charts/plot.tsx'
import { millisecondsPerPixel, type Samples } from '../charts/samples.ts'
import { type OnSelect, tellSelection } from '../charts/select.ts'
import { screenScale } from '../device/screen.ts'
import { text } from '../strings/en.ts'
import { channelName, reading } from '../strings/format.ts'

interface ChannelPlotProps {
  name: string
  channel: number
  samples: Samples
  /** Charts with the same key share their cross-hair. */
  group: string
  height?: number
  /** A moment that a line points out. */
  moment?: number
  axis?: boolean
  onSelect?: OnSelect
  /** Words after the name. */
  note?: string
}

/** One channel over time, with its latest value or the value under the cross-hair. */
export function ChannelPlot(props: ChannelPlotProps) {
  const { name, channel, samples, group, height = 64, moment, axis = false, onSelect, note } = props
  const value = useRef<HTMLElement>(null)
  const columns = useRef<Float32Array>(new Float32Array())
  const resting = useRef(-1)
  /** Shows the value under the cross-hair, or else the one at the moment, or else the latest. */
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
      setSelect: [tellSelection(onSelect)],
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

/** A line at a moment. */
function drawMoment({ ctx, bbox, valToPos }: uPlot, moment: number): void {
  const x = Math.round(valToPos(moment, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.save()
  ctx.fillStyle = palette.peek().accent
  ctx.fillRect(x - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height)
  ctx.restore()
}

/** The range of the axis. It is a little wider than the values and never empty. */
function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1]
  const margin = 0.1 * (high - low) || Math.max(1e-3, 0.05 * Math.abs(high))
  return [low - margin, high + margin]
}

/** A number for an axis, which has little room. */
function shortReading(value: number): string {
  const size = Math.abs(value)
  if (size >= 10_000) return `${(value / 1000).toFixed(0)}k`
  return String(Number(value.toPrecision(4))).replace('-', '−')
}
