const FRACTION = 52n
const view = new DataView(new ArrayBuffer(8))

/** a·b + c of finite numbers as a fraction of integers, rounded once to the nearest, ties to even. */
export function exactFma(a: number, b: number, c: number): number {
  const [x, y, z] = [parts(a), parts(b), parts(c)]
  const exponent = x.exponent + y.exponent
  const lowest = exponent < z.exponent ? exponent : z.exponent
  const sum = ((x.integer * y.integer) << (exponent - lowest)) + (z.integer << (z.exponent - lowest))
  if (sum === 0n) return a * b + c
  return sum < 0n ? -rounded(-sum, lowest) : rounded(sum, lowest)
}

/** A finite number as integer · 2^exponent. */
function parts(value: number): { integer: bigint; exponent: bigint } {
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const biased = (bits >> FRACTION) & 0x7ffn
  const fraction = bits & ((1n << FRACTION) - 1n)
  const integer = biased === 0n ? fraction : fraction | (1n << FRACTION)
  return { integer: bits >> 63n === 1n ? -integer : integer, exponent: (biased === 0n ? 1n : biased) - 1075n }
}

/** integer · 2^exponent, integer > 0, as the nearest number. */
function rounded(integer: bigint, exponent: bigint): number {
  const surplus = BigInt(integer.toString(2).length) - 53n
  // The last place of the result: 53 bits, or what the smallest numbers leave.
  const place = exponent + surplus < -1074n ? -1074n : exponent + surplus
  const shift = place - exponent
  if (shift <= 0n) return assembled(integer << -shift, place)
  const quotient = integer >> shift
  const rest = integer - (quotient << shift)
  const half = 1n << (shift - 1n)
  const up = rest > half || (rest === half && (quotient & 1n) === 1n)
  return assembled(up ? quotient + 1n : quotient, place)
}

/** integer · 2^place with at most 53 bits, or 2^53; place ≥ −1074. */
function assembled(integer: bigint, place: bigint): number {
  // A carry out of the fraction raises the exponent by itself.
  const normal = integer >= 1n << FRACTION
  const bits = normal ? ((place + 1075n) << FRACTION) + (integer - (1n << FRACTION)) : integer
  view.setBigUint64(0, bits >= 0x7ffn << FRACTION ? 0x7ffn << FRACTION : bits)
  return view.getFloat64(0)
}
