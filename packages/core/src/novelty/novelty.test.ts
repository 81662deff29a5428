import { describe, expect, test } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, stateBytes } from '../state/state-io.ts'
import { Calibration } from './calibration.ts'
import { Novelty } from './novelty.ts'
import { References } from './references.ts'

const EVERY = 50

/** A sample of one of three levels in two channels of very different units; level 3 is the planted one. */
function draw(random: Random, level: number): Float64Array {
  const [x, y] = [
    [0, 0],
    [6, 0],
    [0, 6],
    [6, 6],
  ][level]
  return Float64Array.of(x + random.normal(), 1e6 * (y + random.normal()))
}

/** Assesses and tells samples of levels that are not equally common; the share called novel behind the first ones. */
function run(seed: number, { samples = 1_500, tellEvery = 1, drift = 0 } = {}) {
  const random = new Random(seed, 'stream')
  const novelty = new Novelty({ channels: 2, levels: 4, falseAlarmEvery: EVERY, seed })
  const found: boolean[] = []
  for (let id = 0; id < samples; id++) {
    const u = random.uniform()
    const level = u < 0.6 ? 0 : u < 0.9 ? 1 : 2
    const x = draw(random, level)
    if (id >= samples / 2) x[0] += drift
    found.push(novelty.assess(id, x).novel)
    if (id % tellEvery === 0) novelty.told(id, level)
  }
  return { novelty, random, found }
}

function share(found: readonly boolean[]): number {
  return found.filter(Boolean).length / found.length
}

describe('the rate of false alarms', () => {
  test('is at most the stated one over many seeds, and no tenth of it', () => {
    const shares = Array.from({ length: 100 }, (_, seed) => share(run(seed + 1).found.slice(300)))
    const mean = shares.reduce((sum, x) => sum + x, 0) / shares.length
    const error = Math.sqrt(shares.reduce((sum, x) => sum + (x - mean) ** 2, 0)) / shares.length
    expect(mean).toBeLessThan(1 / EVERY + 3 * error)
    expect(mean).toBeGreaterThan(0.1 / EVERY)
  })

  test('exceeds it under drift until answers have come, then no longer', () => {
    const { found } = run(1, { drift: 12 })
    expect(share(found.slice(750, 770))).toBeGreaterThan(10 / EVERY)
    expect(share(found.slice(1_000))).toBeLessThan(2 / EVERY)
  })

  test('nothing is novel before enough was told, and it is said how much is missing', () => {
    const novelty = new Novelty({ channels: 1, levels: 2, falseAlarmEvery: 10, references: 5 })
    expect(novelty.missing).toBe(14)
    const before: boolean[] = []
    let id = 0
    for (; novelty.missing > 0; id++) {
      before.push(novelty.assess(id, Float64Array.of(id % 2 ? 1e9 : id)).novel)
      novelty.told(id, 0)
    }
    expect(id).toBe(14)
    expect(before).not.toContain(true)
    // Nine scores are kept, so that the farthest has a p-value of 1/10: enough, and never more scores than 4 · 10.
    expect(novelty.assess(id, Float64Array.of(-1e15))).toEqual({ pValue: 1 / 10, novel: true })
    for (const end = id + 100; id < end; id++) {
      novelty.assess(id, Float64Array.of(0))
      novelty.told(id, 0)
    }
    expect(novelty.assess(id, Float64Array.of(-1e15)).pValue).toBe(1 / 41)
  })

  test('an answer counts once, while its sample is kept; "wrong" without a level makes its score usual', () => {
    const novelty = new Novelty({ channels: 1, levels: 2, falseAlarmEvery: 10, references: 2, pending: 3 })
    for (let id = 5; id < 9; id++) {
      novelty.assess(id, Float64Array.of(id))
      if (id < 7) novelty.told(id, 0)
    }
    expect(novelty.missing).toBe(9)
    const told = novelty.snapshot()
    for (const id of [4, 5, 6, 9]) novelty.told(id, 1)
    expect(novelty.snapshot()).toEqual(told)
    novelty.told(8)
    expect(novelty.missing).toBe(8)
  })
})

describe('a planted level', () => {
  test('is found in almost every sample, and is known once it was told', () => {
    const { novelty, random } = run(2)
    const before = novelty.novel
    const planted = Array.from({ length: 100 }, (_, i) => novelty.assess(2_000 + i, draw(random, 3)).novel)
    expect(share(planted)).toBeGreaterThan(0.9)
    expect(novelty.novel - before).toBe(planted.filter(Boolean).length)
    for (let id = 2_000; id < 2_050; id++) novelty.told(id, 3)
    const later = Array.from({ length: 100 }, (_, i) => novelty.assess(2_200 + i, draw(random, 3)).novel)
    expect(share(later)).toBeLessThan(0.1)
  })

  test('samples that came before their level was told leave others to be found', () => {
    const { novelty, random } = run(3)
    const far = (at: number) => Float64Array.of(at + random.normal(), at)
    for (let id = 2_000; id < 2_010; id++) novelty.assess(id, far(1e3))
    for (let id = 2_000; id < 2_010; id++) novelty.told(id, 3)
    expect(novelty.assess(2_100, far(-1e3)).novel).toBe(true)
  })

  test('a channel that has never moved and moves now makes a sample novel', () => {
    const random = new Random(4, 'stream')
    const novelty = new Novelty({ channels: 2, levels: 2, falseAlarmEvery: 20 })
    for (let id = 0; id < 200; id++) {
      novelty.assess(id, Float64Array.of(random.normal(), 3))
      novelty.told(id, id % 2)
    }
    expect(novelty.assess(200, Float64Array.of(0, 3)).novel).toBe(false)
    expect(novelty.assess(201, Float64Array.of(0, 3.001)).novel).toBe(true)
  })
})

test('a snapshot at any point changes nothing that follows', () => {
  const whole = run(5, { samples: 700, tellEvery: 3 })
  const copy = new Novelty({ channels: 2, levels: 4, falseAlarmEvery: EVERY, seed: 5 })
  copy.restore(whole.novelty.snapshot())
  for (let id = 700; id < 900; id++) {
    const x = draw(whole.random, id % 4)
    expect(copy.assess(id, x)).toEqual(whole.novelty.assess(id, x))
    for (const novelty of [copy, whole.novelty]) novelty.told(id - 4, id % 3)
  }
  expect(copy.snapshot()).toEqual(whole.novelty.snapshot())
})

test.each([0, 3, 40, 400])('a snapshot after %i samples holds what comes into play later', (count) => {
  const options = { channels: 2, levels: 3, falseAlarmEvery: 10, references: 4, pending: 8 }
  const [whole, copy] = [new Novelty(options), new Novelty(options)]
  const random = new Random(9, 'stream')
  const tell = (one: Novelty, id: number) => one.told(id, id % 5 === 0 ? undefined : id % 100 < 50 ? 0 : 1 + (id % 2))
  for (let id = 0; id < count; id++) {
    whole.assess(id, draw(random, id % 3))
    if (id > 0) tell(whole, id - 1)
  }
  copy.restore(whole.snapshot())
  for (let id = count; id < count + 200; id++) {
    // The answer to the latest sample before the snapshot comes behind it.
    if (id > 0) for (const one of [whole, copy]) tell(one, id - 1)
    expect([copy.missing, copy.novel]).toEqual([whole.missing, whole.novel])
    const x = draw(random, id % 3)
    expect(copy.assess(id, x)).toEqual(whole.assess(id, x))
  }
  expect(copy.snapshot()).toEqual(whole.snapshot())
})

test('the distance to the nearest told sample counts every channel, by hand', () => {
  const references = new References(5, 2, 3, 1)
  const scale = Float64Array.of(1, 10, 100, 1000, 1e4)
  expect(references.nearest(new Float64Array(5), scale)).toBe(Infinity)
  references.add([99, 99, 99, 99, 99], 0, 0)
  references.add([0, 0, 0, 0, 0], 1, 0)
  expect(references.nearest(Float64Array.of(1, 2, 3, 4, 5), scale)).toBe(1 + 400 + 9e4 + 1.6e7 + 2.5e9)
})

test('a level is known for samples behind the one at which it was told first, also from a saved state', () => {
  const references = new References(1, 2, 3, 1)
  references.add([0], 1, 7)
  references.add([0], 1, 9)
  const copy = new References(1, 2, 3, 1)
  copy.transfer(new StateReader(stateBytes(references)))
  for (const one of [references, copy]) {
    expect([one.knew(1, 7), one.knew(1, 8), one.knew(0, 8)]).toEqual([false, true, false])
  }
})

test('a full level replaces the n-th told sample with probability capacity / min(n, 10 · capacity)', () => {
  // The age of what is kept is then geometric: 9 on average, and above 200 with probability 0.9^200 = 7e-10.
  const ages = Array.from({ length: 200 }, (_, seed) => {
    const references = new References(1, 1, 1, seed)
    for (let t = 0; t <= 1000; t++) references.add([t], 0, t)
    return Math.sqrt(references.nearest(Float64Array.of(1000), Float64Array.of(1)))
  })
  expect(Math.max(...ages)).toBeLessThan(200)
  const mean = ages.reduce((sum, age) => sum + age, 0) / ages.length
  // Four standard errors of 9.5/√200.
  expect(Math.abs(mean - 9)).toBeLessThan(2.7)
})

test('another rate and another level keep what was told', () => {
  const { novelty, random } = run(6)
  const next = novelty.changed(100)
  expect(next.missing).toBe(0)
  next.addLevel()
  const x = draw(random, 0)
  expect(next.assess(2_000, x).pValue).toBe(novelty.assess(2_000, x).pValue)
  const far = Float64Array.of(1e4, 1e10)
  expect(next.assess(2_001, far).novel).toBe(true)
  next.told(2_001, 4)
  expect(next.assess(2_002, far).pValue).toBe(1)
})

test('p-values are ranks among the latest scores', () => {
  const calibration = new Calibration(3)
  expect(calibration.pValue(1)).toBe(1)
  for (const score of [9, 1, 2, 3]) calibration.add(score)
  expect(calibration.pValue(3)).toBe(2 / 4)
  expect(calibration.pValue(3.5)).toBe(1 / 4)
  expect(calibration.pValue(0)).toBe(1)
})
