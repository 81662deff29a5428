import { OptionError, SampleError } from '@pb-oel/core'
import type { ChannelRange, Configuration } from '@pb-oel/protocol'

/** Entries by channel with some changed: `null` removes the one of a channel. Undefined where none is left. */
export function changedEntries<T>(
  old: Record<string, T> | undefined,
  change: Record<string, T | null> | undefined,
): Record<string, T> | undefined {
  const next = Object.entries({ ...old, ...change }).filter(([, range]) => range !== null)
  return next.length > 0 ? (Object.fromEntries(next) as Record<string, T>) : undefined
}

/** Refuses ranges of unknown channels, and ranges that nothing can be in. */
export function checkRanges({ ranges = {}, channels }: Configuration): void {
  for (const [channel, { min = -Infinity, max = Infinity }] of Object.entries(ranges)) {
    if (!channels.includes(channel)) throw new OptionError('ranges', channel, `the name of a channel`)
    if (min > max) throw new OptionError(`ranges.${channel}.min`, min, `at most max, which is ${max}`)
  }
}

/**
 * A value as its range lets it pass, and whether that makes the sample degraded. A value outside is refused, cut off
 * at the nearest limit, or taken as it is, as the range says.
 */
export function withinRange(
  value: number,
  range: ChannelRange | undefined,
  channel: string,
  index: number,
): { value: number; degraded: boolean } {
  const { min = -Infinity, max = Infinity, action = 'reject' } = range ?? {}
  if (value >= min && value <= max) return { value, degraded: false }
  if (action === 'flag') return { value, degraded: true }
  if (action === 'clip') return { value: value < min ? min : max, degraded: true }
  throw new SampleError(`sample: channel ${channel} is ${value}, outside its range of ${min} to ${max}`, index, value)
}
