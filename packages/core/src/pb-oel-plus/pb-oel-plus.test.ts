import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Feedback } from '../assessor.ts'
import { orderedCosts } from '../decision/cost-matrix.ts'
import { OptionError } from '../errors.ts'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
import { dive } from '../streams/dive.ts'
import { CHANNELS, draw, LEVELS, obeysTheLaws } from '../testing/laws.ts'
import { answer, play } from '../testing/play.ts'
import { lossRate, lossRegret } from './bounds.ts'
import { PbOelPlus, type PbOelPlusOptions } from './pb-oel-plus.ts'

const TASK = { channels: CHANNELS, levels: LEVELS, networks: 4, groups: 2, nodes: 4 }

obeysTheLaws({
  name: 'pb-oel-plus, soft advice, fixed rate, implicit exploration, no sharing',
  create: (seed) =>
    new PbOelPlus({ ...TASK, seed, pending: 128, advice: 'soft', rate: 0.3, implicit: 0.01, share: 0, lambda: 0.5 }),
})

/** Assesses samples until the experts disagree about one. */
function contested(assessor: PbOelPlus): { id: number; level: number } {
  const random = new Random(6, 'contested')
  for (;;) {
    const { id, level, experts } = assessor.assess(draw(random).x)
    if (new Set(experts).size > 1) return { id, level }
  }
}

/** Mean accuracy over three seeds on a dive of 6,000 samples with right-or-wrong answers. */
function onDive(method: string, options: Record<string, unknown> = {}): number {
  const stream = dive({ samples: 6000, seed: 2 })
  const warmUp = [0, 1, 2].map((level) => {
    for (const sample of stream) if (sample.level === level) return { x: [...sample.x], level }
    throw new Error('the dive shows every level')
  })
  let right = 0
  for (const seed of [1, 2, 3]) {
    const assessor = createAssessor(method, { channels: 24, levels: 3, seed, warmUp, horizon: 6000, rho: 0 }, options)
    for (const { x, level: truth } of stream) {
      const { id, level } = assessor.assess(x, 'partial')
      if (level === truth) right++
      assessor.learn(id, answer(false, level, truth))
    }
  }
  return right / 18_000
}

describe('PbOelPlus', () => {
  it('beats PB-OEL on a dive with right-or-wrong answers, with and without persistence experts', () => {
    const small = { networks: 6, groups: 5 }
    const paper = onDive('pb-oel', small)
    const alone = onDive('pb-oel-plus', { ...small, members: [] })
    const whole = onDive('pb-oel-plus', small)
    expect(alone).toBeGreaterThan(paper)
    expect(whole).toBeGreaterThan(alone)
    expect(whole).toBeGreaterThan(0.975)
  })

  it('does not explore: a level no expert names is never drawn', () => {
    const assessor = new PbOelPlus({ ...TASK, networks: 0, members: [{ kind: 'persistence' }] })
    const x = new Float64Array(CHANNELS)
    assessor.learn(assessor.assess(x).id, { kind: 'label', level: 1 })
    for (let t = 0; t < 100; t++) expect([...assessor.assess(x, 'partial').probabilities]).toEqual([0, 1, 0])
  })

  it('with two levels "wrong" is as good as the label', () => {
    const make = () => new PbOelPlus({ ...TASK, levels: 2, seed: 3 })
    const [told, asked] = [make(), make()]
    const random = new Random(4, 'two')
    for (let t = 0; t < 300; t++) {
      const truth = random.integer(2)
      const x = Float64Array.from({ length: CHANNELS }, (_, i) => (i === truth ? 1 : 0) + random.normal())
      const { id, level } = told.assess(x)
      told.learn(id, { kind: 'label', level: truth })
      expect(asked.assess(x).level).toBe(level)
      asked.learn(id, answer(false, level, truth))
    }
    expect(asked.shares).toEqual(told.shares)
    expect(asked.guarantee()).toEqual(told.guarantee())
  })

  it('a correction takes the weights where the right answer would have taken them', () => {
    const make = () => {
      const assessor = new PbOelPlus({ ...TASK, members: [], share: 0, rate: 0.4, penalty: false, drift: false })
      play(assessor, 50, 1)
      return assessor
    }
    const [corrected, direct] = [make(), make()]
    const { id, level } = contested(corrected)
    expect(contested(direct)).toEqual({ id, level })
    const before = corrected.shares
    corrected.learn(id, { kind: 'reject' })
    corrected.learn(id, { kind: 'label', level, correction: true })
    direct.learn(id, { kind: 'label', level })
    expect(corrected.shares).not.toEqual(before)
    for (const [n, share] of corrected.shares.entries()) expect(share).toBeCloseTo(direct.shares[n], 12)
    expect(corrected.guarantee().accuracy).toBe(direct.guarantee().accuracy)
    expect(corrected.guarantee().ultimate).toBeCloseTo(direct.guarantee().ultimate, 12)
    expect(corrected.guarantee().rounds).toBe(51)
  })

  it('takes the most probable level when told to, and learns from rejections of it too', () => {
    const members = [{ kind: 'persistence', patience: 1000 }, { kind: 'persistence' }] as const
    const assessor = new PbOelPlus({ ...TASK, networks: 0, members, action: 'argmax', rate: 1, share: 0.01 })
    const x = new Float64Array(CHANNELS)
    const round = (truth: number) => {
      const { id, level, probabilities } = assessor.assess(x)
      expect(probabilities[level]).toBe(Math.max(...probabilities))
      assessor.learn(id, answer(false, level, truth))
      return level === truth
    }
    for (let t = 0; t < 200; t++) round(0)
    // The expert of endless patience stays at level 0; the other moves, and must be followed.
    const found = Array.from({ length: 40 }, () => round(2))
    expect(found.slice(20)).toEqual(new Array(20).fill(true))
  })

  it('an answer that was asked for with probability ¼ counts four times', () => {
    const assessor = new PbOelPlus({ ...TASK, members: [], share: 0, rate: 0.1 })
    play(assessor, 50, 1)
    const before = assessor.shares
    const { id, level } = contested(assessor)
    assessor.learn(id, { kind: 'label', level, asked: 0.25 })
    const factors = [...assessor.shares].map((share, n) => share / before[n])
    // Experts that were right gain on those that were wrong by exp(0.1 · 4).
    expect(Math.max(...factors) / Math.min(...factors)).toBeCloseTo(Math.exp(0.4), 9)
  })

  it('holds up under wrong answers when told that there are some', () => {
    const accuracy = (options: Partial<PbOelPlusOptions>) => {
      const assessor = new PbOelPlus({ ...TASK, seed: 2, ...options })
      const random = new Random(5, 'wrong')
      let right = 0
      for (let t = 0; t < 4000; t++) {
        const truth = Math.floor(t / 500) % LEVELS
        const { id, level } = assessor.assess(Float64Array.from({ length: CHANNELS }, () => random.normal()))
        if (level === truth) right++
        const wrong = random.uniform() < 0.2
        assessor.learn(id, (level === truth) !== wrong ? { kind: 'confirm' } : { kind: 'reject' })
      }
      return right / 4000
    }
    const naive = accuracy({})
    expect(accuracy({ noise: 0.2 })).toBeGreaterThan(naive + 0.05)
    expect(accuracy({ noise: 'estimated' })).toBeGreaterThan(naive + 0.05)
  })

  it('trades false alarms for fewer misses when misses cost more', () => {
    const costs = orderedCosts(LEVELS, 20)
    const run = (options: Partial<PbOelPlusOptions>) => {
      const assessor = new PbOelPlus({ ...TASK, members: [], ...options })
      const random = new Random(7, 'costs')
      let misses = 0
      let cost = 0
      for (let t = 0; t < 3000; t++) {
        const { x, level: truth } = draw(random)
        const { id, level } = assessor.assess(x)
        if (level < truth) misses++
        cost += costs[truth][level]
        assessor.learn(id, answer(false, level, truth))
      }
      return { misses, cost }
    }
    const alike = run({})
    const careful = run({ costs })
    expect(careful.misses).toBeLessThan(alike.misses / 3)
    expect(careful.cost).toBeLessThan(alike.cost / 2)
  })

  it('accepts every valid combination of options', () => {
    const valid = fc.record({
      lambda: fc.oneof(fc.constant('leader' as const), fc.double({ min: 0, max: 1, noNaN: true })),
      rate: fc.oneof(
        fc.constantFrom('adaptive' as const, 'horizon' as const),
        fc.double({ min: 0.01, max: 3, noNaN: true }),
      ),
      share: fc.double({ min: 0, max: 0.5, noNaN: true }),
      implicit: fc.double({ min: 0, max: 1, noNaN: true }),
      noise: fc.oneof(fc.constant('estimated' as const), fc.double({ min: 0, max: 0.45, noNaN: true })),
      advice: fc.constantFrom('hard' as const, 'soft' as const),
      action: fc.constantFrom('sample' as const, 'argmax' as const),
      rho: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(valid, (options) => {
        const assessor = new PbOelPlus({ ...TASK, horizon: 80, ...options })
        play(assessor, 80, 0.3)
        expect(assessor.shares.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
        expect(Number.isFinite(assessor.guarantee().value)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['lambda', 2],
    ['lambda', 'follower'],
    ['rate', 0],
    ['rate', 'fast'],
    ['share', 0.6],
    ['implicit', -1],
    ['noise', 0.5],
    ['noise', 'some'],
    ['rho', 2],
    ['horizon', 0],
    [
      'costs',
      [
        [0, 1],
        [1, 0],
      ],
    ],
    [
      'costs[1][1]',
      [
        [0, 1, 1],
        [1, 2, 1],
        [1, 1, 0],
      ],
    ],
    ['c', 0.1],
  ])('refuses %s: %s by name', (option, value) => {
    const name = option.split('[')[0]
    expect(() => new PbOelPlus({ ...TASK, [name]: value } as PbOelPlusOptions)).toThrow(OptionError)
    expect(() => new PbOelPlus({ ...TASK, [name]: value } as PbOelPlusOptions)).toThrow(`option ${option}`)
  })

  it('refuses the rate of a horizon it does not know', () => {
    expect(() => new PbOelPlus({ ...TASK, rate: 'horizon' })).toThrow('horizon')
  })
})

describe('its guarantee', () => {
  it('charges what implicit exploration hides, by hand', () => {
    const members = [{ kind: 'persistence' }, { kind: 'persistence', patience: 2 }] as const
    const assessor = new PbOelPlus({ ...TASK, networks: 0, members, implicit: 0.1, lambda: 0.5, share: 0 })
    const x = new Float64Array(CHANNELS)
    const say = (feedback: Feedback) => assessor.learn(assessor.assess(x).id, feedback)
    say({ kind: 'label', level: 0 })
    say({ kind: 'label', level: 1 })
    expect(assessor.guarantee().terms?.bias).toBe(0)
    // Now one expert says 1, the other still 0.
    const { probabilities, level } = assessor.assess(x)
    const p = probabilities[level]
    const hidden = (q: number) => (q * 0.1) / (q + 0.1)
    const rejections = 0.5 * (hidden(p) + hidden(1 - p))
    const confirmation = (0.5 * (1 - p) * 0.1) / (p + 0.1) / p
    assessor.learn(2, { kind: 'confirm' })
    expect(p).toBeLessThan(1)
    expect(assessor.guarantee().terms?.bias).toBeCloseTo((rejections + confirmation) / 3, 12)
  })

  it('names the worst-case bound of Theorem 1 beside the paper’s, where it applies', () => {
    const setting = { levels: LEVELS, experts: 4, rho: 0 }
    const assessor = new PbOelPlus({ ...TASK, members: [], lambda: 0, share: 0, rate: 'horizon', horizon: 600, rho: 0 })
    expect(assessor.rate).toBe(lossRate(setting, 600))
    play(assessor, 600, 0)
    const { terms, penalty } = assessor.guarantee()
    expect(terms?.worstCase).toBeCloseTo(lossRegret(setting, 600), 12)
    expect(terms?.paper).toBeGreaterThan(terms?.worstCase as number)
    expect(penalty).toBeGreaterThan(0)
    expect(new PbOelPlus(TASK).guarantee().terms).not.toHaveProperty('worstCase')
  })

  it('says why it does not apply', () => {
    const reason = (options: Partial<PbOelPlusOptions>) => {
      const assessor = new PbOelPlus({ ...TASK, ...options })
      play(assessor, 20, 0)
      return assessor.guarantee().reason
    }
    expect(new PbOelPlus(TASK).guarantee().reason).toBe('no answer yet')
    expect(reason({ action: 'argmax' })).toContain('argmax')
    expect(reason({ noise: 0.1 })).toContain('wrong')
    expect(reason({ costs: orderedCosts(LEVELS, 2) })).toContain('costs')
    expect(reason({})).toBeUndefined()
    const late = new PbOelPlus(TASK)
    for (let t = 0; t < 3; t++) late.assess(new Float64Array(CHANNELS))
    late.learn(0, { kind: 'confirm' })
    expect(late.guarantee().reason).toContain('after a later assessment')
  })

  it('stays unbiased when only some samples are asked about, with the probabilities recorded', () => {
    let estimate = 0
    let unweighted = 0
    let truthful = 0
    for (let seed = 0; seed < 60; seed++) {
      const assessor = new PbOelPlus({ ...TASK, seed })
      const random = new Random(seed, 'asked')
      let answers = 0
      let right = 0
      for (let t = 0; t < 300; t++) {
        const { x, level: truth } = draw(random)
        const { id, level, probabilities } = assessor.assess(x)
        truthful += Number(level === truth) / (60 * 300)
        // More questions where the experts disagree.
        const asked = probabilities[level] > 0.9 ? 0.1 : 0.9
        if (random.uniform() >= asked) continue
        answers++
        if (level === truth) right++
        assessor.learn(id, { ...answer(random.uniform() < 0.5, level, truth), asked })
      }
      estimate += assessor.guarantee().accuracy / 60
      unweighted += right / answers / 60
    }
    expect(Math.abs(estimate - truthful)).toBeLessThan(0.02)
    expect(Math.abs(unweighted - truthful)).toBeGreaterThan(0.05)
  })
})
