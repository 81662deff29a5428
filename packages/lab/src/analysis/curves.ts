import type { ExperimentResult } from '../experiment/run-experiments.ts'
import type { Trace } from '../job/trace.ts'
import { mean, sampleStd } from '../statistics/summary.ts'

/** One quantity over time, averaged over runs. */
export interface Curve {
  samples: number[]
  mean: number[]
  /** Sample standard deviation over the runs. */
  std: number[]
}

/** Quantities of a trace that can be drawn. */
export type Quantity = 'accuracy' | 'window' | 'bound' | 'ultimate' | 'bestExpert'

/** Averages a quantity over runs of the same length; undefined when the runs do not have it. */
export function averageCurve(results: readonly ExperimentResult[], quantity: Quantity): Curve | undefined {
  const traces = results.map(({ trace }) => trace)
  const lists = traces.map((trace) => trace[quantity]).filter((list) => list.length > 0)
  if (lists.length === 0) return undefined
  const { samples } = traces[0]
  const at = (i: number) => lists.map((list) => list[i])
  return { samples, mean: samples.map((_, i) => mean(at(i))), std: samples.map((_, i) => sampleStd(at(i))) }
}

/** Points at which networks were refitted: the number of samples so far, and how many networks. */
export function driftMarks({ samples, drifts }: Trace): { samples: number; networks: number }[] {
  return samples
    .map((point, i) => ({ samples: point, networks: drifts[i] - (drifts[i - 1] ?? 0) }))
    .filter(({ networks }) => networks > 0)
}

/** Points at which the weights restarted: every ⌊T^α⌋ + 1 samples (Algorithm 1, lines 21–24). */
export function restartMarks(samples: number, alpha: number): number[] {
  const batch = Math.floor(samples ** alpha) + 1
  return Array.from({ length: Math.ceil(samples / batch) - 1 }, (_, i) => (i + 1) * batch)
}
