import type { ExperimentResult } from '../experiment/run-experiments.ts'
import type { Job } from '../job/job.ts'

type Change = Partial<Omit<ExperimentResult, 'job'>> & Partial<Pick<Job, 'method' | 'rho' | 'seed'>>

/** A made-up result: what the analysis needs, the rest filled in. */
export function madeUpResult(change: Change & { accuracy: number }): ExperimentResult {
  const { accuracy, method = 'pb-oel', rho = 0, seed = 1, ...rest } = change
  return {
    job: { stream: { address: 'dive' }, method, rho, seed },
    streamName: 'dive',
    label: method,
    variant: {},
    samples: 1000,
    levels: 3,
    result: {
      seed: 1,
      accuracy,
      macroF1: accuracy,
      kappa: accuracy,
      kappaTemporal: (accuracy - 0.99) / 0.01,
      gMean: accuracy,
      misses: Math.round(600 * (1 - accuracy)),
      falseAlarms: Math.round(400 * (1 - accuracy)),
      labels: 0,
      drifts: 3,
      noChange: 0.99,
      bound: { applies: true, value: accuracy - 0.3, ultimate: accuracy + 0.01, regret: 0.01, bestExpert: accuracy },
      samplesPerSecond: 10_000,
    },
    trace: {
      samples: [500, 1000],
      accuracy: [accuracy - 0.02, accuracy],
      window: [accuracy - 0.02, accuracy],
      drifts: [1, 3],
      bound: [0.1, accuracy - 0.3],
      ultimate: [accuracy, accuracy + 0.01],
      bestExpert: [accuracy, accuracy],
    },
    ...rest,
  }
}

/** Results of methods × ρ: `means[method]` holds one accuracy per ρ; two seeds lie `spread` around it. */
export function tableResults(
  streamName: string,
  rhos: readonly number[],
  means: Record<string, readonly number[]>,
  spread = 0.01,
): ExperimentResult[] {
  return Object.entries(means).flatMap(([method, values]) =>
    rhos.flatMap((rho, i) =>
      [-1, 1].map((side, s) =>
        madeUpResult({ streamName, method, rho, seed: s + 1, accuracy: values[i] + side * spread }),
      ),
    ),
  )
}
