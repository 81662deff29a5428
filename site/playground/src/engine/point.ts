/** One point of the curves: a stretch of samples, ended by sample `sample`. */
export interface Point {
  /** Samples so far. */
  sample: number
  /** Share of right assessments so far, and among the latest thousand. */
  accuracy: number
  recent: number
  /** The guarantee's accuracy, its ultimate bound and the best single expert, where the method has a guarantee. */
  value?: number
  ultimate?: number
  bestExpert?: number
  /** Weight of each expert, where the method is an ensemble with weights. */
  shares?: readonly number[]
  /** Networks refitted because of drift, misses and false alarms within the stretch, as shares of its samples. */
  drifts: number
  misses: number
  falseAlarms: number
  /** The level that held at the end of the stretch, and the one assessed then. */
  truth: number
  assessed: number
  /** Mean of each channel within the stretch. */
  channels: readonly number[]
}

/** How many points the curves of a run have at most: more than a chart has pixels helps nobody. */
export const MOST_POINTS = 600

/** Gathers the samples of one stretch. */
export class Stretch {
  count = 0
  drifts = 0
  misses = 0
  falseAlarms = 0
  private readonly sums: Float64Array

  constructor(channels: number) {
    this.sums = new Float64Array(channels)
  }

  /** Adds one assessed sample. */
  add(x: Float64Array, truth: number, assessed: number, drifts: Uint8Array): void {
    this.count++
    if (assessed < truth) this.misses++
    else if (assessed > truth) this.falseAlarms++
    for (let n = 0; n < drifts.length; n++) this.drifts += drifts[n]
    for (let c = 0; c < x.length; c++) this.sums[c] += x[c]
  }

  /** What was gathered; the next stretch begins. */
  take(): Pick<Point, 'drifts' | 'misses' | 'falseAlarms' | 'channels'> {
    const { count, drifts, misses, falseAlarms, sums } = this
    const channels = Array.from(sums, (sum) => sum / count)
    this.count = this.drifts = this.misses = this.falseAlarms = 0
    sums.fill(0)
    return { drifts, misses: misses / count, falseAlarms: falseAlarms / count, channels }
  }
}
