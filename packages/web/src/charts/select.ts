import type uPlot from 'uplot'

/** Called with the two ends of the stretch of time that a person has selected. */
export type OnSelect = (from: number, to: number) => void

/** Pixels below which a drag counts as a click. */
const SHORTEST = 4

/** A uPlot hook that tells the selected stretch of time and removes the selection from the chart. */
export function tellSelection(onSelect: OnSelect | undefined): (plot: uPlot) => void {
  return (plot) => {
    const { left, width } = plot.select
    if (width < SHORTEST || !onSelect) return
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
    if (from < to) onSelect(from, to)
  }
}
