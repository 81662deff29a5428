import { exp } from '../math/elementary.ts'

/** How raw outputs become a distribution. */
export type ConfidenceRule = 'clip' | 'softmax'

/** Outputs below this count as this: no level is ever quite impossible, and equal floors mean uniform. */
const FLOOR = 1e-6

/**
 * Normalises the raw outputs of one network, which regress one-hot targets, into confidences that sum to 1.
 *
 * `clip` raises outputs below 1e-6 to 1e-6 and divides by the sum (uniform when no output exceeds the floor). `softmax`
 * compresses: a perfect one-hot output becomes e/(e+K−1), 0.576 for three levels.
 *
 * @param raw outputs; `count` of them from `from` are read
 * @param out receives the confidences at the same place
 */
export function normaliseOutputs(
  raw: Float64Array,
  out: Float64Array,
  from: number,
  count: number,
  rule: ConfidenceRule,
): void {
  let largest = raw[from]
  for (let k = 1; k < count; k++) if (raw[from + k] > largest) largest = raw[from + k]
  let sum = 0
  for (let k = from; k < from + count; k++) {
    out[k] = rule === 'clip' ? (raw[k] > FLOOR ? raw[k] : FLOOR) : exp(raw[k] - largest)
    sum += out[k]
  }
  for (let k = from; k < from + count; k++) out[k] /= sum
}
