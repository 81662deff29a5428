import { useCallback } from 'preact/hooks'
import type { Point } from '../engine/point.ts'
import { colours, levelColour, theme } from '../theme.ts'
import { Canvas, type Draw } from './canvas.tsx'
import { hovered } from './hover.ts'

/** One method's share of the picture. */
interface Lane {
  name: string
  points: readonly Point[]
}

interface LevelStripProps {
  lanes: readonly Lane[]
  levels: readonly string[]
  total: number
}

const LEFT = 112
const STEP = 18
const LANE = 26
const FONT = '11px "Segoe UI", Roboto, "DejaVu Sans Condensed", system-ui, sans-serif'
const MOST_STEPS = 6

/** The true level as steps; below it, for each method, where it was wrong and where its networks were refitted. */
export function LevelStrip({ lanes, levels, total }: LevelStripProps) {
  const steps = Math.min(MOST_STEPS, levels.length)
  const points = lanes[0]?.points ?? []
  const length = lanes.map((lane) => lane.points.length).join()
  const draw = useCallback<Draw>(
    (context, width, height) => {
      const x = (sample: number) => LEFT + (sample / total) * (width - LEFT)
      drawSteps(context, points, levels, x)
      for (const [i, lane] of lanes.entries()) drawLane(context, lane, steps * STEP + 8 + i * LANE, x, width)
      if (hovered.value === undefined) return
      context.fillStyle = colours.peek().accent
      context.fillRect(Math.round(x(hovered.value)), 0, 1, height)
    },
    [length, levels, total, theme.value, hovered.value],
  )
  const wrong = lanes.map(({ name }) => name).join(' and ')
  return (
    <Canvas
      draw={draw}
      height={steps * STEP + 8 + lanes.length * LANE}
      label={`The true level over the samples, and where ${wrong} was wrong`}
      samples={total}
      left={LEFT}
    />
  )
}

function drawSteps(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  levels: readonly string[],
  x: (sample: number) => number,
): void {
  const { muted } = colours.peek()
  const steps = Math.min(MOST_STEPS, levels.length)
  const top = (level: number) => (steps - 1 - Math.round((level * (steps - 1)) / (levels.length - 1))) * STEP + 6
  context.font = FONT
  context.fillStyle = muted
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  for (const [level, name] of levels.entries()) {
    if (levels.length <= MOST_STEPS || level === 0 || level === levels.length - 1) {
      context.fillText(fitted(name), LEFT - 10, top(level) + 5)
    }
  }
  const bottom = steps * STEP
  for (const { from, to, truth } of stretches(points)) {
    const [left, width] = [x(from), x(to) - x(from)]
    context.fillStyle = levelColour(truth, levels.length)
    context.globalAlpha = truth === 0 ? 0.1 : 0.2
    context.fillRect(left, top(truth), width, bottom - top(truth))
    context.globalAlpha = truth === 0 ? 0.55 : 1
    context.fillRect(left, top(truth), width, 2)
  }
  context.globalAlpha = 1
}

/** Neighbouring points of one level as one: edges that fall between pixels would show as stripes. */
function stretches(points: readonly Point[]): { from: number; to: number; truth: number }[] {
  const found: { from: number; to: number; truth: number }[] = []
  for (const { sample, truth } of points) {
    const last = found.at(-1)
    if (last?.truth === truth) last.to = sample
    else found.push({ from: last?.to ?? 0, to: sample, truth })
  }
  return found
}

function drawLane(
  context: CanvasRenderingContext2D,
  { name, points }: Lane,
  top: number,
  x: (sample: number) => number,
  width: number,
): void {
  const { muted, grid, danger, warn, ink } = colours.peek()
  const base = top + LANE - 8
  context.fillStyle = muted
  context.fillText(fitted(name), LEFT - 10, base - 6)
  context.fillStyle = grid
  context.fillRect(LEFT, base, width - LEFT, 1)
  for (const [i, { sample, misses, falseAlarms, drifts }] of points.entries()) {
    const from = x(i === 0 ? 0 : points[i - 1].sample)
    const wide = Math.max(1, x(sample) - from)
    const [miss, alarm] = [misses, falseAlarms].map((share) => (share === 0 ? 0 : Math.max(1.5, share * (LANE - 10))))
    context.fillStyle = danger
    context.fillRect(from, base - miss, wide, miss)
    context.fillStyle = warn
    context.fillRect(from, base - miss - alarm, wide, alarm)
    if (drifts === 0) continue
    context.fillStyle = ink
    context.beginPath()
    const middle = from + wide / 2
    context.moveTo(middle, base + 1)
    context.lineTo(middle + 3.5, base + 6)
    context.lineTo(middle - 3.5, base + 6)
    context.fill()
  }
}

const fitted = (name: string): string => (name.length > 17 ? `${name.slice(0, 16)}…` : name)
