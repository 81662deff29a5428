import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../math/random.ts'
import { LeafPool } from './leaf-pool.ts'
import { type HoeffdingTreeOptions, treeSettings } from './options.ts'

function makePool(options: HoeffdingTreeOptions): LeafPool {
  const pool = new LeafPool(treeSettings(options), new Random(1, 'test'))
  pool.add()
  return pool
}

/** P(level) Π density for each level, from the scores. */
function likelihoods(pool: LeafPool, x: number[], levels: number): number[] {
  const scores = new Float64Array(levels)
  pool.naiveBayes(0, Float64Array.from(x), scores)
  return Array.from(scores, (score) => Math.exp(score) / pool.weight(0))
}

/** The same, straight from the definition. */
function naively(samples: { x: number[]; level: number }[], x: number[], level: number): number {
  const own = samples.filter((sample) => sample.level === level)
  let product = own.length / samples.length
  x.forEach((value, i) => {
    const values = own.map((sample) => sample.x[i])
    const mean = values.reduce((a, b) => a + b) / values.length
    const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1)
    product *= Math.exp(-((value - mean) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance)
  })
  return product
}

describe('LeafPool', () => {
  it('computes naive Bayes as by hand', () => {
    const pool = makePool({ channels: 1, levels: 2 })
    for (const x of [1, 2, 3]) pool.update(0, Float64Array.of(x), 0, 1)
    for (const x of [4, 6]) pool.update(0, Float64Array.of(x), 1, 1)
    const [first, second] = likelihoods(pool, [3], 2)
    expect(first).toBeCloseTo(0.1451824, 7)
    expect(second).toBeCloseTo(0.0415107, 7)
    expect(first / (first + second)).toBeCloseTo(0.77765, 5)
  })

  it('computes naive Bayes as by definition, for any samples, odd and even numbers of channels', () => {
    const value = fc.double({ min: -100, max: 100, noNaN: true })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }).chain((d) =>
          fc.record({
            x: fc.array(value, { minLength: d, maxLength: d }),
            rows: fc.array(fc.array(value, { minLength: d, maxLength: d }), { minLength: 8, maxLength: 20 }),
          }),
        ),
        ({ x, rows }) => {
          const samples = rows.map((row, i) => ({ x: row.map((v, j) => v + 1e-3 * ((i * 7 + j) % 5)), level: i % 2 }))
          // Without width in some channel the definition divides by 0; other tests look at that.
          fc.pre([0, 1].every((c) => naively(samples, x, c) > 1e-250 && naively(samples, x, c) < 1e250))
          const pool = makePool({ channels: x.length, levels: 2 })
          for (const sample of samples) pool.update(0, Float64Array.from(sample.x), sample.level, 1)
          const found = likelihoods(pool, x, 2)
          for (const c of [0, 1]) expect(found[c] / naively(samples, x, c)).toBeCloseTo(1, 5)
        },
      ),
    )
  })

  it('counts a weight of 3 as three samples', () => {
    const weighted = makePool({ channels: 2, levels: 2 })
    const repeated = makePool({ channels: 2, levels: 2 })
    for (const [x, level] of [
      [[1, 5], 0],
      [[2, 3], 0],
      [[4, 4], 1],
      [[3, 1], 1],
    ] as [number[], number][]) {
      weighted.update(0, Float64Array.from(x), level, 3)
      for (let k = 0; k < 3; k++) repeated.update(0, Float64Array.from(x), level, 1)
    }
    expect(weighted.weight(0)).toBe(12)
    const a = likelihoods(weighted, [2, 2], 2)
    const b = likelihoods(repeated, [2, 2], 2)
    expect(a[0]).toBeCloseTo(b[0], 14)
    expect(a[1]).toBeCloseTo(b[1], 14)
  })

  it('takes a level without width as certain or impossible, as each library does', () => {
    const samples = (compat: 'canonical' | 'skm' | 'river') => {
      const pool = makePool({ channels: 1, levels: 2, compat })
      for (let i = 0; i < 3; i++) pool.update(0, Float64Array.of(7), 0, 1)
      for (const x of [1, 2, 3]) pool.update(0, Float64Array.of(x), 1, 1)
      const scores = new Float64Array(2)
      const at = (x: number) => {
        pool.naiveBayes(0, Float64Array.of(x), scores)
        return scores[0] - Math.log(3)
      }
      return [at(7), at(6)]
    }
    expect(samples('canonical')[0]).toBeCloseTo(0, 12)
    expect(samples('canonical')[1]).toBeCloseTo(Math.log(1e-300), 9)
    expect(samples('river')[1]).toBeCloseTo(0, 12)
    expect(samples('skm')[1]).toBe(-Infinity)
  })

  it('takes a level it inherited but never saw as impossible in every channel', () => {
    const pool = makePool({ channels: 2, levels: 3 })
    pool.inherit(0, Float64Array.of(4, 2, 0))
    pool.update(0, Float64Array.of(1, 2), 0, 1)
    pool.update(0, Float64Array.of(2, 1), 0, 1)
    const scores = new Float64Array(3)
    expect(pool.naiveBayes(0, Float64Array.of(1, 1), scores)).toBe(0)
    expect(scores[0]).toBeGreaterThan(-10)
    expect(scores[1]).toBeCloseTo(Math.log(2) + 2 * Math.log(1e-300), 9)
    expect(scores[2]).toBe(-Infinity)
  })

  it('keeps the weights when it forgets', () => {
    const pool = makePool({ channels: 1, levels: 2 })
    for (const x of [1, 2, 3]) pool.update(0, Float64Array.of(x), 0, 1)
    pool.update(0, Float64Array.of(5), 1, 1)
    pool.forget(0)
    expect(pool.weight(0)).toBe(4)
    expect(pool.majority(0)).toBe(0)
    const scores = new Float64Array(2)
    pool.naiveBayes(0, Float64Array.of(2), scores)
    // Nothing observed: only the weights speak, 3 to 1.
    expect(Math.exp(scores[0] - scores[1])).toBeCloseTo(3, 10)
  })

  it('observes anew what it learns after it has forgotten', () => {
    const [pool, other] = [0, 1].map(() => makePool({ channels: 1, levels: 2 }))
    for (const x of [1, 2, 3]) pool.update(0, Float64Array.of(x), 0, 1)
    pool.forget(0)
    other.inherit(0, Float64Array.of(3, 0))
    for (const leaf of [pool, other]) for (const x of [50, 52]) leaf.update(0, Float64Array.of(x), 0, 1)
    expect(pool.data).toEqual(other.data)
  })

  it('considers every channel again when it is used for another part of the tree', () => {
    const pool = makePool({ channels: 2, levels: 2, leaf: 'mc', removePoor: true })
    pool.markPoor(0, 1)
    expect([0, 1].map((channel) => pool.isPoor(0, channel))).toEqual([false, true])
    pool.clear(0)
    expect(pool.isPoor(0, 1)).toBe(false)
  })

  it.each([1e-60, 1e60])('tells levels apart in a channel of scale %d as in one of scale 1', (scale) => {
    const [pool, other] = [scale, 1].map((unit) => {
      const made = makePool({ channels: 1, levels: 2 })
      for (const x of [1, 2, 3]) made.update(0, Float64Array.of(x * unit), 0, 1)
      for (const x of [4, 6]) made.update(0, Float64Array.of(x * unit), 1, 1)
      return made
    })
    const [first, second] = likelihoods(pool, [3 * scale], 2)
    const [one, two] = likelihoods(other, [3], 2)
    expect(first / second).toBeCloseTo(one / two, 8)
  })

  it('says something finite about values whose squares overflow', () => {
    const pool = makePool({ channels: 2, levels: 2 })
    for (const x of [1e200, -1e200, 3e200]) pool.update(0, Float64Array.of(x, 1), 0, 1)
    for (const x of [1, 2]) pool.update(0, Float64Array.of(x, 1), 1, 1)
    const scores = new Float64Array(2)
    pool.naiveBayes(0, Float64Array.of(-1e300, 1), scores)
    expect(scores.some((score) => Number.isNaN(score))).toBe(false)
  })

  it('watches as many different channels as told, in each leaf others', () => {
    const pool = makePool({ channels: 10, levels: 2, features: 3 })
    const seen = new Set<string>()
    for (let leaf = 0; leaf < 60; leaf++) {
      if (leaf > 0) pool.add()
      pool.update(leaf, new Float64Array(10), 0, 1)
      const channels = [0, 1, 2].map((i) => pool.channel(leaf, i))
      expect(new Set(channels).size).toBe(3)
      for (const channel of channels) expect(channel >= 0 && channel < 10).toBe(true)
      seen.add(channels.join())
    }
    expect(seen.size).toBeGreaterThan(40)
  })
})
