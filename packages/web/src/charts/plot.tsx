import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { screenScale } from '../device/screen.ts'
import { theme } from '../device/theme.ts'
import { type Drawable, invalidate, watch } from '../feed/frames.ts'
import { text } from '../strings/en.ts'

/** Least and most milliseconds between two drawings of a chart that moves. */
const FASTEST = 80
const SLOWEST = 500

interface PlotProps {
  /** Makes the options. It is called again when the theme changes. */
  options: () => Omit<uPlot.Options, 'width' | 'height'>
  /** Puts the latest data into the chart. Returns after how many milliseconds something moves by a pixel, if known. */
  update: (plot: uPlot) => number | undefined
  height: number
  /** What the chart shows, for people who cannot see it. */
  label: string
  class?: string
  /** True while the data are being fetched. */
  waiting?: () => boolean
}

/** A uPlot chart as wide as its place. The frame loop draws it while it is in sight. */
export function Plot({ options, update, height, label, class: name, waiting = () => false }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef({ options, update, waiting, redraw: () => {} })
  latest.current.options = options
  latest.current.update = update
  latest.current.waiting = waiting
  const shown = theme.value

  useEffect(() => {
    const element = place.current as HTMLDivElement
    const width = () => Math.max(50, Math.floor(element.clientWidth))
    const plot = new uPlot({ ...latest.current.options(), width: width(), height }, [[], []] as never, element)
    const drawable: Drawable = {
      visible: true,
      interval: FASTEST,
      draw: () => {
        const pixel = latest.current.update(plot) ?? FASTEST
        const empty = plot.data[0].length === 0
        element.dataset.state = !empty ? 'drawn' : latest.current.waiting() ? 'waiting' : 'empty'
        drawable.interval = Math.min(SLOWEST, Math.max(FASTEST, pixel))
      },
    }
    const unwatch = watch(drawable)
    latest.current.redraw = () => invalidate(drawable)
    const size = new ResizeObserver(() => {
      if (width() !== plot.width) plot.setSize({ width: width(), height })
    })
    size.observe(element)
    const sight = new IntersectionObserver(
      ([entry]) => {
        drawable.visible = entry.isIntersecting
        if (entry.isIntersecting) invalidate(drawable)
      },
      { rootMargin: '80px' },
    )
    sight.observe(element)
    return () => {
      unwatch()
      size.disconnect()
      sight.disconnect()
      plot.destroy()
    }
  }, [shown, height, screenScale.value])
  useEffect(() => latest.current.redraw())

  return (
    <div
      ref={place}
      class={`plot ${name ?? ''}`}
      style={{ height }}
      role="img"
      aria-label={label}
      data-state="waiting"
      data-nothing={text.charts.nothing}
    />
  )
}
