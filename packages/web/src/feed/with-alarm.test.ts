import type { AlarmEvent, SystemDetail } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { withAlarm } from './with-alarm.ts'

const row = (about: string) => ({
  about,
  number: 0,
  status: 'normal',
  priority: 'low',
  rule: `the ${about}`,
  calls: false,
})
const detail = { sequence: 7, alarms: ['level', 'accuracy', 'stale', 'deep'].map(row) } as unknown as SystemDetail
const after = (change: object) =>
  withAlarm(detail, { number: 1, status: 'active', level: 2, since: 5, sequence: 9, ...change } as AlarmEvent)

describe('a system after a change of an alarm', () => {
  it.each([
    [undefined, 'level', 'alarm'],
    ['accuracy', 'accuracy', 'accuracyAlarm'],
    ['stale', 'stale', 'staleAlarm'],
    ['deep', 'deep', undefined],
  ])('about %s has it in its list, with its priority and rule, and nowhere else', (about, name, field) => {
    const { alarms, sequence, ...rest } = after({ about })
    expect(sequence).toBe(9)
    expect(alarms.filter(({ status }) => status === 'active')).toMatchObject([
      { about: name, priority: 'low', rule: `the ${name}`, calls: true, number: 1, level: 2 },
    ])
    expect(Object.keys(rest)).toEqual(field === undefined ? [] : [field])
    if (field) expect(rest).toMatchObject({ [field]: { status: 'active', number: 1 } })
  })

  it.each([
    [{ status: 'active' }, true],
    [{ status: 'returned' }, true],
    [{ status: 'acknowledged' }, false],
    [{ status: 'latched' }, false],
    [{ status: 'normal' }, false],
    [{ shelved: { until: 9, by: 'eva' } }, false],
    [{ suppressed: 'deep' }, false],
    [{ outOfService: 'eva' }, false],
  ])('%j calls somebody: %s', (change, calls) => {
    expect(after(change).alarms[0].calls).toBe(calls)
  })

  it('does not go back to an earlier record', () => expect(after({ sequence: 3 }).sequence).toBe(7))
})
