import type uPlot from 'uplot'
import type { MarkRing } from '../live/mark-ring.ts'
import { screenScale } from '../screen.ts'
import { text } from '../strings/en.ts'
import { cursor, timeAxis } from './axes.ts'
import { millisecondsPerPixel, type Samples } from './channel-plot.tsx'
import { gapLimit } from './gaps.ts'
import { chartFont, levelTone, palette } from './palette.ts'
import { Plot } from './plot.tsx'

interface TimelineProps {
  samples: Samples & { readonly marks: MarkRing }
  levels: readonly string[]
  group: string
  onSelect: (from: number, to: number) => void
}

/** Height of one lane of marks, and of one level, in CSS pixels. */
const LANE = 18
const STEP = 20
const AXIS = 22

/** Levels over time as a staircase, worse is higher; below it lanes of alarms, drifts and answers. */
export function Timeline({ samples, levels, group, onSelect }: TimelineProps) {
  const lanes = text.timeline.lanes
  const height = Math.min(levels.length, 6) * STEP + lanes.length * LANE + AXIS + 12
  const zoom = screenScale.value

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
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4) return
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
        },
      ],
      draw: [(plot) => paint(plot)],
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

  function paint(plot: uPlot): void {
    const { ctx, bbox } = plot
    const { text: muted, grid } = palette.peek()
    const scale = devicePixelRatio * screenScale.peek()
    const stairs = bbox.height - lanes.length * LANE * scale
    ctx.save()
    ctx.font = chartFont(devicePixelRatio)
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'right'
    ctx.fillStyle = muted
    lanes.forEach((lane, i) => {
      const y = bbox.top + stairs + i * LANE * scale
      ctx.fillStyle = grid
      ctx.fillRect(bbox.left, y, bbox.width, 1)
      ctx.fillStyle = muted
      ctx.fillText(lane, bbox.left - 8 * scale, y + (LANE * scale) / 2)
    })
    const step = stairs / levels.length
    levels.forEach((name, level) => {
      ctx.fillText(
        bbox.left > 100 * scale ? name.slice(0, 18) : firstWord(name),
        bbox.left - 8 * scale,
        bbox.top + stairs - (level + 0.5) * step,
      )
    })
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    paintLevels(plot, levels.length, stairs)
    paintMarks(plot, samples.marks, bbox.top + stairs, LANE * scale, samples)
    ctx.restore()
  }

  return (
    <Plot
      options={options}
      update={update}
      height={Math.round(height * zoom)}
      label={text.charts.timeline}
      class="timeline"
    />
  )
}

/** One column per pixel, as high as the worst level in it: nothing short is lost between two pixels. */
function paintLevels(plot: uPlot, levels: number, height: number): void {
  const { ctx, bbox } = plot
  const { levels: colors } = palette.peek()
  const times = plot.data[0] as unknown as Float64Array
  const seen = plot.data[1] as unknown as Uint8Array
  const { min, max } = plot.scales.x as { min: number; max: number }
  if (times.length === 0 || max <= min) return
  const perPixel = bbox.width / (max - min)
  const step = height / levels
  const limit = gapLimit(times)
  let i = 0
  while (i < times.length) {
    const left = Math.max(0, (times[i] - min) * perPixel)
    const column = Math.floor(left)
    let worst = seen[i]
    // Same pixel: the worst counts. Then as long as the level stays the same it is one block.
    for (i++; i < times.length && Math.floor((times[i] - min) * perPixel) <= column; i++)
      worst = Math.max(worst, seen[i])
    while (i < times.length && seen[i] === worst && times[i] - times[i - 1] <= limit) i++
    // A block ends with the next one, or with its own last sample where none came for long.
    const ends = i === times.length || times[i] - times[i - 1] > limit
    const right = ((ends ? times[i - 1] : times[i]) - min) * perPixel
    const y = (worst + 1) * step
    ctx.fillStyle = colors[levelTone(worst, levels)]
    ctx.globalAlpha = 0.28
    ctx.fillRect(bbox.left + column, bbox.top + height - y, Math.max(1, right - column), y)
    ctx.globalAlpha = 1
    ctx.fillRect(bbox.left + column, bbox.top + height - y, Math.max(1, right - column), 3 * devicePixelRatio)
  }
}

/** Alarms as flags, drifts as diamonds, answers as ticks: up for right, down for wrong, both ways for a named level. */
function paintMarks(plot: uPlot, marks: MarkRing, top: number, lane: number, { from, to }: Samples): void {
  const { ctx } = plot
  const { levels, accent, ink, text: muted } = palette.peek()
  const scale = devicePixelRatio * screenScale.peek()
  marks.each(from, to, (time, mark) => {
    const x = Math.round(plot.valToPos(time, 'x', true))
    if (mark === 'alarm' || mark === 'acknowledged' || mark === 'cleared') {
      const y = top + lane / 2
      ctx.fillStyle = mark === 'alarm' ? levels[2] : mark === 'acknowledged' ? accent : muted
      const size = 5 * scale
      if (mark === 'alarm') triangle(ctx, x, y, size)
      else if (mark === 'acknowledged') ctx.fillRect(x - size / 2, y - size / 2, size, size)
      else ring(ctx, x, y, size / 1.6)
    } else if (mark === 'drift' || mark === 'restart') {
      const y = top + 1.5 * lane
      ctx.fillStyle = mark === 'drift' ? ink : accent
      if (mark === 'drift') diamond(ctx, x, y, 4 * scale)
      else ctx.fillRect(x - scale, top + lane + 2 * scale, 2 * scale, lane - 4 * scale)
    } else {
      const middle = top + 2.5 * lane
      const reach = lane / 2 - 2 * scale
      ctx.fillStyle = mark === 'wrong' ? levels[2] : mark === 'right' ? levels[0] : accent
      if (mark !== 'wrong') ctx.fillRect(x, middle - reach, scale, reach)
      if (mark !== 'right') ctx.fillRect(x, middle, scale, reach)
    }
  })
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath()
  ctx.moveTo(x, y - size)
  ctx.lineTo(x + size, y + size)
  ctx.lineTo(x - size, y + size)
  ctx.fill()
}

function diamond(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath()
  ctx.moveTo(x, y - size)
  ctx.lineTo(x + size, y)
  ctx.lineTo(x, y + size)
  ctx.lineTo(x - size, y)
  ctx.fill()
}

function ring(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath()
  ctx.arc(x, y, size, 0, 2 * Math.PI)
  ctx.lineWidth = 1.5 * devicePixelRatio
  ctx.strokeStyle = ctx.fillStyle
  ctx.stroke()
}

/** Where there is little room the first word must do. */
function firstWord(name: string): string {
  return (name.split(' ')[0] as string).slice(0, 9)
}
