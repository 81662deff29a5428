import type uPlot from 'uplot'
import { screenScale } from '../device/screen.ts'
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
    values: [
      [3_600_000, '{HH}:{mm}', null, null, null, null, null, null, 1],
      [1_000, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1],
      [1, '{ss}.{fff}', null, null, null, null, null, null, 1],
    ],
  }
}

/** A value axis on the left. */
export function valueAxis(format: (value: number) => string, size = 44, space = 26): uPlot.Axis {
  const { text, grid } = palette.peek()
  return {
    stroke: text,
    font: chartFont(),
    size: size * screenScale.peek(),
    gap: 4,
    space: space * screenScale.peek(),
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map(format),
  }
}

/** A thin cross-hair. Dragging selects a stretch of time. */
export function cursor(syncKey: string, drag: boolean): uPlot.Cursor {
  return {
    sync: { key: syncKey, setSeries: false },
    y: false,
    drag: { x: drag, y: false, setScale: false },
    points: { size: 6 },
  }
}
