import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acknowledge, observeLevel, quietAlarm } from './alarm.ts'

const RULE = { level: 2, raiseAfter: 3, clearBelow: 1, clearAfter: 2 }

const at = (time: number) => ({ time, steady: time })

/** Observes one level a second and returns the changes as `second:status`. */
function watch(levels: readonly number[], rule = RULE, alarm = quietAlarm()): string[] {
  return levels.flatMap((level, second) => {
    const change = observeLevel(alarm, rule, level, at(second * 1000))
    return change ? [`${second}:${change.status}`] : []
  })
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
    expect(watch([2, 0, 2], { level: 2, raiseAfter: 0, clearBelow: 2, clearAfter: 0 })).toEqual([
      '0:active',
      '1:returned',
      '2:active',
    ])
  })

  it('acknowledged ends in normal, by whoever did it, and a new one has a new number', () => {
    const alarm = quietAlarm()
    const rule = { level: 1, raiseAfter: 0, clearBelow: 1, clearAfter: 0 }
    observeLevel(alarm, rule, 1, at(0))
    expect(acknowledge(alarm, 1, 'eva', 5)).toEqual({
      ...{ number: 1, status: 'acknowledged', level: 1 },
      acknowledgedBy: 'eva',
    })
    expect(alarm.acknowledgedBy).toBe('eva')
    expect(() => acknowledge(alarm, 1, 'max', 6)).toThrow('waits for nobody')
    expect(observeLevel(alarm, rule, 0, at(7))?.status).toBe('normal')
    expect(observeLevel(alarm, rule, 1, at(8))).toEqual({ number: 2, status: 'active', level: 1 })
    expect(alarm.acknowledgedBy).toBeUndefined()
    expect(() => acknowledge(alarm, 1, 'eva', 9)).toThrow('not the latest')
  })

  it('that returned unseen stays until it is acknowledged', () => {
    const alarm = quietAlarm()
    watch([2, 2, 2, 2, 0, 0, 0, 0, 0], RULE, alarm)
    expect(alarm.status).toBe('returned')
    expect(acknowledge(alarm, 1, 'eva', 9).status).toBe('normal')
  })

  it('is never active unless the level was high for the whole duration before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 60 }), (levels) => {
        for (const change of watch(levels)) {
          const [second, status] = change.split(':')
          const before = levels.slice(Number(second) - (status === 'active' ? 3 : 2), Number(second) + 1)
          expect(before.every((level) => (status === 'active' ? level >= 2 : level < 1))).toBe(true)
        }
      }),
    )
  })
})
