import { useEffect, useRef } from 'preact/hooks'
import { theme } from '../theme.ts'
import { hovered } from './hover.ts'

/** Draws into a box of CSS pixels. */
export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void

interface CanvasProps {
  draw: Draw
  height: number
  /** What it shows, for people who cannot see it. */
  label: string
  /** Last sample of the horizontal axis, and pixels left of it. */
  samples: number
  left?: number
}

/** A canvas as wide as its place. It draws once per animation frame at most, and points out the hovered sample. */
export function Canvas({ draw, height, label, samples, left = 0 }: CanvasProps) {
  const place = useRef<HTMLCanvasElement>(null)
  const latest = useRef(draw)
  latest.current = draw
  const frame = useRef(0)
  const request = () => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      if (place.current) paint(place.current, height, latest.current)
    })
  }
  useEffect(request, [draw, theme.value, height])
  useEffect(() => {
    const size = new ResizeObserver(request)
    size.observe(place.current as HTMLCanvasElement)
    return () => {
      size.disconnect()
      cancelAnimationFrame(frame.current)
    }
  }, [])
  const point = ({ offsetX, target }: PointerEvent) => {
    const width = (target as HTMLElement).clientWidth
    hovered.value = Math.max(1, Math.min(samples, Math.round(((offsetX - left) / (width - left)) * samples)))
  }
  return (
    <canvas
      ref={place}
      role="img"
      aria-label={label}
      style={{ height: `${height}px` }}
      onPointerMove={point}
      onPointerLeave={() => {
        hovered.value = undefined
      }}
    />
  )
}

function paint(canvas: HTMLCanvasElement, height: number, draw: Draw): void {
  const width = canvas.clientWidth
  const ratio = devicePixelRatio
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  const context = canvas.getContext('2d')
  if (!context || width === 0) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  draw(context, width, height)
}
