import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AlarmState,
  acknowledge,
  callsSomebody,
  elapse,
  type Handling,
  isHidden,
  isQuiet,
  laterDue,
  observe,
  putBack,
  quietAlarm,
  reset,
  shelve,
  shown,
  suppress,
  takeOut,
  unshelve,
} from './alarm.ts'

const RULE = { level: 2, raiseAfter: 3, clearBelow: 1, clearAfter: 2, shelveAtMost: 60 }
const AT_ONCE: Handling = { raiseAfter: 0, clearAfter: 0, shelveAtMost: 60, priority: 'high' }

const at = (time: number) => ({ time, steady: time })
const see = (level: number, rule = RULE) => ({ raises: level >= rule.level, clears: level < rule.clearBelow, level })
const ON = { raises: true, clears: false, level: 1 }
const OFF = { raises: false, clears: true, level: 0 }

/** Observes one level a second and returns the changes as `second:status`. */
function watch(levels: readonly number[], rule = RULE, alarm = quietAlarm()): string[] {
  return levels.flatMap((level, second) => {
    const change = observe(alarm, rule, see(level, rule), at(second * 1000))
    return change ? [`${second}:${change.status}`] : []
  })
}

/** An alarm that is active since 0. */
function raised(rule = AT_ONCE): AlarmState {
  const alarm = quietAlarm()
  observe(alarm, rule, ON, at(0))
  return alarm
}

describe('an alarm', () => {
  it('is raised after the level has lasted, not before', () => {
    expect(watch([0, 2, 2, 2, 2, 2])).toEqual(['4:active'])
  })

  it('starts to count again after every break', () => {
    expect(watch([2, 2, 2, 1, 2, 2, 2, 0, 2])).toEqual([])
  })

  it('is cleared below the lower level only, after that has lasted', () => {
    expect(watch([2, 2, 2, 2, 1, 1, 1, 0, 0, 1, 0, 0, 0])).toEqual(['3:active', '12:returned'])
  })

  it('with no durations follows the level at once', () => {
    const rule = { ...RULE, level: 2, raiseAfter: 0, clearBelow: 2, clearAfter: 0 }
    expect(watch([2, 0, 2], rule)).toEqual(['0:active', '1:returned', '2:active'])
  })

  it('acknowledged ends in normal, by whoever did it, and a new one has a new number', () => {
    const rule = { raiseAfter: 0, clearAfter: 0, shelveAtMost: 60 }
    const alarm = raised(rule)
    expect(acknowledge(alarm, rule, { number: 1, by: 'eva', comment: 'on my way' }, at(5))).toEqual({
      ...{ number: 1, status: 'acknowledged', level: 1 },
      ...{ acknowledgedBy: 'eva', comment: 'on my way' },
    })
    expect(() => acknowledge(alarm, rule, { number: 1, by: 'max' }, at(6))).toThrow('waits for nobody')
    expect(observe(alarm, rule, OFF, at(7))?.status).toBe('normal')
    expect(observe(alarm, rule, ON, at(8))).toEqual({ number: 2, status: 'active', level: 1 })
    expect(alarm.acknowledgedBy).toBeUndefined()
    expect(() => acknowledge(alarm, rule, { number: 1, by: 'eva' }, at(9))).toThrow('not the latest')
  })

  it('that returned unseen stays until it is acknowledged', () => {
    const alarm = quietAlarm()
    watch([2, 2, 2, 2, 0, 0, 0, 0, 0], RULE, alarm)
    expect(alarm.status).toBe('returned')
    expect(acknowledge(alarm, RULE, { number: 1, by: 'eva' }, at(9)).status).toBe('normal')
  })

  it('that latches stays until it is acknowledged and then reset', () => {
    const rule = { ...AT_ONCE, latch: true }
    const alarm = raised(rule)
    expect(() => reset(alarm, undefined, at(1))).toThrow('not latched: it is active')
    expect(observe(alarm, rule, OFF, at(1))?.status).toBe('returned')
    expect(() => reset(alarm, undefined, at(2))).toThrow('must be acknowledged before it is reset')
    expect(acknowledge(alarm, rule, { number: 1, by: 'eva' }, at(2)).status).toBe('latched')
    expect(reset(alarm, 'checked the valve', at(3))).toMatchObject({ status: 'normal', comment: 'checked the valve' })
  })

  it('on the shelf calls nobody until the shelf ends, then calls again, seen or not', () => {
    const alarm = raised()
    acknowledge(alarm, AT_ONCE, { number: 1, by: 'eva' }, at(1_000))
    expect(() => shelve(alarm, AT_ONCE, { seconds: 61, by: 'eva' }, at(1_000))).toThrow('at most 60')
    const change = shelve(alarm, AT_ONCE, { seconds: 10, by: 'eva', comment: 'known' }, at(1_000))
    expect(change).toMatchObject({ shelved: { until: 11_000, by: 'eva' }, cause: 'shelved' })
    expect(() => shelve(alarm, AT_ONCE, { by: 'max' }, at(2_000))).toThrow('on the shelf already, put there by eva')
    expect(callsSomebody(alarm)).toBe(false)
    expect(elapse(alarm, AT_ONCE, at(10_999))).toBeUndefined()
    expect(elapse(alarm, AT_ONCE, at(11_000))).toMatchObject({ status: 'active', number: 1, cause: 'shelf ended' })
    expect(callsSomebody(alarm)).toBe(true)
  })

  it('on the shelf for one shot comes back when it ends', () => {
    const alarm = raised()
    shelve(alarm, AT_ONCE, { oneShot: true, by: 'eva' }, at(1_000))
    expect(observe(alarm, AT_ONCE, OFF, at(2_000))).toMatchObject({ status: 'normal' })
    expect(alarm.shelf).toBeUndefined()
    observe(alarm, AT_ONCE, ON, at(3_000))
    expect(callsSomebody(alarm)).toBe(true)
  })

  it('out of service calls nobody until it is put back', () => {
    const alarm = raised()
    expect(takeOut(alarm, 'ada', 'sensor is cleaned', at(1))).toMatchObject({ outOfService: 'ada', status: 'active' })
    expect(() => shelve(alarm, AT_ONCE, { by: 'eva' }, at(2))).toThrow('out of service')
    expect(laterDue(alarm, { ...AT_ONCE, escalation: [{ after: 1, tell: ['x'] }] })).toBeNull()
    expect(putBack(alarm, AT_ONCE, undefined, at(5))).toMatchObject({ status: 'active', cause: 'in service' })
    expect(callsSomebody(alarm)).toBe(true)
  })

  it('that was acknowledged and lasts calls again when the rule says so', () => {
    const rule = { ...AT_ONCE, realarmAfter: 30 }
    const alarm = raised(rule)
    acknowledge(alarm, rule, { number: 1, by: 'eva' }, at(1_000))
    expect(laterDue(alarm, rule)).toBe(31_000)
    expect(elapse(alarm, rule, at(31_000))).toMatchObject({ status: 'active', number: 1, cause: 'alarm again' })
  })

  it('escalates step by step until somebody acknowledges, and tells those it has told how it goes on', () => {
    const rule = {
      ...AT_ONCE,
      escalation: [
        { after: 10, tell: ['shift lead'] },
        { after: 60, tell: ['manager'] },
      ],
    }
    const alarm = raised(rule)
    expect(elapse(alarm, rule, at(10_000))).toMatchObject({ cause: 'escalated', step: 1, tell: ['shift lead'] })
    expect(observe(alarm, rule, OFF, at(20_000))).toMatchObject({ status: 'returned', tell: ['shift lead'] })
    expect(elapse(alarm, rule, at(60_000))).toMatchObject({ step: 2, tell: ['shift lead', 'manager'] })
    expect(laterDue(alarm, rule)).toBeNull()
    const told = acknowledge(alarm, rule, { number: 1, by: 'eva' }, at(61_000))
    expect(told).toMatchObject({ status: 'normal', tell: ['shift lead', 'manager'] })
    expect(observe(alarm, rule, ON, at(70_000))?.tell).toBeUndefined()
  })
})

describe('what is told and kept of an alarm', () => {
  const OLD: Handling = { raiseAfter: 0, clearAfter: 0, shelveAtMost: 60 }
  const ESCALATING = { ...AT_ONCE, realarmAfter: 30, escalation: [{ after: 10, tell: ['lead'] }] }

  it('has every field that is so and no other', () => {
    const quiet = { number: 0, status: 'normal', level: 0, since: 0, above: null, below: null }
    expect(quietAlarm()).toStrictEqual(quiet)
    expect(quietAlarm('level')).toStrictEqual(quiet)
    expect(quietAlarm('hot')).toStrictEqual({ about: 'hot', ...quiet })
    const alarm = quietAlarm('hot')
    const active = { about: 'hot', number: 1, status: 'active', level: 1, priority: 'high', raised: 7 }
    expect(observe(alarm, AT_ONCE, ON, { time: 7, steady: 0 })).toStrictEqual(active)
    expect(suppress(alarm, AT_ONCE, 'stale', at(1))).toStrictEqual({
      ...active,
      suppressed: 'stale',
      cause: 'suppressed',
    })
    expect([suppress(alarm, AT_ONCE, 'other', at(2)), alarm.suppressed]).toEqual([undefined, 'other'])
    const shelved = shelve(alarm, AT_ONCE, { seconds: 10, by: 'eva' }, { time: 1_000, steady: 400 })
    expect(shelved).toStrictEqual({
      ...{ ...active, suppressed: 'other', cause: 'shelved', shelved: { until: 11_000, by: 'eva' } },
    })
    expect(unshelve(alarm, AT_ONCE, 'seen', at(500))).toStrictEqual({
      ...{ ...active, suppressed: 'other', cause: 'unshelved', comment: 'seen' },
    })
    expect(takeOut(alarm, 'ada', undefined, at(600))).toStrictEqual({
      ...{ ...active, suppressed: 'other', cause: 'out of service', outOfService: 'ada' },
    })
  })

  it('in systems from before priorities has none of what came with them', () => {
    const alarm = raised(OLD)
    const told = { number: 1, status: 'active', level: 1 }
    expect(alarm).toStrictEqual({ ...told, since: 0, above: 0, below: null })
    acknowledge(alarm, OLD, { number: 1, by: 'eva', comment: 'seen' }, at(5))
    const seen = { ...told, status: 'acknowledged', acknowledgedBy: 'eva' }
    expect(alarm).toStrictEqual({ ...seen, comment: 'seen', since: 5, above: 0, below: null })
    expect(laterDue(alarm, { ...ESCALATING, priority: undefined })).toBeNull()
    // What is done without a comment takes the earlier one away.
    expect(takeOut(alarm, 'ada', undefined, at(6))).toStrictEqual({
      ...{ ...seen, outOfService: 'ada', cause: 'out of service' },
    })
    expect(alarm).not.toHaveProperty('comment')
    expect(laterDue(raised(OLD), { ...OLD, escalation: ESCALATING.escalation })).toBeNull()
  })

  it('names it in refusals', () => {
    const alarm = quietAlarm('hot')
    for (const seen of [ON, OFF, ON]) observe(alarm, AT_ONCE, seen, at(0))
    const say = (number: number) => () => acknowledge(alarm, AT_ONCE, { number, by: 'eva' }, at(1))
    expect(say(1)).toThrow(/^hot alarm 1 is not the latest; that is 2$/)
    expect(() => acknowledge(raised(), AT_ONCE, { number: 3, by: 'eva' }, at(1))).toThrow(
      /^alarm 3 is not the latest; that is 1$/,
    )
    expect(() => unshelve(alarm, AT_ONCE, undefined, at(1))).toThrow('hot alarm 2 is not on the shelf')
    expect(() => putBack(alarm, AT_ONCE, undefined, at(1))).toThrow('hot alarm 2 is in service')
    takeOut(alarm, 'ada', undefined, at(1))
    expect(() => takeOut(alarm, 'eva', undefined, at(1))).toThrow('hot alarm 2 is out of service already')
  })

  it('says when time alone changes it next', () => {
    const alarm = quietAlarm()
    observe(alarm, ESCALATING, ON, at(5_000))
    expect(laterDue(alarm, ESCALATING)).toBe(15_000)
    for (const [hide, show] of [
      [() => suppress(alarm, ESCALATING, 'stale', at(6_000)), () => suppress(alarm, ESCALATING, undefined, at(7_000))],
      [() => takeOut(alarm, 'ada', undefined, at(6_000)), () => putBack(alarm, ESCALATING, undefined, at(7_000))],
    ]) {
      hide()
      expect([isHidden(alarm), callsSomebody(alarm), laterDue(alarm, ESCALATING)]).toEqual([true, false, null])
      show()
      // It calls anew.
      expect([isHidden(alarm), callsSomebody(alarm), laterDue(alarm, ESCALATING)]).toEqual([false, true, 17_000])
    }
    acknowledge(alarm, ESCALATING, { number: 1, by: 'eva' }, at(8_000))
    expect([laterDue(alarm, ESCALATING), laterDue(alarm, AT_ONCE)]).toEqual([38_000, null])
    elapse(alarm, ESCALATING, at(38_000))
    expect([alarm.status, laterDue(alarm, ESCALATING)]).toEqual(['active', 48_000])
    // An acknowledged alarm that is hidden does not call again either.
    acknowledge(alarm, ESCALATING, { number: 1, by: 'eva' }, at(39_000))
    takeOut(alarm, 'ada', undefined, at(40_000))
    expect([alarm.status, laterDue(alarm, ESCALATING)]).toEqual(['acknowledged', null])
  })

  it('stays what it is when it is hidden no more: returned, latched, or on its shelf', () => {
    const back = (alarm: AlarmState) => {
      takeOut(alarm, 'ada', undefined, at(10))
      return putBack(alarm, AT_ONCE, undefined, at(11))
    }
    const returned = raised()
    observe(returned, AT_ONCE, OFF, at(1))
    expect(back(returned)).toMatchObject({ status: 'returned', cause: 'in service' })
    const latching = { ...AT_ONCE, latch: true }
    const latched = raised(latching)
    acknowledge(latched, latching, { number: 1, by: 'eva' }, at(1))
    observe(latched, latching, OFF, at(2))
    expect([latched.status, isQuiet(latched)]).toEqual(['latched', true])
    expect(back(latched)).toMatchObject({ status: 'latched', cause: 'in service' })
    expect(callsSomebody(latched)).toBe(false)
    const shelved = raised()
    shelve(shelved, AT_ONCE, { seconds: 10, by: 'eva' }, at(1))
    observe(shelved, AT_ONCE, OFF, at(2))
    expect([shelved.status, shelved.shelf?.by]).toEqual(['normal', 'eva'])
  })
})

type Step =
  | { kind: 'see'; raises: boolean; clears: boolean }
  | { kind: 'wait'; seconds: number }
  | { kind: 'acknowledge' | 'reset' | 'unshelve' | 'takeOut' | 'putBack' }
  | { kind: 'shelve'; seconds: number; oneShot: boolean }
  | { kind: 'suppress'; by: string | undefined }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Step>(
      { kind: 'see', ...ON },
      { kind: 'see', ...OFF },
      { kind: 'see', raises: false, clears: false },
    ),
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 40 }) }),
    fc.constantFrom<Step>(
      ...(['acknowledge', 'reset', 'unshelve', 'takeOut', 'putBack'] as const).map((kind) => ({ kind })),
    ),
    fc.record({
      kind: fc.constant('shelve' as const),
      seconds: fc.integer({ min: 1, max: 70 }),
      oneShot: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('suppress' as const), by: fc.constantFrom('stale', undefined) }),
  ),
  { maxLength: 60 },
)

const rules: fc.Arbitrary<Handling> = fc.record({
  raiseAfter: fc.constantFrom(0, 5),
  clearAfter: fc.constantFrom(0, 5),
  latch: fc.boolean(),
  realarmAfter: fc.constantFrom(undefined, 20),
  shelveAtMost: fc.constant(60),
  escalation: fc.constantFrom(undefined, [{ after: 10, tell: ['lead'] }]),
  priority: fc.constant('high' as const),
})

/** Does one step; what it led to, and whether it was refused. */
function take(alarm: AlarmState, rule: Handling, step: Step, time: number) {
  const now = at(time)
  switch (step.kind) {
    case 'see':
      return observe(alarm, rule, { ...step, level: step.raises ? 1 : 0 }, now)
    case 'wait':
      return elapse(alarm, rule, now)
    case 'acknowledge':
      return acknowledge(alarm, rule, { number: alarm.number, by: 'eva' }, now)
    case 'reset':
      return reset(alarm, undefined, now)
    case 'shelve':
      return shelve(alarm, rule, { ...step, by: 'eva' }, now)
    case 'unshelve':
      return unshelve(alarm, rule, undefined, now)
    case 'takeOut':
      return takeOut(alarm, 'ada', undefined, now)
    case 'putBack':
      return putBack(alarm, rule, undefined, now)
    case 'suppress':
      return suppress(alarm, rule, step.by, now)
  }
}

/** Runs the steps and calls back after each that was not refused. */
function run(
  given: readonly Step[],
  rule: Handling,
  check: (step: Step, before: AlarmState, after: AlarmState, change: ReturnType<typeof take>, time: number) => void,
) {
  const alarm = quietAlarm()
  let time = 1_000
  for (const step of given) {
    if (step.kind === 'wait') time += step.seconds * 1000
    const before = structuredClone(alarm)
    try {
      const change = take(alarm, rule, step, time)
      check(step, before, structuredClone(alarm), change, time)
    } catch (error) {
      // A refused operation leaves everything as it was.
      if ((error as Error).name === 'AssertionError') throw error
      expect((error as Error).message).toMatch(/alarm|seconds/)
      expect(alarm).toEqual(before)
    }
    time += 1
  }
}

describe('whatever happens to an alarm, the laws of ISA-18.2 hold', () => {
  const law = (check: Parameters<typeof run>[2], given = rules) =>
    fc.assert(
      fc.property(steps, given, (sequence, rule) => run(sequence, rule, check)),
      { numRuns: 400 },
    )

  it('numbers rise by one, when an alarm is raised and never otherwise', () => {
    law((_, before, after, change) => {
      expect(after.number - before.number).toBe(isQuiet(before) && after.status === 'active' ? 1 : 0)
      if (after.number !== before.number) expect(change?.status).toBe('active')
    })
  })

  it('no alarm that calls somebody ends without an acknowledgement', () => {
    law((step, before, after) => {
      if (!callsSomebody(before) || step.kind === 'acknowledge') return
      expect(['active', 'returned']).toContain(after.status)
      if (!isHidden(after)) expect(callsSomebody(after)).toBe(true)
    })
  })

  it('a latching alarm becomes normal by a reset and by nothing else', () => {
    law(
      (step, before, after) => {
        if (before.status !== 'normal' && after.status === 'normal') expect(step.kind).toBe('reset')
      },
      rules.map((rule) => ({ ...rule, latch: true })),
    )
  })

  it('a hidden alarm calls nobody and escalates to nobody', () => {
    law((_, before, after, change) => {
      if (isHidden(after)) expect([callsSomebody(after), after.calls]).toEqual([false, undefined])
      if (isHidden(before) && isHidden(after)) expect(change?.cause).not.toBe('escalated')
    })
  })

  it('no shelf lasts longer than the rule allows', () => {
    law((step, _, after, __, time) => {
      if (after.shelf) expect(after.shelf.end - time).toBeLessThanOrEqual(60_000)
      if (step.kind === 'wait' && after.shelf) expect(after.shelf.end).toBeGreaterThan(time)
    })
  })

  it('what lasts is shown: an alarm that is hidden no more calls again while its condition holds', () => {
    law((_, before, after) => {
      if (isHidden(before) && !isHidden(after) && !isQuiet(after)) expect(callsSomebody(after)).toBe(true)
    })
  })

  it('every change that people could see is recorded, and the record says what they see', () => {
    law((_, before, after, change, time) => {
      const visible = (alarm: AlarmState) => ({ ...shown(alarm, at(time)), since: 0 })
      if (!change) expect({ ...visible(after), suppressed: '' }).toEqual({ ...visible(before), suppressed: '' })
      else expect({ ...change, cause: undefined, since: 0 }).toEqual({ ...visible(after), cause: undefined })
    })
  })
})
