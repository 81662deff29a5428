/**
 * exp, log, power, sine and cosine from additions, multiplications and divisions only, which IEEE 754 fixes to the
 * bit. `Math.exp` and its kind may round differently from engine to engine; these do not. Errors are below 2 ulp
 * where not said otherwise.
 */

const LOG2_E = Math.LOG2E
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
/** Adding and subtracting 1.5 · 2^52 rounds to the nearest integer, ties to even, in SIMD lanes as well as here. */
const ROUND = 6755399441055744

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** 2^k for −1022 ≤ k ≤ 1023. */
function powerOfTwo(k: number): number {
  words[1] = (k + 1023) << 20
  words[0] = 0
  return double[0]
}

/** e^x. Underflows to 0 below −745.13, overflows to ∞ above 709.78. */
export function exp(x: number): number {
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019411) return 0
  if (Number.isNaN(x)) return x
  const k = x * LOG2_E + ROUND - ROUND
  const r = x - k * LN2_HIGH - k * LN2_LOW
  // Two factors, so that neither over- nor underflows on the way to the edges of the range.
  const half = Math.floor(k / 2)
  return expReduced(r) * powerOfTwo(half) * powerOfTwo(k - half)
}

/** e^r for |r| ≤ ln 2 / 2: the Taylor polynomial of degree 13, remainder below 5e-18. */
export function expReduced(r: number): number {
  let p = 1 / 6227020800
  p = p * r + 1 / 479001600
  p = p * r + 1 / 39916800
  p = p * r + 1 / 3628800
  p = p * r + 1 / 362880
  p = p * r + 1 / 40320
  p = p * r + 1 / 5040
  p = p * r + 1 / 720
  p = p * r + 1 / 120
  p = p * r + 1 / 24
  p = p * r + 1 / 6
  p = p * r + 0.5
  p = p * r + 1
  return p * r + 1
}

/** The logistic function 1 / (1 + e^−x). */
export function sigmoid(x: number): number {
  return 1 / (1 + exp(-x))
}

/** Natural logarithm: −∞ at 0, NaN below. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN
  if (x === Infinity) return x
  let k = 0
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984
    k = -54
  }
  double[0] = x
  k += (words[1] >>> 20) - 1023
  words[1] = (words[1] & 0xfffff) | 0x3ff00000
  let m = double[0]
  if (m > Math.SQRT2) {
    m *= 0.5
    k++
  }
  // ln(1+f) = 2 atanh(s) with s = f/(2+f); written around f so that the leading part is exact.
  const f = m - 1
  const s = f / (2 + f)
  const z = s * s
  let p = 2 / 23
  p = p * z + 2 / 21
  p = p * z + 2 / 19
  p = p * z + 2 / 17
  p = p * z + 2 / 15
  p = p * z + 2 / 13
  p = p * z + 2 / 11
  p = p * z + 2 / 9
  p = p * z + 2 / 7
  p = p * z + 2 / 5
  p = p * z + 2 / 3
  const half = 0.5 * f * f
  return k * LN2_HIGH - (half - (s * (half + p * z) + k * LN2_LOW) - f)
}

/** x^y for x > 0 as e^(y ln x); the relative error grows as |y ln x| · 2^-53. */
export function power(x: number, y: number): number {
  return x === 1 || y === 0 ? 1 : y === 1 ? x : exp(y * log(x))
}

const HALF_PI_1 = 1.5707963267341256
const HALF_PI_2 = 6.077100506303966e-11
const HALF_PI_3 = 2.0222662487959506e-21

/** Sine of x radians; absolute error below 1e-15 for |x| ≤ 1e6. */
export function sin(x: number): number {
  return quarterTurns(x, 0)
}

/** Cosine of x radians; absolute error below 1e-15 for |x| ≤ 1e6. */
export function cos(x: number): number {
  return quarterTurns(x, 1)
}

function quarterTurns(x: number, shift: number): number {
  const n = x * (2 / Math.PI) + ROUND - ROUND
  const r = x - n * HALF_PI_1 - n * HALF_PI_2 - n * HALF_PI_3
  const quarter = (((n + shift) % 4) + 4) % 4
  const value = quarter % 2 === 0 ? sinReduced(r) : cosReduced(r)
  return quarter < 2 ? value : -value
}

function sinReduced(r: number): number {
  const z = r * r
  let p = -1 / 1307674368000
  p = p * z + 1 / 6227020800
  p = p * z - 1 / 39916800
  p = p * z + 1 / 362880
  p = p * z - 1 / 5040
  p = p * z + 1 / 120
  p = p * z - 1 / 6
  return r + r * z * p
}

function cosReduced(r: number): number {
  const z = r * r
  let p = 1 / 20922789888000
  p = p * z - 1 / 87178291200
  p = p * z + 1 / 479001600
  p = p * z - 1 / 3628800
  p = p * z + 1 / 40320
  p = p * z - 1 / 720
  p = p * z + 1 / 24
  p = p * z - 0.5
  return 1 + z * p
}
