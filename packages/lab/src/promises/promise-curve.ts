/** What was promised and what was true at each look of a run. */
export interface PromiseCurve {
  readonly samples: number[]
  /** True and certified accuracy of all samples so far. */
  readonly accuracy: number[]
  readonly certified: number[]
  /** The same of the window. */
  readonly windowAccuracy: number[]
  readonly windowCertified: number[]
  /** True regret per sample and its bound; empty where it does not apply. */
  readonly regret: number[]
  readonly regretBound: number[]
  /** Share of the samples so far whose safe-side level was safer than the truth. */
  readonly safeSideMisses: number[]
}

/** A curve without a point. */
export function emptyCurve(): PromiseCurve {
  return {
    samples: [],
    accuracy: [],
    certified: [],
    windowAccuracy: [],
    windowCertified: [],
    regret: [],
    regretBound: [],
    safeSideMisses: [],
  }
}

/** The mean of curves over the same looks. */
export function meanCurve(curves: readonly PromiseCurve[]): PromiseCurve {
  const mean = emptyCurve()
  for (const name of Object.keys(mean) as (keyof PromiseCurve)[]) {
    for (let i = 0; i < curves[0][name].length; i++) {
      mean[name].push(curves.reduce((sum, curve) => sum + curve[name][i], 0) / curves.length)
    }
  }
  return mean
}
