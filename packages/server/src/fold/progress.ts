import type { ProgressPoint } from '@pb-oel/protocol'

/** How many points are kept at most. */
const POINTS = 300

/** Points over the whole life of a system. When there are too many, every other one goes, and half as many come. */
export class Progress {
  points: ProgressPoint[] = []
  /** Answers from one point to the next. */
  stride = 1
  /** Answers since the latest point. */
  since = 0

  /** Counts an answer, and takes the point after it when it is time for one. */
  observe(point: () => ProgressPoint): void {
    if (++this.since < this.stride) return
    this.since = 0
    // As a snapshot would bring it back: without fields that are undefined.
    this.points.push(JSON.parse(JSON.stringify(point())))
    if (this.points.length <= POINTS) return
    this.points = this.points.filter((_, i) => i % 2 === 0)
    this.stride *= 2
  }
}
