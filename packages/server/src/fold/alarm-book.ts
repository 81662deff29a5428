import type { AlarmChange, Configuration, RecordBodies } from '@pb-oel/protocol'
import { Conflict, NotFound } from '../errors.ts'
import {
  type AlarmState,
  acknowledge,
  clear,
  discard,
  elapse,
  isQuiet,
  laterDue,
  type Moment,
  observe,
  putBack,
  quietAlarm,
  raise,
  raiseDue,
  reset,
  shelve,
  suppress,
  takeOut,
  unshelve,
} from './alarm.ts'
import { type Rule, rulesOf, type Sight, see } from './alarm-rule.ts'
import { observeArrival, type StreamRate, staleAfter, unknownRate } from './staleness.ts'

/** Stands behind the name of a rule in a tick, where time does something else than to raise its alarm. */
const LATER = '/later'

/** Something that time alone will do to an alarm. */
export interface AlarmDue {
  /** The name of the rule, perhaps with `/later` behind it. */
  alarm: string
  /** Steady time. */
  at: number
  /** Whether it is about silence, for which a sensor has time after a start. */
  silence: boolean
}

/** What a log says a person did with an alarm. */
type Action = RecordBodies['alarm-action']

/** All alarms of a system: a state for each rule, and what samples, time and people do to them. */
export class AlarmBook {
  /** What is known of the rate of the stream. */
  readonly rate: StreamRate = unknownRate()
  private readonly states = new Map<string, AlarmState>()
  private configuration: Configuration
  private rules: readonly Rule[]

  constructor(configuration: Configuration) {
    this.configuration = configuration
    this.rules = rulesOf(configuration)
    for (const { name } of this.rules) this.states.set(name, quietAlarm(name))
  }

  /** Every rule with the state of its alarm. */
  get all(): { rule: Rule; alarm: AlarmState }[] {
    return this.rules.map((rule) => ({ rule, alarm: this.state(rule.name) }))
  }

  /** The state of the alarm of a rule, where there is one. */
  find(name: string): AlarmState | undefined {
    return this.states.get(name)
  }

  /** The state of an alarm that is known to be there. */
  state(name: string): AlarmState {
    return this.states.get(name) as AlarmState
  }

  /** Whether there is a rule about stale data, or an alarm from when there was one. */
  get watchesSilence(): boolean {
    return this.configuration.stale !== undefined || this.state('stale').number > 0
  }

  /** Seconds without a sample after which data are stale; `null` while there is no rate. */
  get staleAfter(): number | null {
    return staleAfter(this.configuration.stale, this.rate)
  }

  /** Goes on with other rules. Alarms whose rule is gone end. */
  reconfigure(configuration: Configuration, now: Moment): AlarmChange[] {
    this.configuration = configuration
    this.rules = rulesOf(configuration)
    const names = new Set(this.rules.map(({ name }) => name))
    const gone = [...this.states.keys()].filter((name) => !names.has(name))
    const changes = gone.map((name) => discard(this.state(name), now))
    for (const name of gone) this.states.delete(name)
    for (const name of names) if (!this.states.has(name)) this.states.set(name, quietAlarm(name))
    return changes.filter((change) => change !== undefined)
  }

  /** Takes in a sample. */
  sample(sight: Sight, drifted: boolean, now: Moment): AlarmChange[] {
    const { channels } = this.configuration
    if (this.watchesSilence) observeArrival(this.rate, now.steady)
    return this.rules.flatMap((rule) => {
      const alarm = this.state(rule.name)
      if (rule.watch === 'stale') return isQuiet(alarm) ? [] : [clear(alarm, rule, sight.level, now)]
      if (rule.watch === 'drift') return drifted ? this.strike(rule, sight.level, now) : []
      const seen = see(rule, channels, sight)
      return (seen && observe(alarm, rule, seen, now)) ?? []
    })
  }

  /** Accuracy has fallen below what is to be kept. */
  fall(level: number, keptAccuracy: number, now: Moment): AlarmChange[] {
    const rule = this.rules.find(({ watch }) => watch === 'accuracy')
    if (!rule || this.state(rule.name).status === 'active') return []
    this.state(rule.name).keptAccuracy = keptAccuracy
    return this.strike(rule, level, now)
  }

  /** Something without an end has happened. While its alarm waits for a person, it changes nothing. */
  private strike(rule: Rule, level: number, now: Moment): AlarmChange[] {
    const alarm = this.state(rule.name)
    return alarm.status === 'active' ? [] : [raise(alarm, rule, level, now)]
  }

  /**
   * Everything that time alone will do.
   *
   * @param heard steady time of the latest sample; `null` before any
   * @param trained whether levels are findings
   */
  due(heard: number | null, trained: boolean): AlarmDue[] {
    return this.rules.flatMap((rule) => {
      const alarm = this.state(rule.name)
      const silence = rule.watch === 'stale'
      const at = silence ? this.staleDue(rule, alarm, heard) : this.levelDue(rule, alarm, trained)
      const later = laterDue(alarm, rule)
      return [
        ...(at === null ? [] : [{ alarm: rule.name, at, silence }]),
        ...(later === null ? [] : [{ alarm: `${rule.name}${LATER}`, at: later, silence: false }]),
      ]
    })
  }

  private staleDue(rule: Rule, alarm: AlarmState, heard: number | null): number | null {
    const after = this.silenceOf(rule)
    return after !== null && heard !== null && isQuiet(alarm) ? heard + after * 1000 : null
  }

  private levelDue(rule: Rule, alarm: AlarmState, trained: boolean): number | null {
    return trained || rule.watch === 'range' ? raiseDue(alarm, rule) : null
  }

  /** Seconds of silence that a rule about stale data waits for. */
  private silenceOf({ setting }: Rule): number | null {
    return setting.after ?? this.staleAfter
  }

  /** Does what is due: it raises alarms, ends shelves, calls again and escalates. Only samples clear alarms. */
  tick(due: readonly AlarmDue[], sight: Sight, now: Moment): AlarmChange[] {
    const { channels } = this.configuration
    return due.flatMap(({ alarm: name, silence }) => {
      const later = name.endsWith(LATER)
      const rule = this.rule(later ? name.slice(0, -LATER.length) : name)
      const alarm = this.state(rule.name)
      if (later) return elapse(alarm, rule, now) ?? []
      if (silence) {
        alarm.staleAfter = this.silenceOf(rule) ?? 0
        return raise(alarm, rule, sight.level, now)
      }
      const seen = see(rule, channels, sight)
      return (seen && observe(alarm, rule, seen, now)) ?? []
    })
  }

  /** A person has seen an alarm. */
  acknowledge({ about = 'level', ...given }: RecordBodies['acknowledgement'], now: Moment): AlarmChange {
    const rule = this.rule(about)
    return acknowledge(this.state(about), rule, given, now)
  }

  /** A person does something else with an alarm. */
  act({ about = 'level', action, comment, ...given }: Action, now: Moment): AlarmChange {
    const rule = this.rule(about)
    const alarm = this.state(about)
    switch (action) {
      case 'shelve':
        return shelve(alarm, rule, { ...given, comment }, now)
      case 'unshelve':
        return unshelve(alarm, rule, comment, now)
      case 'reset':
        return reset(alarm, comment, now)
      case 'out-of-service':
        return takeOut(alarm, given.by, comment, now)
      case 'in-service':
        return putBack(alarm, rule, comment, now)
    }
  }

  /** Changes with those that follow by design: an alarm that lasts suppresses others. */
  settled(changes: readonly AlarmChange[], now: Moment): AlarmChange[] {
    const made = [...changes]
    for (const rule of this.rules) {
      const by = rule.suppressedBy.find((name) => {
        const other = this.states.get(name)
        return other !== undefined && !isQuiet(other)
      })
      const change = suppress(this.state(rule.name), rule, by, now)
      if (change) made.push(change)
    }
    return made
  }

  private rule(name: string): Rule {
    const rule = this.rules.find((rule) => rule.name === name)
    if (rule) return rule
    if (name === 'accuracy') throw new Conflict('this system was created before promises were kept')
    const names = this.rules.map((rule) => rule.name).join(', ')
    throw new NotFound(`there is no rule ${name}; the rules of this system are ${names}`)
  }
}
