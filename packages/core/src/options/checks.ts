import { OptionError } from '../errors.ts'

/**
 * Checks of constructor options. Each returns the value or throws an {@link OptionError} that names option, value and range.
 */

/** A finite number with `low` ≤ value ≤ `high`. */
export function numberIn(option: string, value: unknown, low: number, high: number): number {
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    const range = high === Infinity ? `at least ${low}` : `in [${low}, ${high}]`
    throw new OptionError(option, value, `a number ${range}`)
  }
  return value
}

/** A finite number with 0 < value ≤ `high`. */
export function positive(option: string, value: unknown, high = Number.MAX_VALUE): number {
  if (typeof value !== 'number' || !(value > 0 && value <= high)) {
    throw new OptionError(option, value, high === Number.MAX_VALUE ? 'a number above 0' : `a number in (0, ${high}]`)
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

/** One of the listed words. */
export function oneOf<T extends string>(option: string, value: unknown, words: readonly T[]): T {
  if (!words.includes(value as T)) throw new OptionError(option, value, `one of ${words.join(', ')}`)
  return value as T
}

/** `true` or `false`. */
export function flag(option: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new OptionError(option, value, 'true or false')
  return value
}

/** Refuses options that do not exist: a misspelt option must not be ignored. */
export function onlyKnown(options: object, known: readonly string[]): void {
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) {
      throw new OptionError(
        option,
        (options as Record<string, unknown>)[option],
        `known; there are ${known.join(', ')}`,
      )
    }
  }
}
