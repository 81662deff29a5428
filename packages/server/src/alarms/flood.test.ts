import type { AlarmMessage, AlarmOfSystem } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { floodFigures, mergedFigures } from './flood.ts'

const NOW = 100 * 86_400_000
const MINUTE = 60_000

/** An alarm raised so many minutes ago. */
const raise = (minutesAgo: number, more: Partial<AlarmMessage> = {}): AlarmMessage => ({
  ...{ system: 'plant', title: 'Plant', levelName: 'unsafe', number: 1, status: 'active', level: 1 },
  ...{ since: NOW, sequence: 1, time: NOW - minutesAgo * MINUTE, ...more },
})

const standing = (about: string, minutes: number): AlarmOfSystem => ({
  ...{ system: 'plant', title: 'Plant', levelName: 'unsafe', about, number: 1, status: 'active', level: 1 },
  ...{ since: NOW, raised: NOW - minutes * MINUTE, priority: 'high', rule: 'unsafe', calls: true },
})

describe('flood figures', () => {
  it('count what was raised in ten minutes and a day, not what was hidden, came again, ended or is older', () => {
    const shelved = { until: NOW, by: 'eva' }
    const hidden = [{ suppressed: 'stale' }, { shelved }, { outOfService: 'ada' }].map((more) => raise(1, more))
    const others = [{ cause: 'alarm again' } as const, { status: 'returned' } as const].map((more) => raise(1, more))
    const changes = [raise(1), raise(9.9), raise(10), raise(1_440), raise(1_441), ...hidden, ...others]
    const figures = floodFigures(changes, [], NOW)
    expect(figures).toMatchObject({ lastTenMinutes: 2, lastDay: 3, flood: false, standing: 0 })
    expect(figures.longestStanding).toBeUndefined()
  })

  it('a flood is more than ten in ten minutes; the worst ten minutes of the day are kept', () => {
    const eleven = Array.from({ length: 11 }, (_, i) => raise(i * 0.8))
    expect(floodFigures(eleven, [], NOW)).toMatchObject({ lastTenMinutes: 11, flood: true, mostInTenMinutes: 11 })
    expect(floodFigures(eleven.slice(1), [], NOW).flood).toBe(false)
    const earlier = eleven.map((change) => ({ ...change, time: change.time - 60 * MINUTE }))
    expect(floodFigures([raise(0), ...earlier], [], NOW)).toMatchObject({ lastTenMinutes: 1, mostInTenMinutes: 11 })
    // The end of a span is not part of it.
    expect(floodFigures([raise(0), raise(10), raise(20)], [], NOW).mostInTenMinutes).toBe(1)
  })

  it('an alarm chatters when it is raised three times within a minute of the last hour', () => {
    const fast = [0, 0.4, 0.9, 60].map((minutes) => raise(minutes, { about: 'pump' }))
    const slow = [0, 0.6, 1.2].map((minutes) => raise(minutes))
    const over = [60, 60.3, 60.6].map((minutes) => raise(minutes, { about: 'valve' }))
    const { chattering, mostFrequent } = floodFigures([...slow, raise(5), ...fast, ...over, over[0]], [], NOW)
    expect(chattering).toEqual([{ system: 'plant', title: 'Plant', about: 'pump', count: 3 }])
    expect(mostFrequent.map(({ about, count }) => [about, count])).toEqual([
      ['valve', 4],
      ['pump', 4],
      ['level', 4],
    ])
  })

  it('the most frequent alarms are ten at most, those that come as often by the name of their system', () => {
    const names = ['k', 'c', 'a', 'e', 'b', 'd', 'g', 'f', 'i', 'h', 'j']
    const once = names.map((system) => raise(1, { system }))
    const { mostFrequent } = floodFigures([...once, raise(2, { system: 'j' })], [], NOW)
    const order = ['j', ...names.toSorted().slice(0, 9)]
    expect(mostFrequent.map(({ system }) => system)).toEqual(order)
    const parts = names.map((system) => floodFigures([raise(1, { system })], [], NOW))
    const merged = mergedFigures([
      ...parts,
      floodFigures([raise(1, { system: 'j' }), raise(2, { system: 'j' })], [], NOW),
    ])
    expect(merged.mostFrequent.map(({ system }) => system)).toEqual(order)
  })

  it('the longest standing alarm is the one that was raised first, seen or not; what has ended stands no more', () => {
    const seen = { ...standing('stale', 90), status: 'acknowledged' as const }
    const ended = { ...standing('hot', 200), status: 'returned' as const }
    const { longestStanding, standing: count } = floodFigures([], [standing('level', 2), seen, ended], NOW)
    expect([count, longestStanding]).toEqual([2, { system: 'plant', title: 'Plant', about: 'stale', seconds: 90 * 60 }])
    // A system from before that was kept knows its latest change only. A clock may be behind.
    const old = { ...standing('level', 0), raised: undefined, since: NOW - 60 * MINUTE }
    expect(floodFigures([], [standing('stale', 5), old], NOW).longestStanding?.seconds).toBe(3_600)
    expect(floodFigures([], [standing('stale', -5)], NOW).longestStanding?.seconds).toBe(0)
  })

  it('of two workers add up', () => {
    const three = [0, 0.3, 0.6].map((minutes) => raise(minutes, { about: 'pump' }))
    const one = floodFigures([raise(1)], [standing('level', 2)], NOW)
    const other = floodFigures([raise(1), raise(20), ...three], [standing('stale', 90)], NOW)
    const merged = mergedFigures([one, other])
    expect(merged).toMatchObject({
      ...{ lastTenMinutes: 5, lastDay: 6, standing: 2, flood: false, mostInTenMinutes: 4 },
      ...{ longestStanding: { about: 'stale' }, chattering: [{ about: 'pump', count: 3 }] },
    })
    expect(merged.mostFrequent.map(({ count }) => count)).toEqual([3, 2, 1])
    const [five, six] = [5, 6].map((count) =>
      floodFigures(
        Array.from({ length: count }, () => raise(1)),
        [],
        NOW,
      ),
    )
    expect([mergedFigures([five, five]).flood, mergedFigures([five, six]).flood]).toEqual([false, true])
    expect(mergedFigures([five, six]).longestStanding).toBeUndefined()
  })
})
