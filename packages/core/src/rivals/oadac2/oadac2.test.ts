import { describe, expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { Random } from '../../math/random.ts'
import { play, type Sample, share } from '../testing/play.ts'
import { Oadac2 } from './oadac2.ts'

function separable(count: number, levels: number, noise = 0): Sample[] {
  const random = new Random(31, 'separable')
  return Array.from({ length: count }, () => {
    const level = random.integer(levels)
    const x = Float64Array.of(3 * level + random.normal())
    return { x, level: random.uniform() < noise ? random.integer(levels) : level }
  })
}

describe('Oadac2', () => {
  it.each(['naive-bayes', 'hoeffding-tree', 'nearest-neighbours'] as const)('learns three levels with %s', (base) => {
    const { right } = play(new Oadac2({ channels: 1, levels: 3, base }), separable(600, 3))
    // Bayes: the middle of two means 3 apart is 1.5 deviations away, 1 − (4/3)·Φ(−1.5) = 0.911.
    expect(share(right, 200)).toBeGreaterThan(0.85)
  })

  it('as scikit-multiflow takes no vote from levels beyond 0 and 1', () => {
    const constant = Array.from({ length: 50 }, () => ({ x: Float64Array.of(1), level: 2 }))
    expect(share(play(new Oadac2({ channels: 1, levels: 3, base: 'naive-bayes' }), constant).right, 1)).toBe(1)
    const skm = play(new Oadac2({ channels: 1, levels: 3, base: 'naive-bayes', compat: 'skm' }), constant)
    expect(share(skm.right)).toBe(0)
  })

  it('by default cares ten times more for level 1 of two', () => {
    // A quarter of all labels is random, so that errors stay; where levels mix, level 1 is preferred.
    const samples = separable(3000, 2, 0.25)
    const ones = (costs?: number[]): number => {
      const assessor = new Oadac2({ channels: 1, levels: 2, base: 'naive-bayes', costs })
      let count = 0
      for (const { x, level } of samples) {
        const { id, level: assessed } = assessor.assess(x, 'full')
        count += assessed
        assessor.learn(id, { kind: 'label', level })
      }
      return count
    }
    expect(ones()).toBe(ones([0.1, 1]))
    expect(ones([0.1, 1])).toBeGreaterThan(ones([1, 0.1]))
  })

  it('recovers from a flip of all levels', () => {
    const random = new Random(32, 'flipped')
    const samples = Array.from({ length: 4000 }, (_, i) => {
      const x = Float64Array.of(random.between(-1, 1), random.between(-1, 1))
      return { x, level: (x[0] + x[1] > 0 ? 1 : 0) ^ (i >= 2000 ? 1 : 0) }
    })
    const { right, replaced } = play(
      new Oadac2({ channels: 2, levels: 2, base: 'naive-bayes', costs: [1, 1] }),
      samples,
    )
    expect(share(right, 1500, 2000)).toBeGreaterThan(0.9)
    expect(share(right, 3500, 4000)).toBeGreaterThan(0.9)
    expect(replaced.slice(2000, 2200).reduce((a, b) => a + b)).toBeGreaterThan(0)
  })

  it('refuses costs that are not one positive number per level', () => {
    expect(() => new Oadac2({ channels: 1, levels: 3, costs: [1, 1] })).toThrow(OptionError)
    expect(() => new Oadac2({ channels: 1, levels: 2, costs: [1, 0] })).toThrow(/costs\[1\]/)
  })
})
