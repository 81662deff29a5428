/**
 * Table I of the paper, on the recorded dive of the Jiaolong: mean accuracy and sample standard deviation over three
 * runs, one entry per value of ρ.
 *
 * S. Hu, Z. Liu, L. Hao, Y. Cheng and X. He, "PB-OEL: A Performance-Bounded Online Ensemble Learning Framework With
 * Mixed Feedback for Real-Time Safety Assessment".
 */
export const PAPER = {
  citation:
    'S. Hu, Z. Liu, L. Hao, Y. Cheng, X. He: PB-OEL: A Performance-Bounded Online Ensemble Learning Framework With Mixed Feedback for Real-Time Safety Assessment. Table I (recorded dive 151 of the Jiaolong, three runs).',
  rho: [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.6, 1] as readonly number[],
  accuracy: {
    'ob-adwin': [0.612, 0.881, 0.892, 0.905, 0.923, 0.928, 0.943, 0.976, 0.98],
    oadac2: [0.714, 0.934, 0.933, 0.922, 0.894, 0.95, 0.967, 0.978, 0.983],
    cpssds: [0.418, 0.418, 0.42, 0.42, 0.587, 0.45, 0.535, 0.775, 0.741],
    arf: [0.599, 0.92, 0.94, 0.948, 0.965, 0.965, 0.976, 0.989, 0.99],
    srp: [0.733, 0.926, 0.954, 0.953, 0.97, 0.965, 0.978, 0.987, 0.988],
    'roale-di': [0.637, 0.866, 0.897, 0.912, 0.913, 0.929, 0.931, 0.913, 0.9],
    rvfl: [0.379, 0.398, 0.503, 0.524, 0.55, 0.569, 0.638, 0.798, 0.844],
    'rvfl-hddm-np': [0.822, 0.928, 0.944, 0.937, 0.946, 0.948, 0.97, 0.987, 0.988],
    'pb-oel': [0.957, 0.961, 0.962, 0.971, 0.966, 0.965, 0.978, 0.985, 0.992],
  } as Readonly<Record<string, readonly number[]>>,
  std: {
    'ob-adwin': [0.045, 0.002, 0.001, 0.005, 0.001, 0.002, 0.007, 0.001, 0.001],
    oadac2: [0.028, 0.007, 0.003, 0.039, 0.043, 0.005, 0.008, 0.001, 0.001],
    cpssds: [0, 0, 0, 0, 0.072, 0.02, 0.081, 0.025, 0],
    arf: [0.029, 0.019, 0.002, 0.008, 0.003, 0.003, 0.002, 0, 0.001],
    srp: [0.032, 0.015, 0.006, 0.004, 0.002, 0.009, 0.005, 0, 0],
    'roale-di': [0.098, 0.011, 0.009, 0.011, 0.011, 0.003, 0.017, 0.01, 0.005],
    rvfl: [0.015, 0.038, 0.018, 0.024, 0.011, 0.008, 0.035, 0.005, 0.017],
    'rvfl-hddm-np': [0.001, 0.01, 0.004, 0.006, 0.003, 0.007, 0.006, 0, 0],
    'pb-oel': [0, 0, 0, 0, 0, 0, 0, 0, 0],
  } as Readonly<Record<string, readonly number[]>>,
} as const

/** Whether a stream is the paper's dive or its likeness, so that the two can stand beside each other. */
export const isPaperStream = (stream: string): boolean => /^(dive|jiaolong)/i.test(stream)

/** The paper's mean accuracy of a method at a share of labels, where it has one. */
export function paperAccuracy(method: string, rho: number): number | undefined {
  const at = PAPER.rho.indexOf(rho)
  return at < 0 ? undefined : PAPER.accuracy[method]?.[at]
}
