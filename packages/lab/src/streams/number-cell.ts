import { decodeText } from './byte-source.ts'
import { textValue } from './row-reader.ts'

const POINT = 46
const COMMA = 44
const MINUS = 45
const PLUS = 43
const SPACE = 32
/** Every power of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
/** Below this, ten times the number plus a digit is still an exact integer. */
const LARGEST = 900_719_925_474_098

/**
 * The number in bytes `start` … `end`, as `RowReader.value` gives it: the same bits as `Number` gives.
 *
 * A decimal number whose digits make an exact integer and whose power of ten is at most 22 is one exact operation away
 * from its correctly rounded value (Clinger, "How to read floating point numbers accurately", 1990). Everything else
 * goes the slow way.
 *
 * @param comma whether a comma may stand for the decimal point
 */
export function numberCell(bytes: Uint8Array, start: number, end: number, comma: boolean): number {
  while (start < end && bytes[start] === SPACE) start++
  while (end > start && bytes[end - 1] === SPACE) end--
  let at = start
  const sign = bytes[at]
  if (sign === MINUS || sign === PLUS) at++
  let digits = 0
  let mantissa = 0
  let point = -1
  for (; at < end; at++) {
    const code = bytes[at]
    const digit = code - 48
    if (digit >= 0 && digit <= 9) {
      if (mantissa > LARGEST) return slowNumber(bytes, start, end, comma)
      mantissa = mantissa * 10 + digit
      digits++
    } else if (point < 0 && (code === POINT || (comma && code === COMMA))) point = digits
    else break
  }
  if (digits === 0) return slowNumber(bytes, start, end, comma)
  let power = point < 0 ? 0 : point - digits
  if (at < end) {
    const exponent = exponentAt(bytes, at, end)
    if (Number.isNaN(exponent)) return slowNumber(bytes, start, end, comma)
    power += exponent
  }
  if (power > 22 || power < -22) return slowNumber(bytes, start, end, comma)
  const value = power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power]
  return sign === MINUS ? -value : value
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
