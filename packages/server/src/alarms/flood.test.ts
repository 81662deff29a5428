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
  it('count what was raised in ten minutes and a day, not what was hidden, came again or is older', () => {
    const hidden = raise(1, { suppressed: 'stale' })
    const again = raise(1, { cause: 'alarm again' })
    const figures = floodFigures([raise(1), raise(9.9), raise(10.1), raise(1_441), hidden, again], [], NOW)
    expect(figures).toMatchObject({ lastTenMinutes: 2, lastDay: 3, flood: false, standing: 0 })
  })

  it('a flood is more than ten in ten minutes; the worst ten minutes of the day are kept', () => {
    const eleven = Array.from({ length: 11 }, (_, i) => raise(i * 0.8))
    expect(floodFigures(eleven, [], NOW)).toMatchObject({ lastTenMinutes: 11, flood: true, mostInTenMinutes: 11 })
    expect(floodFigures(eleven.slice(1), [], NOW).flood).toBe(false)
    const earlier = eleven.map((change) => ({ ...change, time: change.time - 60 * MINUTE }))
    expect(floodFigures(earlier, [], NOW)).toMatchObject({ lastTenMinutes: 0, mostInTenMinutes: 11 })
  })

  it('an alarm chatters when it is raised three times within a minute', () => {
    const fast = [0, 0.4, 0.9].map((minutes) => raise(minutes, { about: 'pump' }))
    const slow = [0, 0.6, 1.2].map((minutes) => raise(minutes))
    const { chattering, mostFrequent } = floodFigures([...fast, ...slow, raise(5)], [], NOW)
    expect(chattering).toEqual([{ system: 'plant', title: 'Plant', about: 'pump', count: 3 }])
    expect(mostFrequent.map(({ about, count }) => [about, count])).toEqual([
      ['level', 4],
      ['pump', 3],
    ])
  })

  it('the longest standing alarm is the one that was raised first', () => {
    const { longestStanding, standing: count } = floodFigures([], [standing('level', 2), standing('stale', 90)], NOW)
    expect([count, longestStanding]).toEqual([2, { system: 'plant', title: 'Plant', about: 'stale', seconds: 90 * 60 }])
  })

  it('of two workers add up', () => {
    const one = floodFigures([raise(1)], [standing('level', 2)], NOW)
    const other = floodFigures([raise(1), raise(20)], [standing('stale', 90)], NOW)
    expect(mergedFigures([one, other])).toMatchObject({
      ...{ lastTenMinutes: 2, lastDay: 3, standing: 2, flood: false },
      longestStanding: { about: 'stale' },
    })
  })
})
