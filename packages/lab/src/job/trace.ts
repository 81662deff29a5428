import type { RunProgress } from './run.ts'

/** How a run went over time, at about 150 points; each list has one entry per point. */
export interface Trace {
  /** Number of samples so far. */
  samples: number[]
  /** Share of right assessments so far, and among the latest 1,000. */
  accuracy: number[]
  window: number[]
  /** Number of refitted networks so far. */
  drifts: number[]
  /**
   * Lower bound of the expected accuracy, accuracy of the best expert of each batch, and of the best single expert;
   * empty for a method without a bound.
   */
  bound: number[]
  ultimate: number[]
  bestExpert: number[]
}

const POINTS = 150

/** Samples between two points of a trace. */
export function traceInterval(samples: number): number {
  return Math.max(1, Math.floor(samples / POINTS))
}

/** A trace without points. */
export function emptyTrace(): Trace {
  return { samples: [], accuracy: [], window: [], drifts: [], bound: [], ultimate: [], bestExpert: [] }
}

/** Adds a point. */
export function addPoint(trace: Trace, { done, accuracy, windowAccuracy, drifts, guarantee }: RunProgress): void {
  trace.samples.push(done)
  trace.accuracy.push(sixDigits(accuracy))
  trace.window.push(sixDigits(windowAccuracy))
  trace.drifts.push(drifts)
  if (!guarantee) return
  const { value, ultimate, bestExpertAccuracy } = guarantee()
  trace.bound.push(sixDigits(value))
  trace.ultimate.push(sixDigits(ultimate))
  trace.bestExpert.push(sixDigits(bestExpertAccuracy))
}

const sixDigits = (value: number): number => Math.round(value * 1e6) / 1e6
