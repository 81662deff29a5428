import type uPlot from 'uplot'
import { millisecondsPerPixel, type Samples } from '../charts/samples.ts'
import type { Mark, MarkRing } from '../feed/mark-ring.ts'
import { NO_LEVEL } from '../feed/sample-ring.ts'
import { text } from '../strings/en.ts'
import { precise } from '../strings/format.ts'

/** Pixels to each side of the pointer within which a mark is meant. */
const NEAR = 5

/** What the timeline shows at an index: the time, the level, and the marks near it. */
export function timelineWords(
  plot: uPlot,
  index: number,
  { levels, samples }: { levels: readonly string[]; samples: Samples & { readonly marks: MarkRing } },
): string {
  const time = (plot.data[0] as unknown as Float64Array)[index]
  const level = (plot.data[1] as unknown as Uint8Array)[index]
  const pointer = plot.posToVal(plot.cursor.left ?? 0, 'x')
  const near = NEAR * millisecondsPerPixel(plot) * devicePixelRatio
  const marks = new Map<Mark, number>()
  samples.marks.each(pointer - near, pointer + near, (_, mark, many) => marks.set(mark, (marks.get(mark) ?? 0) + many))
  return [
    precise(time),
    level === NO_LEVEL ? text.untrained.short : levels[level],
    ...[...marks].map(([mark, many]) => text.charts.several(many, text.timeline.marks[mark])),
  ].join('\n')
}
