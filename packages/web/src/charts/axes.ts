import type uPlot from 'uplot'
import { screenScale } from '../device/screen.ts'
import { clockLabels } from './clock-labels.ts'
import { chartFont, palette } from './palette.ts'

/** A time axis below a chart. */
export function timeAxis(): uPlot.Axis {
  const { text, grid } = palette.peek()
  return {
    stroke: text,
    font: chartFont(),
    size: 22 * screenScale.peek(),
    gap: 4,
    space: 80 * screenScale.peek(),
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    values: (plot, splits, _axis, _space, step) => withinSight(plot, splits, clockLabels(splits, step)),
  }
}

/** Labels without those that the edges of the chart would cut off. */
function withinSight(plot: uPlot, moments: readonly number[], labels: readonly string[]): string[] {
  const { ctx, bbox, width } = plot
  if (!bbox || bbox.width === 0) return [...labels]
  ctx.save()
  ctx.font = chartFont()
  const shown = labels.map((label, i) => {
    const at = bbox.left / devicePixelRatio + plot.valToPos(moments[i], 'x')
    const half = ctx.measureText(label).width / 2
    return at - half >= 0 && at + half <= width ? label : ''
  })
  ctx.restore()
  return shown
}

/** How a value axis writes its values, given the distance of two of them. */
export type AxisFormat = (value: number, step: number) => string

/** A value axis on the left. */
export function valueAxis(format: AxisFormat, size = 44, space = 26): uPlot.Axis {
  const { text, grid } = palette.peek()
  return {
    stroke: text,
    font: chartFont(),
    size: size * screenScale.peek(),
    gap: 4,
    space: space * screenScale.peek(),
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    values: (_, splits, _axis, _space, step) => splits.map((value) => format(value, step)),
  }
}

/** What the charts of a group tell each other. A drag belongs to one chart alone. */
const SHARED = ['mousemove', 'mouseleave']

/** A thin cross-hair, shared by the charts of a group. Dragging selects a stretch of time. */
export function cursor(syncKey: string, drag: boolean): uPlot.Cursor {
  return {
    sync: { key: syncKey, setSeries: false, filters: { pub: (type) => SHARED.includes(type) } },
    y: false,
    drag: { x: drag, y: false, setScale: false },
    points: { size: 6 },
  }
}
