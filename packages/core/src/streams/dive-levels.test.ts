import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { LabelNoise, segmentStarts } from './dive-levels.ts'

describe('segmentStarts', () => {
  it('gives the rows of the recording, scaled and rounded, and the end', () => {
    expect(segmentStarts(30_000)).toEqual([0, 102, 147, 189, 459, 3848, 10551, 15458, 18949, 29720, 29817, 30_000])
    expect(segmentStarts(60_000)[5]).toBe(7696)
  })
})

describe('LabelNoise', () => {
  it.each([0.01, 0.2, 0.5])('flips a share of %f, never twice in a row, to both other levels', (share) => {
    const noise = new LabelNoise(new Random(3, 'test'), share)
    const n = 40_000
    const counts = [0, 0, 0]
    let before = 1
    for (let i = 0; i < n; i++) {
      const label = noise.label(1)
      if (label !== 1) expect(before).toBe(1)
      counts[label]++
      before = label
    }
    const flips = n - counts[1]
    // Four binomial deviations; that flips keep apart makes the true deviation smaller still.
    expect(Math.abs(flips - n * share)).toBeLessThanOrEqual(4 * Math.sqrt(n * share * (1 - share)))
    expect(Math.abs(counts[0] - counts[2])).toBeLessThan(4 * Math.sqrt(flips))
  })

  it('flips nothing at share 0', () => {
    const noise = new LabelNoise(new Random(3, 'test'), 0)
    for (let i = 0; i < 1000; i++) expect(noise.label(2)).toBe(2)
  })
})
