import { describe, expect, it } from 'vitest'
import { Adwin } from '../../drift/adwin.ts'
import { OptionError } from '../../errors.ts'
import { argmax } from '../../learners/learner.ts'
import { NaiveBayes } from '../../learners/naive-bayes.ts'
import { drawPoisson } from '../../math/draws.ts'
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

/** Online AdaC2 for any number of levels written out; the shares said of each sample, and the member replaced. */
function writtenOut(samples: Sample[], costs: number[], count: number, delta: number) {
  const make = () => ({ met: 0, right: 0, wrong: 0, vote: 0, errors: new Adwin({ delta }), learner: learner() })
  const learner = () => new NaiveBayes({ channels: 1, levels: costs.length })
  const members = Array.from({ length: count }, make)
  const boosting = new Random(1, 'boosting')
  return samples.map(({ x, level }) => {
    const ask = (member: (typeof members)[number]) => {
      const shares = new Float64Array(costs.length)
      member.learner.predict(x, shares)
      return shares
    }
    const scores = costs.map((_, c) => members.reduce((sum, member) => sum + member.vote * ask(member)[c], 0))
    const sum = scores.reduce((a, b) => a + b)
    const said = scores.map((score) => (sum > 0 ? score / sum : 1 / costs.length))
    let risen = false
    let lambda = 1
    for (const member of members) {
      const error = argmax(ask(member)) === level ? 0 : 1
      member.met += lambda
      const times = drawPoisson(boosting, lambda)
      if (times > 0) {
        member.learner.learn(x, level, times)
        const isRight = argmax(ask(member)) === level
        member[isRight ? 'right' : 'wrong'] += costs[level] * lambda
        const [right, wrong] = [member.right / member.met, member.wrong / member.met]
        member.vote = Math.max(0, Math.log((right + 1e-6) / (wrong + 1e-6)))
        lambda = Math.min(1000, Math.max(1e-6, (costs[level] * lambda) / (2 * (isRight ? right : wrong))))
      }
      const before = member.errors.mean
      if (member.errors.update(error) === 'drift' && member.errors.mean > before) risen = true
    }
    const means = members.map(({ errors }) => errors.mean)
    const replaced = risen ? means.indexOf(Math.max(...means)) : -1
    if (replaced >= 0) members[replaced] = make()
    return { said, replaced }
  })
}

describe('Oadac2', () => {
  it('does as the algorithm written out, whatever the levels cost', () => {
    const samples = separable(900, 3, 0.2).map(({ x, level }, i) => ({ x, level: i < 400 ? level : (level + 1) % 3 }))
    const costs = [1, 0.4, 2]
    const expected = writtenOut(samples, costs, 3, 0.1)
    const options = { channels: 1, levels: 3, epsilon: 0, seed: 1, base: 'naive-bayes', members: 3 } as const
    const assessor = new Oadac2({ ...options, costs, delta: 0.1 })
    let furthest = 0
    const replaced = samples.map(({ x, level }, t) => {
      const { id, level: said, confidence, drifts } = assessor.assess(x, 'full')
      furthest = Math.max(furthest, Math.abs(confidence - Math.max(...expected[t].said)))
      expect(said).toBe(expected[t].said.indexOf(Math.max(...expected[t].said)))
      const before = drifts.indexOf(1)
      assessor.learn(id, { kind: 'label', level })
      return before
    })
    expect(furthest).toBeLessThan(1e-9)
    expect(replaced.slice(1)).toEqual(expected.slice(0, -1).map((one) => one.replaced))
    expect(replaced.filter((member) => member >= 0).length).toBeGreaterThan(1)
  })

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
