import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
import { StateReader, stateBytes } from '../state/state-io.ts'
import { RobustScaler } from './robust-scaler.ts'
import { Scaler } from './scaler.ts'
import { StuckChannels } from './stuck-channels.ts'

/** Standard normal numbers, by the sum of twelve uniform ones. */
function normal(random: Random): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random.uniform()
  return sum
}

function scaled(scaler: RobustScaler | Scaler, x: number): number {
  const z = new Float64Array(1)
  scaler.scale(Float64Array.of(x), z)
  return z[0]
}

describe('RobustScaler', () => {
  it('agrees with the running scaler where nothing is outlying', () => {
    const random = new Random(1, 'test')
    const [robust, running] = [new RobustScaler(1), new Scaler(1, 'running')]
    for (let t = 0; t < 500; t++) {
      const x = Float64Array.of(50 + 3 * normal(random))
      robust.feed(x)
      running.feed(x, false)
    }
    for (const x of [44, 50, 53]) expect(scaled(robust, x)).toBeCloseTo(scaled(running, x), 1)
  })

  it.each([0, 1, 5, 24, 25, 300])('is not spoilt by a value of 1e6 at place %i', (place) => {
    const random = new Random(1, 'test')
    const scaler = new RobustScaler(1)
    for (let t = 0; t < 400; t++) scaler.feed(Float64Array.of(t === place ? 1e6 : normal(random)))
    expect(Math.abs(scaled(scaler, 0))).toBeLessThan(0.3)
    expect(scaled(scaler, 1)).toBeGreaterThan(0.6)
    expect(scaled(scaler, 1e300)).toBe(5)
    expect(scaled(scaler, -1e300)).toBe(-5)
  })

  it.each([3, 24, 25, 60])('goes on from a state saved after %i samples', (count) => {
    const random = new Random(2, 'test')
    const [whole, copy] = [new RobustScaler(1), new RobustScaler(1)]
    for (let t = 0; t < count; t++) whole.feed(Float64Array.of(normal(random)))
    copy.transfer(new StateReader(stateBytes(whole)))
    for (let t = 0; t < 40; t++) {
      const x = Float64Array.of(normal(random) * (t % 9 === 0 ? 100 : 1))
      whole.feed(x)
      copy.feed(x)
      expect(scaled(copy, 1)).toBe(scaled(whole, 1))
    }
  })

  it('without a floor takes rounding noise for standing still, and a millionth of the mean for moving', () => {
    const [noise, moves] = [0, 1].map(() => new RobustScaler(1, 'relative'))
    for (let t = 0; t < 60; t++) {
      noise.feed(Float64Array.of(t % 2 === 0 ? 0.3 : 0.1 * 3))
      moves.feed(Float64Array.of(1e6 + (t % 2)))
    }
    expect(scaled(noise, 0.7)).toBe(0)
    expect(scaled(moves, 1e6 + 1.5)).toBeCloseTo(2, 9)
  })

  it('draws values in to five deviations on both sides, to more while few samples have been seen', () => {
    const scaler = new RobustScaler(1, 'relative')
    const reach = () => {
      const out = new Float64Array(2)
      return [-1e9, 1e9].map((x) => {
        scaler.drawIn(Float64Array.of(x), out.subarray(0, 1))
        return out[0]
      })
    }
    for (let t = 0; t < 50; t++) scaler.feed(Float64Array.of(t % 2 === 0 ? 3 : 1))
    // Mean 2, deviation 1: 5 · (1 + 25/50) of them, then 5 · (1 + 25/2500).
    for (const [i, found] of reach().entries()) expect(found).toBeCloseTo([-5.5, 9.5][i], 9)
    for (let t = 0; t < 2450; t++) scaler.feed(Float64Array.of(t % 2 === 0 ? 3 : 1))
    for (const [i, found] of reach().entries()) expect(found).toBeCloseTo([-3.05, 7.05][i], 9)
  })

  it('follows a lasting change of range', () => {
    const random = new Random(1, 'test')
    const scaler = new RobustScaler(1)
    for (let t = 0; t < 300; t++) scaler.feed(Float64Array.of(normal(random)))
    for (let t = 0; t < 300; t++) scaler.feed(Float64Array.of(1000 * normal(random)))
    expect(scaled(scaler, 1000)).toBeLessThan(2.5)
    expect(scaled(scaler, 1000)).toBeGreaterThan(0.5)
  })
})

describe('Scaler', () => {
  it('divides by the population deviation + 0.01, as the paper does; the warm-up set alone or everything', () => {
    const [frozen, running, none] = (['warm-up', 'running', 'none'] as const).map((scaling) => new Scaler(1, scaling))
    for (const [x, warmUp] of [
      [1, true],
      [5, true],
      [12, false],
    ] as const) {
      for (const scaler of [frozen, running, none]) scaler.feed(Float64Array.of(x), warmUp)
    }
    expect(scaled(frozen, 4)).toBeCloseTo((4 - 3) / (2 + 0.01), 12)
    expect(scaled(running, 4)).toBeCloseTo((4 - 6) / (Math.sqrt(62 / 3) + 0.01), 12)
    expect(scaled(none, 4)).toBe(4)
  })
})

describe.each(['pb-oel', 'pb-oel-plus', 'rvfl-hddm-np'])('%s with robust scaling', (method) => {
  /** Share of right most probable levels among the answers `from` … `to` after one labelled outlier. */
  function accuracyAfterOutlier(place: number, from: number, to: number): number {
    const random = new Random(7, 'test')
    const assessor = createAssessor(method, { channels: 2, levels: 2 }, { scaling: 'robust' })
    let right = 0
    for (let t = 0; t < place + to; t++) {
      const level = random.uniform() < 0.5 ? 0 : 1
      const x = Float64Array.from({ length: 2 }, () => 0.9 * random.uniform() + 1.1 * level)
      if (t === place) x.set([1e6, -1e6])
      const { id, probabilities } = assessor.assess(x)
      if (t >= place + from && probabilities[level] > 0.5) right++
      assessor.learn(id, { kind: 'label', level: t === place ? 0 : level })
    }
    return right / (to - from)
  }

  it('goes on after one labelled [1e6, -1e6] in channels of 0 to 2', () => {
    expect(accuracyAfterOutlier(500, 1, 101)).toBeGreaterThan(0.97)
    expect(accuracyAfterOutlier(500, 100, 1500)).toBeGreaterThan(0.99)
    expect(accuracyAfterOutlier(0, 100, 1000)).toBeGreaterThan(0.99)
  })
})

describe('channels that stop moving', () => {
  /** How many equal values it takes after 200 values that each come `every` times in a row. */
  function noticedAfter(every: number): number {
    const stuck = new StuckChannels(1)
    for (let t = 0; t < 200 * every; t++) stuck.feed([Math.floor(t / every)])
    const copy = new StuckChannels(1)
    copy.restore(stuck.snapshot())
    for (let equal = 1; ; equal++) {
      if (stuck.after([-1]).length > 0) return equal
      stuck.feed([-1])
      copy.feed([-1])
      expect(copy.after([-1])).toEqual(stuck.after([-1]))
    }
  }

  it('are noticed the later the more often they repeat a value, and those that never moved never', () => {
    expect(noticedAfter(1)).toBe(12)
    expect(noticedAfter(10)).toBeGreaterThan(150)
    expect(noticedAfter(10)).toBeLessThan(250)
    const still = new StuckChannels(1)
    for (let t = 0; t < 10_000; t++) still.feed([7])
    expect(still.after([7])).toEqual([])
  })

  it('are not looked for before 50 values, and what a stuck channel repeats does not become usual', () => {
    const stuck = new StuckChannels(1)
    for (let t = 0; t < 40; t++) stuck.feed([t])
    for (let t = 0; t < 30; t++) stuck.feed([-1])
    expect(stuck.after([-1])).toEqual([])
    for (let t = 0; t < 200; t++) stuck.feed([t])
    for (let t = 0; t < 1000; t++) stuck.feed([-1])
    for (let t = 0; t < 5; t++) stuck.feed([t])
    for (let t = 0; t < 25; t++) stuck.feed([-1])
    expect(stuck.after([-1])).toEqual([0])
  })

  it('go on being watched from a state saved while they repeat themselves', () => {
    const [stuck, copy] = [new StuckChannels(2), new StuckChannels(2)]
    for (let t = 0; t < 60; t++) stuck.feed([t, t])
    for (let t = 0; t < 9; t++) stuck.feed([t, -1])
    copy.restore(stuck.snapshot())
    for (let t = 0; t < 3; t++) for (const one of [stuck, copy]) one.feed([t, -1])
    for (const one of [stuck, copy]) expect(one.after([-1, -1])).toEqual([1])
  })
})
