import { exactFma } from './exact-fma.ts'

/** 2^27 + 1: splits 53 bits into two halves of 26 (Veltkamp). */
const SPLIT = 134217729

/** Between 1/LIMIT and LIMIT nothing that is taken apart below over- or underflows. */
const LIMIT = 2 ** 900

/**
 * a·b + c, rounded once. The product and the sums are taken apart without error (Dekker, Knuth); the two small parts
 * are added with rounding to odd, so that the last addition rounds as one would round the whole (S. Boldo, G.
 * Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions
 * on Computers
 * 57(4), 2008).
 */
export function fma(a: number, b: number, c: number): number {
  if (a === 0 || b === 0) return a * b + c
  const product = a * b
  if (!inRange(product) || !inRange(a) || !inRange(b) || (c !== 0 && !inRange(c))) return exactFma(a, b, c)
  const low = productError(a, b, product)
  const lower = c + low
  const lowerError = sumError(c, low, lower)
  const high = product + lower
  return high + toOdd(sumError(product, lower, high), lowerError)
}

function inRange(value: number): boolean {
  const magnitude = Math.abs(value)
  return magnitude < LIMIT && magnitude > 1 / LIMIT
}

/** a + b rounded to odd: where the sum is not exact, to the neighbour whose last bit is 1. */
function toOdd(a: number, b: number): number {
  const sum = a + b
  const error = sumError(a, b, sum)
  if (error === 0) return sum
  view.setFloat64(0, sum)
  const bits = view.getBigInt64(0)
  if ((bits & 1n) === 1n) return sum
  // Away from zero when the error has the sign of the sum, else towards zero: both neighbours are odd.
  view.setBigInt64(0, error > 0 === sum > 0 ? bits + 1n : bits - 1n)
  return view.getFloat64(0)
}

/** a + b − sum, exactly (Knuth). */
function sumError(a: number, b: number, sum: number): number {
  const part = sum - a
  return a - (sum - part) + (b - part)
}

/** a·b − product, exactly (Dekker). */
function productError(a: number, b: number, product: number): number {
  const aHigh = SPLIT * a - (SPLIT * a - a)
  const bHigh = SPLIT * b - (SPLIT * b - b)
  const aLow = a - aHigh
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** a·b + c in single precision, rounded once: the product is exact in double, and the sum is rounded to odd there. */
export function fmaSingle(a: number, b: number, c: number): number {
  return Math.fround(toOdd(a * b, c))
}

const view = new DataView(new ArrayBuffer(8))
