import { describe, expect, it } from 'vitest'
import { claim, enrol, excess, leave, noAssignment, owned, release, shareOf, watchedBy } from './assignment.ts'
import { Heartbeats } from './heartbeats.ts'

const NOBODY = new Set<string>()

describe('assignment of shards', () => {
  it('gives everybody an equal share, whoever comes or goes', () => {
    let current = claim(enrol(noAssignment(8), 'a', 'http://a', NOBODY), 'a')
    expect(owned(current, 'a').length).toBe(8)
    current = enrol(current, 'b', 'http://b', NOBODY)
    current = claim(enrol(current, 'c', 'http://c', NOBODY), 'c')
    expect(owned(current, 'c')).toEqual([])
    expect(excess(current, 'a')).toEqual([3, 4, 5, 6, 7])
    current = release(current, 'a', new Set(excess(current, 'a')))
    current = claim(claim(current, 'b'), 'c')
    expect(['a', 'b', 'c'].map((worker) => owned(current, worker).length)).toEqual([3, 3, 2])
    const token = current.shards[7]?.token as number
    current = claim(enrol(current, 'a', 'http://a', new Set(['c'])), 'a')
    expect(current.shards.some((lease) => lease?.owner === 'c')).toBe(false)
    current = leave(claim(current, 'b'), 'b')
    current = claim(current, 'a')
    expect(owned(current, 'a').length).toBe(8)
    expect(current.shards[7]?.token).toBeGreaterThan(token)
    expect(shareOf(current, 'nobody')).toBe(0)
  })

  it('changes nothing when nothing is to change', () => {
    const current = claim(enrol(noAssignment(2), 'a', 'http://a', NOBODY), 'a')
    expect(claim(enrol(current, 'a', 'http://a', NOBODY), 'a')).toBe(current)
  })

  it('has every worker watched by eight others, or by all where there are fewer', () => {
    for (const count of [1, 2, 3, 9, 10, 40]) {
      const workers = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`w${(i * 7) % count}-${i}`, 'http://w']),
      )
      const sessions = Object.keys(workers)
      const watches = sessions.flatMap((session) => watchedBy({ ...noAssignment(1), workers }, session))
      for (const session of sessions) {
        expect(watches.filter((watched) => watched === session).length).toBe(Math.min(8, count - 1))
        expect(watchedBy({ ...noAssignment(1), workers }, session)).not.toContain(session)
      }
    }
  })

  it('counts as dead who was looked at often enough and long enough without a sign', () => {
    const beats = new Heartbeats(1_000)
    for (const now of [0, 400, 800]) beats.observe('a', 7, now)
    expect(beats.dead(['a', 'unseen'], 5_000)).toEqual(new Set())
    beats.observe('a', 7, 5_000)
    expect(beats.dead(['a'], 5_000)).toEqual(new Set(['a']))
    beats.observe('a', 8, 5_001)
    expect(beats.dead(['a'], 9_000)).toEqual(new Set())
  })

  it('knows when the next lease runs out, and none where all have', () => {
    const beats = new Heartbeats(1_000)
    beats.observe('a', 7, 100)
    beats.observe('b', 7, 300)
    expect(beats.nextEnd(['a', 'b'], 400)).toBe(700)
    expect(beats.nextEnd(['a', 'b'], 1_200)).toBe(100)
    expect(beats.nextEnd(['a', 'b'], 1_400)).toBe(Number.POSITIVE_INFINITY)
  })
})
