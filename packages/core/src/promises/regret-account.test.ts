import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, StateWriter, stateBytes } from '../state/state-io.ts'
import { RegretAccount } from './regret-account.ts'

const EXPERTS = 6
const LEVELS = 3
const ROUNDS = 600

/** How answers come in a trial. */
interface People {
  /** Delay of the answer in rounds, or −1 for never. */
  delay(wrong: boolean, random: Random): number
  /** Whether the label is told. */
  label?(wrong: boolean, random: Random): boolean
  /** Probability that a round is asked about; 1 without a coin. */
  coin?(t: number): number
}

interface Played {
  /** Largest regret per round and bound at each moment that was looked at. */
  moments: { regret: number; bound: number }[]
}

/** Whether an expert of accuracy `skill` is right; in the second half the skills are swapped. */
function advise(random: Random, truth: number, t: number, n: number, soft: boolean, out: Float64Array): void {
  const rank = t < ROUNDS / 2 ? n : EXPERTS - 1 - n
  const skill = 0.4 + 0.11 * rank
  const level = random.uniform() < skill ? truth : (truth + 1 + random.integer(LEVELS - 1)) % LEVELS
  for (let k = 0; k < LEVELS; k++) out[n * LEVELS + k] = soft ? (k === level ? 0.8 : 0.1) : k === level ? 1 : 0
}

/** Plays one stream. The assessed level is the vote of a changing expert, so that regret is there to be found. */
function play(seed: number, people: People, soft = false): Played {
  const random = new Random(seed, 'regret')
  const account = new RegretAccount(EXPERTS, LEVELS)
  const late: { at: number; advice: Float64Array; assessed: number; known: number; coin: number }[] = []
  const lost = new Float64Array(EXPERTS)
  const moments: Played['moments'] = []
  let mistakes = 0
  for (let t = 0; t < ROUNDS; t++) {
    const truth = random.integer(LEVELS)
    const advice = new Float64Array(EXPERTS * LEVELS)
    for (let n = 0; n < EXPERTS; n++) advise(random, truth, t, n, soft, advice)
    const followed = seed % 2 === 0 ? random.integer(EXPERTS) : t % EXPERTS
    const assessed = [0, 1, 2].reduce((a, b) => (advice[followed * 3 + b] > advice[followed * 3 + a] ? b : a))
    const wrong = assessed !== truth
    if (wrong) mistakes++
    for (let n = 0; n < EXPERTS; n++) lost[n] += 1 - advice[n * LEVELS + truth]
    account.begin(advice, 0, assessed)
    const coin = people.coin?.(t) ?? 1
    const asked = coin === 1 || random.uniform() < coin
    if (people.coin) account.toss(advice, 0, assessed, coin, asked)
    const delay = asked ? people.delay(wrong, random) : -1
    const told = people.label?.(wrong, random) || !wrong
    if (delay >= 0) late.push({ at: t + delay, advice, assessed, known: told ? truth : -1, coin })
    for (let i = late.length - 1; i >= 0; i--) {
      if (late[i].at > t) continue
      account.settle(late[i].advice, 0, late[i].assessed, late[i].known, late[i].coin)
      late.splice(i, 1)
    }
    if (t % 20 === 19) {
      moments.push({
        regret: (mistakes - Math.min(...lost)) / (t + 1),
        bound: account.bound({ confidence: 0.95 }).value,
      })
    }
  }
  return { moments }
}

const heavy = (_: boolean, random: Random) => Math.floor(10 / random.positive() ** 1.2)
const DELAYS: Record<string, People['delay']> = {
  'at once': () => 0,
  '50 late': () => 50,
  'heavy-tailed': heavy,
  'wrong ones 300 late': (wrong) => (wrong ? 300 : 0),
  'right ones 300 late': (wrong) => (wrong ? 0 : 300),
  'wrong ones never': (wrong) => (wrong ? -1 : 0),
}
const LABELS: Record<string, People['label']> = {
  'right or wrong': undefined,
  'a tenth labelled': (_, random) => random.uniform() < 0.1,
  'labels volunteered after wrong ones': (wrong) => wrong,
  'labels volunteered after some wrong ones': (wrong, random) => wrong && random.uniform() < 0.5,
}

describe('without a coin the bound is sure', () => {
  for (const [delayed, delay] of Object.entries(DELAYS)) {
    for (const [labelled, label] of Object.entries(LABELS)) {
      it(`${delayed}, ${labelled}: never below the regret in 60 runs`, () => {
        for (let seed = 0; seed < 60; seed++) {
          const { moments } = play(seed, { delay, label }, seed % 3 === 0)
          expect(moments.filter(({ regret, bound }) => bound < regret - 1e-12)).toEqual([])
        }
      })
    }
  }

  it('is the regret itself where every label is told', () => {
    for (const soft of [false, true]) {
      for (const { regret, bound } of play(3, { delay: () => 0, label: () => true }, soft).moments) {
        expect(bound).toBeCloseTo(regret, 12)
      }
    }
  })
})

describe('with the coin of the system it holds with 95 % at all times (500 runs each)', () => {
  it.each<[string, People]>([
    ['half asked', { delay: () => 0, coin: () => 0.5 }],
    ['a tenth asked', { delay: () => 0, coin: () => 0.1 }],
    ['a twentieth asked', { delay: () => 0, coin: () => 0.05 }],
    ['more and less in turn', { delay: () => 0, coin: (t) => (t % 3 === 0 ? 0.8 : 0.15) }],
    ['wrong ones never answered', { delay: (wrong) => (wrong ? -1 : 0), coin: () => 0.3 }],
    ['wrong ones late', { delay: (wrong) => (wrong ? 200 : 0), coin: () => 0.3 }],
    ['labels after wrong ones', { delay: heavy, label: (wrong) => wrong, coin: () => 0.3 }],
    ['the budget is spent half-way', { delay: () => 0, coin: (t) => (t < 300 ? 0.3 : 0) }],
  ])('%s', (_, people) => {
    let violated = 0
    for (let seed = 0; seed < 500; seed++) {
      if (play(seed, people, seed % 5 === 0).moments.some(({ regret, bound }) => bound < regret - 1e-12)) violated++
    }
    expect(violated).toBeLessThanOrEqual(25)
  })

  it('says something: below one half after 600 rounds of which half are asked', () => {
    const { moments } = play(1, { delay: () => 0, coin: () => 0.5 })
    expect(moments[moments.length - 1].bound).toBeLessThan(0.5)
  })

  it('a broken account is found out: a coin that avoids mistakes but claims not to', () => {
    let violated = 0
    for (let seed = 0; seed < 100; seed++) {
      const random = new Random(seed, 'lying')
      const account = new RegretAccount(2, 2)
      // The first expert is always right, the ensemble follows the second, which is wrong one time in three.
      let mistakes = 0
      for (let t = 0; t < 2000; t++) {
        const wrong = random.uniform() < 1 / 3
        if (wrong) mistakes++
        const advice = wrong ? Float64Array.of(1, 0, 0, 1) : Float64Array.of(1, 0, 1, 0)
        const assessed = wrong ? 1 : 0
        account.begin(advice, 0, assessed)
        const asked = random.uniform() < (wrong ? 0.02 : 0.5)
        account.toss(advice, 0, assessed, 0.5, asked)
        if (asked) account.settle(advice, 0, assessed, 0, 0.5)
      }
      if (account.bound({ confidence: 0.95 }).value < mistakes / 2000) violated++
    }
    expect(violated).toBeGreaterThan(95)
  })
})

/**
 * Whether the bound since the latest refit is ever below the truth, where refits come as it suits an adversary. One
 * expert contradicts every assessment, of which half are wrong. Whenever the checks were bad luck for the adversary,
 * the window begins anew.
 */
function brokenSinceRefit(seed: number, shared: (refits: number) => number): boolean {
  const random = new Random(seed, 'refits')
  const account = new RegretAccount(1, 2)
  const advice = Float64Array.of(0, 1)
  const coin = 0.3
  let [mark, refits, samples, regret, estimated] = [account.sums.slice(), 1, 0, 0, 0]
  for (let t = 0; t < 3000; t++) {
    const known = random.integer(2)
    account.begin(advice, 0, 0)
    const asked = random.uniform() < coin
    account.toss(advice, 0, 0, coin, asked)
    if (asked) account.settle(advice, 0, 0, known, coin)
    const difference = known === 1 ? 1 : -1
    samples++
    regret += difference
    if (asked) estimated += difference / coin
    if (t % 10 === 9) {
      const { value } = account.bound({ confidence: 0.95, mark, shared: shared(refits) })
      if (value * samples < regret - 1e-9) return true
    }
    if (regret - estimated < -3)
      [mark, refits, samples, regret, estimated] = [account.sums.slice(), refits + 1, 0, 0, 0]
  }
  return false
}

describe('windows that begin when the data say so', () => {
  const broken = (shared: (refits: number) => number) =>
    Array.from({ length: 500 }, (_, seed) => brokenSinceRefit(seed, shared)).filter(Boolean).length

  it('all of them hold at once with 95 % where the k-th takes 1/(k(k+1)) of the doubt (500 runs)', () => {
    expect(broken((k) => k * (k + 1))).toBeLessThanOrEqual(25)
  })

  it('where each takes all of the doubt they do not (500 runs)', () => {
    expect(broken(() => 1)).toBeGreaterThan(25)
  })
})

describe('RegretAccount', () => {
  it('the bound since a mark is that of an account that began there, late answers and corrections included', () => {
    const random = new Random(5, 'marks')
    const [all, fresh] = [new RegretAccount(2, 3), new RegretAccount(2, 3)]
    const rounds: { advice: Float64Array; coin: number; known: number }[] = []
    let mark = all.sums
    for (let t = 0; t < 200; t++) {
      const advice = new Float64Array(6)
      for (let n = 0; n < 2; n++) advice[3 * n + random.integer(3)] = 1
      const coin = t % 3 === 0 ? 1 : 0.4
      const inside = t >= 100
      if (t === 100) mark = all.sums.slice()
      rounds.push({ advice, coin, known: -1 })
      for (const account of inside ? [all, fresh] : [all]) {
        account.begin(advice, 0, 0)
        if (coin < 1) account.toss(advice, 0, 0, coin, true)
      }
      // Every answer comes 30 rounds late and is corrected 30 rounds later still.
      for (const late of [30, 60].filter((late) => late <= t)) {
        const { advice, coin, known } = rounds[t - late]
        const next = random.integer(3)
        const told = t - late >= 100 ? [all.sums, fresh.sums] : t >= 100 ? [all.sums, mark] : [all.sums]
        for (const sums of told) {
          if (late === 60) all.settle(advice, 0, 0, known, coin, -1, sums)
          all.settle(advice, 0, 0, next, coin, 1, sums)
        }
        rounds[t - late].known = next
      }
    }
    const since = all.bound({ confidence: 0.95, mark })
    const began = fresh.bound({ confidence: 0.95 })
    expect(since.samples).toBe(100)
    expect(since.value).toBeCloseTo(began.value, 12)
    expect(since.terms.chance).toBeCloseTo(began.terms.chance, 12)
  })

  it('its terms make up the value', () => {
    const account = new RegretAccount(2, 3)
    const advice = Float64Array.of(1, 0, 0, 0, 1, 0)
    for (let t = 0; t < 40; t++) {
      account.begin(advice, 0, 0)
      if (t % 2 === 0) account.toss(advice, 0, 0, 0.5, t % 4 === 0)
      if (t % 4 === 0) account.settle(advice, 0, 0, t % 8 === 0 ? 0 : -1, 0.5)
      if (t % 4 === 1) account.settle(advice, 0, 0, -1, 1)
    }
    const { value, terms, confidence, samples } = account.bound({ confidence: 0.95 })
    expect(terms.against + terms.inFavour + terms.open + terms.chance).toBeCloseTo(value, 12)
    expect({ confidence, samples }).toEqual({ confidence: 0.95, samples: 40 })
    expect(terms.open).toBeCloseTo(10 / 40, 12)
  })

  it('a correction leads where the right answer would have led', () => {
    const advice = Float64Array.of(1, 0, 0, 0, 1, 0)
    for (const coin of [1, 0.4]) {
      const [direct, corrected] = [new RegretAccount(2, 3), new RegretAccount(2, 3)]
      for (const account of [direct, corrected]) {
        account.begin(advice, 0, 0)
        if (coin < 1) account.toss(advice, 0, 0, coin, true)
      }
      direct.settle(advice, 0, 0, 2, coin)
      corrected.settle(advice, 0, 0, -1, coin)
      corrected.settle(advice, 0, 0, -1, coin, -1)
      corrected.settle(advice, 0, 0, 2, coin)
      expect(corrected.bound({ confidence: 0.95 }).value).toBeCloseTo(direct.bound({ confidence: 0.95 }).value, 12)
    }
  })

  it('a saved state gives the same bound', () => {
    const one = new RegretAccount(2, 3)
    const advice = Float64Array.of(1, 0, 0, 0, 1, 0)
    one.begin(advice, 0, 0)
    one.toss(advice, 0, 0, 0.4, true)
    const writer = new StateWriter()
    one.transfer(writer)
    const two = new RegretAccount(2, 3)
    two.transfer(new StateReader(writer.finish()))
    expect(two.bound({ confidence: 0.95 })).toEqual(one.bound({ confidence: 0.95 }))
  })

  /** Plays rounds in which every expert contradicts a right assessment; each tenth is asked about. */
  function played(account: RegretAccount, experts: number, rounds: number): RegretAccount {
    const advice = Float64Array.from({ length: experts * 2 }, (_, i) => i % 2)
    for (let t = 0; t < rounds; t++) {
      account.begin(advice, 0, 0)
      account.toss(advice, 0, 0, 0.1, t % 10 === 0)
      if (t % 10 === 0) account.settle(advice, 0, 0, 0, 0.1)
    }
    return account
  }

  it('shares the doubt among all experts and all windows', () => {
    const two = played(new RegretAccount(2, 2), 2, 2000)
    const twenty = played(new RegretAccount(20, 2), 20, 2000)
    const surer = two.bound({ confidence: 0.995 }).value
    expect(surer).toBeGreaterThan(two.bound({ confidence: 0.95 }).value + 1e-3)
    expect(surer).toBeLessThan(0)
    expect(twenty.bound({ confidence: 0.95 }).value).toBeCloseTo(surer, 9)
    expect(two.bound({ confidence: 0.95, shared: 10 }).value).toBeCloseTo(surer, 9)
  })

  it('knows from a saved state which κ the rarest coin so far has left', () => {
    const one = played(new RegretAccount(2, 2), 2, 500)
    const advice = Float64Array.of(1, 0, 0, 1)
    one.begin(advice, 0, 0)
    one.toss(advice, 0, 0, 0.001, false)
    const two = new RegretAccount(2, 2)
    two.transfer(new StateReader(stateBytes(one)))
    for (const account of [one, two]) played(account, 2, 500)
    expect(two.bound({ confidence: 0.95 })).toEqual(one.bound({ confidence: 0.95 }))
  })

  it('is a number for every coin, also for one a little rarer than a κ allows', () => {
    const advice = Float64Array.of(1, 0, 0, 1)
    for (let kappa = 1e-4; kappa < 3; kappa *= 2.2) {
      const account = played(new RegretAccount(2, 2), 2, 100)
      account.begin(advice, 0, 0)
      account.toss(advice, 0, 0, 0.995 * (1 - Math.exp(-kappa)), true)
      expect(account.bound({ confidence: 0.95 }).value).toBeLessThanOrEqual(1)
    }
  })
})
