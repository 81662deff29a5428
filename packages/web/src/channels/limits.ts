import type { ChannelRange } from '@pb-oel/protocol'
import type uPlot from 'uplot'
import { palette } from '../charts/palette.ts'
import { text } from '../strings/en.ts'
import { withUnit } from '../strings/format.ts'

/** A limit comes into view when the values come this close to it, in parts of their own span. */
const NEAR = 0.5

/**
 * The scale of a channel: a little wider than its values, and never empty. It shows limits that the values are near.
 */
export function scaleOf(low: number | null, high: number | null, { min, max }: ChannelRange = {}): [number, number] {
  if (low === null || high === null) return [0, 1]
  const near = NEAR * (high - low)
  const bottom = min !== undefined && low - min <= near ? Math.min(low, min) : low
  const top = max !== undefined && max - high <= near ? Math.max(high, max) : high
  const margin = 0.1 * (top - bottom) || Math.max(1e-3, 0.05 * Math.abs(top))
  return [bottom - margin, top + margin]
}

/** Dashed lines at the limits of a channel, where they are in view; what is beyond them is shaded. */
export function drawLimits(plot: uPlot, { min, max }: ChannelRange = {}): void {
  const { ctx, bbox } = plot
  const { min: low, max: high } = plot.scales.y
  if (low === undefined || high === undefined) return
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = palette.peek().levels[2]
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  for (const [limit, edge] of [
    [min, bbox.top + bbox.height],
    [max, bbox.top],
  ] as const) {
    if (limit === undefined || limit < low || limit > high) continue
    const y = Math.round(plot.valToPos(limit, 'y', true))
    ctx.globalAlpha = 0.1
    ctx.fillRect(bbox.left, Math.min(y, edge), bbox.width, Math.abs(edge - y))
    ctx.globalAlpha = 1
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}

/** The limits in words; nothing where there are none. */
export function limitWords({ min, max }: ChannelRange = {}, unit?: string): string {
  if (min === undefined && max === undefined) return ''
  return text.charts.limits(
    min === undefined ? undefined : withUnit(min, unit),
    max === undefined ? undefined : withUnit(max, unit),
  )
}
