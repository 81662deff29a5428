import type { AlarmOfSystem, SystemSummary } from '@pb-oel/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { systems } from '../feed/systems.ts'
import { me } from '../session/session.ts'
import { calling, callKey, isStale, staleSystems } from './calling.ts'

const alarm = (about: string, more: Partial<AlarmOfSystem> = {}) => ({
  ...{ about, number: 1, status: 'active', level: 1, since: 100, priority: 'high', rule: '', calls: true },
  ...more,
})
const system = (id: string, more: object = {}) =>
  ({
    ...{ id, title: id.toUpperCase(), levels: ['safe', 'unsafe'], alarms: [], sequence: 1 },
    ...{ stale: false, ready: true, lastSampleAge: 1, staleAfter: 5, staleAlarm: {} },
    ...more,
  }) as unknown as SystemSummary
const see = (...roles: ('sensor' | 'viewer')[]) => {
  me.value = { name: 'eva', roles, systems: ['*'], open: false }
}

afterEach(() => {
  me.value = null
  systems.value = null
})

describe('the alarms that call', () => {
  it('are those of all systems, the highest priority first, then what lasts, then what is older', () => {
    see('viewer')
    systems.value = [
      system('a', { alarms: [alarm('late', { since: 300 }), alarm('over', { status: 'returned', since: 1 })] }),
      system('b', { alarms: [alarm('level', { since: 200 }), alarm('shelved', { calls: false })] }),
      system('c', {
        alarms: [alarm('worst', { priority: 'critical', since: 900 }), alarm('least', { priority: 'low' })],
      }),
    ]
    expect(calling.value.map(({ system: id, about }) => `${id}/${about}`)).toEqual([
      ...['c/worst', 'b/level', 'a/late', 'a/over', 'c/least'],
    ])
    expect(calling.value[0]).toMatchObject({ title: 'C', levelName: 'unsafe' })
  })

  it('are told to nobody who may not see systems', () => {
    systems.value = [system('a', { alarms: [alarm('level')], stale: true })]
    see('sensor')
    expect([calling.value, staleSystems.value]).toEqual([[], []])
    see()
    expect([calling.value, staleSystems.value]).toEqual([[], []])
    see('viewer')
    expect([calling.value.length, staleSystems.value.length]).toEqual([1, 1])
  })

  it('call anew when they were raised again', () => {
    const one = { system: 'a', ...alarm('level', { raised: 5 }) } as AlarmOfSystem
    const keys = [
      one,
      { ...one, raised: 6 },
      { ...one, number: 2 },
      { ...one, about: 'stale' },
      { ...one, system: 'b' },
    ]
    expect(new Set(keys.map(callKey)).size).toBe(5)
    expect(callKey({ ...one, status: 'returned', since: 9 })).toBe(callKey(one))
  })
})

it.each([
  [{}, false],
  [{ stale: true }, true],
  [{ ready: false }, true],
  // Without a known rate, data are old after ten seconds; where no rule expects samples, never.
  [{ staleAfter: null, lastSampleAge: 10 }, false],
  [{ staleAfter: null, lastSampleAge: 10.1 }, true],
  [{ staleAfter: null, lastSampleAge: 1e6, staleAlarm: undefined }, false],
  [{ staleAfter: 60, lastSampleAge: 50 }, false],
  [{ lastSampleAge: null, ready: false }, false],
])('a system with %j has old data: %s', (more, old) => expect(isStale(system('a', more))).toBe(old))
