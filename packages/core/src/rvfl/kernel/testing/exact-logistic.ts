/** Fractional bits of the fixed-point numbers: e^−700 keeps 190 of them. */
const BITS = 1200n
const ONE = 1n << BITS

/** How many units in the last place of `value` it is away from 1 / (1 + e^−a); |a| ≤ 700. */
export function logisticError(a: number, value: number): number {
  const difference = fixed(value) - (ONE * ONE) / (ONE + exp(-fixed(a)))
  const unit = 1n << (BITS + exponent(value))
  return Number(((difference < 0n ? -difference : difference) * 1000n) / unit) / 1000
}

/** e^x: the Taylor series of e^(x / 2^20), then twenty squarings. */
function exp(x: bigint): bigint {
  const r = x >> 20n
  let sum = ONE
  let term = ONE
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = ((term * r) >> BITS) / n
    sum += term
  }
  for (let i = 0; i < 20; i++) sum = (sum * sum) >> BITS
  return sum
}

/** A normal number or zero, exactly. */
function fixed(value: number): bigint {
  if (value === 0) return 0n
  const fraction = (bits(value) & (2n ** 52n - 1n)) | (1n << 52n)
  const magnitude = fraction << (BITS + exponent(value))
  return value < 0 ? -magnitude : magnitude
}

/** The power of two that the last place of `value` stands for. */
function exponent(value: number): bigint {
  return ((bits(value) >> 52n) & 0x7ffn) - 1075n
}

function bits(value: number): bigint {
  return new BigUint64Array(Float64Array.of(value).buffer)[0]
}
