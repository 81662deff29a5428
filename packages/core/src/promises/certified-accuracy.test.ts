import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { Random } from '../math/random.ts'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { type CertificateOptions, CertifiedAccuracy } from './certified-accuracy.ts'
import { certify } from './certify.ts'

interface Trial {
  /** Probability that sample t is assessed wrong, given how many were so far. */
  error(t: number, random: Random): number
  /** Probability of a check, decided before the coin. */
  coin(t: number, wrong: boolean): number
  /** What becomes of the answer: its delay, or −1 for never. */
  delay?(wrong: boolean, random: Random): number
  /** Probability that the answer is wrong by mistake. */
  mistake?: number
  options: CertificateOptions
}

const SAMPLES = 1500
const RUNS = 500

/** One run; true when the bound was below the truth at any of 50 moments. */
function violated(trial: Trial, seed: number): boolean {
  const random = new Random(seed, 'certificate')
  const certificate = new CertifiedAccuracy(trial.options)
  const late: { at: number; probability: number; right: boolean }[] = []
  let wrongs = 0
  for (let t = 0; t < SAMPLES; t++) {
    const wrong = random.uniform() < trial.error(t, random)
    if (wrong) wrongs++
    const probability = trial.coin(t, wrong)
    const asked = random.uniform() < probability
    certificate.sample(probability, asked)
    if (asked) {
      const delay = trial.delay?.(wrong, random) ?? 0
      const right = random.uniform() < (trial.mistake ?? 0) ? wrong : !wrong
      if (delay >= 0) late.push({ at: t + delay, probability, right })
    }
    for (let i = late.length - 1; i >= 0; i--) {
      if (late[i].at > t) continue
      certificate.answer(late[i].probability, late[i].right)
      late.splice(i, 1)
    }
    if (t % 30 === 29 && certificate.report().wrongAtMost < wrongs) return true
  }
  return false
}

function violations(trial: Trial): number {
  let count = 0
  for (let seed = 0; seed < RUNS; seed++) if (violated(trial, seed)) count++
  return count
}

const steady = () => 0.05
const falling = (t: number) => (t < 700 ? 0.01 : 0.1)
const bursts = (t: number) => (t % 200 < 20 ? 0.5 : 0.002)
const chosen = (t: number, wrong: boolean) => (wrong ? 0.05 : t % 3 === 0 ? 0.6 : 0.1)

describe('CertifiedAccuracy covers the truth at all times (δ = 0.05, 500 runs each)', () => {
  it.each<[string, Trial]>([
    ['1 % checked', { error: steady, coin: () => 0.01, options: { floor: 0.01 } }],
    ['10 % checked', { error: steady, coin: () => 0.1, options: { floor: 0.1 } }],
    ['30 % checked, accuracy falls ten-fold', { error: falling, coin: () => 0.3, options: { floor: 0.3 } }],
    ['mistakes in bursts', { error: bursts, coin: () => 0.1, options: { floor: 0.05 } }],
    ['an asker that would rather not ask about mistakes', { error: steady, coin: chosen, options: { floor: 0.05 } }],
    [
      'wrong ones 300 late, the others at once',
      { error: steady, coin: () => 0.2, delay: (wrong) => (wrong ? 300 : 0), options: { floor: 0.2 } },
    ],
    [
      'wrong ones never answered',
      { error: steady, coin: () => 0.2, delay: (wrong) => (wrong ? -1 : 0), options: { floor: 0.2 } },
    ],
    [
      'heavy-tailed delays',
      { error: steady, coin: () => 0.2, delay: (_, r) => Math.floor(20 / r.positive()), options: { floor: 0.2 } },
    ],
    [
      'a tenth of the answers wrong, known',
      { error: steady, coin: () => 0.2, mistake: 0.1, options: { floor: 0.2, wrong: 0.1 } },
    ],
    [
      'at most a tenth of the answers wrong',
      { error: steady, coin: () => 0.2, mistake: 0.04, options: { floor: 0.2, wrongAtMost: 0.1 } },
    ],
    [
      'a spent budget: no chance of a check in the second half',
      { error: steady, coin: (t) => (t < 750 ? 0.2 : 0), options: { floor: 0.2 } },
    ],
  ])('%s', (_, trial) => {
    expect(violations(trial)).toBeLessThanOrEqual(0.05 * RUNS)
  })

  it('a broken estimator is found out: unanswered checks that count as right', () => {
    // The mistakes are never answered; a class that forgot them would certify perfection.
    let bad = 0
    for (let seed = 0; seed < 100; seed++) {
      const random = new Random(seed, 'broken')
      const certificate = new CertifiedAccuracy({ floor: 0.2 })
      let wrongs = 0
      for (let t = 0; t < SAMPLES; t++) {
        const wrong = random.uniform() < 0.1
        if (wrong) wrongs++
        const asked = random.uniform() < 0.2
        certificate.sample(0.2, asked)
        if (asked) certificate.answer(0.2, true)
      }
      if (certificate.report().wrongAtMost < wrongs) bad++
    }
    expect(bad).toBeGreaterThan(95)
  })

  it('a broken coin is found out: checks that avoid mistakes but claim not to', () => {
    const lying = { error: steady, coin: () => 0.2, options: { floor: 0.2 } }
    let bad = 0
    for (let seed = 0; seed < 100; seed++) {
      const random = new Random(seed, 'lying')
      const certificate = new CertifiedAccuracy(lying.options)
      let wrongs = 0
      for (let t = 0; t < SAMPLES; t++) {
        const wrong = random.uniform() < 0.1
        if (wrong) wrongs++
        const asked = random.uniform() < (wrong ? 0.02 : 0.2)
        certificate.sample(0.2, asked)
        if (asked) certificate.answer(0.2, !wrong)
      }
      if (certificate.report().wrongAtMost < wrongs) bad++
    }
    expect(bad).toBeGreaterThan(95)
  })
})

describe('CertifiedAccuracy', () => {
  it('is exact where everything is checked, and open checks count as wrong', () => {
    const certificate = new CertifiedAccuracy({ floor: 1 })
    for (let t = 0; t < 100; t++) certificate.sample(1, true)
    expect(certificate.report()).toMatchObject({ wrong: 100, certified: 0 })
    for (let t = 0; t < 100; t++) certificate.answer(1, t >= 3)
    expect(certificate.report()).toMatchObject({ wrong: 3, wrongAtMost: 3, certified: 0.97, estimate: 0.97 })
  })

  it('a correction leads where the right answer would have led', () => {
    const [direct, corrected] = [0, 1].map(() => new CertifiedAccuracy({ floor: 0.3 }))
    for (const certificate of [direct, corrected]) {
      certificate.pass(0.3, 50)
      certificate.sample(0.4, true)
    }
    direct.answer(0.4, false)
    corrected.answer(0.4, true)
    corrected.withdraw(0.4, true)
    corrected.answer(0.4, false)
    expect(corrected.report()).toEqual(direct.report())
  })

  it('weighs the estimate by 1/π', () => {
    const certificate = new CertifiedAccuracy({ floor: 0.1 })
    for (let t = 0; t < 9; t++) {
      certificate.sample(0.9, true)
      certificate.answer(0.9, false)
    }
    certificate.sample(0.1, true)
    certificate.answer(0.1, true)
    expect(certificate.report().estimate).toBeCloseTo(0.5, 12)
  })

  it('says nothing before the first sample and estimates nothing without an answer', () => {
    expect(new CertifiedAccuracy().report()).toMatchObject({ samples: 0, certified: 0, estimate: 0, confidence: 0.95 })
    const certificate = new CertifiedAccuracy({ floor: 0.3 })
    for (let t = 0; t < 1000; t++) {
      certificate.sample(0.3, true)
      certificate.answer(0.3, true)
    }
    const mark = certificate.sums.slice()
    certificate.sample(0.9, true)
    certificate.answer(0.9, true)
    certificate.withdraw(0.9, true)
    expect(certificate.report(undefined, mark).estimate).toBe(0)
  })

  it('estimates the truth behind answers of which a known share is wrong: said w + (1 − 2w)·error, by hand', () => {
    const certificate = new CertifiedAccuracy({ wrong: 0.1 })
    for (let t = 0; t < 100; t++) {
      certificate.sample(1, true)
      certificate.answer(1, t >= 26)
    }
    expect(certificate.report().estimate).toBeCloseTo(0.8, 12)
  })

  it('certifies what the trial did, and better', () => {
    for (const [share, least] of [
      [0.01, 0.967],
      [0.02, 0.979],
      [0.05, 0.986],
      [0.1, 0.9895],
      [0.3, 0.992],
    ]) {
      const checks = Array.from({ length: 30_000 * share }, (_, i) => ({ probability: share, right: i % 200 !== 100 }))
      expect(certify(checks, { samples: 30_000 }).certified).toBeGreaterThan(least)
    }
  })

  it('goes on from a saved state with the same bits', () => {
    const one = new CertifiedAccuracy({ floor: 0.1 })
    const play = (certificate: CertifiedAccuracy, from: number) => {
      for (let t = from; t < from + 200; t++) {
        certificate.sample(0.1, t % 9 === 0)
        if (t % 9 === 0) certificate.answer(0.1, t % 27 !== 0)
      }
      return certificate.report()
    }
    play(one, 0)
    const writer = new StateWriter()
    one.transfer(writer)
    const two = new CertifiedAccuracy({ floor: 0.1 })
    two.transfer(new StateReader(writer.finish()))
    expect(play(two, 200)).toEqual(play(one, 200))
  })

  it.each([
    ['floor', { floor: 0 }],
    ['floor', { floor: 2 }],
    ['confidence', { floor: 0.1, confidence: 1 }],
    ['wrong', { floor: 0.1, wrong: 0.5 }],
    ['wrongAtMost', { floor: 0.1, wrong: 0.1, wrongAtMost: 0.1 }],
  ])('refuses a wrong %s', (option, options) => {
    expect(() => new CertifiedAccuracy(options)).toThrow(OptionError)
    expect(() => new CertifiedAccuracy(options)).toThrow(`option ${option}`)
  })
})

describe('certify', () => {
  const checks = (count: number, wrong: number, probability: number) =>
    Array.from({ length: count }, (_, i) => ({ probability, right: i >= wrong }))

  it('says what is certified, in the fields of the command', () => {
    const result = certify(checks(600, 3, 0.02), { samples: 30_000, target: 0.99 })
    expect(result).toMatchObject({ samples: 30_000, checks: 600, wrong: 3, confidence: 0.95, target: 0.99 })
    expect(result.certified).toBeGreaterThan(0.97)
    expect(result.certified).toBeLessThan(0.995)
    expect(result.moreChecks).toBeGreaterThan(0)
  })

  it('a tenth more checks than it says reach the target, and a fifth fewer do not', () => {
    const result = certify(checks(600, 3, 0.02), { samples: 30_000, target: 0.99 })
    const after = (more: number) => {
      const scale = 1 + more / 600
      const count = Math.round(600 * scale)
      // The same share of wrong checks, in whole checks: the figure is a forecast, good to a check or two.
      return certify(checks(count, Math.round(3 * scale), 0.02), { samples: Math.round(30_000 * scale) }).certified
    }
    const more = result.moreChecks as number
    expect(after(more * 1.1)).toBeGreaterThan(0.99)
    expect(after(more * 0.8)).toBeLessThan(0.99)
  })

  it('needs none where the target is certified, and no number where the checks say otherwise', () => {
    expect(certify(checks(600, 0, 0.02), { samples: 30_000, target: 0.9 }).moreChecks).toBe(0)
    expect(certify(checks(600, 60, 0.02), { samples: 30_000, target: 0.99 }).moreChecks).toBeNull()
  })

  it('is exact where every sample was checked', () => {
    expect(certify(checks(1000, 7, 1), { samples: 1000 }).certified).toBe(0.993)
  })

  it('counts the other samples at the floor: as wrong where that is 1, else by what the coin would have shown', () => {
    expect(certify(checks(100, 0, 1), { samples: 1000 }).certified).toBeCloseTo(0.1, 12)
    // At most (ln 20 + ln 9)/0.101 wrong by the largest κ alone; m = 45 where the mean of exp(κm) is 20.
    const { certified } = certify(checks(100, 0, 1), { samples: 1000, floor: 0.1 })
    expect(certified).toBeGreaterThan(0.949)
    expect(certified).toBeLessThan(0.96)
  })

  it('holds with the confidence that is asked for, and by the answers that may be wrong', () => {
    const of = (options: object) => certify(checks(600, 3, 0.02), { samples: 30_000, ...options }).certified
    expect(of({ confidence: 0.999 })).toBeLessThan(of({}) - 0.003)
    expect(of({ confidence: 0.5 })).toBeGreaterThan(of({}) + 0.003)
    // A tenth of the checks said "wrong": all of them by mistake, or not.
    const tenth = (options: object) => certify(checks(1000, 100, 1), { samples: 1000, ...options }).certified
    expect(tenth({})).toBe(0.9)
    expect(tenth({ wrong: 0.1 })).toBeGreaterThan(0.93)
    expect(tenth({ wrongAtMost: 0.1 })).toBeLessThan(0.9)
  })

  it('refuses more checks than samples, and a probability that is none', () => {
    expect(() => certify(checks(10, 0, 0.5), { samples: 9 })).toThrow('option samples')
    for (const none of [1.5, 0, Number.NaN]) {
      expect(() => certify(checks(1, 0, none), { samples: 9 })).toThrow('checks[0].probability')
    }
  })
})
