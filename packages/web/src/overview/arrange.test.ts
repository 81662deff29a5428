import type { SystemSummary } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { text } from '../strings/en.ts'
import { arrange, family } from './arrange.ts'
import { trendWords, upToNow } from './trend-words.ts'
import { waitsForSomebody } from './trouble.ts'

const quiet = { status: 'normal', number: 0, level: 0, since: 0 }
const system = (title: string, more: Partial<SystemSummary> = {}): SystemSummary =>
  ({
    ...{
      id: title.toLowerCase().replaceAll(' ', '-'),
      title,
      levels: ['safe', 'unsafe'],
      likely: 0,
      levelName: 'safe',
    },
    ...{
      alarm: quiet,
      stale: false,
      ready: true,
      lastSampleAge: 1,
      staleAfter: 5,
      openQuestions: 0,
      recentAccuracy: 0.9,
    },
    ...more,
  }) as SystemSummary

const titles = (systems: SystemSummary[], more: object) =>
  arrange(systems, { search: '', sort: 'trouble', group: 'none', ...more }).map(({ title, systems: found }) => [
    title,
    found.map((one) => one.title),
  ])

const FLEET = [
  system('pump 10', { assignedTo: 'Eva' }),
  system('pump 9', { likely: 1, levelName: 'unsafe' }),
  system('mixer 1', { alarm: { ...quiet, status: 'active' } as SystemSummary['alarm'], recentAccuracy: 0.5 }),
  system('mixer 2', { stale: true, likely: null, levelName: null, openQuestions: 9 }),
]

describe('arranging systems', () => {
  it('trouble comes first: stale data, then alarms, then names with numbers by size', () => {
    expect(titles(FLEET, {})).toEqual([['', ['mixer 2', 'mixer 1', 'pump 9', 'pump 10']]])
  })

  it.each([
    ['name', ['mixer 1', 'mixer 2', 'pump 9', 'pump 10']],
    ['level', ['mixer 2', 'pump 9', 'mixer 1', 'pump 10']],
    ['accuracy', ['mixer 1', 'mixer 2', 'pump 9', 'pump 10']],
    ['questions', ['mixer 2', 'mixer 1', 'pump 9', 'pump 10']],
  ])('in the order %s', (sort, expected) => expect(titles(FLEET, { sort })).toEqual([['', expected]]))

  it('finds by name, by level and by person', () => {
    expect(titles(FLEET, { search: 'PUMP 9' })).toEqual([['', ['pump 9']]])
    expect(titles(FLEET, { search: 'unsafe' })).toEqual([['', ['pump 9']]])
    expect(titles(FLEET, { search: 'eva' })).toEqual([['', ['pump 10']]])
    expect(titles(FLEET, { search: 'boat' })).toEqual([])
  })

  it('groups by the beginning of names', () => {
    expect(titles(FLEET, { group: 'name', sort: 'name' })).toEqual([
      ['mixer', ['mixer 1', 'mixer 2']],
      ['pump', ['pump 9', 'pump 10']],
    ])
    expect([family('North / pump 3'), family('pump-03'), family('dive')]).toEqual(['North', 'pump', ''])
  })
})

describe('a trend', () => {
  const point = (second: number, likely = 0) => ({ time: 1000 * second, likely })

  it('says how much time it covers, and does not call twenty seconds ten minutes', () => {
    expect(trendWords([point(0), point(20)], 600_000)).toBe('last 20 s: steady')
    expect(trendWords([point(0), point(600, 1)], 600_000)).toBe('last 10 min: getting worse')
    expect(trendWords([], 600_000)).toBe('no trend yet')
  })

  it('never calls a system worse or safer that is back where it was', () => {
    const worse = [point(0), point(100), point(200), point(300, 2), point(400, 2)]
    const now = upToNow(worse, { likely: 0, lastSampleTime: 410_000 })
    expect(now.at(-1)).toEqual({ time: 410_000, likely: 0 })
    expect(trendWords([...worse, point(401, 2), point(402, 2), point(410)], 600_000)).toBe('last 7 min: up and down')
    expect(trendWords(upToNow(worse, { likely: 2, lastSampleTime: 410_000 }), 600_000)).toBe(
      'last 7 min: getting worse',
    )
    expect(upToNow(worse, { likely: 0, lastSampleTime: 400_000 })).toBe(worse)
    expect(upToNow([], { likely: 0, lastSampleTime: 400_000 })).toEqual([])
  })
})

describe('the count of alarms', () => {
  it('names those that are over and wait for somebody', () => {
    const over = { ...FLEET[0], alarm: { ...FLEET[0].alarm, status: 'returned' as const } }
    expect(waitsForSomebody(over)).toBe(true)
    expect(waitsForSomebody({ ...over, alarm: { ...over.alarm, status: 'active' } })).toBe(false)
    expect(text.overview.counts(1, 0, 1)).toBe('1 system, no active alarm, 1 over and not acknowledged')
    expect(text.overview.counts(2, 0, 0)).toBe('2 systems, no alarm')
    expect(text.overview.counts(2, 1, 0)).toBe('2 systems, 1 alarm')
  })
})
