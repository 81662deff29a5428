import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { LabelledSample } from '../../assessor.ts'
import { NaiveBayes } from '../../learners/naive-bayes.ts'
import { Random } from '../../math/random.ts'
import { SampleStore } from '../base/sample-store.ts'
import { play, type Sample, share } from '../testing/play.ts'
import { DynamicGroup } from './dynamic-group.ts'
import { askingProbability, RoaleDi } from './roale-di.ts'

/** Level 0 around 0 and level 1 around 100: nothing is uncertain. */
const APART: LabelledSample[] = [-1, 0, 1].flatMap((x) => [
  { x: [x], level: 0 },
  { x: [x + 100], level: 1 },
])
const certain = { channels: 1, levels: 2, warmUp: APART, imbalance: 0 }

function zeros(count: number): Sample[] {
  return Array.from({ length: count }, () => ({ x: Float64Array.of(0.5), level: 0 }))
}

describe('RoaleDi', () => {
  it('damps the weights with each block and replaces the least once there are D + 1', () => {
    const assessor = new RoaleDi(certain)
    const near = (weights: number[]): void => {
      expect(assessor.weights.length).toBe(weights.length)
      weights.forEach((weight, j) => {
        expect(assessor.weights[j]).toBeCloseTo(weight, 14)
      })
    }
    near([0.1])
    play(assessor, zeros(150))
    near([0.09, 0.1])
    play(assessor, zeros(150))
    near([0.081, 0.09, 0.1])
    play(assessor, zeros(8 * 150))
    expect(assessor.weights.length).toBe(11)
    expect(assessor.weights[0]).toBeCloseTo(0.1 * 0.9 ** 10, 14)
    play(assessor, zeros(150))
    expect(assessor.weights.length).toBe(11)
    expect(assessor.weights[0]).toBeCloseTo(0.1, 14)
    expect(assessor.weights[1]).toBeCloseTo(0.1 * 0.9 ** 10, 14)
  })

  it('buys seven labels per block of a certain stream', () => {
    const assessor = new RoaleDi(certain)
    play(assessor, zeros(149))
    expect(assessor.bought).toBe(0)
    play(assessor, zeros(301))
    expect(assessor.bought).toBe(21)
  })

  it('asks about levels that seem rare', () => {
    const rates = (shares: number[]): number[] => shares.map((value) => askingProbability(value, 3, 0.01))
    expect(rates([0.5, 0.4, 0.1]).map((rate) => rate.toFixed(5))).toEqual(['0.01000', '0.01000', '0.03333'])
    expect(rates([1, 0, 0])).toEqual([0.01, 1, 1])
    // From the second block on, one in two asked: a share of imbalance 0.5 buys about half of a certain stream.
    const assessor = new RoaleDi({ ...certain, imbalance: 0.5 })
    play(assessor, zeros(150))
    const before = assessor.bought
    play(assessor, zeros(149))
    expect(Math.abs(assessor.bought - before - 75)).toBeLessThan(20)
  })

  it('asks by the level that a sample seems to have, not by the one it has', () => {
    // After a block of level 0, level 1 has a share of 0.27 / 1.24 = 0.22: with σ = 0.5 it is asked about for sure,
    // 0.5 / (2 · 0.22) being above 1, and level 0 every other time.
    const asked = (x: number, level: number) =>
      Array.from({ length: 12 }, (_, seed) => {
        const assessor = new RoaleDi({ ...certain, imbalance: 0.5, seed })
        play(assessor, zeros(150))
        const before = assessor.bought
        play(assessor, [{ x: Float64Array.of(x), level }])
        return assessor.bought - before
      }).reduce((sum, bought) => sum + bought)
    expect(asked(100, 0)).toBe(12)
    expect(asked(0.5, 1)).toBeLessThan(12)
    expect(asked(0.5, 1)).toBeGreaterThan(0)
  })

  it('tops a newcomer up with what the warm-up has shown of a level that its block lacks', () => {
    const assessor = new RoaleDi(certain)
    play(assessor, zeros(150))
    // The stable classifier, the first one, and the newcomer.
    expect(Array.from(assessor.assess(Float64Array.of(100)).experts).slice(0, 3)).toEqual([1, 1, 1])
  })

  it('lowers its threshold with each uncertain sample, twice when it is then right', () => {
    const warmUp = [
      ...[-1, 0, 1, 0].map((x) => ({ x: [x], level: 0 })),
      ...[-1, 0, 1].map((x) => ({ x: [x], level: 1 })),
    ]
    const assessor = new RoaleDi({ channels: 1, levels: 2, warmUp })
    expect(assessor.marginThreshold).toBe(0.5)
    const sample = { x: Float64Array.of(0), level: 0 }
    play(assessor, [sample, sample, sample])
    expect(assessor.bought).toBe(3)
    expect(assessor.marginThreshold).toBeCloseTo(0.47074, 6)
    expect(new RoaleDi({ channels: 1, levels: 2, compat: 'skm' }).marginThreshold).toBe(0.25)
    expect(new RoaleDi({ channels: 1, levels: 3 }).marginThreshold).toBeCloseTo(1 / 3, 14)
  })

  it('draws at the end of a block among known samples only', () => {
    const answer = (assessor: RoaleDi, known: number): void => {
      for (let i = 0; i < 150; i++) {
        const { id } = assessor.assess(Float64Array.of(0.5), 'partial')
        assessor.learn(id, i < known ? { kind: 'label', level: 0 } : { kind: 'reject' })
      }
    }
    const assessor = new RoaleDi(certain)
    answer(assessor, 0)
    expect(assessor.bought).toBe(0)
    expect(assessor.weights.length).toBe(1)
    answer(assessor, 3)
    expect(assessor.bought).toBe(3)
    answer(assessor, 100)
    expect(assessor.bought).toBe(10)
    expect(assessor.weights.length).toBe(3)
  })

  it('reinforces, for a rare level that was judged wrongly, the classifiers that recognise it, and for no other', () => {
    /** Weights after a certain block of level 0 and then one sample at `x` of `level`, bought for sure. */
    const after = (x: number, level: number) => {
      const assessor = new RoaleDi({ ...certain, imbalance: 1 })
      play(assessor, zeros(150))
      const before = Array.from(assessor.weights)
      play(assessor, [{ x: Float64Array.of(x), level }])
      return Array.from(assessor.weights, (weight, j) => Math.round((100 * weight) / before[j]))
    }
    // Level 1 where both classifiers see level 0: it is rare, and neither recognises it.
    expect(after(0.5, 1)).toEqual([90, 90])
    // The first classifier knows level 1 around 100; the one made from the block has seen it only now.
    expect(after(100, 1)).toEqual([100, 100])
    // Level 0 is not rare.
    expect(after(100, 0)).toEqual([100, 100])
  })

  it('tops a newcomer up to r·I/K samples of each level and not beyond: 2, 1 or none of 2.5', () => {
    const warmUp = [0, 1, 2].flatMap((level) => [0, 1].map((i) => ({ x: [100 * level + i], level })))
    const taken: number[][] = []
    const newest = vi.spyOn(SampleStore.prototype, 'newest').mockImplementation((level, count) => {
      taken.push([level, count])
    })
    onTestFinished(() => newest.mockRestore())
    const assessor = new RoaleDi({ channels: 1, levels: 3, warmUp, imbalance: 0, labelShare: 0.05 })
    // Seven of a block are drawn; the last two samples of an otherwise rejected block are known.
    for (let i = 0; i < 150; i++) {
      const level = i < 147 ? 0 : i === 147 ? 1 : 2
      const { id } = assessor.assess(Float64Array.of(100 * level + 0.5), 'partial')
      assessor.learn(id, i < 147 ? { kind: 'reject' } : { kind: 'label', level })
    }
    // None of level 0 was drawn, one of level 1, two of level 2.
    expect(taken).toEqual([
      [0, 2],
      [1, 1],
      [2, 0],
    ])
  })

  it('learns three levels with few labels, and with every label when told to', () => {
    const random = new Random(41, 'three')
    const samples = Array.from({ length: 3000 }, () => {
      const level = random.integer(3)
      return { x: Float64Array.of(3 * level + random.normal(), random.normal()), level }
    })
    const own = new RoaleDi({ channels: 2, levels: 3 })
    expect(share(play(own, samples).right, 1000)).toBeGreaterThan(0.85)
    expect(own.bought).toBeLessThan(1500)
    const every = new RoaleDi({ channels: 2, levels: 3, query: 'every' })
    play(every, samples)
    expect(every.bought).toBe(3000)
  })
})

describe('DynamicGroup', () => {
  it('reinforces the classifiers that recognise a sample', () => {
    const options = { channels: 1, levels: 2 }
    const group = new DynamicGroup(10, options)
    group.begin(Float64Array.of(0), 0)
    const other = new NaiveBayes(options)
    other.learn(Float64Array.of(0), 1)
    group.admit(other, Float64Array.of(0, 1))
    group.reinforce(Float64Array.of(0), 1)
    expect(group.currentWeights[0]).toBeCloseTo(0.09 * 0.9, 14)
    expect(group.currentWeights[1]).toBeCloseTo(0.1 * 1.1, 14)
    const shares = new Float64Array(2)
    group.shares(shares)
    expect(shares[0]).toBeCloseTo(0.081 / (0.081 + 0.11), 14)
    expect(shares[0] + shares[1]).toBeCloseTo(1, 14)
  })
})

describe('SampleStore', () => {
  it('keeps the newest samples of each level', () => {
    const store = new SampleStore(2, 3, 1)
    for (const x of [1, 2, 3, 4, 5]) store.push(Float64Array.of(x), 1)
    const taken: number[] = []
    store.newest(1, 2, (x) => taken.push(x[0]))
    store.newest(1, 9, (x) => taken.push(x[0]))
    store.newest(0, 9, (x) => taken.push(x[0]))
    store.newest(1, -1, (x) => taken.push(x[0]))
    expect(taken).toEqual([4, 5, 3, 4, 5])
  })

  it('may have no room', () => {
    const store = new SampleStore(2, 0, 1)
    store.push(Float64Array.of(1), 0)
    store.newest(0, 1, () => expect.fail('nothing was kept'))
  })
})
