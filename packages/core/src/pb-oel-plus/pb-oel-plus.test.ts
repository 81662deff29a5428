import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Feedback, FeedbackMode } from '../assessor.ts'
import { orderedCosts } from '../decision/cost-matrix.ts'
import { FeedbackError, OptionError, UnknownAssessmentError } from '../errors.ts'
import { laws } from '../laws/assessor-laws.ts'
import { CHANNELS, draw, LEVELS } from '../laws/task.ts'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
import { PbOel } from '../pb-oel/pb-oel.ts'
import { openSnapshot } from '../state/snapshot.ts'
import { dive } from '../streams/dive.ts'
import { obey } from '../testing/obey.ts'
import { answer, play } from '../testing/play.ts'
import { scriptedPlus } from '../testing/scripted.ts'
import { lossRate, lossRegret } from './bounds.ts'
import type { PbOelPlusOptions } from './options.ts'
import { PbOelPlus } from './pb-oel-plus.ts'

const TASK = { channels: CHANNELS, levels: LEVELS, networks: 4, groups: 2, nodes: 4 }

describe('pb-oel-plus, soft advice, fixed rate, implicit exploration, no sharing', () => {
  obey(
    laws({
      create: (seed) =>
        new PbOelPlus({
          ...TASK,
          seed,
          pending: 128,
          advice: 'soft',
          rate: 0.3,
          implicit: 0.01,
          share: 0,
          lambda: 0.5,
        }),
      restore: PbOelPlus.restore,
    }),
  )
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
  it('beats PB-OEL on a dive with right-or-wrong answers, without its experts of other kinds and more with them', () => {
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
    const naive = 1 - accuracy({})
    expect(1 - accuracy({ noise: 0.2 })).toBeLessThan(0.6 * naive)
    expect(1 - accuracy({ noise: 'estimated' })).toBeLessThan(0.6 * naive)
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

  it('finds more of a rare level where levels are balanced, and goes on the same from a snapshot', () => {
    const run = (balance: number) => {
      let assessor = new PbOelPlus({ channels: 1, levels: 2, networks: 2, groups: 2, nodes: 4, balance })
      const random = new Random(7, 'rare')
      let missed = 0
      for (let t = 0; t < 1500; t++) {
        const truth = random.uniform() < 0.03 ? 1 : 0
        const { id, level } = assessor.assess(Float64Array.of(2 * truth + random.normal()))
        if (level < truth) missed++
        assessor.learn(id, answer(false, level, truth))
        if (t === 700) assessor = PbOelPlus.restore(assessor.snapshot())
      }
      return missed
    }
    const [plain, halfway, balanced] = [0, 0.5, 1].map(run)
    expect(halfway).toBeLessThan(0.8 * plain)
    expect(balanced).toBeLessThan(0.8 * halfway)
  })

  it('refuses to balance levels where costs are given', () => {
    expect(() => new PbOelPlus({ ...TASK, balance: 1, costs: orderedCosts(LEVELS, 2) })).toThrow('option balance')
  })

  it.each([
    [2, { networks: 6, blend: true, guard: true, hearsRejections: true, scaling: 'robust' }],
    [1, { networks: 10, blend: false, guard: false, hearsRejections: false, scaling: 'running' }],
  ] as const)('edition %i by default has %o', (edition, explicit) => {
    const few = { channels: CHANNELS, levels: LEVELS, groups: 1, nodes: 3, members: [], drift: 0.9, edition }
    const [unsaid, said] = [few, { ...few, ...explicit }].map((options) => new PbOelPlus(options))
    expect(unsaid.shares.at(-1)).toBeCloseTo(edition === 2 ? 0.3 : 1 / 10, 12)
    const random = new Random(5, 'defaults')
    let drifts = 0
    for (let t = 0; t < 60; t++) {
      const { x, level } = draw(random)
      const truth = t < 30 ? level : (level + 1) % LEVELS
      // An outlier now and then shows how values are scaled.
      if (t % 20 === 19) x[1] = 1e5
      const [one, other] = [unsaid, said].map((assessor) => assessor.assess(x))
      expect(one).toEqual(other)
      drifts += one.drifts.reduce((a, b) => a + b)
      for (const assessor of [unsaid, said]) assessor.learn(one.id, answer(false, one.level, truth))
    }
    expect(drifts).toBeGreaterThan(0)
  })

  it.each([2, 1] as const)('edition %i: whether outlying values are drawn in by default', (edition) => {
    const [unsaid, on, off] = [{}, { guard: true }, { guard: false }].map((guard) => {
      // Running scales do not draw in by themselves.
      const few = { channels: CHANNELS, levels: LEVELS, groups: 1, nodes: 3, networks: 2, members: [] }
      const assessor = new PbOelPlus({ ...few, scaling: 'running', edition, ...guard })
      const random = new Random(5, 'outliers')
      return Array.from({ length: 60 }, (_, t) => {
        const { x, level } = draw(random)
        if (t === 30) x[1] = 1e5
        const { id, confidence } = assessor.assess(x)
        assessor.learn(id, { kind: 'label', level })
        return confidence
      })
    })
    expect(unsaid).toEqual(edition === 2 ? on : off)
    expect(unsaid).not.toEqual(edition === 2 ? off : on)
  })

  it('accepts every valid combination of options', () => {
    const valid = fc.record({
      lambda: fc.oneof(
        fc.constantFrom('leader' as const, 'plain' as const),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      rate: fc.oneof(
        fc.constantFrom('adaptive' as const, 'horizon' as const),
        fc.double({ min: 0.01, max: 3, noNaN: true }),
      ),
      share: fc.double({ min: 0, max: 0.5, noNaN: true }),
      implicit: fc.double({ min: 0, max: 1, noNaN: true }),
      noise: fc.oneof(fc.constant('estimated' as const), fc.double({ min: 0, max: 0.45, noNaN: true })),
      advice: fc.constantFrom('hard' as const, 'soft' as const),
      decision: fc.constantFrom('leader' as const, 'draw' as const),
      explore: fc.double({ min: 0, max: 1, noNaN: true }),
      edition: fc.constantFrom(1 as const, 2 as const),
      action: fc.constantFrom('sample' as const, 'argmax' as const),
      balance: fc.double({ min: 0, max: 1, noNaN: true }),
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
    ['decision', 'guess'],
    ['explore', 2],
    ['edition', 3],
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

describe('how it decides', () => {
  it('leader: the most probable level but for a draw now and then, and the probabilities shown are the mixture', () => {
    const assessor = new PbOelPlus({ ...TASK, explore: 0.2 })
    const random = new Random(11, 'leader')
    let contested = 0
    let followed = 0
    let expected = 0
    for (let t = 0; t < 4000; t++) {
      const { x, level: truth } = draw(random)
      const { id, level, probabilities } = assessor.assess(x)
      const highest = Math.max(...probabilities)
      expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      if (highest < 0.9) {
        contested++
        if (probabilities[level] === highest) followed++
        expected += 0.8 + 0.2 * highest
      }
      assessor.learn(id, answer(false, level, truth))
    }
    expect(contested).toBeGreaterThan(200)
    expect(Math.abs(followed - expected)).toBeLessThan(4 * Math.sqrt(contested * 0.1))
  })

  it('never draws another level where the answer tells the level anyway: a promised label, or two levels', () => {
    const random = new Random(11, 'leader')
    const others = (levels: number, mode: FeedbackMode) => {
      const assessor = new PbOelPlus({ ...TASK, levels, explore: 1 })
      let count = 0
      for (let t = 0; t < 400; t++) {
        const { x, level: truth } = draw(random)
        const { id, level, probabilities } = assessor.assess(x, mode)
        if (probabilities[level] < Math.max(...probabilities)) count++
        assessor.learn(id, answer(mode === 'full', level, Math.min(truth, levels - 1)))
      }
      return count
    }
    expect(others(LEVELS, 'full')).toBe(0)
    expect(others(2, 'partial')).toBe(0)
    expect(others(LEVELS, 'partial')).toBeGreaterThan(0)
  })

  it('weighs slowly where answers are late, by the answers under way, not by the samples', () => {
    const rateAfter = (every: number) => {
      const assessor = new PbOelPlus({ ...TASK, members: [] })
      const random = new Random(4, 'late')
      for (let t = 0; t < 200; t++) {
        assessor.assess(draw(random).x)
        const id = t - 40
        if (id >= 0 && id % every === every - 1) assessor.learn(id, { kind: 'confirm' })
      }
      return assessor.rate
    }
    expect(rateAfter(1)).toBeLessThan(1.01 / 9)
    expect(rateAfter(20)).toBeGreaterThan(0.9 / Math.sqrt(5))
    expect(rateAfter(20)).toBeLessThan(1.1 / Math.sqrt(5))
  })

  it('a label that was not promised teaches the weights no more than right or wrong', () => {
    const make = () => {
      const assessor = new PbOelPlus({ ...TASK, members: [] })
      play(assessor, 50, 0)
      return assessor
    }
    const [named, rejected] = [make(), make()]
    const { id, level } = contested(named)
    contested(rejected)
    named.learn(id, { kind: 'label', level: (level + 1) % LEVELS })
    rejected.learn(id, { kind: 'reject' })
    expect(named.shares).toEqual(rejected.shares)
  })

  it('edition 1 is what old logs and snapshots hold: drawn, and without a bound of the regret', () => {
    const first = new PbOelPlus({ ...TASK, edition: 1 })
    const levels = (options: PbOelPlusOptions) => {
      const assessor = new PbOelPlus({ ...options, edition: 1 })
      const random = new Random(8, 'levels')
      return Array.from({ length: 300 }, () => {
        const { x, level: truth } = draw(random)
        const { id, level } = assessor.assess(x)
        assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
        return level
      })
    }
    expect(levels(TASK)).toEqual(levels({ ...TASK, decision: 'draw', lambda: 'leader' }))
    expect(levels(TASK)).not.toEqual(levels({ ...TASK, decision: 'leader' }))
    play(first, 60, 0.3)
    expect(first.guarantee()).not.toHaveProperty('regretWithConfidence')
    const restored = PbOelPlus.restore(first.snapshot())
    expect(restored.snapshot()).toEqual(first.snapshot())
    expect(openSnapshot(first.snapshot()).options).toEqual(TASK)
    expect(openSnapshot(new PbOelPlus(TASK).snapshot()).options).toEqual({ ...TASK, edition: 2 })
  })
})

/** Plays rounds; `reply` says what becomes of an assessment, or undefined for no answer. */
function converse(
  assessor: PbOelPlus | PbOel,
  rounds: number,
  mode: FeedbackMode,
  reply: (level: number, truth: number, random: Random) => Feedback | undefined,
): { accuracy: number; best: number } {
  const random = new Random(21, 'converse')
  const rewards = new Float64Array(assessor.shares.length)
  let right = 0
  for (let t = 0; t < rounds; t++) {
    const { x, level: truth } = draw(random)
    const { id, level, experts } = assessor.assess(x, mode)
    if (level === truth) right++
    for (let n = 0; n < rewards.length; n++) if (experts[n] === truth) rewards[n]++
    const feedback = reply(level, truth, random)
    if (feedback) assessor.learn(id, feedback)
  }
  return { accuracy: right / rounds, best: Math.max(...rewards) / rounds }
}

describe('no promise where none can be kept', () => {
  const theorems = { decision: 'draw', lambda: 'leader' } as const
  const makers: [string, () => PbOelPlus | PbOel][] = [
    ['PB-OEL', () => new PbOel({ ...TASK, horizon: 400, rho: 0 })],
    ['PB-OEL+ drawn', () => new PbOelPlus({ ...TASK, ...theorems })],
  ]

  it.each(makers)('%s: answers to right assessments alone', (_, make) => {
    const assessor = make()
    converse(assessor, 300, 'partial', (level, truth) => (level === truth ? { kind: 'confirm' } : undefined))
    expect(assessor.guarantee()).toMatchObject({ applies: false })
    expect(assessor.guarantee().reason).toContain('not answered')
  })

  it.each(makers)('%s: a label promised, right or wrong told', (_, make) => {
    const assessor = make()
    converse(assessor, 50, 'full', (level, truth) => answer(false, level, truth))
    expect(assessor.guarantee().reason).toContain('promised')
  })

  it.each(makers)('%s: labels volunteered', (_, make) => {
    const assessor = make()
    converse(assessor, 50, 'unknown', (level, truth) =>
      level === truth ? { kind: 'confirm' } : { kind: 'label', level: truth },
    )
    expect(assessor.guarantee().reason).toContain('had not been promised')
  })

  it.each(makers)('%s: all is well where every label comes', (_, make) => {
    const assessor = make()
    converse(assessor, 50, 'unknown', (_, truth) => ({ kind: 'label', level: truth }))
    expect(assessor.guarantee().applies).toBe(true)
  })

  it('PB-OEL+ drawn: a spent budget', () => {
    const assessor = new PbOelPlus({ ...TASK, ...theorems })
    const random = new Random(2, 'spent')
    for (let t = 0; t < 100; t++) {
      const { x, level: truth } = draw(random)
      const { id, level } = assessor.assess(x)
      const probability = t < 50 ? 0.5 : 0
      const asked = random.uniform() < probability
      assessor.noteCoin(id, { probability, asked })
      if (asked) assessor.learn(id, { ...answer(false, level, truth), asked: probability })
    }
    expect(assessor.guarantee().reason).toContain('not answered')
  })
})

describe('no expert was better by more than it says (networks that learn, 24 seeds each)', () => {
  const never = () => undefined
  it.each<[string, (level: number, truth: number, random: Random) => Feedback | undefined]>([
    ['right or wrong', (level, truth) => answer(false, level, truth)],
    ['labels after wrong ones', (level, truth) => answer(level !== truth, level, truth)],
    ['answers to right ones alone', (level, truth) => (level === truth ? { kind: 'confirm' } : undefined)],
    [
      'half of the wrong ones never',
      (level, truth, r) => (r.uniform() < 0.5 ? answer(false, level, truth) : undefined),
    ],
    ['no answer at all', never],
  ])('%s', (_, reply) => {
    for (let seed = 0; seed < 24; seed++) {
      const assessor =
        seed % 3 === 0
          ? new PbOel({ ...TASK, seed, horizon: 200, rho: 0 })
          : new PbOelPlus({ ...TASK, seed, decision: seed % 2 === 0 ? 'draw' : 'leader' })
      const { accuracy, best } = converse(assessor, 200, 'unknown', reply)
      const { regretWithConfidence, value, applies } = assessor.guarantee()
      expect(regretWithConfidence?.value).toBeGreaterThanOrEqual(best - accuracy - 1e-12)
      expect(regretWithConfidence?.samples).toBe(200)
      if (assessor instanceof PbOelPlus && applies) expect(value).toBeLessThanOrEqual(accuracy + 1e-12)
    }
  })

  it('with a coin too, in at least 19 of 20 runs', () => {
    let violated = 0
    for (let seed = 0; seed < 100; seed++) {
      const assessor = new PbOelPlus({ ...TASK, seed, networks: 2, members: [] })
      const random = new Random(seed, 'coin')
      const rewards = [0, 0]
      let right = 0
      for (let t = 0; t < 300; t++) {
        const { x, level: truth } = draw(random)
        const { id, level, experts } = assessor.assess(x)
        if (level === truth) right++
        for (let n = 0; n < 2; n++) if (experts[n] === truth) rewards[n]++
        const asked = random.uniform() < 0.3
        assessor.noteCoin(id, { probability: 0.3, asked })
        if (asked) assessor.learn(id, { ...answer(false, level, truth), asked: 0.3 })
      }
      const { regretWithConfidence, reason } = assessor.guarantee()
      if ((regretWithConfidence?.value as number) < (Math.max(...rewards) - right) / 300) violated++
      expect(reason).toContain('not every sample was asked about')
    }
    expect(violated).toBeLessThanOrEqual(5)
  })

  it('a coin is noted once, before the answer, for an assessment that is kept', () => {
    const assessor = new PbOelPlus(TASK)
    const { id } = assessor.assess(new Float64Array(CHANNELS))
    expect(() => assessor.noteCoin(id + 1, { probability: 0.5, asked: true })).toThrow(UnknownAssessmentError)
    expect(() => assessor.noteCoin(id, { probability: 2, asked: true })).toThrow(FeedbackError)
    assessor.noteCoin(id, { probability: 0.5, asked: true })
    expect(() => assessor.noteCoin(id, { probability: 0.5, asked: true })).toThrow('once')
  })
})

describe('its guarantee', () => {
  it('charges what implicit exploration hides, by hand', () => {
    const members = [{ kind: 'persistence' }, { kind: 'persistence', patience: 2 }] as const
    const assessor = new PbOelPlus({
      ...TASK,
      networks: 0,
      members,
      implicit: 0.1,
      lambda: 0.5,
      share: 0,
      decision: 'draw',
    })
    const x = new Float64Array(CHANNELS)
    const say = (feedback: Feedback) => assessor.learn(assessor.assess(x, 'full').id, feedback)
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
    const setting = { levels: LEVELS, experts: 5, rho: 0 }
    const worstCase = { lambda: 0, share: 0, rate: 'horizon', horizon: 600, rho: 0, decision: 'draw' } as const
    const assessor = new PbOelPlus({ ...TASK, ...worstCase, members: [] })
    expect(assessor.rate).toBe(lossRate(setting, 600))
    play(assessor, 600, 0)
    const { terms, penalty } = assessor.guarantee()
    expect(terms?.worstCase).toBeCloseTo(lossRegret(setting, 600), 12)
    expect(terms?.paper).toBeGreaterThan(terms?.worstCase as number)
    expect(penalty).toBeGreaterThan(0)
    expect(new PbOelPlus(TASK).guarantee().terms).not.toHaveProperty('worstCase')
  })

  it('names the worst case only where Theorem 1 speaks: drawn levels, rejections alone, no sharing, a horizon', () => {
    const theorem = { lambda: 0, share: 0, rate: 'horizon', horizon: 50, rho: 0.5, decision: 'draw' } as const
    const termsOf = (options: Partial<PbOelPlusOptions> = {}) => {
      const assessor = scriptedPlus(3, LEVELS, { ...theorem, ...options })
      for (const full of [true, false, false, false]) {
        const { id, level } = assessor.assess(Float64Array.of(0, 1, 1), full ? 'full' : 'partial')
        assessor.learn(id, answer(full, level, 1))
      }
      return assessor.guarantee().terms
    }
    const setting = { levels: LEVELS, experts: 3, rho: 0.25 }
    const rate = lossRate({ ...setting, rho: 0.5 }, 50)
    expect(scriptedPlus(3, LEVELS, theorem).rate).toBe(rate)
    expect(termsOf()?.worstCase).toBeCloseTo(lossRegret(setting, 4, rate), 12)
    for (const options of [{ lambda: 0.5 }, { share: 0.01 }, { rate: 0.3 }]) {
      expect(termsOf(options)).not.toHaveProperty('worstCase')
      expect(termsOf(options)).toHaveProperty('learning')
    }
    // The plain estimate is biased: the regret itself is bounded.
    expect(termsOf({ lambda: 'plain' })).toHaveProperty('against')
  })

  it('says that accuracy is estimated where not every sample was asked about', () => {
    const reasonOf = (asked: number, passedOver: boolean) => {
      const assessor = scriptedPlus(2, LEVELS)
      if (passedOver) assessor.noteCoin(assessor.assess(Float64Array.of(0, 0)).id, { probability: 0.5, asked: false })
      const { id } = assessor.assess(Float64Array.of(0, 0))
      assessor.learn(id, { kind: 'confirm', asked })
      return assessor.guarantee().reason
    }
    expect(reasonOf(1, false)).toBeUndefined()
    expect(reasonOf(0.5, false)).toContain('only estimated')
    expect(reasonOf(1, true)).toContain('only estimated')
  })

  it('says why it does not apply', () => {
    const reason = (options: Partial<PbOelPlusOptions>) => {
      const assessor = new PbOelPlus({ ...TASK, ...options })
      play(assessor, 20, 0)
      return assessor.guarantee().reason
    }
    expect(new PbOelPlus(TASK).guarantee().reason).toBe('no answer yet')
    const drawn = { decision: 'draw', lambda: 'leader' } as const
    expect(reason({ ...drawn, action: 'argmax' })).toBeUndefined()
    expect(reason({ edition: 1, action: 'argmax' })).toContain('argmax')
    expect(reason({ noise: 0.1 })).toContain('wrong')
    expect(reason({ costs: orderedCosts(LEVELS, 2) })).toContain('costs')
    expect(reason({})).toBeUndefined()
    const late = (options: Partial<PbOelPlusOptions>) => {
      const assessor = new PbOelPlus({ ...TASK, ...options })
      for (let t = 0; t < 3; t++) assessor.assess(new Float64Array(CHANNELS))
      assessor.learn(0, { kind: 'confirm' })
      return assessor.guarantee().reason
    }
    expect(late(drawn)).toContain('after a later assessment')
    expect(late({})).toBeUndefined()
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
