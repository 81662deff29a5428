import type { Outcome } from '../experiment/run-experiments.ts'

/** A made-up outcome: what the analysis needs, the rest filled in. */
export function outcome(change: Partial<Outcome> & { accuracy: number }): Outcome {
  const { accuracy, ...rest } = change
  return {
    stream: { address: 'dive' },
    streamName: 'dive',
    method: 'pb-oel',
    label: change.method ?? 'pb-oel',
    options: {},
    variant: {},
    rho: 0,
    seed: 1,
    samples: 1000,
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

/** Outcomes of methods × ρ: `means[method]` holds one accuracy a ρ; two seeds lie `spread` around it. */
export function tableOutcomes(
  streamName: string,
  rhos: readonly number[],
  means: Record<string, readonly number[]>,
  spread = 0.01,
): Outcome[] {
  return Object.entries(means).flatMap(([method, values]) =>
    rhos.flatMap((rho, i) =>
      [-1, 1].map((side, s) => outcome({ streamName, method, rho, seed: s + 1, accuracy: values[i] + side * spread })),
    ),
  )
}
