import type uPlot from 'uplot'
import { expect, it } from 'vitest'
import { gapLimit, gaps } from './gaps.ts'

it('a line has a gap where no samples came, and only there', () => {
  // One sample per second for 100 s, then nothing for 20 s, then two more samples.
  const times = Array.from({ length: 101 }, (_, i) => 1000 * i).concat(120_000, 121_000)
  expect(gapLimit(times)).toBeCloseTo((8 * 121_000) / 102, 9)
  const plot = { data: [times], valToPos: (time: number) => time / 1000 } as unknown as uPlot
  expect(gaps(plot, 1, 0, times.length - 1)).toEqual([[100, 120]])
  expect(gaps(plot, 1, 0, 100)).toEqual([])
})

it('a single sample has no gap', () => {
  expect(gapLimit([5])).toBe(Number.POSITIVE_INFINITY)
})
