import type { Learner } from '../../learners/learner.ts'
import { kolmogorovSmirnov } from '../../math/kolmogorov-smirnov.ts'

/**
 * Class-conditional inductive conformal prediction: how well a sample conforms to a level, compared with the
 * calibration samples of that level.
 *
 * V. Vovk, A. Gammerman, G. Shafer, "Algorithmic learning in a random world", 2005; without the +1 of the textbook, as
 * in CPSSDS.
 */
export class ConformalPredictor {
  private readonly strangeness: number[][]

  constructor(levels: number) {
    this.strangeness = Array.from({ length: levels }, () => [])
  }

  /** Adds a calibration sample of `level` with its nonconformity α. */
  calibrate(level: number, alpha: number): void {
    this.strangeness[level].push(alpha)
  }

  /** Share of the calibration samples of `level` that are at least as strange as α; 0 when there is none. */
  p(level: number, alpha: number): number {
    const others = this.strangeness[level]
    let stranger = 0
    for (let i = 0; i < others.length; i++) if (others[i] >= alpha) stranger++
    return others.length === 0 ? 0 : stranger / others.length
  }

  /**
   * Adds calibration samples, row after row, with α = 1 − P(level | x).
   *
   * @param careless α = 1 − max P(· | x) instead, as in the published code, which does not look at the level
   */
  calibrateBy(learner: Learner, samples: Float64Array, sampleLevels: Int32Array, careless = false): void {
    const answer = new Float64Array(this.strangeness.length)
    const channels = samples.length / sampleLevels.length
    for (let i = 0; i < sampleLevels.length; i++) {
      learner.predict(samples.subarray(i * channels, (i + 1) * channels), answer)
      this.calibrate(sampleLevels[i], 1 - (careless ? Math.max(...answer) : answer[sampleLevels[i]]))
    }
  }

  /** The p-values of samples, row after row: one array per level. */
  pValues(learner: Learner, samples: Float64Array, channels: number): Float64Array[] {
    const answer = new Float64Array(this.strangeness.length)
    const count = samples.length / channels
    const values = Array.from(this.strangeness, () => new Float64Array(count))
    for (let i = 0; i < count; i++) {
      learner.predict(samples.subarray(i * channels, (i + 1) * channels), answer)
      for (let level = 0; level < answer.length; level++) values[level][i] = this.p(level, 1 - answer[level])
    }
    return values
  }
}

/** The one level whose p-value for sample i reaches `inclusion`; −1 when there is none or more than one. */
export function onlyLevel(values: readonly Float64Array[], i: number, inclusion: number): number {
  let only = -1
  for (let level = 0; level < values.length; level++) {
    if (values[level][i] < inclusion) continue
    if (only >= 0) return -1
    only = level
  }
  return only
}

/** The published port's {@link onlyLevel}: it keeps one flag per sample, so it asks for all levels and answers 0. */
export function brokenLabel(values: readonly Float64Array[], i: number, inclusion: number): number {
  return values.every((column) => column[i] >= inclusion) ? 0 : -1
}

/** Whether p-values have changed: the mean over the levels of the Kolmogorov–Smirnov probabilities is below `level`. */
export function changed(before: readonly Float64Array[], after: readonly Float64Array[], level: number): boolean {
  if (before[0].length === 0 || after[0].length === 0) return false
  let sum = 0
  for (let i = 0; i < before.length; i++) sum += kolmogorovSmirnov(before[i], after[i]).probability
  return sum / before.length < level
}
