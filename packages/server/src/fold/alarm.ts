import type { Alarm, AlarmChange, Priority } from '@pb-oel/protocol'
import { Conflict, InvalidRequest } from '../errors.ts'

/**
 * The states of one alarm and everything that moves it from one to another (ISA-18.2 section 6, OPC UA Part 9 section
 * 5.8; the table is in docs/alarms.md). Pure: no clock, no configuration, no I/O. Operations that the present state
 * does not allow throw and change nothing.
 */

/** What is kept of an alarm. */
export interface AlarmState extends Omit<Alarm, 'shelved' | 'cause' | 'step' | 'tell'> {
  /** Since when the condition has held, without a break; steady time. */
  above: number | null
  /** Since when it has been over; steady time. */
  below: number | null
  /** The shelf that it is on. `end` is steady time. */
  shelf?: { end: number; oneShot: boolean; by: string }
  /** Since when it calls for a person; steady time. */
  calls?: number
  /** When a person acknowledged it, while it is acknowledged; steady time. */
  seen?: number
  /** Steps of the escalation so far, and the receivers they have told. */
  steps?: number
  told?: string[]
}

/** How an alarm is handled. */
export interface Handling {
  /** On delay and off delay, seconds. */
  raiseAfter: number
  clearAfter: number
  /** What it is about has no end of its own, such as a fall of accuracy: an acknowledgement ends it. */
  momentary?: boolean
  latch?: boolean
  realarmAfter?: number
  /** Longest time on the shelf, seconds. */
  shelveAtMost: number
  escalation?: readonly { after: number; tell: readonly string[] }[]
  /** Left out in systems from before priorities: their records hold none of what came with them. */
  priority?: Priority
}

/** What a rule sees. Between raising and clearing nothing changes. */
export interface Seen {
  raises: boolean
  clears: boolean
  /** The level to tell. */
  level: number
}

/** A moment of a log. */
export interface Moment {
  /** Time of the record, milliseconds since 1970. */
  time: number
  /** Steady time, by which durations are measured: milliseconds that no jump of the clock touches. */
  steady: number
}

/** No alarm, nothing seen yet. */
export const quietAlarm = (about?: string): AlarmState => ({
  ...(about !== undefined && about !== 'level' && { about }),
  ...{ number: 0, status: 'normal', level: 0, since: 0, above: null, below: null },
})

/** Whether what the alarm is about does not last now. */
export function isQuiet({ status }: Pick<Alarm, 'status'>): boolean {
  return status === 'normal' || status === 'returned' || status === 'latched'
}

/** Whether it calls nobody, whatever its status. */
export function isHidden({ shelf, suppressed, outOfService }: AlarmState): boolean {
  return shelf !== undefined || suppressed !== undefined || outOfService !== undefined
}

/** Whether it waits for a person who has not seen it. */
export function callsSomebody(alarm: AlarmState): boolean {
  return (alarm.status === 'active' || alarm.status === 'returned') && !isHidden(alarm)
}

/** Takes in what a rule sees at one moment; the change to record, if there is one. */
export function observe(alarm: AlarmState, rule: Handling, seen: Seen, now: Moment): AlarmChange | undefined {
  const { steady } = now
  alarm.above = seen.raises ? (alarm.above ?? steady) : null
  alarm.below = seen.clears ? (alarm.below ?? steady) : null
  const due = raiseDue(alarm, rule)
  if (due !== null && steady >= due) return raise(alarm, rule, seen.level, now)
  if (isQuiet(alarm) || alarm.below === null || steady - alarm.below < rule.clearAfter * 1000) return undefined
  return clear(alarm, rule, seen.level, now)
}

/** The steady time at which the alarm is raised, unless the condition ends before; `null` when it is not coming. */
export function raiseDue(alarm: AlarmState, { raiseAfter }: Handling): number | null {
  return isQuiet(alarm) && alarm.above !== null ? alarm.above + raiseAfter * 1000 : null
}

/** What the alarm is about has begun: a new alarm with a new number. */
export function raise(alarm: AlarmState, rule: Handling, level: number, now: Moment): AlarmChange {
  alarm.number++
  delete alarm.acknowledgedBy
  delete alarm.comment
  if (rule.priority) alarm.raised = now.time
  begin(alarm, rule, now)
  return change(alarm, { status: 'active', level }, now)
}

/** It has ended. An alarm that nobody has seen waits for a person still, unless it called nobody. */
export function clear(alarm: AlarmState, rule: Handling, level: number, now: Moment): AlarmChange {
  if (callsSomebody(alarm)) return change(alarm, { status: 'returned', level }, now)
  return change(alarm, { status: end(alarm, rule), level }, now)
}

/** A person has seen the alarm. */
export function acknowledge(
  alarm: AlarmState,
  rule: Handling,
  { number, by, comment }: { number: number; by: string; comment?: string },
  now: Moment,
): AlarmChange {
  mustBeLatest(alarm, number)
  if (alarm.status !== 'active' && alarm.status !== 'returned') {
    throw new Conflict(`${named(alarm)} waits for nobody: it is ${alarm.status}`)
  }
  alarm.acknowledgedBy = by
  say(alarm, comment)
  delete alarm.calls
  const lasts = alarm.status === 'active' && !rule.momentary
  if (lasts && rule.priority) alarm.seen = now.steady
  return change(alarm, { status: lasts ? 'acknowledged' : end(alarm, rule) }, now)
}

/** A person has found that a latched alarm may go. */
export function reset(alarm: AlarmState, comment: string | undefined, now: Moment): AlarmChange {
  if (alarm.status === 'returned') throw new Conflict(`${named(alarm)} must be acknowledged before it is reset`)
  if (alarm.status !== 'latched') throw new Conflict(`${named(alarm)} is not latched: it is ${alarm.status}`)
  say(alarm, comment)
  return change(alarm, { status: 'normal', cause: 'reset' }, now)
}

/** A person puts the alarm on the shelf, where it calls nobody for a while. */
export function shelve(
  alarm: AlarmState,
  { shelveAtMost }: Handling,
  given: { seconds?: number; oneShot?: boolean; by: string; comment?: string },
  now: Moment,
): AlarmChange {
  const { seconds = shelveAtMost, oneShot = false, by, comment } = given
  if (seconds > shelveAtMost) {
    throw new InvalidRequest(`seconds should be at most ${shelveAtMost} (shelveAtMost of the rule), not ${seconds}`)
  }
  if (alarm.outOfService !== undefined) throw new Conflict(`${named(alarm)} is out of service`)
  if (alarm.shelf) throw new Conflict(`${named(alarm)} is on the shelf already, put there by ${alarm.shelf.by}`)
  alarm.shelf = { end: now.steady + seconds * 1000, oneShot, by }
  say(alarm, comment)
  return hide(alarm, 'shelved', now)
}

/** A person takes the alarm from the shelf. */
export function unshelve(alarm: AlarmState, rule: Handling, comment: string | undefined, now: Moment): AlarmChange {
  if (!alarm.shelf) throw new Conflict(`${named(alarm)} is not on the shelf`)
  say(alarm, comment)
  return endShelf(alarm, rule, 'unshelved', now)
}

/** A person takes the alarm out of service, such as for work on a sensor. It stays so until it is put back. */
export function takeOut(alarm: AlarmState, by: string, comment: string | undefined, now: Moment): AlarmChange {
  if (alarm.outOfService !== undefined) throw new Conflict(`${named(alarm)} is out of service already`)
  alarm.outOfService = by
  delete alarm.shelf
  say(alarm, comment)
  return hide(alarm, 'out of service', now)
}

/** A person puts the alarm back into service. */
export function putBack(alarm: AlarmState, rule: Handling, comment: string | undefined, now: Moment): AlarmChange {
  if (alarm.outOfService === undefined) throw new Conflict(`${named(alarm)} is in service`)
  delete alarm.outOfService
  say(alarm, comment)
  return reappear(alarm, rule, 'in service', now)
}

/** Another alarm makes this one needless while it lasts, by design. The change, if there is one. */
export function suppress(
  alarm: AlarmState,
  rule: Handling,
  by: string | undefined,
  now: Moment,
): AlarmChange | undefined {
  const before = alarm.suppressed
  if (by === before) return undefined
  if (by !== undefined) {
    alarm.suppressed = by
    return before === undefined ? hide(alarm, 'suppressed', now) : undefined
  }
  delete alarm.suppressed
  return reappear(alarm, rule, 'no longer suppressed', now)
}

/** The steady time at which time alone ends the shelf, calls again or escalates; `null` when none of it is coming. */
export function laterDue(alarm: AlarmState, { realarmAfter, escalation = [] }: Handling): number | null {
  if (alarm.shelf) return alarm.shelf.end
  if (isHidden(alarm)) return null
  if (realarmAfter !== undefined && alarm.seen !== undefined) return alarm.seen + realarmAfter * 1000
  const step = escalation[alarm.steps ?? 0]
  return step && alarm.calls !== undefined && callsSomebody(alarm) ? alarm.calls + step.after * 1000 : null
}

/** Does what {@link laterDue} tells of, where its time has come. */
export function elapse(alarm: AlarmState, rule: Handling, now: Moment): AlarmChange | undefined {
  const due = laterDue(alarm, rule)
  if (due === null || due > now.steady) return undefined
  if (alarm.shelf) return endShelf(alarm, rule, 'shelf ended', now)
  if (alarm.status === 'acknowledged') {
    delete alarm.acknowledgedBy
    begin(alarm, rule, now)
    return change(alarm, { status: 'active', cause: 'alarm again' }, now)
  }
  const steps = alarm.steps ?? 0
  alarm.steps = steps + 1
  // A step is due only where the rule has an escalation.
  const { tell } = (rule.escalation as NonNullable<Handling['escalation']>)[steps]
  alarm.told = [...new Set([...(alarm.told ?? []), ...tell])]
  return change(alarm, { cause: 'escalated' }, now)
}

/** The rule of the alarm is gone, and the alarm with it. The change, if anybody could have seen it. */
export function discard(alarm: AlarmState, now: Moment): AlarmChange | undefined {
  if (alarm.status === 'normal' && !isHidden(alarm)) return undefined
  for (const key of ['shelf', 'suppressed', 'outOfService'] as const) delete alarm[key]
  return change(alarm, { status: 'normal', cause: 'rule removed' }, now)
}

/** What of an alarm people see. `until` of a shelf is by the times of records as they run now. */
export function shown(alarm: AlarmState, now: Moment): Omit<AlarmChange, 'cause'> {
  const { about, number, status, level, keptAccuracy, staleAfter, acknowledgedBy, comment } = alarm
  const { priority, raised, shelf, suppressed, outOfService, steps, told } = alarm
  return {
    ...(about !== undefined && { about }),
    ...{ number, status, level },
    ...(keptAccuracy !== undefined && { keptAccuracy }),
    ...(staleAfter !== undefined && { staleAfter }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(comment !== undefined && { comment }),
    ...(priority && { priority }),
    ...(raised !== undefined && { raised }),
    ...(shelf && {
      shelved: {
        until: Math.max(0, Math.round(now.time + shelf.end - now.steady)),
        ...(shelf.oneShot && { oneShot: true }),
        by: shelf.by,
      },
    }),
    ...(suppressed !== undefined && { suppressed }),
    ...(outOfService !== undefined && { outOfService }),
    ...(steps !== undefined && { step: steps }),
    ...(told && { tell: [...told] }),
  }
}

/** It is over, and nobody need be called. A shelf for one shot ends with it. */
function end(alarm: AlarmState, { latch }: Handling): Alarm['status'] {
  if (alarm.shelf?.oneShot) delete alarm.shelf
  delete alarm.seen
  delete alarm.calls
  return latch ? 'latched' : 'normal'
}

/** It begins to call for a person, and the escalation begins with its first step. */
function begin(alarm: AlarmState, { priority }: Handling, { steady }: Moment): void {
  delete alarm.seen
  delete alarm.steps
  delete alarm.told
  if (!priority) return
  alarm.priority = priority
  if (!isHidden(alarm)) alarm.calls = steady
}

function hide(alarm: AlarmState, cause: AlarmChange['cause'], now: Moment): AlarmChange {
  delete alarm.calls
  return change(alarm, { cause }, now)
}

function endShelf(alarm: AlarmState, rule: Handling, cause: AlarmChange['cause'], now: Moment): AlarmChange {
  delete alarm.shelf
  return reappear(alarm, rule, cause, now)
}

/** It is hidden no more. One that lasts calls for a person, seen or not. */
function reappear(alarm: AlarmState, rule: Handling, cause: AlarmChange['cause'], now: Moment): AlarmChange {
  if (isHidden(alarm) || alarm.status === 'normal' || alarm.status === 'latched') return change(alarm, { cause }, now)
  delete alarm.acknowledgedBy
  begin(alarm, rule, now)
  return change(alarm, { status: alarm.status === 'returned' ? 'returned' : 'active', cause }, now)
}

function change(
  alarm: AlarmState,
  { status = alarm.status, level = alarm.level, cause }: Partial<Pick<AlarmChange, 'status' | 'level' | 'cause'>>,
  now: Moment,
): AlarmChange {
  Object.assign(alarm, { status, level, since: now.time })
  return { ...shown(alarm, now), ...(cause && { cause }) }
}

function say(alarm: AlarmState, comment: string | undefined): void {
  if (comment === undefined) delete alarm.comment
  else alarm.comment = comment
}

function mustBeLatest(alarm: AlarmState, number: number): void {
  if (number === alarm.number) return
  throw new Conflict(`${named({ ...alarm, number })} is not the latest; that is ${alarm.number}`)
}

/** Such as "alarm 3" or "accuracy alarm 1". */
function named({ about, number }: Pick<AlarmState, 'about' | 'number'>): string {
  return `${about === undefined ? '' : `${about} `}alarm ${number}`
}
