import { type Extensions, findMethod, OptionError } from '@pb-oel/core'
import type { AddedChannel, AddedLevel, Configuration } from '@pb-oel/protocol'
import { checkRanges } from './ranges.ts'

/** A configuration with one level more, behind the others: records name levels by their place. */
export function withLevel(old: Configuration, { name }: AddedLevel): Configuration {
  if (old.levels.includes(name)) throw new OptionError('name', name, 'the name of no other level')
  return { ...old, levels: [...old.levels, name] }
}

/** A configuration with one channel more, behind the others: records name channels by their place. */
export function withChannel(
  old: Configuration,
  { name, unit, range, warmUp }: AddedChannel,
  extensions?: Extensions,
): Configuration {
  if (old.channels.includes(name)) throw new OptionError('name', name, 'the name of no other channel')
  // A method that cannot be warmed up begins with nothing.
  const warms = Object.hasOwn(findMethod(old.method, extensions).options, 'warmUp')
  const { warmUp: _, ...options } = old.options
  const next: Configuration = {
    ...old,
    channels: [...old.channels, name],
    options: warms && warmUp.length > 0 ? { ...options, warmUp } : options,
    ...(unit !== undefined && { units: { ...old.units, [name]: unit } }),
    ...(range && { ranges: { ...old.ranges, [name]: range } }),
  }
  checkRanges(next)
  return next
}
