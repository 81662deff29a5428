import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
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

  it('follows a lasting change of range', () => {
    const random = new Random(1, 'test')
    const scaler = new RobustScaler(1)
    for (let t = 0; t < 300; t++) scaler.feed(Float64Array.of(normal(random)))
    for (let t = 0; t < 300; t++) scaler.feed(Float64Array.of(1000 * normal(random)))
    expect(scaled(scaler, 1000)).toBeLessThan(2.5)
    expect(scaled(scaler, 1000)).toBeGreaterThan(0.5)
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
})
