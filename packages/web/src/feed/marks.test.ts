import type { AssessedSample, Chart } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { ringOfChart, thinningOf } from './chart.ts'
import { MarkRing } from './mark-ring.ts'
import { markAlarm, markAnswer, markChart } from './marks.ts'
import { NO_LEVEL } from './sample-ring.ts'
import { ringOf } from './time-window.ts'

const seen = (mark: (ring: MarkRing) => void) => {
  const ring = new MarkRing(20)
  mark(ring)
  const all: string[] = []
  ring.each(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (time, kind, many) =>
    all.push(`${time} ${kind} ${many}`),
  )
  return all
}

describe('marks on the timeline', () => {
  it.each([
    [undefined, 'active', 'alarm'],
    ['deep', 'acknowledged', 'acknowledged'],
    ['stale', 'returned', 'cleared'],
    [undefined, 'normal', 'cleared'],
    ['accuracy', 'active', 'fall'],
    ['accuracy', 'normal', 'acknowledged'],
  ] as const)('of an alarm about %s that is %s: %s', (about, status, mark) => {
    expect(seen((ring) => markAlarm(ring, 4, { about, status }))).toEqual([`4 ${mark} 1`])
  })

  it.each([
    ['confirm', 'right'],
    ['reject', 'wrong'],
    ['label', 'named'],
  ] as const)('of an answer that is %s: %s', (kind, mark) => {
    expect(seen((ring) => markAnswer(ring, 4, { kind }))).toEqual([`4 ${mark} 1`])
  })

  it('of a chart stand for as many answers as it counts', () => {
    const answers = [
      { time: 2, right: 3, wrong: 0, named: 5 },
      { time: 3, right: 0, wrong: 4, named: 0 },
    ]
    const alarms = [{ time: 5, status: 'active', sequence: 1, number: 1, level: 1 }]
    expect(seen((ring) => markChart(ring, { drifts: [1], alarms, answers } as unknown as Chart))).toEqual([
      ...['1 drift 1', '2 right 3', '2 named 5', '3 wrong 4', '5 alarm 1'],
    ])
  })
})

describe('samples on the timeline', () => {
  const levelsOf = (ring: ReturnType<typeof ringOf>) => [...ring.level(0, ring.length)]

  it('have no level where the system was untrained, and the likely one, not the drawn one, elsewhere', () => {
    const sample = (time: number, trained: boolean) => ({ time, trained, values: [1], level: 0, likely: 2 })
    expect(levelsOf(ringOf([sample(1, false), sample(2, true)] as AssessedSample[], 1))).toEqual([NO_LEVEL, 2])
  })

  it('of a chart have no level and no value where it has none', () => {
    const chart = { times: [1, 2], levels: [null, 1], values: [[4, null]] } as unknown as Chart
    const ring = ringOfChart(chart, 2)
    expect(levelsOf(ring)).toEqual([NO_LEVEL, 1])
    expect([...ring.column(0, 0, 2), ...ring.column(1, 0, 2)]).toEqual([4, Number.NaN, Number.NaN, Number.NaN])
  })

  it('are all there only where neither samples nor answers were left out', () => {
    const whole = { folded: 1, every: 1, answersEvery: 1 }
    expect(thinningOf(whole as Chart)).toBeNull()
    for (const part of ['folded', 'every', 'answersEvery']) {
      expect(thinningOf({ ...whole, [part]: 2 } as Chart), part).toEqual({ ...whole, [part]: 2 })
    }
  })
})
