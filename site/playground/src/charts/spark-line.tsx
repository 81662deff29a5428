import { useCallback } from 'preact/hooks'
import { reading } from '../text.ts'
import { colours, theme } from '../theme.ts'
import { Canvas, type Draw } from './canvas.tsx'
import { hovered } from './hover.ts'

interface SparkLineProps {
  name: string
  /** Position of each value on the axis, 1 … `total`. */
  samples: readonly number[]
  values: readonly number[]
  total: number
}

/** One channel in little room: its course, its least and greatest value, and the value now or under the pointer. */
export function SparkLine({ name, samples, values, total }: SparkLineProps) {
  const at = hoveredIndex(samples)
  const draw = useCallback<Draw>(
    (context, width, height) => drawLine(context, width, height, { samples, values, total, at }),
    [samples, values, values.length, total, at, theme.value],
  )
  const shown = values[at ?? values.length - 1]
  return (
    <figure class="channel">
      <figcaption>
        <span class="channel-name" title={name}>
          {name.replaceAll('_', ' ')}
        </span>
        <strong class="number">{shown === undefined ? '–' : reading(shown)}</strong>
      </figcaption>
      <Canvas draw={draw} height={44} label={`${name} over the samples`} samples={total} />
    </figure>
  )
}

function hoveredIndex(samples: readonly number[]): number | undefined {
  const sample = hovered.value
  if (sample === undefined || samples.length === 0) return undefined
  const at = samples.findIndex((end) => end >= sample)
  return at < 0 ? undefined : at
}

interface Drawn extends Omit<SparkLineProps, 'name'> {
  at: number | undefined
}

function drawLine(context: CanvasRenderingContext2D, width: number, height: number, drawn: Drawn): void {
  const { samples, values, total, at } = drawn
  const { line, grid, accent } = colours.peek()
  context.fillStyle = grid
  context.fillRect(0, height - 1, width, 1)
  if (values.length === 0) return
  const [low, high] = extent(values)
  const x = (sample: number) => (sample / total) * width
  const y = (value: number) => 3 + (height - 8) * (1 - (value - low) / (high - low || 1))
  context.strokeStyle = line
  context.lineWidth = 1
  context.lineJoin = 'round'
  context.beginPath()
  for (let i = 0; i < values.length; i++) context.lineTo(x(samples[i]), y(values[i]))
  context.stroke()
  if (at === undefined) return
  context.fillStyle = accent
  context.fillRect(Math.round(x(samples[at])), 0, 1, height)
}

function extent(values: readonly number[]): [number, number] {
  let low = values[0]
  let high = values[0]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}
