import type { SystemFold } from './system-fold.ts'

/** How good a system was after an answer; fields that its method does not have are left out. */
export interface CoursePoint {
  /** Number of the answer's record. */
  sequence: number
  time: number
  /** Share of answered assessments that were right, over all and over the latest. */
  accuracy: number | null
  recentAccuracy: number | null
  /** The guarantee's terms. */
  ultimate?: number
  bestExpertAccuracy?: number
  value?: number
  applies: boolean
  /** Normalised weights of the experts, to four digits. */
  weights?: number[]
  restarts?: number
}

/** How many points are kept at most. */
const POINTS = 300

/** Points over the whole life of a system: when there are too many, every other one goes and half as many come. */
export class Course {
  points: CoursePoint[] = []
  /** Answers from one point to the next. */
  stride = 1
  /** Answers since the latest point. */
  since = 0

  /** Takes a point after an answer when it is time for one. */
  observe(fold: SystemFold, sequence: number, time: number): void {
    if (++this.since < this.stride) return
    this.since = 0
    const { accuracy, recentAccuracy } = fold.tally
    const { ultimate, bestExpertAccuracy, value, applies } = fold.guarantee()
    const weights = fold.weights()?.map((weight) => Math.round(weight * 1e4) / 1e4)
    const restarts = fold.restarts()
    const point = {
      sequence,
      time,
      accuracy,
      recentAccuracy,
      ultimate,
      bestExpertAccuracy,
      value,
      applies,
      weights,
      restarts,
    }
    // As a snapshot would bring it back: without fields that are undefined.
    this.points.push(JSON.parse(JSON.stringify(point)))
    if (this.points.length <= POINTS) return
    this.points = this.points.filter((_, i) => i % 2 === 0)
    this.stride *= 2
  }
}
