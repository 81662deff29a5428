import { decodeText } from './byte-source.ts'
import { textValue } from './row-reader.ts'

const POINT = 46
const COMMA = 44
const MINUS = 45
const PLUS = 43
const SPACE = 32
/** Every power of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
/** Splits a double into two halves of 26 bits. */
const SPLIT = 2 ** 27 + 1
/** A little more than 1: more than the error of the smaller double. */
const NUDGE = 1 + 2 ** -30
/** Up to this, ten times the number plus a digit is still an exact integer. */
const LARGEST = 900_719_925_474_098
/** So many digits behind an exact integer are taken, too. */
const MORE = 1e6

/**
 * The number in bytes `start` … `end`, as `RowReader.value` gives it: the same bits as `Number` gives.
 *
 * A decimal number whose digits make an exact integer and whose power of ten is at most 22 is one exact operation away
 * from its correctly rounded value (Clinger, "How to read floating point numbers accurately", 1990). Up to seven more
 * digits are taken by {@link rounded}. Everything else goes the slow way.
 *
 * @param comma whether a comma may stand for the decimal point
 */
export function numberCell(bytes: Uint8Array, start: number, end: number, comma: boolean): number {
  while (start < end && bytes[start] === SPACE) start++
  while (end > start && bytes[end - 1] === SPACE) end--
  let at = start
  const sign = bytes[at]
  if (sign === MINUS || sign === PLUS) at++
  const first = at
  let mantissa = 0
  // Digits behind the mantissa, and what the mantissa is multiplied by to make room for them.
  let low = 0
  let room = 1
  let point = -1
  for (; at < end; at++) {
    const code = bytes[at]
    const digit = code - 48
    if (digit >= 0 && digit <= 9) {
      if (mantissa <= LARGEST) mantissa = mantissa * 10 + digit
      else {
        if (room > MORE) return slowNumber(bytes, start, end, comma)
        low = low * 10 + digit
        room *= 10
      }
    } else if (point < 0 && (code === POINT || (comma && code === COMMA))) point = at
    else break
  }
  if (at - first === (point < 0 ? 0 : 1)) return slowNumber(bytes, start, end, comma)
  let power = point < 0 ? 0 : point + 1 - at
  if (at < end) {
    const exponent = exponentAt(bytes, at, end)
    if (Number.isNaN(exponent)) return slowNumber(bytes, start, end, comma)
    power += exponent
  }
  if (power > 22 || power < -22) return slowNumber(bytes, start, end, comma)
  let value = power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power]
  if (room > 1) {
    value = rounded(mantissa, room, low, power)
    if (Number.isNaN(value)) return slowNumber(bytes, start, end, comma)
  }
  return sign === MINUS ? -value : value
}

/**
 * (mantissa · room + low) · 10^power, correctly rounded; NaN where it is too close to the middle of two doubles to
 * tell.
 *
 * The sum is held as two doubles without error, and so is the quotient, to more than 100 bits (T. J. Dekker, "A
 * floating-point technique for extending the available precision", 1971). The larger one is the result when a little
 * more of the smaller one does not change it (A. Ziv, "Fast evaluation of elementary mathematical functions with
 * correctly rounded last bit", 1991).
 */
function rounded(mantissa: number, room: number, low: number, power: number): number {
  const product = mantissa * room
  const sum = product + low
  const rest = low - (sum - product) + productError(mantissa, room, product)
  let large: number
  let small: number
  if (power < 0) {
    const divisor = POWERS[-power]
    large = sum / divisor
    const back = large * divisor
    small = (sum - back - productError(large, divisor, back) + rest) / divisor
  } else {
    large = sum * POWERS[power]
    small = productError(sum, POWERS[power], large) + rest * POWERS[power]
  }
  const value = large + small
  const left = small - (value - large)
  return value + left * NUDGE === value ? value : Number.NaN
}

/** What is to be added to the rounded `product` of two numbers to make it exact. */
function productError(a: number, b: number, product: number): number {
  const widened = SPLIT * a
  const aHigh = widened - (widened - a)
  const aLow = a - aHigh
  const stretched = SPLIT * b
  const bHigh = stretched - (stretched - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** The exponent `e-12` that ends a number; NaN when there is something else. */
function exponentAt(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1
  if (bytes[start] !== 101 && bytes[start] !== 69) return Number.NaN
  const sign = bytes[at]
  if (sign === MINUS || sign === PLUS) at++
  if (at >= end || end - at > 3) return Number.NaN
  let exponent = 0
  for (; at < end; at++) {
    const digit = bytes[at] - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    exponent = exponent * 10 + digit
  }
  return sign === MINUS ? -exponent : exponent
}

function slowNumber(bytes: Uint8Array, start: number, end: number, comma: boolean): number {
  const cell = decodeText(bytes, start, end)
  return textValue(comma && !cell.includes('.') ? cell.replace(',', '.') : cell)
}
