import { Asker, type AskingOptions, createAssessor, OptionError } from '@pb-oel/core'
import type { Configuration, ConfigurationChange, SystemRequest } from '@pb-oel/protocol'
import { changedRanges, checkRanges } from './ranges.ts'
import { serviceOptions } from './service-options.ts'

/** Completes and checks a new system, down to the options of its method. */
export function configure(id: string, given: SystemRequest): Configuration {
  const { channels, levels } = given
  unique('channels', channels)
  unique('levels', levels)
  const top = levels.length - 1
  const method = given.method ?? 'pb-oel'
  const ranges = changedRanges(undefined, given.ranges)
  const configuration: Configuration = {
    title: given.title ?? id,
    channels: [...channels],
    levels: [...levels],
    method,
    options: serviceOptions(method, given.options),
    seed: given.seed ?? 1,
    missing: given.missing ?? 'reject',
    alarm: { level: top, raiseAfter: 0, clearBelow: top, clearAfter: 0, ...given.alarm },
    queue: { uncertainty: 0.4, disagreement: 0.3, level: 0.2, freshness: 0.1, ...given.queue },
    ...(given.ask && { ask: { ...given.ask } }),
    ...(ranges && { ranges }),
    edition: 2,
  }
  checkAlarm(configuration)
  checkRanges(configuration)
  makeAssessor(configuration)
  makeAsker(configuration)
  return configuration
}

/** A configuration with some parts changed, checked. */
export function reconfigure(old: Configuration, change: ConfigurationChange): Configuration {
  const { alarm, queue, ask = old.ask, ranges: changes, ...rest } = change
  const { ask: _, ranges: earlier, ...kept } = old
  const ranges = changedRanges(earlier, changes)
  const next = {
    ...{ ...kept, ...rest, alarm: { ...old.alarm, ...alarm }, queue: { ...old.queue, ...queue } },
    ...(ask && { ask: { ...ask } }),
    ...(ranges && { ranges }),
  }
  checkAlarm(next)
  checkRanges(next)
  makeAsker(next)
  return next
}

/** A fresh assessor for a configuration. */
export function makeAssessor({ method, channels, levels, seed, options, edition = 1 }: Configuration) {
  return createAssessor(method, { channels: channels.length, levels: levels.length, seed, edition }, options)
}

/** A fresh asker, where the configuration has a rule for asking. */
export function makeAsker({ ask, seed, edition = 1 }: Configuration): Asker | undefined {
  // The asker itself refuses a strategy that it does not know.
  return ask && new Asker({ ...(ask as AskingOptions), seed, edition })
}

function checkAlarm({ alarm, levels }: Configuration): void {
  const top = levels.length - 1
  if (alarm.level > top) throw new OptionError('alarm.level', alarm.level, `an integer in [1, ${top}]`)
  if (alarm.clearBelow > alarm.level) {
    throw new OptionError('alarm.clearBelow', alarm.clearBelow, `at most alarm.level, which is ${alarm.level}`)
  }
}

function unique(option: string, names: readonly string[]): void {
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) throw new OptionError(option, repeated, 'free of repeated names')
}
