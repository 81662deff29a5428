import type uPlot from 'uplot'
import { cursor, timeAxis } from '../charts/axes.ts'
import { Plot } from '../charts/plot.tsx'
import { millisecondsPerPixel, type Samples } from '../charts/samples.ts'
import { type OnSelect, tellSelection } from '../charts/select.ts'
import { tooltip } from '../charts/tooltip.ts'
import { screenScale } from '../device/screen.ts'
import type { MarkRing } from '../feed/mark-ring.ts'
import { text } from '../strings/en.ts'
import { LANE, paintTimeline } from './paint-timeline.ts'
import { timelineWords } from './timeline-words.ts'

interface TimelineProps {
  samples: Samples & { readonly marks: MarkRing }
  levels: readonly string[]
  group: string
  onSelect: OnSelect
}

/** Height of one level, and of the time axis, in CSS pixels. */
const STEP = 20
const AXIS = 22

/** Levels over time as a staircase, worse is higher; below it are lanes of alarms, drifts and answers. */
export function Timeline({ samples, levels, group, onSelect }: TimelineProps) {
  const lanes = text.timeline.lanes
  const height = Math.min(levels.length, 6) * STEP + lanes.length * LANE + AXIS + 12

  const options = (): Omit<uPlot.Options, 'width' | 'height'> => ({
    ms: 1,
    legend: { show: false },
    cursor: { ...cursor(group, true), points: { show: false } },
    padding: [6, 12, 0, 0],
    scales: { x: { time: true }, y: { range: () => [0, 1] } },
    axes: [
      timeAxis(),
      {
        show: true,
        size: ({ width }) => (width > 600 ? 112 : 60) * screenScale.peek(),
        grid: { show: false },
        ticks: { show: false },
        values: () => [],
      },
    ],
    series: [{}, { show: true, paths: () => null, points: { show: false } }],
    plugins: [tooltip((plot, index) => timelineWords(plot, index, { levels, samples }))],
    hooks: {
      setSelect: [tellSelection(onSelect)],
      draw: [(plot) => paintTimeline(plot, { levels, lanes, samples })],
    },
  })

  const update = (plot: uPlot) => {
    const { ring, from, to } = samples
    const { start, end } = ring.range(from, to)
    plot.batch(() => {
      plot.setData([ring.time(start, end), ring.level(start, end)] as never, false)
      plot.setScale('x', { min: from, max: Math.max(to, from + 1) })
    })
    return millisecondsPerPixel(plot)
  }

  return (
    <Plot
      options={options}
      update={update}
      waiting={samples.waiting}
      height={Math.round(height * screenScale.value)}
      label={text.charts.timeline}
      class="timeline"
    />
  )
}
