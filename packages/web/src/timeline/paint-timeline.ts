import type uPlot from 'uplot'
import { gapLimit } from '../charts/gaps.ts'
import { chartFont, palette } from '../charts/palette.ts'
import type { Samples } from '../charts/samples.ts'
import { screenScale } from '../device/screen.ts'
import type { MarkRing } from '../feed/mark-ring.ts'
import { NO_LEVEL } from '../feed/sample-ring.ts'
import { levelTone } from '../level/tone.ts'
import { paintMarks } from './paint-marks.ts'

/** Height of one lane of marks, in CSS pixels. */
export const LANE = 18

/** What a timeline shows. */
interface Contents {
  levels: readonly string[]
  lanes: readonly string[]
  samples: Samples & { readonly marks: MarkRing }
}

/** Paints names, levels and marks into the area of a chart. */
export function paintTimeline(plot: uPlot, { levels, lanes, samples }: Contents): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * screenScale.peek()
  const stairs = bbox.height - lanes.length * LANE * scale
  ctx.save()
  paintNames(plot, levels, lanes, stairs)
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  paintLevels(plot, levels.length, stairs)
  paintMarks(plot, samples.marks, { top: bbox.top + stairs, lane: LANE * scale }, samples)
  ctx.restore()
}

/** Paints the names of lanes and levels to the left, and a line above each lane. */
function paintNames(plot: uPlot, levels: readonly string[], lanes: readonly string[], stairs: number): void {
  const { ctx, bbox } = plot
  const { text: muted, grid } = palette.peek()
  const scale = devicePixelRatio * screenScale.peek()
  ctx.font = chartFont(devicePixelRatio)
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'right'
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
}

/** The first word of a name, for where there is little room. */
function firstWord(name: string): string {
  return (name.split(' ')[0] as string).slice(0, 9)
}

/**
 * Paints one column per pixel, as high as the worst level in it, so that nothing short gets lost. Where no level was
 * found there is only a grey line at the foot.
 */
function paintLevels(plot: uPlot, levels: number, height: number): void {
  const { ctx, bbox } = plot
  const { levels: colors, text: muted } = palette.peek()
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
    // The worst level of a pixel counts. After that, one block lasts for as long as the level stays the same.
    for (i++; i < times.length && Math.floor((times[i] - min) * perPixel) <= column; i++) worst = worse(worst, seen[i])
    while (i < times.length && seen[i] === worst && times[i] - times[i - 1] <= limit) i++
    // A block ends where the next one begins, or at its own last sample when no sample came for long.
    const ends = i === times.length || times[i] - times[i - 1] > limit
    const right = ((ends ? times[i - 1] : times[i]) - min) * perPixel
    const y = worst === NO_LEVEL ? 2 * devicePixelRatio : (worst + 1) * step
    ctx.fillStyle = worst === NO_LEVEL ? muted : colors[levelTone(worst, levels)]
    ctx.globalAlpha = 0.28
    ctx.fillRect(bbox.left + column, bbox.top + height - y, Math.max(1, right - column), y)
    ctx.globalAlpha = 1
    const edge = Math.min(y, 3 * devicePixelRatio)
    ctx.fillRect(bbox.left + column, bbox.top + height - y, Math.max(1, right - column), edge)
  }
}

/** The worse of two levels; any level counts more than none. */
function worse(a: number, b: number): number {
  return a === NO_LEVEL ? b : b === NO_LEVEL ? a : Math.max(a, b)
}
