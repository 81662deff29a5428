import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { LossWeights } from './loss-weights.ts'

/** Rounds of estimated losses of `experts` experts: mostly below 1, now and then large, as importance weights are. */
const rounds = (experts: number) =>
  fc.array(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
        fc.double({ min: 0, max: 60, noNaN: true }),
      ),
      {
        minLength: experts,
        maxLength: experts,
      },
    ),
    { minLength: 1, maxLength: 120 },
  )

/** Learns all rounds; returns Σ_t Σ_n q_n ℓ_n, each expert's Σ_t ℓ_n, and the weights. */
function learn(weights: LossWeights, losses: readonly number[][], behind = 0): { mixture: number; experts: number[] } {
  const experts = new Array(weights.shares.length).fill(0)
  let mixture = 0
  for (const round of losses) {
    round.forEach((loss, n) => {
      mixture += weights.shares[n] * loss
      experts[n] += loss
      weights.losses[n] = loss
    })
    weights.update(behind)
  }
  return { mixture, experts }
}

const settings = fc.record({
  rate: fc.oneof(fc.constant('adaptive' as const), fc.double({ min: 0.01, max: 2, noNaN: true })),
  share: fc.oneof(fc.constant(0), fc.double({ min: 1e-4, max: 0.2, noNaN: true })),
  last: fc.oneof(fc.constant(undefined), fc.double({ min: 0.05, max: 0.9, noNaN: true })),
  patient: fc.boolean(),
})

describe('LossWeights', () => {
  it('by hand: two experts, one loses 1 at η = ln 2', () => {
    const weights = new LossWeights({ experts: 2, rate: Math.LN2, share: 0 })
    weights.losses.set([1, 0])
    weights.update()
    expect(weights.shares[0]).toBeCloseTo(1 / 3, 12)
    expect(weights.learning).toBeCloseTo(1, 12)
    // Σ q ℓ = ½, and ln(½·½ + ½)/ln 2 = log₂ ¾.
    expect(weights.spread).toBeCloseTo(0.5 + Math.log2(0.75), 12)
  })

  it('by hand: sharing 0.1 between two experts', () => {
    const weights = new LossWeights({ experts: 2, rate: Math.LN2, share: 0.1 })
    weights.losses.set([1, 0])
    weights.update()
    expect(weights.shares[0]).toBeCloseTo(0.9 / 3 + 0.05, 12)
    expect(weights.sharing).toBeCloseTo(-Math.log(0.9) / Math.LN2, 12)
  })

  it('by hand: regret is charged where the rate falls, and nothing is given back where it rises', () => {
    const weights = new LossWeights({ experts: 3, rate: 'adaptive', share: 0 })
    // min(1, √ln 3) = 1, and every expert begins at 1/3.
    let [rate, variance, learning] = [1, 0, Math.log(3)]
    const logs = [1, 2, 3].map(() => -Math.log(3))
    for (const losses of [[3, 0, 0], [0, 2, 0], ...Array.from({ length: 300 }, () => [1, 1, 1]), [0, 0, 4]]) {
      const q = logs.map(Math.exp)
      const mean = q.reduce((sum, share, n) => sum + share * losses[n], 0)
      const square = q.reduce((sum, share, n) => sum + share * losses[n] ** 2, 0)
      for (const n of [0, 1, 2]) logs[n] -= rate * losses[n]
      const sum = Math.log(logs.reduce((total, log) => total + Math.exp(log), 0))
      for (const n of [0, 1, 2]) logs[n] -= sum
      variance = 0.99 * variance + square - mean * mean
      const next = Math.min(1, Math.sqrt(Math.log(3) / (1 + variance)))
      if (next < rate) learning -= Math.min(...logs) * (1 / next - 1 / rate)
      rate = next
      weights.losses.set(losses)
      weights.update()
      expect(weights.rate).toBeCloseTo(rate, 9)
      expect(weights.learning).toBeCloseTo(learning, 9)
    }
    expect(rate).toBeLessThan(0.9)
  })

  it('late answers make sharing cost less, for less is shared', () => {
    const weights = new LossWeights({ experts: 2, rate: 0.5, share: 0.1, patient: true })
    weights.losses.fill(1)
    weights.update(4)
    // √(1 + 2 · 4) = 3.
    expect(weights.sharing).toBeCloseTo(-Math.log(1 - 0.1 / 3) / 0.5, 12)
  })

  it('without sharing an expert comes back from any loss', () => {
    const weights = new LossWeights({ experts: 3, rate: 1, share: 0 })
    learn(weights, [[0, 10, 2000]])
    expect([...weights.shares].every(Number.isFinite)).toBe(true)
    expect(weights.shares[2]).toBe(0)
    learn(weights, [[2000, 2000, 0]])
    expect(weights.shares[2] / weights.shares[0]).toBeCloseTo(1, 9)
  })

  it('one expert has all the weight and costs nothing; the least likely of many sets the price', () => {
    const alone = new LossWeights({ experts: 1, rate: 'adaptive', share: 0.1, last: 0.3, patient: true })
    learn(alone, [[1], [0]], 3)
    expect([...alone.shares, alone.learning, alone.sharing, alone.spread]).toEqual([1, 0, 0, 0])
    expect(new LossWeights({ experts: 2, rate: 1, share: 0, last: 0.1 }).learning).toBeCloseTo(Math.log(10), 12)
  })

  it('no expert ever falls below σ/N, and one that was dead comes back when the others fail', () => {
    const weights = new LossWeights({ experts: 4, rate: 1, share: 0.01 })
    const dead = Array.from({ length: 200 }, () => [1, 0, 0, 0])
    learn(weights, dead)
    expect(weights.shares[0]).toBeGreaterThanOrEqual(0.01 / 4)
    learn(
      weights,
      Array.from({ length: 12 }, () => [0, 1, 1, 1]),
    )
    expect(weights.shares[0]).toBeGreaterThan(0.9)
  })

  it('adapts: slower after spread losses, fast again when they have passed', () => {
    const weights = new LossWeights({ experts: 4, rate: 'adaptive', share: 0.001 })
    expect(weights.rate).toBe(1)
    learn(
      weights,
      Array.from({ length: 100 }, (_, t) => [0, 1, 2, 3].map((n) => (n === t % 4 ? 3 : 0))),
    )
    expect(weights.rate).toBeLessThan(0.3)
    learn(
      weights,
      Array.from({ length: 2000 }, () => [1, 1, 1, 1]),
    )
    expect(weights.rate).toBe(1)
  })

  it('late answers slow rate and share down by √(1 + 2d), and only where they are late', () => {
    const make = (patient: boolean) => new LossWeights({ experts: 2, rate: 'adaptive', share: 0.1, patient })
    const [prompt, late, heedless] = [make(true), make(true), make(false)]
    const equal = Array.from({ length: 50 }, () => [1, 1])
    learn(prompt, equal)
    learn(late, equal, 40)
    learn(heedless, equal, 40)
    expect(heedless.rate).toBe(prompt.rate)
    expect(late.rate).toBeCloseTo(prompt.rate / 9, 12)
    const [before] = late.shares
    learn(late, [[1, 0]], 40)
    const charged = (before * Math.exp(-prompt.rate / 9)) / (before * Math.exp(-prompt.rate / 9) + 1 - before)
    expect(late.shares[0]).toBeCloseTo((1 - 0.1 / 9) * charged + 0.1 / 18, 12)
  })

  it('the last expert begins with the share it is given, and sharing leads back to it', () => {
    const weights = new LossWeights({ experts: 4, rate: 1, share: 0.01, last: 0.4 })
    expect([...weights.shares].map((share) => Number(share.toFixed(12)))).toEqual([0.2, 0.2, 0.2, 0.4])
    expect(weights.learning).toBeCloseTo(Math.log(5), 12)
    learn(
      weights,
      Array.from({ length: 400 }, () => [0, 0, 0, 1]),
    )
    expect(weights.shares[3]).toBeGreaterThanOrEqual(0.01 * 0.4)
    learn(
      weights,
      Array.from({ length: 4000 }, () => [0, 0, 0, 0]),
    )
    expect(weights.shares[3]).toBeCloseTo(0.4, 6)
  })

  it('what was shifted can be shifted back', () => {
    const weights = new LossWeights({ experts: 3, rate: 0.7, share: 0 })
    learn(weights, [[0.2, 0.9, 0.4]])
    const before = weights.shares.slice()
    weights.losses.set([3, 0.5, 1])
    weights.shift(-0.7)
    weights.shift(0.7)
    for (const [n, share] of weights.shares.entries()) expect(share).toBeCloseTo(before[n], 12)
  })

  it('goes on the same from its saved state', () => {
    const make = () => new LossWeights({ experts: 3, rate: 'adaptive', share: 0.01, last: 0.5, patient: true })
    const weights = make()
    learn(
      weights,
      [
        [1, 0, 5],
        [0, 2, 1],
      ],
      7,
    )
    const writer = new StateWriter()
    weights.transfer(writer)
    // Three numbers tell how late answers are; states from before there were any have none.
    const plain = new StateWriter()
    new LossWeights({ experts: 3, rate: 'adaptive', share: 0.01, last: 0.5 }).transfer(plain)
    expect(writer.finish().length - plain.finish().length).toBe(3 * 8)
    const copy = make()
    copy.transfer(new StateReader(writer.finish()))
    for (const one of [weights, copy]) learn(one, [[0.3, 7, 0.1]])
    expect(copy.shares).toEqual(weights.shares)
    expect([copy.rate, copy.learning, copy.sharing, copy.spread]).toEqual([
      weights.rate,
      weights.learning,
      weights.sharing,
      weights.spread,
    ])
  })
})

describe('Lemma 3 and Theorem 2, path by path: Σ q ℓ̂ − Σ ℓ̂_n ≤ learning + sharing + spread', () => {
  it('for every expert, any losses ≥ 0, fixed or adaptive rate, shared or not, late or not, any weights at first', () => {
    fc.assert(
      fc.property(rounds(5), settings, fc.integer({ min: 0, max: 300 }), (losses, options, behind) => {
        const weights = new LossWeights({ experts: 5, ...options })
        const { mixture, experts } = learn(weights, losses, behind)
        const allowed = weights.learning + weights.sharing + weights.spread
        expect(mixture - Math.min(...experts)).toBeLessThanOrEqual(allowed + 1e-6 * (1 + mixture))
      }),
      { numRuns: 300 },
    )
  })

  it('for every sequence of experts, at ln(N/σ)/η more per switch (Theorem 3)', () => {
    const losses = fc.tuple(
      rounds(4),
      fc.double({ min: 1e-3, max: 0.1, noNaN: true }),
      fc.double({ min: 0.05, max: 2, noNaN: true }),
    )
    fc.assert(
      fc.property(losses, fc.infiniteStream(fc.integer({ min: 0, max: 19 })), ([rounds, share, rate], choices) => {
        const weights = new LossWeights({ experts: 4, rate, share })
        // A comparator that switches in about one round of four.
        let current = 0
        let switches = 0
        let compared = 0
        for (const round of rounds) {
          const choice = choices.next().value as number
          if (choice < 4 && choice !== current) {
            if (compared > 0 || round !== rounds[0]) switches++
            current = choice
          }
          compared += round[current]
        }
        const { mixture } = learn(weights, rounds)
        const allowed = weights.learning + weights.sharing + weights.spread + (switches * Math.log(4 / share)) / rate
        expect(mixture - compared).toBeLessThanOrEqual(allowed + 1e-6 * (1 + mixture))
      }),
      { numRuns: 300 },
    )
  })

  it('Lemma 4: a round spreads at most η/2·Σ q ℓ̂², and at most η/8 when losses are in 0 … 1', () => {
    fc.assert(
      fc.property(rounds(5), fc.double({ min: 0.01, max: 2, noNaN: true }), (losses, rate) => {
        const weights = new LossWeights({ experts: 5, rate, share: 0 })
        for (const round of losses) {
          const before = weights.spread
          const second = round.reduce((sum, loss, n) => sum + weights.shares[n] * loss * loss, 0)
          const bounded = round.every((loss) => loss <= 1)
          learn(weights, [round])
          const gap = weights.spread - before
          expect(gap).toBeLessThanOrEqual((rate / 2) * second + 1e-9)
          if (bounded) expect(gap).toBeLessThanOrEqual(rate / 8 + 1e-9)
        }
      }),
    )
  })
})
