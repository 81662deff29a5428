import { describe, expect, it } from 'vitest'
import { Adwin } from '../drift/adwin.ts'
import { OptionError } from '../errors.ts'
import { argmax } from '../learners/learner.ts'
import { NaiveBayes } from '../learners/naive-bayes.ts'
import { drawPoisson } from '../math/draws.ts'
import { Random } from '../math/random.ts'
import { ObAdwin } from './ob-adwin.ts'
import { play, type Sample, share } from './testing/play.ts'

/** x uniform on [−1, 1]², level [x₁ + x₂ > 0], the other way round from `flip` on. */
function flipped(count: number, flip: number): Sample[] {
  const random = new Random(21, 'flipped')
  return Array.from({ length: count }, (_, i) => {
    const x = Float64Array.of(random.between(-1, 1), random.between(-1, 1))
    return { x, level: (x[0] + x[1] > 0 ? 1 : 0) ^ (i >= flip ? 1 : 0) }
  })
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)

/** Online bagging with ADWIN written out; what is said of each sample, and the member replaced after it or −1. */
function writtenOut(samples: Sample[], compat: 'canonical' | 'skm', count: number, lambda: number, delta: number) {
  const shape = { channels: 2, levels: 2, compat }
  const make = () => ({ learner: new NaiveBayes(shape), errors: new Adwin({ delta, compat }) })
  const members = Array.from({ length: count }, make)
  const bagging = new Random(1, 'bagging')
  // One draw for each member decides about the warm-up, of which there is none.
  if (compat === 'skm') for (let i = 0; i < count; i++) drawPoisson(bagging, lambda)
  return samples.map(({ x, level }) => {
    const ask = ({ learner }: (typeof members)[number]) => {
      const shares = new Float64Array(2)
      learner.predict(x, shares)
      return shares
    }
    const said = members.reduce((total, member) => total + ask(member)[1] / count, 0)
    let risen = false
    for (const member of members) {
      const wrongBefore = argmax(ask(member)) !== level
      member.learner.learn(x, level, drawPoisson(bagging, lambda))
      const fed = compat === 'skm' ? argmax(ask(member)) === level : wrongBefore
      const before = member.errors.mean
      if (member.errors.update(fed ? 1 : 0) === 'drift' && member.errors.mean > before) risen = true
    }
    if (!risen) return { said, replaced: -1 }
    const means = members.map(({ errors }) => errors.mean)
    const replaced = means.indexOf(Math.max(...means))
    members[replaced] = make()
    return { said, replaced }
  })
}

describe('ObAdwin', () => {
  it.each(['canonical', 'skm'] as const)('does as the algorithm written out, %s', (compat) => {
    const samples = flipped(1200, 400).map(({ x, level }, i) => ({ x, level: i % 5 === 0 ? 1 - level : level }))
    const expected = writtenOut(samples, compat, 3, 2, 0.2)
    const options = { channels: 2, levels: 2, epsilon: 0, seed: 1, base: 'naive-bayes', members: 3 } as const
    const assessor = new ObAdwin({ ...options, lambda: 2, delta: 0.2, compat })
    let furthest = 0
    const replaced = samples.map(({ x, level }, t) => {
      const { id, level: said, confidence, drifts } = assessor.assess(x, 'full')
      furthest = Math.max(furthest, Math.abs((said === 1 ? confidence : 1 - confidence) - expected[t].said))
      const before = drifts.indexOf(1)
      assessor.learn(id, { kind: 'label', level })
      return before
    })
    expect(furthest).toBeLessThan(1e-12)
    expect(replaced.slice(1)).toEqual(expected.slice(0, -1).map((one) => one.replaced))
    expect(replaced.filter((member) => member >= 0).length).toBeGreaterThan(1)
  })

  it('replaces members soon after a flip of all levels and none before, and recovers', () => {
    const { right, replaced } = play(
      new ObAdwin({ channels: 2, levels: 2, base: 'hoeffding-tree' }),
      flipped(4000, 2000),
    )
    expect(sum(replaced.slice(0, 2000))).toBe(0)
    expect(sum(replaced.slice(2000, 2130))).toBeGreaterThanOrEqual(2)
    expect(share(right, 1000, 2000)).toBeGreaterThan(0.93)
    expect(share(right, 2000, 2500)).toBeLessThan(0.5)
    expect(share(right, 3500, 4000)).toBeGreaterThan(0.9)
  })

  it('as scikit-multiflow replaces members while accuracy rises, and is late after a flip', () => {
    const { replaced } = play(
      new ObAdwin({ channels: 2, levels: 2, base: 'hoeffding-tree', compat: 'skm' }),
      flipped(4000, 2000),
    )
    expect(sum(replaced.slice(0, 2000))).toBeGreaterThan(0)
    expect(sum(replaced.slice(2000, 2130))).toBe(0)
    expect(sum(replaced.slice(2130))).toBeGreaterThan(5)
  })

  it('watches members even when they learn nothing', () => {
    const assessor = new ObAdwin({ channels: 1, levels: 2, base: 'naive-bayes', lambda: 0, epsilon: 0 })
    const constant = (level: number, count: number): Sample[] =>
      Array.from({ length: count }, () => ({ x: new Float64Array(1), level }))
    const { right, replaced } = play(assessor, [...constant(0, 320), ...constant(1, 96)])
    expect(right.filter((value) => value).length).toBe(320)
    // All ten see the error rise at the same check; one at most is replaced for it.
    expect(Math.max(...replaced)).toBe(1)
    expect(sum(replaced)).toBeGreaterThan(0)
  })

  it('shows a sample to a member k times, k ~ Poisson(λ), λ = 1 by default', () => {
    const members = 1000
    /** Share of members that say level 1 once they could learn one sample of it: those that saw it often enough. */
    const knowing = (options: { base: 'naive-bayes' | 'nearest-neighbours'; lambda?: number }) => {
      const assessor = new ObAdwin({ channels: 1, levels: 2, members, epsilon: 0, ...options })
      const { id } = assessor.assess(Float64Array.of(1), 'full')
      assessor.learn(id, { kind: 'label', level: 1 })
      return sum(Array.from(assessor.assess(Float64Array.of(1), 'full').experts)) / members
    }
    // Naive Bayes needs one sample, nearest neighbours five: P(k ≥ 1) = 1 − 1/e, and P(k ≥ 5) = 0.37116 for λ = 4.
    expect(Math.abs(knowing({ base: 'naive-bayes' }) - 0.63212)).toBeLessThan(4 * Math.sqrt(0.25 / members))
    const five = knowing({ base: 'nearest-neighbours', lambda: 4 })
    expect(Math.abs(five - 0.37116)).toBeLessThan(4 * Math.sqrt(0.25 / members))
  })

  it('with nearest neighbours judges raw channels; standardised ones when asked', () => {
    // The level is in a channel of scale 1 beside one of scale 1000.
    const random = new Random(22, 'scales')
    const samples = Array.from({ length: 400 }, () => {
      const level = random.integer(2)
      return { x: Float64Array.of(level + 0.1 * random.normal(), 1000 * random.normal()), level }
    })
    const raw = play(new ObAdwin({ channels: 2, levels: 2, epsilon: 0 }), samples)
    const standardized = play(new ObAdwin({ channels: 2, levels: 2, standardize: true, epsilon: 0 }), samples)
    expect(share(raw.right, 100)).toBeLessThan(0.7)
    expect(share(standardized.right, 100)).toBeGreaterThan(0.95)
  })

  it('learns a warm-up; as scikit-multiflow a member learns all of it or nothing', () => {
    const warmUp = flipped(60, 60).map(({ x, level }) => ({ x: Array.from(x), level }))
    const probe = Float64Array.of(0.7, 0.8)
    for (const compat of ['canonical', 'skm'] as const) {
      const assessor = new ObAdwin({ channels: 2, levels: 2, warmUp, compat, members: 40, epsilon: 0 })
      const votes = Array.from(assessor.assess(probe, 'full').experts)
      const ignorant = votes.filter((level) => level === 0).length
      // Of 40 members e⁻¹ · 40 ≈ 15 never see the set under `skm`, and say 0.
      if (compat === 'skm') expect(Math.abs(ignorant - 15)).toBeLessThan(10)
      else expect(ignorant).toBe(0)
    }
  })

  it('as scikit-multiflow has at least as many members as levels', () => {
    const count = (compat: 'canonical' | 'skm'): number =>
      new ObAdwin({ channels: 1, levels: 12, base: 'naive-bayes', compat }).assess(new Float64Array(1)).experts.length
    expect(count('canonical')).toBe(10)
    expect(count('skm')).toBe(12)
  })

  it('refuses an unknown base and misspelt options', () => {
    expect(() => new ObAdwin({ channels: 1, levels: 2, base: 'forest' as 'naive-bayes' })).toThrow(OptionError)
    expect(() => new ObAdwin({ channels: 1, levels: 2, member: 3 } as never)).toThrow(OptionError)
    expect(() => new ObAdwin({ channels: 1, levels: 2, warmUp: [{ x: [1, 2], level: 0 }] })).toThrow(/warmUp\[0\]\.x/)
    expect(() => new ObAdwin({ channels: 1, levels: 2, warmUp: [{ x: [1], level: 2 }] })).toThrow(/warmUp\[0\]\.level/)
  })
})
