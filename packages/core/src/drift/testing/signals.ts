import type { DriftDetector } from '../detector.ts'

/** The 1-based places of the first warning and the first drift; 0 where there is none. */
export function firstSignals(detector: DriftDetector, values: Iterable<number>): { warning: number; drift: number } {
  let warning = 0
  let n = 0
  for (const value of values) {
    n++
    const signal = detector.update(value)
    if (signal === 'drift') return { warning, drift: n }
    if (signal === 'warning' && warning === 0) warning = n
  }
  return { warning, drift: 0 }
}

/** `n` times `value`. */
export function repeat(value: number, n: number): number[] {
  return new Array<number>(n).fill(value)
}
