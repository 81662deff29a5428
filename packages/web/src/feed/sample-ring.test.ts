import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SampleRing } from './sample-ring.ts'

describe('SampleRing', () => {
  it('holds the latest samples in order, whatever came before, as one contiguous view', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 }),
        (capacity, steps) => {
          const ring = new SampleRing(capacity, 2)
          const all: { time: number; level: number }[] = []
          let time = 1000
          for (const [i, step] of steps.entries()) {
            time += step
            ring.push(time, [i, i + 1], i % 3)
            all.push({ time, level: i % 3 })
          }
          const kept = all.slice(-capacity)
          const { start, end } = ring.range(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
          expect(ring.length).toBe(kept.length)
          expect([...ring.time(start, end)]).toEqual(kept.map((sample) => sample.time))
          expect([...ring.level(start, end)]).toEqual(kept.map((sample) => sample.level))
          const first = all.length - kept.length
          expect([...ring.column(1, start, end)]).toEqual(kept.map((_, i) => first + i + 1))
          expect(ring.first).toBe(kept[0]?.time ?? Number.POSITIVE_INFINITY)
          expect(ring.last).toBe(kept.at(-1)?.time ?? Number.NEGATIVE_INFINITY)
        },
      ),
    )
  })

  it('gives a stretch of time with one neighbour on each side', () => {
    const ring = new SampleRing(10, 1)
    for (let time = 0; time <= 90; time += 10) ring.push(time, [time], 0)
    const { start, end } = ring.range(25, 45)
    expect([...ring.time(start, end)]).toEqual([20, 30, 40, 50])
  })

  it('is empty again after clear', () => {
    const ring = new SampleRing(2, 1)
    ring.push(1, [1], 0)
    ring.clear()
    expect(ring.range(0, 9)).toEqual({ start: 0, end: 0 })
  })
})
