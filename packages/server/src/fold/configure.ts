import {
  Asker,
  type AskingOptions,
  createAssessor,
  type Extensions,
  type LabelledSample,
  Novelty,
  OptionError,
  Promises,
  type PromisesOptions,
  StuckChannels,
} from '@pb-oel/core'
import type {
  ChannelRange,
  Configuration,
  ConfigurationChange,
  LateRule,
  PromiseRule,
  ReviewRule,
  SystemRequest,
} from '@pb-oel/protocol'
import { changedRules, checkRules } from './alarm-rule.ts'
import { indexedAlarm, indexedRules } from './level-index.ts'
import { checkLate, checkUnits, setAside } from './names-and-limits.ts'
import { changedEntries, checkRanges } from './ranges.ts'
import { DEFAULT_METHOD, serviceOptions } from './service-options.ts'

/** What is promised unless a caller says otherwise. */
const PROMISE_RULE: PromiseRule = {
  confidence: 0.95,
  missTarget: 0.005,
  window: 3600,
  tolerance: 2,
  falseAlarmEvery: 100_000,
}

/** One answer per question, all trusted alike. */
const REVIEW_RULE: ReviewRule = { secondOpinion: 0, trust: false }

/** How often samples of known levels may be called novel unless a caller says otherwise. */
const NOVELTY_RULE = { falseAlarmEvery: 1000 }

/** Completes and checks a new system, down to the options of its method. */
export function configure(id: string, given: SystemRequest, extensions?: Extensions): Configuration {
  const { channels, levels } = given
  unique('channels', channels)
  unique('levels', levels)
  const top = levels.length - 1
  const method = given.method ?? DEFAULT_METHOD
  const ranges = changedEntries<ChannelRange>(undefined, given.ranges)
  const units = changedEntries<string>(undefined, given.units)
  const configuration: Configuration = {
    title: given.title ?? id,
    channels: [...channels],
    levels: [...levels],
    method,
    options: serviceOptions(given, extensions),
    seed: given.seed ?? 1,
    missing: given.missing ?? 'reject',
    alarm: {
      level: top,
      raiseAfter: 0,
      clearBelow: top,
      clearAfter: 0,
      watch: 'likely',
      ...indexedAlarm(given.alarm ?? {}, levels),
    },
    alarms: changedRules({}, indexedRules(given.alarms, levels)),
    ...(given.stale !== null && { stale: { ...given.stale } }),
    queue: { uncertainty: 0.4, disagreement: 0.3, level: 0.2, freshness: 0.1, ...given.queue },
    ...(given.ask && { ask: { ...given.ask } }),
    promises: changedPromises(PROMISE_RULE, given.promises),
    stuck: given.stuck ?? true,
    ...(given.novelty && { novelty: { ...NOVELTY_RULE, ...given.novelty } }),
    ...(ranges && { ranges }),
    ...(units && { units }),
    ...(given.review && { review: { ...REVIEW_RULE, ...given.review } }),
    edition: 2,
  }
  const late = changedLate(configuration, given.late)
  if (late) configuration.late = late
  check(configuration)
  makeAssessor(configuration, extensions)
  makePromises(configuration)
  makeNovelty(configuration)
  return configuration
}

/** A configuration with some parts changed, checked. */
export function reconfigure(old: Configuration, change: ConfigurationChange): Configuration {
  const {
    alarm,
    alarms,
    queue,
    ask = old.ask,
    stale = old.stale,
    promises,
    novelty = old.novelty,
    ranges: changes,
    units: named,
    late,
    review,
    archived,
    ...rest
  } = change
  const { ask: _ask, stale: _stale, novelty: _novelty, ranges: earlier, units: formerly, archived: was, ...kept } = old
  if (rest.levels && rest.levels.length !== old.levels.length) {
    throw new OptionError(
      'levels',
      rest.levels,
      `${old.levels.length} names: this renames levels; POST …/levels adds one, and none is removed`,
    )
  }
  if (promises && !old.promises) {
    throw new OptionError('promises', promises, 'left out: this system was created before promises were kept')
  }
  const ranges = changedEntries<ChannelRange>(earlier, changes)
  const units = changedEntries<string>(formerly, named)
  const limit = changedLate(old, late)
  const next = {
    ...{ ...kept, ...rest, alarm: { ...old.alarm, ...alarm }, queue: { ...old.queue, ...queue } },
    ...((alarms || old.alarms) && { alarms: changedRules(old.alarms, alarms) }),
    ...(stale && { stale: { ...stale } }),
    ...(ask && { ask: { ...ask } }),
    ...(old.promises && { promises: changedPromises(old.promises, promises) }),
    ...(novelty && { novelty: { ...NOVELTY_RULE, ...novelty } }),
    ...(ranges && { ranges }),
    ...(units && { units }),
    ...(limit && { late: limit }),
    ...((review || old.review) && { review: { ...REVIEW_RULE, ...old.review, ...review } }),
    ...((archived ?? was) && { archived: true }),
  }
  unique('levels', next.levels)
  check(next)
  makePromises(next)
  makeNovelty(next)
  return next
}

/** A fresh assessor for a configuration. */
export function makeAssessor(configuration: Configuration, extensions?: Extensions) {
  const { method, channels, levels, seed, options, edition = 1 } = configuration
  const task = { channels: channels.length, levels: levels.length, seed, edition }
  return createAssessor(method, task, options, extensions)
}

/** A fresh asker, where the configuration has a rule for asking. */
export function makeAsker({ ask, seed, edition = 1 }: Configuration): Asker | undefined {
  // The asker itself refuses a strategy that it does not know.
  return ask && new Asker({ ...(ask as AskingOptions), seed, edition })
}

/** What notices channels that stop moving, where the system looks for them: those from before did not. */
export function makeStuck({ stuck, channels }: Configuration): StuckChannels | undefined {
  return stuck ? new StuckChannels(channels.length) : undefined
}

/** Fresh promises, where the system keeps them: those from before they were kept do not. */
export function makePromises(configuration: Configuration, asker = makeAsker(configuration)): Promises | undefined {
  const options = promiseOptions(configuration, asker)
  return options && new Promises(options)
}

/** A fresh search for novel samples, where the configuration has a rule for it. */
export function makeNovelty({ novelty, channels, levels, seed, options }: Configuration): Novelty | undefined {
  // The assessor has checked its options before.
  const { warmUp } = options as { warmUp?: readonly LabelledSample[] }
  const shape = { channels: channels.length, levels: levels.length }
  return novelty && new Novelty({ ...novelty, ...shape, seed, pending: setAside(options), warmUp })
}

/** The options of the promises of a system whose questions `asker` chooses; without one, everything is asked. */
export function promiseOptions(configuration: Configuration, asker: Asker | undefined): PromisesOptions | undefined {
  const { promises, levels, options } = configuration
  if (!promises) return undefined
  // The assessor has checked its options before.
  const { pending, warmUp } = options as { pending?: number; warmUp?: readonly LabelledSample[] }
  return { ...promises, levels: levels.length, floor: asker?.leastProbability ?? 1, pending, warmUp }
}

/** A rule with some parts changed; a target of `null` is taken away. */
function changedPromises(old: PromiseRule, { target, ...change }: ConfigurationChange['promises'] = {}): PromiseRule {
  const { target: kept, ...rest } = { ...old, ...change }
  const next = target === undefined ? kept : target
  return { ...rest, ...(next !== null && next !== undefined && { target: next }) }
}

/** A rule with some parts changed; seconds of `null` are taken away. Undefined where there is none. */
function changedLate({ late, options }: Configuration, change: ConfigurationChange['late']): LateRule | undefined {
  if (!change) return late
  const { samples = setAside(options), seconds } = { ...late, ...change }
  return { samples, ...(seconds !== null && seconds !== undefined && { seconds }) }
}

function check(configuration: Configuration): void {
  checkAlarm(configuration)
  checkRules(configuration)
  checkRanges(configuration)
  checkUnits(configuration)
  checkLate(configuration)
}

function checkAlarm({ alarm, levels, promises }: Configuration): void {
  const top = levels.length - 1
  if (alarm.level < 1 || alarm.level > top) {
    throw new OptionError(
      'alarm.level',
      alarm.level,
      `one of ${levels.slice(1).join(', ')}, or an integer in [1, ${top}]`,
    )
  }
  if (alarm.clearBelow < 1 || alarm.clearBelow > alarm.level) {
    throw new OptionError('alarm.clearBelow', alarm.clearBelow, `in [1, ${alarm.level}]: at most alarm.level`)
  }
  if (alarm.watch === 'safe-side' && !promises) {
    throw new OptionError('alarm.watch', alarm.watch, 'likely: this system was created before promises were kept')
  }
}

function unique(option: string, names: readonly string[]): void {
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) throw new OptionError(option, repeated, 'free of repeated names')
}
