import fc from 'fast-check'
import { expect, it } from 'vitest'
import { thin } from './progress.ts'

it('thinned progress is short, in order, and ends with the latest point', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.integer({ min: 1, max: 700 }), (count, most) => {
      const points = Array.from({ length: count }, (_, i) => i)
      const kept = thin(points, most)
      expect(kept.length).toBeLessThanOrEqual(most)
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(count, Math.ceil(most / 2)))
      expect(kept.at(-1)).toBe(points.at(-1))
      expect(kept).toEqual([...kept].sort((a, b) => a - b))
    }),
  )
})
