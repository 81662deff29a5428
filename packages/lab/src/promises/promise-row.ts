import type { ReliabilityBin } from '@pb-oel/core'
import { mean } from '../statistics/summary.ts'
import { meanCurve, type PromiseCurve } from './promise-curve.ts'
import { brokenBySetting, type PromiseSetting } from './promise-setting.ts'
import type { PromiseRun } from './promise-trial.ts'

/** The runs of one setting, taken together: means over runs. */
export interface PromiseRow extends Omit<PromiseRun, 'regretViolated' | 'certificateViolated' | 'refitViolated'> {
  readonly id: string
  readonly setting: string
  readonly runs: number
  /** Why a promise does not apply; undefined where it does. */
  readonly notApplied: { readonly regret?: string; readonly certificate?: string }
  /** Share of the runs in which the bound of the regret, and the certificate, were ever below the truth. */
  readonly regretViolations: number
  readonly certificateViolations: number
  /** The same for the bound of the regret since a refit. */
  readonly refitViolations: number
}

/** Means over runs, and shares of runs in which a promise was broken. */
export function summarisePromises(setting: PromiseSetting, runs: readonly PromiseRun[]): PromiseRow {
  const over = (pick: (run: PromiseRun) => number) => mean(runs.map(pick))
  const where = (pick: (run: PromiseRun) => number | undefined) =>
    runs.some((run) => pick(run) === undefined) ? undefined : over(pick as (run: PromiseRun) => number)
  const regretBound = where((run) => run.regretBound)
  const broken = brokenBySetting(setting)
  return {
    id: setting.id,
    setting: setting.name,
    runs: runs.length,
    notApplied: { ...(regretBound === undefined && { regret: 'the method has no experts' }), ...broken },
    accuracy: over((run) => run.accuracy),
    regret: where((run) => run.regret),
    regretBound,
    certified: where((run) => run.certified),
    misses: over((run) => run.misses),
    safeSideMisses: over((run) => run.safeSideMisses),
    safeSideAbove: over((run) => run.safeSideAbove),
    calibrationError: over((run) => run.calibrationError),
    rawCalibrationError: over((run) => run.rawCalibrationError),
    reliability: meanBins(runs.map((run) => run.reliability)),
    rawReliability: meanBins(runs.map((run) => run.rawReliability)),
    falls: over((run) => run.falls),
    falseFalls: over((run) => run.falseFalls),
    regretViolations: over((run) => Number(run.regretViolated)),
    certificateViolations: over((run) => Number(run.certificateViolated)),
    refits: over((run) => run.refits),
    refitViolations: over((run) => Number(run.refitViolated)),
    curve: meanCurve(runs.map((run) => run.curve)) satisfies PromiseCurve,
  }
}

/** The reliability curve over the samples of all runs; `weight` is a mean per run. */
function meanBins(runs: readonly (readonly ReliabilityBin[])[]): ReliabilityBin[] {
  return runs[0].map(({ from, to }, i) => {
    const weight = runs.reduce((sum, bins) => sum + bins[i].weight, 0)
    const share = (name: 'confidence' | 'accuracy') =>
      weight === 0 ? 0 : runs.reduce((sum, bins) => sum + bins[i].weight * bins[i][name], 0) / weight
    return { from, to, weight: weight / runs.length, confidence: share('confidence'), accuracy: share('accuracy') }
  })
}
