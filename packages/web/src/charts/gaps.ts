import type uPlot from 'uplot'

/** The longest pause, in milliseconds, that a line bridges: eight times the usual one, and at least one second. */
export function gapLimit(times: ArrayLike<number>, from = 0, to = times.length - 1): number {
  return to > from ? Math.max(1_000, (8 * (times[to] - times[from])) / (to - from)) : Number.POSITIVE_INFINITY
}

/** Stretches of a chart, in canvas pixels, where no samples arrived. */
export function gaps(plot: uPlot, _series: number, from: number, to: number): [number, number][] {
  const times = plot.data[0] as ArrayLike<number>
  const limit = gapLimit(times, from, to)
  const found: [number, number][] = []
  for (let i = from + 1; i <= to; i++) {
    if (times[i] - times[i - 1] > limit) {
      found.push([plot.valToPos(times[i - 1], 'x', true), plot.valToPos(times[i], 'x', true)])
    }
  }
  return found
}
