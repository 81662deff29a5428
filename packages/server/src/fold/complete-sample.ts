import { SampleError, type StuckChannels } from '@pb-oel/core'
import type { Configuration, Sample, SensorSample } from '@pb-oel/protocol'
import { withinRange } from './ranges.ts'

/**
 * The complete sample, and the names of the channels that had to be held at their last value, are outside their range
 * or have stopped moving.
 *
 * @param last the values of the sample before; `undefined` before the first
 * @param stuck notices the latter, where the system looks for them
 */
export function completeValues(
  { channels, missing, ranges = {} }: Pick<Configuration, 'channels' | 'missing' | 'ranges'>,
  given: SensorSample['values'],
  last: readonly number[] | undefined,
  stuck?: StuckChannels,
): Pick<Sample, 'values' | 'degraded'> {
  const degraded: string[] = []
  const found = valuesInOrder(channels, given)
  const values = channels.map((name, i) => {
    const value = found[i]
    if (typeof value === 'number') {
      const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined
      const passed = withinRange(value, range, name, i)
      if (passed.degraded) degraded.push(name)
      // Adding zero turns −0 into 0: JSON has no −0, and the log must replay to the same bits.
      return passed.value + 0
    }
    if (missing === 'reject' || last === undefined) {
      const why =
        missing === 'reject' ? 'and this system refuses incomplete samples' : 'and has no earlier value to hold'
      throw new SampleError(`sample: channel ${name} has no value, ${why}`, i, value)
    }
    degraded.push(name)
    return last[i]
  })
  if (found.every((value) => typeof value !== 'number')) {
    throw new SampleError('sample: no channel has a value', -1, given)
  }
  for (const i of stuck?.after(values) ?? []) if (!degraded.includes(channels[i])) degraded.push(channels[i])
  return degraded.length > 0 ? { values, degraded } : { values }
}

/** The values of a sample in the order of the channels; those that are missing are no numbers. */
export function valuesInOrder(
  channels: readonly string[],
  given: SensorSample['values'],
): readonly (number | null | undefined)[] {
  if (Array.isArray(given)) {
    if (given.length === channels.length) return given
    throw new SampleError(`sample: expected ${channels.length} values, got ${given.length}`, -1, given)
  }
  const unknown = Object.keys(given).find((name) => !channels.includes(name))
  if (unknown !== undefined)
    throw new SampleError(`sample: there is no channel ${JSON.stringify(unknown.slice(0, 60))}`, -1, unknown)
  return channels.map((name) => (Object.hasOwn(given, name) ? given[name] : undefined))
}
