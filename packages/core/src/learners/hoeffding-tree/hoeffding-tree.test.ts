import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeedbackError, OptionError, SampleError } from '../../errors.ts'
import { Random } from '../../math/random.ts'
import { StateReader, StateWriter } from '../../state/state-io.ts'
import { argmax } from '../learner.ts'
import { HoeffdingTree } from './hoeffding-tree.ts'
import type { HoeffdingTreeOptions } from './options.ts'

function predict(tree: HoeffdingTree, x: number[], levels: number): Float64Array {
  const out = new Float64Array(levels)
  tree.predict(Float64Array.from(x), out)
  return out
}

/** Three levels in four channels: bands of the first, one of them only where the second is positive. */
function sample(random: Random): { x: Float64Array; level: number } {
  const x = Float64Array.from({ length: 4 }, () => random.normal())
  const level = x[0] < -0.4 ? 0 : x[1] > 0 ? 1 : 2
  return { x, level }
}

/** Test-then-train; the predictions and how many were right. */
function run(tree: HoeffdingTree, samples: number, random: Random, weights = false) {
  const out = new Float64Array(3)
  const said: number[] = []
  let right = 0
  for (let i = 0; i < samples; i++) {
    const { x, level } = sample(random)
    tree.predict(x, out)
    said.push(...out)
    if (argmax(out) === level) right++
    tree.learn(x, level, weights ? random.integer(4) : 1)
  }
  return { said, accuracy: right / samples }
}

function save(tree: HoeffdingTree): Buffer {
  const writer = new StateWriter()
  tree.transfer(writer)
  return Buffer.from(writer.finish())
}

describe('HoeffdingTree', () => {
  it('splits exactly when the grace period is over, on the channel that separates', () => {
    const tree = new HoeffdingTree({ channels: 2, levels: 2 })
    const teach = (i: number) => tree.learn(Float64Array.of(i % 2 === 0 ? 1 + (i % 5) : -1 - (i % 5), 4), i % 2)
    for (let i = 0; i < 199; i++) teach(i)
    expect(tree.nodeCount).toBe(1)
    teach(199)
    expect(tree.nodeCount).toBe(3)
    expect(tree.height).toBe(1)
    expect(tree.splits().map(({ channel, depth }) => ({ channel, depth }))).toEqual([{ channel: 0, depth: 0 }])
    expect(argmax(predict(tree, [3, 4], 2))).toBe(0)
    expect(argmax(predict(tree, [-3, 4], 2))).toBe(1)
  })

  it('sends a value equal to the threshold to the left', () => {
    const tree = new HoeffdingTree({ channels: 1, levels: 2, leaf: 'mc', gracePeriod: 22 })
    // Values 0 and 11: the thresholds are 1 … 10, and the lowest of equally good ones wins.
    for (let i = 0; i < 22; i++) tree.learn(Float64Array.of(i % 2 === 0 ? 0 : 11), i % 2)
    expect(tree.splits()[0].threshold).toBe(1)
    expect(argmax(predict(tree, [1], 2))).toBe(0)
    expect(argmax(predict(tree, [1.0001], 2))).toBe(1)
  })

  it('counts the weight of samples towards the grace period', () => {
    const tree = new HoeffdingTree({ channels: 1, levels: 2 })
    for (let i = 0; i < 39; i++) tree.learn(Float64Array.of(i % 2), i % 2, 5)
    expect(tree.nodeCount).toBe(1)
    tree.learn(Float64Array.of(1), 1, 5)
    expect(tree.nodeCount).toBe(3)
  })

  it('always splits an impure leaf with one channel at the first attempt, second best being nothing', () => {
    const random = new Random(2, 'noise')
    const tree = new HoeffdingTree({ channels: 1, levels: 2 })
    for (let i = 0; i < 200; i++) tree.learn(Float64Array.of(random.normal()), random.integer(2))
    expect(tree.nodeCount).toBe(3)
  })

  it('waits with equally good channels until the bound is below the tie threshold: 3400 = the first attempt from 3224', () => {
    const random = new Random(2, 'ties')
    const tree = new HoeffdingTree({ channels: 2, levels: 2 })
    let n = 0
    while (tree.nodeCount === 1 && n < 5000) {
      const value = random.normal()
      tree.learn(Float64Array.of(value, value), random.uniform() < 0.5 + 0.2 * Math.sign(value) ? 1 : 0)
      n++
    }
    expect(n).toBe(3400)
  })

  it('is uniform before it has learned, and a weight of 0 teaches nothing', () => {
    const tree = new HoeffdingTree({ channels: 2, levels: 4 })
    expect(predict(tree, [1, 2], 4)).toEqual(new Float64Array(4).fill(0.25))
    tree.learn(Float64Array.of(1, 2), 3, 0)
    expect(predict(tree, [1, 2], 4)).toEqual(new Float64Array(4).fill(0.25))
  })

  it('predicts the shares of the levels from majority leaves', () => {
    const tree = new HoeffdingTree({ channels: 1, levels: 3, leaf: 'mc' })
    for (const level of [0, 1, 1, 2, 1]) tree.learn(Float64Array.of(level), level)
    expect(Array.from(predict(tree, [0], 3))).toEqual([0.2, 0.6, 0.2])
  })

  it('predicts by naive Bayes from the threshold on', () => {
    const tree = new HoeffdingTree({ channels: 1, levels: 2, leaf: 'nb', nbThreshold: 5 })
    for (const x of [1, 2, 3]) tree.learn(Float64Array.of(x), 0)
    tree.learn(Float64Array.of(4), 1)
    expect(predict(tree, [3], 2)[0]).toBe(0.75)
    tree.learn(Float64Array.of(6), 1)
    expect(predict(tree, [3], 2)[0]).toBeCloseTo(0.77765, 5)
  })

  it('uses in a leaf what has been right more often there', () => {
    const random = new Random(4, 'nba')
    const make = (leaf: 'mc' | 'nb' | 'nba') => new HoeffdingTree({ channels: 4, levels: 3, leaf, gracePeriod: 1e6 })
    // Separable by naive Bayes, not by the majority of the single leaf.
    const [mc, nb, nba] = (['mc', 'nb', 'nba'] as const).map((leaf) => run(make(leaf), 1500, new Random(4, 'nba')))
    expect(nba.accuracy).toBeGreaterThan(mc.accuracy + 0.2)
    expect(Math.abs(nba.accuracy - nb.accuracy)).toBeLessThan(0.01)
    // Labels independent of the samples, one of them frequent: the majority is better than naive Bayes on 40 channels.
    const noisy = new HoeffdingTree({ channels: 40, levels: 2, gracePeriod: 1e6 })
    const naive = new HoeffdingTree({ channels: 40, levels: 2, gracePeriod: 1e6, leaf: 'nb' })
    let nbaRight = 0
    let nbRight = 0
    for (let i = 0; i < 1500; i++) {
      const x = Float64Array.from({ length: 40 }, () => random.normal() ** 3)
      const level = random.uniform() < 0.75 ? 0 : 1
      if (argmax(predict(noisy, [...x], 2)) === level) nbaRight++
      if (argmax(predict(naive, [...x], 2)) === level) nbRight++
      noisy.learn(x, level)
      naive.learn(x, level)
    }
    expect(nbaRight).toBeGreaterThan(nbRight + 50)
    expect(nbaRight / 1500).toBeGreaterThan(0.7)
  })

  it('counts what has been right by weight, before it learns, and takes naive Bayes where both are level', () => {
    const tree = new HoeffdingTree({ channels: 1, levels: 2 })
    // An empty leaf says 0 either way; then both are wrong about the first 1.
    tree.learn(Float64Array.of(0), 0)
    tree.learn(Float64Array.of(10), 1)
    expect(predict(tree, [10], 2)[1]).toBeCloseTo(1, 12)
    // Naive Bayes is right with weight 4: 5 to 1. The majority alone is right with weight 3: 5 to 4.
    tree.learn(Float64Array.of(10), 1, 4)
    tree.learn(Float64Array.of(0), 1, 3)
    // Level 1: 10 five times and 0 three times, a density of 0.0372 at 0. Naive Bayes: 1/9 beside 8/9 of that.
    expect(predict(tree, [0], 2)[0]).toBeCloseTo(1 / (1 + 8 * 0.0372), 3)
    // 5 to 6: the shares of the levels, 1 and 10.
    tree.learn(Float64Array.of(0), 1, 2)
    expect(predict(tree, [0], 2)[0]).toBeCloseTo(1 / 11, 12)
  })

  it('that has just split waits for another grace period, as River does, whatever the new leaves inherit', () => {
    for (const compat of ['canonical', 'river'] as const) {
      const tree = new HoeffdingTree({ channels: 2, levels: 3, splitConfidence: 0.01, compat })
      // A band of the first channel, and within the other one two of the second.
      const teach = (i: number) =>
        tree.learn(Float64Array.of(i % 4 < 2 ? -5 : 5, i % 4 === 2 ? -5 : 5), Math.max(0, (i % 4) - 1))
      let n = 0
      while (tree.nodeCount === 1 && n < 1000) teach(n++)
      expect(n).toBe(200)
      const split = n
      while (tree.nodeCount === 3 && n < 2000) teach(n++)
      // Half of the samples go to the new leaf that can be split.
      expect([compat, n - split]).toEqual([compat, 400])
    }
  })

  it('learns a stationary concept to 95 %', () => {
    const tree = new HoeffdingTree({ channels: 4, levels: 3 })
    run(tree, 4000, new Random(1, 'train'))
    expect(run(tree, 2000, new Random(2, 'test')).accuracy).toBeGreaterThan(0.95)
    expect(tree.nodeCount).toBeGreaterThan(3)
  })

  it('predicts a distribution whatever it has learned, in every variant', () => {
    const value = fc.oneof(
      fc.double({ min: -1e100, max: 1e100, noNaN: true }),
      fc.integer({ min: -2, max: 2 }),
      fc.double({ min: -1, max: 1, noNaN: true }),
    )
    const row = fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.integer({ min: 0, max: 2 }))
    const options = fc.record({
      leaf: fc.constantFrom('mc' as const, 'nb' as const, 'nba' as const),
      criterion: fc.constantFrom('info-gain' as const, 'gini' as const),
      compat: fc.constantFrom('canonical' as const, 'skm' as const, 'river' as const),
      features: fc.constantFrom(1, 2, 3),
    })
    fc.assert(
      fc.property(options, fc.array(row, { maxLength: 80 }), (given, rows) => {
        const tree = new HoeffdingTree({ channels: 3, levels: 3, gracePeriod: 5, splitConfidence: 1, ...given })
        for (const [x, level] of rows) {
          const out = predict(tree, x, 3)
          expect(out.every((p) => p >= 0 && p <= 1)).toBe(true)
          expect(out[0] + out[1] + out[2]).toBeCloseTo(1, 12)
          tree.learn(Float64Array.from(x), level)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is the same whether or not a sample was predicted before it is learned', () => {
    const options = { channels: 4, levels: 3, gracePeriod: 50, splitConfidence: 0.01 }
    const asked = new HoeffdingTree(options)
    const silent = new HoeffdingTree(options)
    const random = new Random(8, 'order')
    const out = new Float64Array(3)
    const reused = new Float64Array(4)
    for (let i = 0; i < 1500; i++) {
      const { x, level } = sample(random)
      // The same array with another content must not be taken for the sample predicted.
      reused.set(i % 7 === 0 ? sample(random).x : x)
      asked.predict(reused, out)
      reused.set(x)
      asked.learn(reused, level)
      silent.learn(x, level)
    }
    expect(save(asked).equals(save(silent))).toBe(true)
    expect(asked.nodeCount).toBeGreaterThan(3)
  })

  it('gives the same bits for the same seed and other trees for another, where leaves draw channels', () => {
    const make = (seed: number) => new HoeffdingTree({ channels: 4, levels: 3, features: 1, seed, gracePeriod: 50 })
    const first = run(make(1), 1500, new Random(1, 'stream'))
    expect(run(make(1), 1500, new Random(1, 'stream')).said).toEqual(first.said)
    expect(run(make(2), 1500, new Random(1, 'stream')).said).not.toEqual(first.said)
  })

  it('goes on from a saved state with the same bits', () => {
    const variants: Partial<HoeffdingTreeOptions>[] = [{}, { features: 2 }, { leaf: 'mc', removePoor: true }]
    for (const variant of variants) {
      const options = { channels: 4, levels: 3, gracePeriod: 40, splitConfidence: 0.01, ...variant }
      for (const at of [0, 1, 333, 2000]) {
        const original = new HoeffdingTree(options)
        run(original, at, new Random(at, 'before'), true)
        const bytes = save(original)
        const copy = new HoeffdingTree(options)
        run(copy, 100, new Random(9, 'something else'))
        const reader = new StateReader(bytes)
        copy.transfer(reader)
        reader.end()
        expect(save(copy).equals(bytes)).toBe(true)
        const next = run(original, 600, new Random(5, 'after'), true)
        expect(run(copy, 600, new Random(5, 'after'), true)).toEqual(next)
        expect(save(copy).equals(save(original))).toBe(true)
      }
    }
  })

  it('forgets with a loaded state what was asked of the old one', () => {
    const [grown, asked, silent] = Array.from({ length: 3 }, () => new HoeffdingTree({ channels: 4, levels: 3 }))
    run(grown, 1500, new Random(6, 'grown'))
    expect(grown.nodeCount).toBeGreaterThan(1)
    const x = Float64Array.of(2, 2, 0, 0)
    asked.predict(x, new Float64Array(3))
    for (const tree of [asked, silent]) {
      tree.transfer(new StateReader(save(grown)))
      tree.learn(x, 1)
    }
    expect(save(asked).equals(save(silent))).toBe(true)
  })

  it('stops growing at the limits and goes on learning', () => {
    const random = new Random(3, 'endless')
    const options = { channels: 4, levels: 3, gracePeriod: 20, splitConfidence: 0.5, tieThreshold: 1 }
    const free = new HoeffdingTree(options)
    const capped = new HoeffdingTree({ ...options, maxNodes: 9 })
    const shallow = new HoeffdingTree({ ...options, maxDepth: 2 })
    for (let i = 0; i < 6000; i++) {
      const { x, level } = sample(random)
      for (const tree of [free, capped, shallow]) tree.learn(x, level)
    }
    expect(free.nodeCount).toBeGreaterThan(20)
    expect(capped.nodeCount).toBe(9)
    expect(shallow.height).toBe(2)
    expect(shallow.nodeCount).toBe(7)
    const before = save(capped).length
    const grown = run(capped, 3000, random).accuracy
    expect(save(capped).length).toBe(before)
    expect(grown).toBeGreaterThan(0.9)
  })

  it('forgets what it observed when "do not split" wins, as River does with a dominant level', () => {
    const teach = (tree: HoeffdingTree) => {
      for (let i = 0; i < 200; i++) tree.learn(Float64Array.of(i % 10, i % 3), i === 77 ? 1 : 0)
      return tree
    }
    const river = teach(new HoeffdingTree({ channels: 2, levels: 2, leaf: 'nb', compat: 'river' }))
    // Only the weights are left: 199 to 1.
    expect(predict(river, [500, 500], 2)[1]).toBeCloseTo(1 / 200, 12)
    const off = teach(new HoeffdingTree({ channels: 2, levels: 2, leaf: 'nb', compat: 'river', maxShareToSplit: 1 }))
    expect(predict(off, [500, 500], 2)[1]).not.toBeCloseTo(1 / 200, 3)
  })

  it('predicts the first level where the densities of scikit-multiflow underflow', () => {
    const make = (compat: 'canonical' | 'skm') => {
      const tree = new HoeffdingTree({ channels: 2, levels: 2, leaf: 'nb', compat, gracePeriod: 1e6 })
      for (let i = 0; i < 50; i++) tree.learn(Float64Array.of((i % 5) + (i % 2) * 20, i % 7), i % 2)
      return tree
    }
    // Far away from both, but nearer to level 1.
    expect(argmax(predict(make('canonical'), [500, 3], 2))).toBe(1)
    expect(predict(make('skm'), [500, 3], 2)).toEqual(Float64Array.of(0.5, 0.5))
    expect(argmax(predict(make('skm'), [22, 3], 2))).toBe(1)
  })

  it('refuses wrong options and samples', () => {
    const good = { channels: 2, levels: 2 }
    expect(() => new HoeffdingTree({ ...good, channels: 0 })).toThrow(OptionError)
    expect(() => new HoeffdingTree({ ...good, features: 3 })).toThrow(OptionError)
    expect(() => new HoeffdingTree({ ...good, gracePeriod: 0 })).toThrow(OptionError)
    expect(() => new HoeffdingTree({ ...good, leaf: 'bayes' as 'nb' })).toThrow(OptionError)
    expect(() => new HoeffdingTree({ ...good, grace: 3 } as HoeffdingTreeOptions)).toThrow(OptionError)
    const tree = new HoeffdingTree(good)
    const before = save(tree)
    expect(() => tree.learn(Float64Array.of(1, Number.NaN), 0)).toThrow(SampleError)
    expect(() => tree.learn(Float64Array.of(1), 0)).toThrow(SampleError)
    expect(() => tree.learn(Float64Array.of(1, 1), 2)).toThrow(FeedbackError)
    expect(() => tree.predict(Float64Array.of(1, Infinity), new Float64Array(2))).toThrow(SampleError)
    expect(save(tree).equals(before)).toBe(true)
  })
})
