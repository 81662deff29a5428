import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../math/random.ts'
import { LeafPool } from './leaf-pool.ts'
import { entropy } from './merit.ts'
import { type HoeffdingTreeOptions, treeSettings } from './options.ts'
import { SplitCandidates } from './split-candidates.ts'
import { SplitSearch } from './split-search.ts'

type Row = [x: number[], level: number, weight?: number]

function leafWith(rows: Row[], options: Omit<HoeffdingTreeOptions, 'channels'>) {
  const settings = treeSettings({ channels: rows[0][0].length, ...options })
  const pool = new LeafPool(settings, new Random(1, 'test'))
  pool.add()
  for (const [x, level, weight] of rows) pool.update(0, Float64Array.from(x), level, weight ?? 1)
  const search = new SplitSearch(settings)
  return { pool, search, decide: () => search.decide(pool, 0, pool.weight(0)) }
}

const observed: Row[] = [...[0, 1, 2, 3].map((x): Row => [[x], 0]), ...[2, 3, 4, 11].map((x): Row => [[x], 1])]

describe('SplitSearch', () => {
  it('estimates the gains of the specification', () => {
    const { pool } = leafWith(observed, { levels: 2 })
    const candidates = new SplitCandidates(2, 10)
    candidates.collect(pool, 0)
    expect(candidates.load(pool, 0, 0)).toBe(true)
    expect(candidates.low).toBe(0)
    expect(candidates.step).toBe(1)
    const gains = Array.from({ length: 10 }, (_, i) => {
      const left = Float64Array.from([0, 1], (k) => candidates.share(k, i + 1))
      const right = left.map((w) => 4 - w)
      const weight = left[0] + left[1]
      return 1 - (weight / 8) * entropy(left) - (1 - weight / 8) * entropy(right)
    })
    const expected = [0.20149, 0.13315, 0.48075, 0.39289, 0.31128, 0.23875, 0.17699, 0.12654, 0.08706, 0.05749]
    gains.forEach((gain, i) => {
      expect(gain).toBeCloseTo(expected[i], 5)
    })
  })

  it('splits where the gain is largest and shares out the weights', () => {
    const { search, decide } = leafWith(observed, { levels: 2 })
    expect(decide()).toBe('split')
    expect(search.feature).toBe(0)
    expect(search.threshold).toBe(3)
    expect(search.left[0]).toBe(4)
    expect(search.left[1]).toBeCloseTo(1.2484, 4)
    expect(search.right[0]).toBe(0)
    expect(search.right[1]).toBeCloseTo(2.7516, 4)
  })

  it('waits while a leaf is pure, or nothing leads', () => {
    expect(
      leafWith(
        [
          [[1], 0],
          [[2], 0],
        ],
        { levels: 2 },
      ).decide(),
    ).toBe('wait')
    const twins = observed.map(([[x], level]): Row => [[x, x], level])
    expect(leafWith(twins, { levels: 2 }).decide()).toBe('wait')
  })

  it('has a bound for the levels that are there, not for all that there may be', () => {
    // The second channel tells nothing: the first is ahead by 0.481. ε = √(R² ln 20 / 16) is 0.433 for two levels
    // (R = 1) and 1.298 for eight.
    const rows = observed.map(([[x], level], i): Row => [[x, i % 4], level])
    expect(leafWith(rows, { levels: 8, splitConfidence: 0.05 }).decide()).toBe('split')
    expect(leafWith(rows, { levels: 8, splitConfidence: 0.02 }).decide()).toBe('wait')
  })

  it('breaks a tie once the bound is small, in favour of the later channel', () => {
    const twins = observed.map(([[x], level]): Row => [[x, x], level, 500])
    const { search, decide } = leafWith(twins, { levels: 2 })
    expect(decide()).toBe('split')
    expect(search.feature).toBe(1)
  })

  it('does not split for one side with hardly any weight; libraries differ in what they do instead', () => {
    // Zeros but for one outlier: every threshold leaves less than 1 % above it.
    const rows = Array.from({ length: 4000 }, (_, i): Row => [[i === 500 ? 1000 : 0, i === 500 ? 500 : 0], i % 2])
    const options = { levels: 2, splitConfidence: 0.5 }
    expect(leafWith(rows, options).decide()).toBe('wait')
    expect(leafWith(rows, { ...options, compat: 'river' }).decide()).toBe('forget')
    const skm = leafWith(rows, { ...options, compat: 'skm' })
    expect(skm.decide()).toBe('split')
    expect(skm.search.feature).toBe(1)
    expect(skm.search.threshold).toBeCloseTo(500 / 11, 12)
  })

  it('forgets when every channel is constant, since only "do not split" is left', () => {
    const rows = Array.from({ length: 10 }, (_, i): Row => [[3], i % 2])
    expect(leafWith(rows, { levels: 2 }).decide()).toBe('forget')
    expect(leafWith(rows, { levels: 2, prePruning: false }).decide()).toBe('wait')
  })

  it('forgets when one level has more than its share', () => {
    const rows = Array.from({ length: 400 }, (_, i): Row => [[i, i % 7], i === 100 || i === 300 ? 1 : 0])
    expect(leafWith(rows, { levels: 2, maxShareToSplit: 0.99 }).decide()).toBe('forget')
    expect(leafWith(rows, { levels: 2, maxShareToSplit: 0.995 }).decide()).not.toBe('forget')
    expect(leafWith(rows, { levels: 2, compat: 'river' }).decide()).toBe('forget')
    const fewer = Array.from({ length: 400 }, (_, i): Row => [[i], i < 395 ? 0 : 1])
    expect(leafWith(fewer, { levels: 2, compat: 'river' }).decide()).not.toBe('forget')
  })

  it('splits by Gini as well, unless not splitting is better', () => {
    const rows = Array.from({ length: 200 }, (_, i): Row => [[i % 10, (i * 7) % 3], i % 10 < 5 ? 0 : 1])
    const { search, decide } = leafWith(rows, { levels: 2, criterion: 'gini' })
    expect(decide()).toBe('split')
    expect(search.feature).toBe(0)
    const noise = Array.from({ length: 20_000 }, (_, i): Row => [[i % 10, (i * 7) % 3], (i >> 4) % 2])
    const inherited = leafWith(noise, { levels: 2, criterion: 'gini', compat: 'skm' })
    // The leaf inherited much of one level: unsplit it looks purer than any split of what it saw.
    inherited.pool.data[inherited.pool.stats] += 100_000
    expect(inherited.decide()).toBe('forget')
  })

  it('drops poor channels from majority leaves when told to', () => {
    const random = new Random(5, 'poor')
    const rows = Array.from({ length: 400 }, (_, i): Row => [[i % 2, i % 2, random.normal()], i % 2])
    const { pool, decide } = leafWith(rows, { levels: 2, leaf: 'mc', removePoor: true })
    expect(decide()).toBe('wait')
    expect([0, 1, 2].map((f) => pool.isPoor(0, f))).toEqual([false, false, true])
    const bayes = leafWith(rows, { levels: 2, leaf: 'nba', removePoor: true })
    bayes.decide()
    expect(bayes.pool.isPoor(0, 2)).toBe(false)
  })

  it('decides the same with and without the quick screen', () => {
    let splits = 0
    const cases = fc.record({
      seed: fc.integer({ min: 0, max: 1e6 }),
      samples: fc.integer({ min: 5, max: 400 }),
      levels: fc.integer({ min: 2, max: 5 }),
      signal: fc.double({ min: 0, max: 4, noNaN: true }),
      skew: fc.boolean(),
      compat: fc.constantFrom('canonical' as const, 'skm' as const, 'river' as const),
    })
    fc.assert(
      fc.property(cases, ({ seed, samples, levels, signal, skew, compat }) => {
        const random = new Random(seed, 'screen')
        const rows = Array.from({ length: samples }, (): Row => {
          const level = Math.floor(random.uniform() ** 2 * levels)
          const x = Array.from({ length: 4 }, (_, f) => {
            const z = random.normal() + (f === 0 ? signal * level : f === 1 ? 0.3 * signal * level : 0)
            return skew ? Math.exp(z) : z
          })
          return [x, level, 1 + random.integer(3)]
        })
        const options = { levels, compat, splitConfidence: 0.01 }
        const quick = leafWith(rows, options)
        // For naive Bayes leaves `removePoor` has no effect but to look at every channel exactly.
        const exact = leafWith(rows, { ...options, removePoor: true })
        const verdict = exact.decide()
        if (verdict === 'split') splits++
        expect(quick.decide()).toBe(verdict)
        if (verdict === 'split') {
          expect(quick.search.feature).toBe(exact.search.feature)
          expect(quick.search.threshold).toBe(exact.search.threshold)
          expect(quick.search.left).toEqual(exact.search.left)
        }
      }),
      { numRuns: 400, seed: 7 },
    )
    expect(splits).toBeGreaterThan(20)
  })
})
