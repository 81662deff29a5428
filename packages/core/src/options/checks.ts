import { OptionError } from '../errors.ts'

/**
 * Checks of options whose limits depend on other options, which a table cannot say. Each returns the value or throws an
 * {@link OptionError} that names option, value and range.
 */

/** A finite number with `low` ≤ value ≤ `high`. */
export function numberIn(option: string, value: unknown, low: number, high: number): number {
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    const range = high === Infinity ? `at least ${low}` : `in [${low}, ${high}]`
    throw new OptionError(option, value, `a number ${range}`)
  }
  return value
}

/** An integer with `low` ≤ value ≤ `high`. */
export function integerIn(option: string, value: unknown, low: number, high: number): number {
  if (!Number.isInteger(value) || (value as number) < low || (value as number) > high) {
    throw new OptionError(option, value, `an integer in [${low}, ${high}]`)
  }
  return value as number
}
