import { SampleError } from '@pb-oel/core'
import type { SystemConfiguration } from './configuration.ts'

/** A sample as callers send it: numbers in the order of the channels, or by name; `null` or left out means missing. */
export type GivenValues = readonly (number | null)[] | Readonly<Record<string, number | null>>

/**
 * The complete sample, and which channels had to be held at their last value.
 *
 * @param last the values of the sample before; `undefined` before the first
 */
export function completeValues(
  { channels, missing }: SystemConfiguration,
  given: GivenValues,
  last: readonly number[] | undefined,
): { values: number[]; held?: number[] } {
  const held: number[] = []
  const found = inOrder(channels, given)
  const values = channels.map((name, i) => {
    const value = found[i]
    // Adding zero turns −0 into 0: JSON has no −0, and the log must replay to the same bits.
    if (typeof value === 'number') return value + 0
    if (missing === 'reject' || last === undefined) {
      const why =
        missing === 'reject' ? 'and this system refuses incomplete samples' : 'and has no earlier value to hold'
      throw new SampleError(`sample: channel ${name} has no value, ${why}`, i, value)
    }
    held.push(i)
    return last[i]
  })
  if (held.length === channels.length) throw new SampleError('sample: no channel has a value', -1, given)
  return held.length > 0 ? { values, held } : { values }
}

function inOrder(channels: readonly string[], given: GivenValues): readonly (number | null | undefined)[] {
  if (Array.isArray(given)) {
    if (given.length === channels.length) return given
    throw new SampleError(`sample: expected ${channels.length} values, got ${given.length}`, -1, given)
  }
  const byName = given as Readonly<Record<string, number | null>>
  const unknown = Object.keys(byName).find((name) => !channels.includes(name))
  if (unknown !== undefined)
    throw new SampleError(`sample: there is no channel ${JSON.stringify(unknown.slice(0, 60))}`, -1, unknown)
  return channels.map((name) => (Object.hasOwn(byName, name) ? byName[name] : undefined))
}
