import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { NaiveBayes } from './naive-bayes.ts'

function answer(learner: NaiveBayes, x: number[], levels: number): number[] {
  const out = new Float64Array(levels)
  learner.predict(Float64Array.from(x), out)
  return Array.from(out)
}

describe.each(['canonical', 'skm'] as const)('NaiveBayes, %s', (compat) => {
  it('is uniform before it has learned', () => {
    expect(answer(new NaiveBayes({ channels: 2, levels: 4, compat }), [1, 2], 4)).toEqual([0.25, 0.25, 0.25, 0.25])
  })

  it('gives the posterior of normal densities and frequencies', () => {
    const learner = new NaiveBayes({ channels: 1, levels: 3, compat })
    for (const x of [1, 2, 3]) learner.learn(Float64Array.of(x), 0)
    for (const x of [4, 6]) learner.learn(Float64Array.of(x), 1)
    // 3/5 · N(3; 2, 1) = 0.1451824 and 2/5 · N(3; 5, 2) = 0.0415107
    const [first, second, third] = answer(learner, [3], 3)
    expect(first).toBeCloseTo(0.1451824 / (0.1451824 + 0.0415107), 6)
    expect(first + second).toBeCloseTo(1, 14)
    expect(third).toBe(0)
  })

  it('knows after one sample of each level only that value, which rules out all others', () => {
    const learner = new NaiveBayes({ channels: 1, levels: 2, compat })
    learner.learn(Float64Array.of(1), 0)
    learner.learn(Float64Array.of(4), 1)
    expect(answer(learner, [4], 2)[1]).toBeCloseTo(1, 12)
    expect(answer(learner, [2], 2)).toEqual([0.5, 0.5])
  })

  it('counts a weight as that many samples', () => {
    const weighted = new NaiveBayes({ channels: 2, levels: 2, compat })
    const repeated = new NaiveBayes({ channels: 2, levels: 2, compat })
    const random = new Random(5, 'test')
    for (let i = 0; i < 50; i++) {
      const x = Float64Array.of(random.normal() + (i % 2), random.normal())
      const weight = random.integer(4)
      weighted.learn(x, i % 2, weight)
      for (let k = 0; k < weight; k++) repeated.learn(x, i % 2)
    }
    answer(repeated, [0.3, -0.2], 2).forEach((p, i) => {
      expect(answer(weighted, [0.3, -0.2], 2)[i]).toBeCloseTo(p, 12)
    })
  })

  it('goes on from a saved state with the same bits', () => {
    const random = new Random(6, 'test')
    const make = (): NaiveBayes => new NaiveBayes({ channels: 3, levels: 2, compat })
    const original = make()
    const sample = (level: number): Float64Array => Float64Array.from({ length: 3 }, () => random.normal() + level)
    for (let i = 0; i < 40; i++) original.learn(sample(i % 2), i % 2)
    const writer = new StateWriter()
    original.transfer(writer)
    const copy = make()
    copy.learn(sample(0), 0)
    answer(copy, [0, 0, 0], 2)
    const reader = new StateReader(writer.finish())
    copy.transfer(reader)
    reader.end()
    for (let i = 0; i < 40; i++) {
      const x = sample(i % 2)
      expect(answer(copy, Array.from(x), 2)).toEqual(answer(original, Array.from(x), 2))
      original.learn(x, i % 2)
      copy.learn(x, i % 2)
    }
  })
})

describe('NaiveBayes', () => {
  it('takes a channel that never varied for proof: its mean or nothing', () => {
    const learner = new NaiveBayes({ channels: 2, levels: 2 })
    for (const x of [1, 2, 3]) learner.learn(Float64Array.of(x, 7), 0)
    for (const x of [1, 2, 3]) learner.learn(Float64Array.of(x, 8), 1)
    expect(answer(learner, [2, 7], 2)[1] / 1e-300).toBeCloseTo(1, 10)
    expect(answer(learner, [2, 8], 2)[0] / 1e-300).toBeCloseTo(1, 10)
    // Ruled out by both alike: only the priors and the other channel are left.
    expect(answer(learner, [2, 9], 2)).toEqual([0.5, 0.5])
  })

  it('compares a channel that never varied, whose density is 1, with a normal one by its true height', () => {
    const learner = new NaiveBayes({ channels: 1, levels: 2 })
    for (const x of [6, 7, 8]) learner.learn(Float64Array.of(x), 1)
    for (const x of [7, 7, 7]) learner.learn(Float64Array.of(x), 0)
    // 1 beside N(7; 7, 1) = 0.398942.
    expect(answer(learner, [7], 2)[0]).toBeCloseTo(1 / 1.398942, 6)
  })

  it('keeps telling levels apart where raw densities underflow', () => {
    // 200 channels, 5 deviations from the nearer mean: each density is 1.5e-6, their product 1e-1166.
    const learners = (['canonical', 'skm'] as const).map((compat) => {
      const learner = new NaiveBayes({ channels: 200, levels: 2, compat })
      for (const off of [-1, 0, 1]) {
        learner.learn(new Float64Array(200).fill(off), 0)
        learner.learn(new Float64Array(200).fill(off + 100), 1)
      }
      return learner
    })
    const x = new Array<number>(200).fill(95)
    expect(answer(learners[0], x, 2)[1]).toBeCloseTo(1, 12)
    expect(answer(learners[1], x, 2)).toEqual([0.5, 0.5])
  })

  it('has finite answers for variances at the ends of the range', () => {
    for (const scale of [1e-160, 1e-100, 1e100]) {
      for (const compat of ['canonical', 'skm'] as const) {
        const learner = new NaiveBayes({ channels: 30, levels: 2, compat })
        for (const off of [1, 2, 3]) {
          learner.learn(new Float64Array(30).fill(off * scale), 0)
          learner.learn(new Float64Array(30).fill(-off * scale), 1)
        }
        const out = answer(learner, new Array<number>(30).fill(2 * scale), 2)
        expect(out[0] + out[1]).toBeCloseTo(1, 12)
        expect(out[0]).toBeGreaterThanOrEqual(0.5)
      }
    }
  })
})
