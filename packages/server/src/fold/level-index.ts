import { FeedbackError, OptionError } from '@pb-oel/core'
import type { AlarmRule, AlarmSetting, GivenAlarmRule, GivenAlarmSetting } from '@pb-oel/protocol'

/** The index of a level that an answer gives by index or by name. */
export function levelIndex(level: number | string | undefined, levels: readonly string[]): number | undefined {
  return indexOf(level, levels, (wanted) => new FeedbackError('level', level, wanted))
}

/** The rule about the level with indices in the place of names of levels. */
export function indexedAlarm(given: GivenAlarmRule, levels: readonly string[]): Partial<AlarmRule> {
  return { ...given, ...limits('alarm', given, levels) } as Partial<AlarmRule>
}

/** Rules of alarms by name, the same way; `undefined` where there are none. */
export function indexedRules(
  given: Record<string, GivenAlarmSetting | null> | undefined,
  levels: readonly string[],
): Record<string, AlarmSetting | null> | undefined {
  if (!given) return undefined
  const rules = Object.entries(given).map(([name, rule]) => {
    return [name, rule && { ...rule, ...limits(`alarms.${name}`, rule, levels) }] as [string, AlarmSetting | null]
  })
  return Object.fromEntries(rules)
}

/** Where a rule begins and where it ends, as indices, as far as the caller says. */
function limits(
  where: string,
  { level, clearBelow }: Pick<GivenAlarmRule, 'level' | 'clearBelow'>,
  levels: readonly string[],
) {
  const index = (field: string, value: number | string | undefined) =>
    value === undefined
      ? {}
      : { [field]: indexOf(value, levels, (wanted) => new OptionError(`${where}.${field}`, value, wanted)) }
  return { ...index('level', level), ...index('clearBelow', clearBelow) }
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
