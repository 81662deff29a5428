import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, StateWriter, stateBytes } from '../state/state-io.ts'
import { FallAlarm, type FallAlarmOptions } from './fall-alarm.ts'

/** Plays samples until the first alarm; returns its sample, or `limit`. */
function firstAlarm(
  options: FallAlarmOptions,
  seed: number,
  limit: number,
  error: (t: number) => number,
  coin = 0.2,
  delay: (wrong: boolean) => number = () => 0,
): number {
  const random = new Random(seed, 'fall')
  const alarm = new FallAlarm({ floor: coin, ...options })
  const late: { at: number; id: number; right: boolean }[] = []
  for (let t = 0; t < limit; t++) {
    const wrong = random.uniform() < error(t)
    const asked = random.uniform() < coin
    let raised = alarm.sample(t, coin, asked)
    const wait = asked ? delay(wrong) : -1
    if (wait >= 0) late.push({ at: t + wait, id: t, right: !wrong })
    for (let i = late.length - 1; i >= 0; i--) {
      if (late[i].at > t) continue
      raised = alarm.answer(late[i].id, late[i].right) || raised
      late.splice(i, 1)
    }
    if (raised) return t
  }
  return limit
}

const mean = (values: number[]) => values.reduce((a, b) => a + b) / values.length
const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed)

describe('FallAlarm', () => {
  it('no expectation above 1 while a block is expected to hold no more mistakes than allowed', () => {
    const [block, allowed] = [3, 0.2]
    /** The e-value of each stake after one block with so many wrong checks: R = block · e. */
    const eValues = (seen: number, pi: number) => {
      const alarm = new FallAlarm({ target: 1 - allowed, block, floor: pi, falseAlarmEvery: 1e9, patience: 4 })
      for (let t = 0; t < block; t++) {
        alarm.sample(t, pi, t < seen)
        if (t < seen) alarm.answer(t, false)
      }
      const writer = new StateWriter()
      alarm.transfer(writer)
      const reader = new StateReader(writer.finish())
      const detectors = new Float64Array(3)
      for (const part of [new Uint8Array(4), new Float64Array(4), detectors]) reader.fill(part)
      return detectors.map((detector) => detector / block)
    }
    for (const pi of [0.1, 1]) {
      const found = [0, 1, 2, 3].map((seen) => eValues(seen, pi))
      for (const [j, stake] of [0.2, 0.5, 0.95].entries()) {
        expect(found[1][j]).toBeCloseTo(1 + stake * (1 / pi / (allowed * block) - 1), 12)
        // All three wrong at once or none: as dependent as can be. Then seen is binomial with probability π.
        const together = [0, 1, 2, 3].reduce(
          (sum, k) => sum + [1, 3, 3, 1][k] * pi ** k * (1 - pi) ** (3 - k) * found[k][j],
          0,
        )
        expect(allowed * together + (1 - allowed) * found[0][j]).toBeCloseTo(1, 12)
        expect(found[0][j]).toBeGreaterThanOrEqual(0)
      }
    }
  })

  it('bursts of mistakes raise no more false alarms: 20 in a row, 1 % in all (300 runs)', () => {
    const times = (block: number) =>
      seeds(300).map((seed) => {
        const random = new Random(seed, 'bursts')
        let left = 0
        const burst = () => {
          if (left === 0 && random.uniform() < 1 / 2000) left = 20
          return left > 0 ? left-- : 0
        }
        return firstAlarm({ target: 0.98, falseAlarmEvery: 5000, block }, seed, 40_000, burst, 1)
      })
    expect(mean(times(100))).toBeGreaterThan(5000)
    // Sample by sample every burst is an alarm: the mean is that of the first burst.
    expect(mean(times(1))).toBeLessThan(3000)
  })

  it('false alarms are as rare as promised: on average at least 2,000 samples to the first (300 runs)', () => {
    const options = { target: 0.98, falseAlarmEvery: 2000 }
    for (const coin of [0.1, 1]) {
      const times = seeds(300).map((seed) => firstAlarm(options, seed, 20_000, () => 0.02, coin))
      expect(mean(times)).toBeGreaterThan(2000)
    }
  })

  it('answers whose lateness depends on them raise no more false alarms', () => {
    const options = { target: 0.98, falseAlarmEvery: 2000 }
    const late = (wrong: boolean) => (wrong ? 0 : 150)
    const times = seeds(200).map((seed) => firstAlarm(options, seed, 20_000, () => 0.02, 0.3, late))
    expect(mean(times)).toBeGreaterThan(2000)
  })

  it('questions that nobody answers raise none', () => {
    expect(
      firstAlarm(
        { target: 0.9, falseAlarmEvery: 100 },
        1,
        10_000,
        () => 0.9,
        0.5,
        () => -1,
      ),
    ).toBe(10_000)
  })

  it('a fall from 0.99 to 0.9 is noticed soon', () => {
    const fall = (t: number) => (t < 3000 ? 0.005 : 0.1)
    const times = seeds(60).map((seed) => firstAlarm({ target: 0.98 }, seed, 10_000, fall))
    expect(times.filter((t) => t < 3000).length).toBeLessThanOrEqual(3)
    expect(mean(times.map((t) => Math.max(0, t - 3000)))).toBeLessThan(800)
  })

  it('without a target it measures what the accuracy was', () => {
    const alarm = new FallAlarm({ reference: 1000 })
    for (let t = 0; t < 1000; t++) {
      expect(alarm.target).toBe(0)
      alarm.sample(t, 1, true)
      alarm.answer(t, t % 100 !== 0)
    }
    expect(alarm.target).toBeCloseTo(0.98, 12)
    const fall = (t: number) => (t < 4000 ? 0.01 : 0.2)
    const times = seeds(60).map((seed) => firstAlarm({ reference: 3000 }, seed, 10_000, fall, 0.3))
    expect(times.filter((t) => t < 4000).length).toBeLessThanOrEqual(3)
    expect(mean(times.map((t) => Math.max(0, t - 4000)))).toBeLessThan(800)
  })

  it('never allows more than every second assessment to be wrong', () => {
    const alarm = new FallAlarm({ reference: 100, tolerance: 2 })
    for (let t = 0; t < 100; t++) {
      alarm.sample(t, 1, true)
      alarm.answer(t, t % 5 > 1)
    }
    expect(alarm.target).toBe(0.5)
  })

  /** Which of `wrong` checks in a row, each a block, raise an alarm where a tenth may be wrong. */
  const raisedBy = (falseAlarmEvery: number, wrong: number, coin = 1, floor = 1) => {
    const alarm = new FallAlarm({ target: 0.9, block: 1, falseAlarmEvery, floor })
    return Array.from({ length: wrong }, (_, t) => alarm.sample(t, coin, true) || alarm.answer(t, false))
  }

  it('begins anew after an alarm, by hand: e = 1 + λ·9 for λ = 0.2, 0.5, 0.95 gives 5.95, then 49.05', () => {
    const mean = [2.8, 5.5, 9.55].reduce((sum, e) => sum + ((0 + 1) * e + 1) * e, 0) / 3
    expect(mean).toBeCloseTo(49.05, 2)
    expect(raisedBy(49, 4)).toEqual([false, true, false, true])
    expect(raisedBy(49.1, 3)).toEqual([false, false, true])
  })

  it('counts a wrong check 1/π-fold, but no rarer coin than the floor, by hand: e = 1 + λ·19', () => {
    const mean = [4.8, 10.5, 19.05].reduce((sum, e) => sum + e, 0) / 3
    for (const coin of [0.5, 0.1]) {
      expect(raisedBy(mean - 0.1, 1, coin, 0.5)).toEqual([true])
      expect(raisedBy(mean + 0.1, 1, coin, 0.5)).toEqual([false])
    }
  })

  it('waits for an answer for `patience` samples exactly', () => {
    for (const patience of [3, undefined]) {
      const alarm = new FallAlarm({ target: 0.9, block: 1, falseAlarmEvery: 10, patience })
      const last = patience ?? 1024
      alarm.sample(0, 1, true)
      for (let t = 1; t < last; t++) {
        expect(alarm.sample(t, 1, true)).toBe(false)
        expect(alarm.answer(t, false)).toBe(false)
      }
      expect(alarm.sample(last, 1, true)).toBe(true)
    }
  })

  it('goes on from a state saved at any point, also while it measures', () => {
    const options = { reference: 300, tolerance: 1, falseAlarmEvery: 20, patience: 16, block: 7, floor: 0.25 }
    const alarm = new FallAlarm(options)
    const copies: FallAlarm[] = []
    for (let t = 0; t < 500; t++) {
      if (t % 41 === 3) {
        const copy = new FallAlarm(options)
        copy.transfer(new StateReader(stateBytes(alarm)))
        copies.push(copy)
      }
      // An answer may be the first that comes after a start.
      const coin = [1, 0.5, 0.25][t % 3]
      const play = (one: FallAlarm) => [
        one.answer(t - 5, t < 350 ? t % 20 > 0 : t % 2 > 0),
        one.sample(t, coin, t % 4 > 0),
        one.target,
        one.raised,
      ]
      const said = play(alarm)
      for (const copy of copies) expect(play(copy)).toEqual(said)
    }
    expect(alarm.raised).toBeGreaterThan(1)
    expect(alarm.target).toBeGreaterThan(0.6)
    for (const copy of copies) expect(stateBytes(copy)).toEqual(stateBytes(alarm))
  })

  it('goes on from a saved state with the same bits', () => {
    const play = (alarm: FallAlarm, from: number) => {
      const raised: number[] = []
      for (let t = from; t < from + 300; t++) {
        alarm.sample(t, 1, true)
        if (t >= 5 && alarm.answer(t - 5, t % 7 !== 0)) raised.push(t)
      }
      return raised
    }
    const one = new FallAlarm({ target: 0.9, falseAlarmEvery: 50, patience: 16, block: 7 })
    play(one, 0)
    const writer = new StateWriter()
    one.transfer(writer)
    const two = new FallAlarm({ target: 0.9, falseAlarmEvery: 50, patience: 16, block: 7 })
    two.transfer(new StateReader(writer.finish()))
    const next = play(one, 300)
    expect(next.length).toBeGreaterThan(0)
    expect(play(two, 300)).toEqual(next)
  })

  it.each([
    ['target', 0.4],
    ['reference', 1],
    ['tolerance', 0.5],
    ['falseAlarmEvery', 1],
    ['block', 0],
    ['floor', 0],
    ['patience', 0],
    ['speed', 1],
  ])('refuses %s: %s', (option, value) => {
    expect(() => new FallAlarm({ [option]: value })).toThrow(`option ${option}`)
  })
})
