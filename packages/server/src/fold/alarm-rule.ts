import { OptionError } from '@pb-oel/core'
import { ALARM_KINDS, type AlarmSetting, type AssessmentBody, type Configuration } from '@pb-oel/protocol'
import type { Handling, Seen } from './alarm.ts'
import { mostProbable } from './most-probable.ts'

/** Seconds that an alarm may be on the shelf unless its rule says otherwise: one shift. */
const SHIFT = 28_800

/** How urgent the alarms of each kind are unless their rule says otherwise. */
const PRIORITY = {
  likely: 'high',
  'safe-side': 'high',
  novel: 'medium',
  range: 'medium',
  stale: 'medium',
  accuracy: 'medium',
  drift: 'low',
} as const

/** A rule of alarms as the fold uses it: what it watches, and how its alarm is handled. */
export interface Rule extends Handling {
  readonly name: string
  readonly watch: keyof typeof PRIORITY
  /** The rule as the configuration has it; the level of the built-in rule is in `alarm`. */
  readonly setting: AlarmSetting
  readonly suppressedBy: readonly string[]
}

/** What there is to see of the latest sample. */
export interface Sight {
  /** Its assessment; `undefined` before any. */
  body: AssessmentBody | undefined
  values: readonly number[]
  /** Names of the channels that are held or outside their plausible range. */
  degraded: readonly string[]
  /** The likely level, or 0. */
  level: number
}

/** The rules of a system, those that every system has first. */
export function rulesOf(configuration: Configuration): Rule[] {
  const { alarm, alarms, promises } = configuration
  const make = (name: string, setting: AlarmSetting, watch: Rule['watch']): Rule => ({
    ...{ name, watch, setting, suppressedBy: setting.suppressedBy ?? [] },
    raiseAfter: setting.raiseAfter ?? 0,
    clearAfter: setting.clearAfter ?? 0,
    momentary: watch === 'accuracy' || watch === 'drift',
    latch: setting.latch,
    realarmAfter: setting.realarmAfter,
    shelveAtMost: setting.shelveAtMost ?? SHIFT,
    escalation: setting.escalation,
    priority: alarms && (setting.priority ?? PRIORITY[watch]),
  })
  const { watch = 'likely', ...level } = alarm
  const own = Object.entries(alarms ?? {}).filter(([name]) => !isBuiltIn(name))
  return [
    make('level', { ...alarms?.level, ...level }, watch),
    make('stale', alarms?.stale ?? {}, 'stale'),
    ...(promises ? [make('accuracy', alarms?.accuracy ?? {}, 'accuracy')] : []),
    ...own.map(([name, setting]) => make(name, setting, setting.watch ?? 'likely')),
  ]
}

/** Whether every system has an alarm of this name. */
export function isBuiltIn(name: string): boolean {
  return (ALARM_KINDS as readonly string[]).includes(name)
}

/** How urgent the alarm of a rule is, also where the system is from before priorities. */
export function priorityOf({ priority, watch }: Rule) {
  return priority ?? PRIORITY[watch]
}

/** What a rule sees of a sample; `undefined` where it sees nothing, such as a level that is no finding. */
export function see({ watch, setting }: Rule, channels: readonly string[], sight: Sight): Seen | undefined {
  if (watch === 'range') return seeChannel(setting, channels, sight)
  const { body } = sight
  if (watch === 'novel') {
    const novel = body?.novelty?.novel
    return novel === undefined ? undefined : { raises: novel, clears: !novel, level: sight.level }
  }
  if ((watch !== 'likely' && watch !== 'safe-side') || !body || body.trained === false) return undefined
  const { probabilities, safeSide } = body
  const level = watch === 'safe-side' && safeSide !== undefined ? safeSide : mostProbable(probabilities)
  const { level: limit = 1, clearBelow = limit } = setting
  return { raises: level >= limit, clears: level < clearBelow, level }
}

function seeChannel(setting: AlarmSetting, channels: readonly string[], sight: Sight): Seen | undefined {
  const { channel = '', min, max, deadband = 0 } = setting
  const { level } = sight
  if (min === undefined && max === undefined) {
    const raises = sight.degraded.includes(channel)
    return { raises, clears: !raises, level }
  }
  const value = sight.values[channels.indexOf(channel)]
  if (value === undefined) return undefined
  const [low, high] = [min ?? -Infinity, max ?? Infinity]
  return { raises: value < low || value > high, clears: value >= low + deadband && value <= high - deadband, level }
}

/** Rules with some changed: `null` removes one. Those that every system has fall back to what they were at first. */
export function changedRules(
  old: Configuration['alarms'],
  change: Record<string, AlarmSetting | null> | undefined,
): Record<string, AlarmSetting> {
  const kept = Object.entries({ ...old, ...change }).filter((entry): entry is [string, AlarmSetting] => !!entry[1])
  return Object.fromEntries(kept)
}

/** Which settings go with what is watched. */
const GOES_WITH: Record<string, readonly Rule['watch'][]> = {
  level: ['likely', 'safe-side'],
  clearBelow: ['likely', 'safe-side'],
  channel: ['range'],
  min: ['range'],
  max: ['range'],
  deadband: ['range'],
  after: ['stale'],
  raiseAfter: ['likely', 'safe-side', 'novel', 'range'],
  clearAfter: ['likely', 'safe-side', 'novel', 'range'],
}

/** Refuses rules that make no sense, and rules that suppress each other. */
export function checkRules(configuration: Configuration): void {
  const { alarms = {} } = configuration
  for (const [name, setting] of Object.entries(alarms)) {
    const at = `alarms.${name}`
    if (isBuiltIn(name)) checkBuiltIn(at, setting)
    else checkOwn(at, setting, configuration)
    checkSteps(at, setting)
    checkSuppression(at, name, configuration)
  }
}

function checkBuiltIn(at: string, setting: AlarmSetting): void {
  const wrong = ['watch', ...Object.keys(GOES_WITH)].find((key) => key in setting)
  if (wrong === undefined) return
  throw new OptionError(
    `${at}.${wrong}`,
    setting[wrong as keyof AlarmSetting],
    'left out: alarm, stale or promises say it',
  )
}

function checkOwn(at: string, setting: AlarmSetting, configuration: Configuration): void {
  const { levels, channels, promises, novelty } = configuration
  const { watch, level, clearBelow, channel, min = -Infinity, max = Infinity, after } = setting
  const top = levels.length - 1
  if (!watch)
    throw new OptionError(
      `${at}.watch`,
      watch,
      'what a rule of one’s own watches: likely, safe-side, novel, range, stale or drift',
    )
  for (const [key, kinds] of Object.entries(GOES_WITH)) {
    if (!(key in setting) || kinds.includes(watch)) continue
    throw new OptionError(
      `${at}.${key}`,
      setting[key as keyof AlarmSetting],
      `left out: it goes with ${kinds.join(' and ')}`,
    )
  }
  if (watch === 'likely' || watch === 'safe-side') {
    if (level === undefined || level < 1 || level > top) {
      const names = levels.slice(1).join(', ')
      throw new OptionError(`${at}.level`, level, `one of ${names}, or an integer in [1, ${top}]`)
    }
    if ((clearBelow ?? level) < 1 || (clearBelow ?? level) > level) {
      throw new OptionError(`${at}.clearBelow`, clearBelow, `in [1, ${level}]: at most level`)
    }
  }
  if (watch === 'safe-side' && !promises) {
    throw new OptionError(`${at}.watch`, watch, 'likely: this system was created before promises were kept')
  }
  if (watch === 'novel' && !novelty) {
    throw new OptionError(`${at}.watch`, watch, 'another one: this system does not look for novel samples (novelty)')
  }
  if (watch === 'range') {
    if (!channels.includes(channel ?? '')) throw new OptionError(`${at}.channel`, channel, 'the name of a channel')
    if (min > max) throw new OptionError(`${at}.min`, min, `at most max, which is ${max}`)
  }
  if (watch === 'stale' && after === undefined) throw new OptionError(`${at}.after`, after, 'seconds without a sample')
}

function checkSteps(at: string, { escalation = [] }: AlarmSetting): void {
  const early = escalation.findIndex(({ after }, i) => i > 0 && after <= escalation[i - 1].after)
  if (early === -1) return
  const before = escalation[early - 1].after
  throw new OptionError(
    `${at}.escalation[${early}].after`,
    escalation[early].after,
    `more than ${before}, as the step before`,
  )
}

/** Two alarms that suppress each other could both be hidden while both last. */
function checkSuppression(at: string, name: string, { alarms = {} }: Configuration): void {
  for (const by of alarms[name].suppressedBy ?? []) {
    if (!isBuiltIn(by) && !alarms[by]) throw new OptionError(`${at}.suppressedBy`, by, 'the name of another rule')
  }
  const reached = new Set<string>()
  const visit = (rule: string): void => {
    for (const by of alarms[rule]?.suppressedBy ?? []) {
      if (by === name) throw new OptionError(`${at}.suppressedBy`, rule, 'no rule that this one suppresses in turn')
      if (reached.has(by)) continue
      reached.add(by)
      visit(by)
    }
  }
  visit(name)
}
