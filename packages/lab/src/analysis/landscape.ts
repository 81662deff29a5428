import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { mean } from '../statistics/summary.ts'

/** Accuracy of PB-OEL over c × α at one share of labels: one panel of the paper's Fig. 3. */
export interface Landscape {
  stream: string
  rho: number
  cs: number[]
  alphas: number[]
  points: LandscapePoint[]
}

/** One point of a landscape. */
export interface LandscapePoint {
  c: number
  alpha: number
  accuracy: number
  /** Whether the exploration rate γ had to be cut to 1, so that partial feedback was answered at random. */
  capped: boolean
}

/** Makes one landscape per stream and share of labels from runs that vary `c` and `alpha`. */
export function landscapes(results: readonly ExperimentResult[]): Landscape[] {
  return [...Map.groupBy(results, ({ streamName, job }) => `${streamName}|${job.rho}`).values()].map((runs) => {
    const [{ streamName, job }] = runs
    const points = [...Map.groupBy(runs, ({ variant }) => `${variant.c}|${variant.alpha}`).values()].map((group) => ({
      c: Number(group[0].variant.c),
      alpha: Number(group[0].variant.alpha),
      accuracy: mean(group.map(({ result }) => result.accuracy)),
      capped: group.some(({ result }) => result.bound.reason?.includes('capped') === true),
    }))
    const distinct = (values: number[]) => [...new Set(values)].sort((a, b) => a - b)
    return {
      stream: streamName,
      rho: job.rho,
      cs: distinct(points.map(({ c }) => c)),
      alphas: distinct(points.map(({ alpha }) => alpha)),
      points,
    }
  })
}

/** The point with the highest accuracy. */
export function bestPoint({ points }: Landscape): LandscapePoint {
  return points.reduce((best, point) => (point.accuracy > best.accuracy ? point : best))
}

/** Mean accuracy over the region the paper recommends (c ≤ 0.5, 0.5 ≤ α ≤ 0.9), outside it, and where γ was capped. */
export function regions({ points }: Landscape): { recommended: number; elsewhere: number; capped: number } {
  const inside = ({ c, alpha }: LandscapePoint) => c <= 0.5 && alpha >= 0.5 && alpha <= 0.9
  const average = (some: LandscapePoint[]) => mean(some.map(({ accuracy }) => accuracy))
  return {
    recommended: average(points.filter(inside)),
    elsewhere: average(points.filter((point) => !inside(point))),
    capped: average(points.filter(({ capped }) => capped)),
  }
}
