import { FeedbackError, OptionError } from '@pb-oel/core'
import type { AlarmRule, GivenAlarmRule } from '@pb-oel/protocol'

/** The index of a level that an answer gives by index or by name. */
export function levelIndex(level: number | string | undefined, levels: readonly string[]): number | undefined {
  return indexOf(level, levels, (wanted) => new FeedbackError('level', level, wanted))
}

/** An alarm rule with indices in the place of names of levels. */
export function indexedAlarm(given: GivenAlarmRule, levels: readonly string[]): Partial<AlarmRule> {
  const { level, clearBelow, ...rest } = given
  const index = (option: string, value: number | string | undefined) =>
    indexOf(value, levels, (wanted) => new OptionError(option, value, wanted))
  return {
    ...rest,
    ...(level !== undefined && { level: index('alarm.level', level) }),
    ...(clearBelow !== undefined && { clearBelow: index('alarm.clearBelow', clearBelow) }),
  }
}

/**
 * Options of a method with indices in the place of names of levels. Whatever has another form is left to the method.
 */
export function indexedOptions(options: Record<string, unknown>, levels: readonly string[]): Record<string, unknown> {
  const { warmUp } = options
  if (!Array.isArray(warmUp)) return options
  const indexed = warmUp.map((sample: { level?: unknown } | null, i) => {
    const level = sample?.level
    if (typeof level !== 'string') return sample
    return {
      ...sample,
      level: indexOf(level, levels, (wanted) => new OptionError(`warmUp[${i}].level`, level, wanted)),
    }
  })
  return { ...options, warmUp: indexed }
}

function indexOf(
  level: number | string | undefined,
  levels: readonly string[],
  refuse: (wanted: string) => Error,
): number | undefined {
  if (typeof level !== 'string') return level
  const index = levels.indexOf(level)
  if (index < 0) throw refuse(`one of ${levels.join(', ')}, or an index`)
  return index
}
