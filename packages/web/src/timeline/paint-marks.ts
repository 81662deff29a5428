import type uPlot from 'uplot'
import { palette } from '../charts/palette.ts'
import type { Samples } from '../charts/samples.ts'
import { screenScale } from '../device/screen.ts'
import type { MarkRing } from '../feed/mark-ring.ts'

/** Where the lanes are: the top of the first and the height of each, in canvas pixels. */
interface Lanes {
  top: number
  lane: number
}

/** Paints alarms, drifts and answers. An answer points up for right, down for wrong, and both ways for a level. */
export function paintMarks(plot: uPlot, marks: MarkRing, { top, lane }: Lanes, { from, to }: Samples): void {
  const { ctx } = plot
  const { levels, accent, ink, text: muted } = palette.peek()
  const scale = devicePixelRatio * screenScale.peek()
  marks.each(from, to, (time, mark) => {
    const x = Math.round(plot.valToPos(time, 'x', true))
    if (mark === 'alarm' || mark === 'fall' || mark === 'acknowledged' || mark === 'cleared') {
      const y = top + lane / 2
      ctx.fillStyle = mark === 'alarm' || mark === 'fall' ? levels[2] : mark === 'acknowledged' ? accent : muted
      const size = 5 * scale
      if (mark === 'alarm') triangle(ctx, x, y, size)
      else if (mark === 'fall') triangle(ctx, x, y, -size)
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
