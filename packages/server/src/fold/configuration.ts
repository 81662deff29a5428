import { Asker, type AskingOptions, createAssessor, OptionError } from '@pb-oel/core'

/** What a system is and how it is assessed; the `created` record holds it, `configuration` records change parts of it. */
export interface SystemConfiguration {
  /** Name for people. */
  title: string
  /** Names of the channels, in the order of the numbers of a sample. */
  channels: string[]
  /** Names of the levels, safest first. */
  levels: string[]
  /** Method of the register of core, such as `pb-oel`. */
  method: string
  /** Options of the method. */
  options: Record<string, unknown>
  /** Seed of all randomness of the assessor. */
  seed: number
  /** A channel without a value: `hold` takes its last value and shows the sample as degraded, `reject` refuses the sample. */
  missing: 'hold' | 'reject'
  alarm: AlarmRule
  queue: QueueWeights
  /** Which assessments people are asked about, within a budget; left out: about all. The seed is the system's. */
  ask?: AskRule
  /** Edition of the methods and of the asker the system was created with; a log that names none is of the first. */
  edition?: 1 | 2
}

/** How the questions of a system are chosen: the options of core's `Asker`. */
type AskRule = Omit<AskingOptions, 'seed' | 'edition'>

/** When an alarm is raised and cleared. It watches the most probable level: the assessed one may be an exploration. */
export interface AlarmRule {
  /** Raised at this level or above. */
  level: number
  /** Seconds the level must have lasted. */
  raiseAfter: number
  /** Cleared below this level, at most `level`; in between nothing changes. */
  clearBelow: number
  /** Seconds it must have stayed below. */
  clearAfter: number
}

/** How much each reason counts in the order of the review queue. */
export interface QueueWeights {
  uncertainty: number
  disagreement: number
  level: number
  freshness: number
}

/** The parts that may change while a system lives. The model may not: a model is the fold of its whole log. */
export type ConfigurationChange = Partial<Pick<SystemConfiguration, 'title' | 'missing'>> & {
  alarm?: Partial<AlarmRule>
  queue?: Partial<QueueWeights>
  /** `null`: ask about everything again. */
  ask?: AskRule | null
}

/** What a caller must and may say about a new system. */
export type NewSystem = Pick<SystemConfiguration, 'channels' | 'levels'> &
  Partial<Omit<SystemConfiguration, 'channels' | 'levels' | 'alarm' | 'queue' | 'ask' | 'edition'>> &
  Pick<ConfigurationChange, 'alarm' | 'queue' | 'ask'>

/** Completes and checks a new system, down to the options of its method. */
export function configure(id: string, given: NewSystem): SystemConfiguration {
  const { channels, levels } = given
  unique('channels', channels)
  unique('levels', levels)
  const top = levels.length - 1
  const configuration: SystemConfiguration = {
    title: given.title ?? id,
    channels: [...channels],
    levels: [...levels],
    method: given.method ?? 'pb-oel',
    options: { ...given.options },
    seed: given.seed ?? 1,
    missing: given.missing ?? 'reject',
    alarm: { level: top, raiseAfter: 0, clearBelow: top, clearAfter: 0, ...given.alarm },
    queue: { uncertainty: 0.4, disagreement: 0.3, level: 0.2, freshness: 0.1, ...given.queue },
    ...(given.ask && { ask: { ...given.ask } }),
    edition: 2,
  }
  checkAlarm(configuration)
  makeAssessor(configuration)
  makeAsker(configuration)
  return configuration
}

/** A configuration with some parts changed, checked. */
export function reconfigure(old: SystemConfiguration, change: ConfigurationChange): SystemConfiguration {
  const { alarm, queue, ask = old.ask, ...rest } = change
  const { ask: _, ...kept } = old
  const next = {
    ...{ ...kept, ...rest, alarm: { ...old.alarm, ...alarm }, queue: { ...old.queue, ...queue } },
    ...(ask && { ask: { ...ask } }),
  }
  checkAlarm(next)
  makeAsker(next)
  return next
}

/** A fresh assessor for a configuration. */
export function makeAssessor({ method, channels, levels, seed, options, edition = 1 }: SystemConfiguration) {
  return createAssessor(method, { channels: channels.length, levels: levels.length, seed, edition }, options)
}

/** A fresh asker, where the configuration has a rule for asking. */
export function makeAsker({ ask, seed, edition = 1 }: SystemConfiguration): Asker | undefined {
  return ask && new Asker({ ...ask, seed, edition })
}

function checkAlarm({ alarm, levels }: SystemConfiguration): void {
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
