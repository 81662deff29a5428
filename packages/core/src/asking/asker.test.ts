import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Assessment } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { Random } from '../math/random.ts'
import { Asker, type AskingOptions } from './asker.ts'
import { ASKING_SCORES, type AskingStrategy } from './scores.ts'

const STRATEGIES = Object.keys(ASKING_SCORES) as AskingStrategy[]

function assessment(probabilities: number[], votes: number[] = [0], confidence = 0.9, drifted = false): Assessment {
  return {
    id: 0,
    level: 0,
    probabilities: Float64Array.from(probabilities),
    confidence,
    experts: Int32Array.from(votes),
    drifts: Uint8Array.of(drifted ? 1 : 0),
  }
}

const SURE = assessment([1, 0, 0], [0, 0, 0, 0])
const TORN = assessment([0.5, 0.5, 0], [0, 0, 1, 1])

/** A stream in which one sample of ten is contested. */
function mixed(random: Random): Assessment {
  return random.uniform() < 0.1 ? TORN : SURE
}

describe('the scores, by hand', () => {
  it('margin, disagreement and expected weight change', () => {
    const of = (strategy: AskingStrategy, a: Assessment) => ASKING_SCORES[strategy]().score(a)
    expect(of('margin', assessment([0.7, 0.2, 0.1]))).toBeCloseTo(0.5, 12)
    expect(of('margin', assessment([0.1, 0.2, 0.7]))).toBeCloseTo(0.5, 12)
    expect(of('margin', SURE)).toBe(0)
    expect(of('disagreement', TORN)).toBeCloseTo(Math.log(2), 12)
    expect(of('disagreement', SURE)).toBe(0)
    expect(of('disagreement', assessment([1, 0, 0], [0, 0, 0, 2]))).toBeCloseTo(
      0.75 * Math.log(4 / 3) + 0.25 * Math.log(4),
      12,
    )
    expect(of('disagreement', assessment([1, 0, 0], [0, 0, 1, 2]))).toBeCloseTo(1.5 * Math.log(2), 12)
    expect(of('random', TORN)).toBe(1)
    expect(of('margin', assessment([0.4, 0.4, 0.2]))).toBe(1)
    // Weights ½ and ½, label tells: ¼ moves from one to the other.
    expect(of('weight-change', TORN)).toBeCloseTo(0.5, 12)
    expect(of('weight-change', SURE)).toBe(0)
  })

  it('drift suspicion rises with rejections, rebuilt experts and falling confidence, and confirmations calm it', () => {
    const drift = ASKING_SCORES.drift()
    const usual = () => drift.score(assessment([1, 0, 0], [0], 1))
    expect(usual()).toBe(0)
    drift.hear({ kind: 'reject' })
    expect(usual()).toBe(1)
    drift.hear({ kind: 'confirm' })
    expect(usual()).toBe(0.5)
    for (let i = 0; i < 30; i++) drift.hear({ kind: 'confirm' })
    expect(usual()).toBeLessThan(1e-6)
    for (let i = 0; i < 10; i++) drift.score(assessment([1, 0, 0], [0], 0.3))
    expect(usual()).toBeGreaterThan(0.3)
    expect(drift.score(assessment([1, 0, 0], [0], 0.9, true))).toBeGreaterThanOrEqual(1)
  })
})

describe('drift suspicion, by hand', () => {
  it('is how far the fast mean of the confidence lies below the slow one', () => {
    const drift = ASKING_SCORES.drift()
    drift.score(assessment([1, 0, 0], [0], 0.5))
    // Fast: 1 − 0.2·0.5 = 0.9, then 0.82. Slow: 1 − 0.005·0.5 = 0.9975, then 0.9950125.
    expect(drift.score(assessment([1, 0, 0], [0], 0.5))).toBeCloseTo(0.9950125 - 0.82, 12)
  })

  it('a label neither raises nor calms it', () => {
    const drift = ASKING_SCORES.drift()
    drift.hear({ kind: 'reject' })
    drift.hear({ kind: 'label', level: 0 })
    expect(drift.score(assessment([1, 0, 0], [0], 1))).toBe(1)
  })
})

/** The rule of the asker, written down again from its documentation, with the asker's own luck. */
class Rule {
  private readonly random = new Random(9, 'asking')
  private mean = 0
  private seen = 0
  private purse = 1
  private readonly edition: 1 | 2
  private readonly budget: number
  private readonly price: number
  private readonly floor: number

  constructor({ edition, budget, price, floor }: { edition: 1 | 2; budget: number; price: number; floor: number }) {
    this.edition = edition
    this.budget = budget
    this.price = price
    this.floor = floor
  }

  /** π of the next sample, and whether it is asked about. */
  next(score: number, labelPrice = 3): { probability: number; asked: boolean } {
    const { edition, budget, price, floor } = this
    this.seen++
    this.mean += Math.max(0.002, 1 / this.seen) * (score - this.mean)
    this.purse = Math.min(this.purse + budget, Math.max(1000 * budget, labelPrice))
    const spare = Math.max(1, this.purse / (100 * budget))
    const wish = spare * (floor + (1 - floor) * (this.mean > 0 ? score / this.mean : 1))
    const poor = this.purse < price
    const probability = Math.min(1, (budget / price) * (poor ? (edition === 1 ? 0 : floor) : wish))
    const asked = this.random.uniform() < probability
    if (asked) this.purse -= price
    return { probability, asked }
  }
}

describe('Asker', () => {
  it.each([
    { strategy: 'margin', question: 'verdict', perThousand: 40, edition: 1 },
    { strategy: 'margin', question: 'verdict', perThousand: 40, edition: 2 },
    { strategy: 'margin', question: 'label', perThousand: 200, edition: 1, labelPrice: 5 },
    { strategy: 'margin', question: 'label', perThousand: 200, edition: 2, labelPrice: 5 },
    { strategy: 'random', question: 'verdict', perThousand: 2, edition: 1 },
    { strategy: 'random', question: 'verdict', perThousand: 2, edition: 2 },
    // The purse fills up to exactly the price.
    { strategy: 'random', question: 'label', perThousand: 2, edition: 1, labelPrice: 3 },
    { strategy: 'random', question: 'label', perThousand: 2, edition: 2, labelPrice: 3 },
  ] as const)('asks with the documented probability, and as often: %j', (options) => {
    const asker = new Asker({ ...options, seed: 9 })
    const floor = options.strategy === 'random' && options.edition === 2 ? 1 : 0.2
    const labelPrice = options.question === 'label' ? options.labelPrice : 3
    const price = options.question === 'label' ? labelPrice : 1
    const rule = new Rule({ edition: options.edition, budget: options.perThousand / 1000, price, floor })
    const random = new Random(3, 'stream')
    for (let t = 0; t < 3000; t++) {
      // Nobody is unsure for a while, so that the purse fills.
      const one = t > 1000 && t < 2000 ? SURE : mixed(random)
      const asked = asker.consider(one)
      const { probability, asked: expected } = rule.next(ASKING_SCORES[options.strategy]().score(one), labelPrice)
      expect([t, asker.probability]).toEqual([t, expect.closeTo(probability, 12)])
      expect(asked !== undefined).toBe(expected)
      if (asked) expect(asked).toEqual({ kind: options.question, probability: asker.probability })
    }
  })

  it('hears the answers: a rejection makes a strategy that suspects drift ask more', () => {
    const after = (answers: readonly ('confirm' | 'reject')[]) => {
      const asker = new Asker({ strategy: 'drift', perThousand: 40 })
      for (let t = 0; t < 50; t++) asker.consider(assessment([1, 0, 0], [0], t % 2 ? 0.9 : 0.8))
      for (const kind of answers) asker.hear({ kind })
      asker.consider(assessment([1, 0, 0], [0], 0.9))
      return asker.probability
    }
    expect(after(['reject'])).toBeGreaterThan(2 * after([]))
    expect(after(['reject', 'confirm'])).toBeLessThan(after(['reject']))
  })

  it('auto: asks for whichever tells more for its price', () => {
    const asker = new Asker({ question: 'auto', labelPrice: 2, perThousand: 1000 })
    const kindOf = (probabilities: number[], level: number) => {
      const asked = asker.consider({ ...assessment(probabilities), level })
      return asked?.kind
    }
    // Level 3 is out of the question, so a verdict on it tells nothing; among the others the label tells 1.1 nats.
    expect(kindOf([1 / 3, 1 / 3, 1 / 3, 0], 3)).toBe('label')
    // Two levels: the verdict tells as much as the label, and costs half.
    expect(kindOf([0.5, 0.5], 0)).toBe('verdict')
  })

  it.each(STRATEGIES)('%s keeps the budget but for the luck of random checks, and nearly uses it', (strategy) => {
    const asker = new Asker({ strategy, perThousand: 40 })
    const random = new Random(2, 'stream')
    let asked = 0
    for (let t = 1; t <= 20_000; t++) {
      if (asker.consider(mixed(random))) {
        asked++
        asker.hear({ kind: random.uniform() < 0.1 ? 'reject' : 'confirm' })
      }
      const checks = (strategy === 'random' ? 1 : 0.2) * 0.04 * t
      expect(asked).toBeLessThanOrEqual(0.04 * t + 3 + 4 * Math.sqrt(checks))
    }
    expect(asked).toBeGreaterThan(0.9 * 800)
  })

  it.each(STRATEGIES)('%s: every sample can be asked about to the end, also when the budget is spent', (strategy) => {
    for (const question of ['verdict', 'label', 'auto'] as const) {
      const asker = new Asker({ strategy, question, perThousand: 20, floor: 0.25 })
      const random = new Random(8, 'stream')
      for (let t = 0; t < 5000; t++) {
        const asked = asker.consider(mixed(random))
        expect(asker.probability).toBeGreaterThanOrEqual(asker.leastProbability)
        expect(asker.leastProbability).toBeGreaterThanOrEqual(question === 'verdict' ? 0.005 : 0.005 / 3)
        if (asked) expect(asked.probability).toBe(asker.probability)
      }
    }
  })

  it('the least probability is the floor of the budget, by the price of what may be asked', () => {
    const least = (options: AskingOptions) =>
      new Asker({ perThousand: 20, floor: 0.25, labelPrice: 4, ...options }).leastProbability
    expect(least({ question: 'verdict' })).toBe(0.005)
    expect(least({ question: 'label' })).toBe(0.005 / 4)
    expect(least({ question: 'auto' })).toBe(0.005 / 4)
    expect(least({ strategy: 'random' })).toBe(0.02)
  })

  it('edition 1 has its floor also where it asks at random', () => {
    const asker = new Asker({ strategy: 'random', perThousand: 20, edition: 1 })
    expect(asker.leastProbability).toBe(0.02 * 0.2)
  })

  it('edition 1 asks as it did, with an empty purse never', () => {
    const asker = new Asker({ strategy: 'margin', perThousand: 40, edition: 1 })
    const random = new Random(2, 'stream')
    let asked = 0
    let helpless = 0
    for (let t = 1; t <= 20_000; t++) {
      if (asker.consider(mixed(random))) asked++
      if (asker.probability === 0) helpless++
      expect(asked).toBeLessThanOrEqual(0.04 * t + 1 + 1e-9)
    }
    expect(helpless).toBeGreaterThan(0)
  })

  it.each(['margin', 'disagreement', 'weight-change'] as const)('%s asks about what is contested', (strategy) => {
    const asker = new Asker({ strategy, perThousand: 40 })
    const random = new Random(2, 'stream')
    const asked = { torn: 0, sure: 0 }
    for (let t = 0; t < 20_000; t++) {
      const one = mixed(random)
      if (asker.consider(one)) asked[one === TORN ? 'torn' : 'sure']++
    }
    // A tenth of the samples gets most of the questions; the floor leaves some for the others.
    expect(asked.torn).toBeGreaterThan(2 * asked.sure)
    expect(asked.sure).toBeGreaterThan(50)
  })

  it('records the probability it asked with: Σ 1/π over what was asked estimates how much there was (5 standard errors)', () => {
    for (const strategy of STRATEGIES) {
      let torn = 0
      let estimate = 0
      let variance = 0
      const asker = new Asker({ strategy, perThousand: 300, floor: 0.5 })
      const random = new Random(3, 'stream')
      for (let t = 0; t < 20_000; t++) {
        const one = mixed(random)
        if (one === TORN) torn++
        const question = asker.consider(one)
        if (!question || one !== TORN) continue
        estimate += 1 / question.probability
        variance += (1 - question.probability) / question.probability ** 2
      }
      expect(Math.abs(estimate - torn), strategy).toBeLessThanOrEqual(5 * Math.sqrt(variance))
    }
  })

  it('asks for the label where that tells more for its price', () => {
    const kinds = (one: Assessment, labelPrice: number) => {
      const asker = new Asker({ question: 'auto', labelPrice, perThousand: 1000 })
      return new Set(Array.from({ length: 50 }, () => asker.consider(one)?.kind).filter((kind) => kind !== undefined))
    }
    const open = assessment([0.02, 0.33, 0.33, 0.32])
    // Right or wrong about a level of probability 0.02 tells 0.1 nats, the label 1.2.
    expect(kinds(open, 3)).toEqual(new Set(['label']))
    expect(kinds(open, 100)).toEqual(new Set(['verdict']))
    // With two levels both tell the same, and the verdict is cheaper.
    expect(kinds(assessment([0.5, 0.5]), 1.5)).toEqual(new Set(['verdict']))
    expect(kinds(assessment([0.5, 0.5]), 1)).toEqual(new Set(['verdict']))
  })

  it('asks for the label of what is novel as soon as the budget can pay for it', () => {
    const asker = new Asker({ perThousand: 50, labelPrice: 3 })
    let saved = 1
    while (saved < 3) saved += 0.05 - (asker.consider(SURE) ? 1 : 0)
    expect(asker.consider(SURE, true)).toEqual({ kind: 'label', probability: 1 })
  })

  it('a label takes its price from the budget', () => {
    const asker = new Asker({ strategy: 'random', question: 'label', labelPrice: 4, perThousand: 100 })
    let asked = 0
    for (let t = 0; t < 10_000; t++) if (asker.consider(SURE)) asked++
    expect(asked).toBeLessThanOrEqual((0.1 * 10_000) / 4 + 4 * Math.sqrt(250))
    expect(asked).toBeGreaterThan(200)
  })

  it('takes probabilities that rounding has made a little more than 1', () => {
    const asker = new Asker({ strategy: 'margin', perThousand: 50 })
    for (let t = 0; t < 100; t++) {
      asker.consider(assessment([1 + (t % 20 === 0 ? -1 : t === 95 ? 1 : 0) * Number.EPSILON, 0, 0]))
      expect(asker.probability).toBeGreaterThanOrEqual(0)
      expect(asker.probability).toBeLessThanOrEqual(1)
    }
  })

  it('edition 1 takes a margin below 0 as it is', () => {
    const probability = (edition: 1 | 2) => {
      const asker = new Asker({ strategy: 'margin', perThousand: 50, edition })
      asker.consider(assessment([0.5, 0.5, 0]))
      asker.consider(assessment([1.5, 0, 0]))
      return asker.probability
    }
    // Scores 1 and −0.5 have mean 0.25; scores 1 and 0 have mean 0.5.
    expect(probability(1)).toBeLessThan(0)
    expect(probability(2)).toBeGreaterThan(0)
  })

  it.each([1, 2] as const)('saves the budget of at most a thousand samples, edition %d', (edition) => {
    const asker = new Asker({ strategy: 'margin', perThousand: 40, floor: 0.05, edition })
    asker.consider(TORN)
    let highest = 0
    for (let t = 0; t < 5000; t++) {
      asker.consider(SURE)
      highest = Math.max(highest, asker.probability)
    }
    // Ten times as eager as usual: floor · budget · 1000 / 100.
    expect(highest).toBeCloseTo(0.02, 12)
  })

  it('asks about everything when it may', () => {
    const asker = new Asker({ strategy: 'random', perThousand: 1000 })
    for (let t = 0; t < 100; t++) expect(asker.consider(TORN)).toEqual({ kind: 'verdict', probability: 1 })
  })

  it('goes on the same from its saved state', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STRATEGIES), fc.integer({ min: 0, max: 300 }), (strategy, at) => {
        const asker = new Asker({ strategy, perThousand: 200, seed: 5 })
        const copy = new Asker({ strategy, perThousand: 200, seed: 5 })
        const random = new Random(1, 'stream')
        const step = (one: Asker, sample: Assessment) => {
          const question = one.consider(sample)
          if (question) one.hear({ kind: 'reject' })
          return question
        }
        for (let t = 0; t < at; t++) step(asker, mixed(random))
        copy.restore(asker.snapshot())
        for (let t = 0; t < 50; t++) {
          const sample = mixed(random)
          expect(step(copy, sample)).toEqual(step(asker, sample))
        }
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['strategy', 'oracle'],
    ['perThousand', 0],
    ['perThousand', 1001],
    ['question', 'why'],
    ['labelPrice', 0.5],
    ['floor', 0],
    ['seed', -1],
    ['misspelt', 1],
  ])('refuses %s: %s', (option, value) => {
    expect(() => new Asker({ [option]: value } as AskingOptions)).toThrow(OptionError)
    expect(() => new Asker({ [option]: value } as AskingOptions)).toThrow(`option ${option}`)
  })
})
