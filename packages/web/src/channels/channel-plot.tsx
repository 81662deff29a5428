import type { ChannelRange } from '@pb-oel/protocol'
import { useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { cursor, timeAxis, valueAxis } from '../charts/axes.ts'
import { axisNumber } from '../charts/axis-number.ts'
import { gaps } from '../charts/gaps.ts'
import { palette } from '../charts/palette.ts'
import { Plot } from '../charts/plot.tsx'
import { millisecondsPerPixel, type Samples } from '../charts/samples.ts'
import { type OnSelect, tellSelection } from '../charts/select.ts'
import { tooltip } from '../charts/tooltip.ts'
import { screenScale } from '../device/screen.ts'
import { text } from '../strings/en.ts'
import { channelName, precise, withUnit } from '../strings/format.ts'
import { drawLimits, limitWords, scaleOf } from './limits.ts'

interface ChannelPlotProps {
  name: string
  channel: number
  samples: Samples
  /** Charts with the same key share their cross-hair. */
  group: string
  unit?: string
  /** The plausible values. */
  range?: ChannelRange
  height?: number
  /** A moment that a line points out. */
  moment?: number
  axis?: boolean
  onSelect?: OnSelect
  /** Words after the name. */
  note?: string
  /** Why the channel is pointed out. */
  reason?: string
}

/** One channel over time, with its latest value or the value under the cross-hair. */
export function ChannelPlot(props: ChannelPlotProps) {
  const { name, channel, samples, group, unit, height = 64, moment, axis = false, onSelect, reason } = props
  // The chart outlives changes of what it shows, so that its hooks look here.
  const latest = useRef(props)
  latest.current = props
  const value = useRef<HTMLElement>(null)
  const columns = useRef<Float32Array>(new Float32Array())
  const resting = useRef(-1)
  /** Shows the value under the cross-hair, or else the one at the moment, or else the latest. */
  const show = ({ cursor: { idx } }: uPlot, values = columns.current) => {
    const number = values.at(idx ?? resting.current)
    if (value.current) value.current.textContent = number === undefined ? '–' : withUnit(number, unit)
  }
  const words = ({ data }: uPlot, index: number) =>
    [
      precise((data[0] as unknown as Float64Array)[index]),
      `${channelName(name)} ${withUnit(columns.current[index], unit)}`,
      limitWords(latest.current.range, unit),
      latest.current.reason,
    ]
      .filter(Boolean)
      .join('\n')

  const options = (): Omit<uPlot.Options, 'width' | 'height'> => ({
    ms: 1,
    legend: { show: false },
    cursor: cursor(group, onSelect !== undefined),
    padding: [4, axis ? 24 : 6, axis ? 0 : 4, 0],
    scales: { x: { time: true }, y: { range: (_, low, high) => scaleOf(low, high, latest.current.range) } },
    axes: [axis ? timeAxis() : { show: false }, valueAxis(axisNumber, 46, 18)],
    series: [{}, { stroke: palette.peek().line, width: 1, points: { show: false }, gaps }],
    plugins: [tooltip(words)],
    hooks: {
      setCursor: [(plot) => show(plot)],
      setSelect: [tellSelection(onSelect)],
      drawAxes: [(plot) => drawLimits(plot, latest.current.range)],
      draw: [(plot) => drawMoment(plot, latest.current.moment)],
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
    <figure class={`channel ${reason ? 'marked' : ''}`}>
      <figcaption>
        <Caption {...props} />
        <strong ref={value} class="number" />
      </figcaption>
      <Plot
        options={options}
        update={update}
        waiting={samples.waiting}
        height={Math.round(height * screenScale.value ** 1.5)}
        label={text.charts.channel(channelName(name))}
      />
    </figure>
  )
}

/** What is shown, why it is marked, and what else is to be known. */
function Caption({ name, reason, note }: ChannelPlotProps) {
  return (
    <>
      <span class="channel-name" title={channelName(name)}>
        {channelName(name)}
      </span>
      {reason && <span class="reason">{reason}</span>}
      {note && <span class="muted">{note}</span>}
    </>
  )
}

/** A line at a moment. */
function drawMoment({ ctx, bbox, valToPos }: uPlot, moment: number | undefined): void {
  if (moment === undefined) return
  const x = Math.round(valToPos(moment, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.save()
  ctx.fillStyle = palette.peek().accent
  ctx.fillRect(x - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height)
  ctx.restore()
}
