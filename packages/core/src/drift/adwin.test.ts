import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { copyState } from '../laws/law.ts'
import { Random } from '../math/random.ts'
import { stateBytes } from '../state/state-io.ts'
import { obey } from '../testing/obey.ts'
import { Adwin, type AdwinOptions } from './adwin.ts'

/** Number of buckets of each size, smallest first. */
function layout(adwin: Adwin): number[] {
  const rows: number[] = []
  for (const { size } of adwin.buckets()) {
    const row = Math.log2(size)
    rows[row] = (rows[row] ?? 0) + 1
  }
  return rows
}

/** [place, width after it] of each drift. */
function drifts(options: AdwinOptions, values: number[]): [number, number][] {
  const adwin = new Adwin(options)
  return values.flatMap((value, i) => (adwin.update(value) === 'drift' ? [[i, adwin.width]] : []))
}

/** Boundaries between buckets whose means differ by more than ε_cut, by the definition. */
function allowedCuts(adwin: Adwin, least: number, delta: number): number {
  const buckets = adwin.buckets()
  const { width, mean, variance } = adwin
  const confidence = Math.log((2 * Math.log(width)) / delta)
  let [count, size, sum] = [0, 0, 0]
  for (const bucket of buckets) {
    size += bucket.size
    sum += bucket.sum
    const rest = width - size
    if (size < least || rest < least) continue
    const harmonic = 1 / (size - least + 1) + 1 / (rest - least + 1)
    const bound = Math.sqrt(2 * harmonic * variance * confidence) + (2 / 3) * harmonic * confidence
    if (Math.abs(sum / size - (width * mean - sum) / rest) > bound + 1e-9) count++
  }
  return count
}

const step = Array.from({ length: 400 }, (_, i) => (i < 200 ? 0 : 1))

describe('Adwin', () => {
  obey(detectorLaws({ create: () => new Adwin() }))
  obey(detectorLaws({ create: () => new Adwin({ compat: 'river', clock: 1 }) }))
  obey(detectorLaws({ create: () => new Adwin({ compat: 'skm', maxBuckets: 3, sides: 'increase' }) }))

  it('keeps the window as an exponential histogram', () => {
    const layouts: Record<number, number[]> = {}
    const adwin = new Adwin()
    for (let n = 1; n <= 100; n++) {
      adwin.update(n % 2)
      if ([5, 6, 8, 12, 32, 100].includes(n)) layouts[n] = layout(adwin)
    }
    expect(layouts).toEqual({
      5: [5],
      6: [4, 1],
      8: [4, 2],
      12: [4, 4],
      32: [4, 4, 5],
      100: [4, 4, 4, 5, 2],
    })
  })

  it('says nothing within its grace, and speaks right after it', () => {
    const values = step.slice(150, 300)
    expect(drifts({ clock: 1, grace: 10 }, values)[0][0]).toBeLessThan(90)
    expect(drifts({ clock: 1, grace: 90 }, values)[0][0]).toBe(90)
  })

  it('leaves no cut that the formula of Bifet and Gavaldà allows, at any boundary of its buckets', () => {
    const random = new Random(5, 'cuts')
    for (const [minSubWindow, maxBuckets] of [
      [1, 5],
      [5, 5],
      [1, 20],
    ]) {
      const adwin = new Adwin({ clock: 1, grace: 1, minSubWindow, maxBuckets, delta: 0.3 })
      for (let i = 0; i < 400; i++) {
        // Single values far out are parts of their own: the newest of the window, and later its oldest.
        const outlier = maxBuckets === 20 && i % 80 === 40 ? 100 : 0
        adwin.update(outlier + (random.uniform() < [0.1, 0.9, 0.4][Math.floor(i / 80) % 3] ? 1 : 0))
        expect([i, allowedCuts(adwin, minSubWindow, 0.3)]).toEqual([i, 0])
      }
      expect(adwin.detections).toBeGreaterThan(2)
    }
  })

  it('saves the same state before and after a saved state, also where rows were lost and are opened again', () => {
    const original = new Adwin({ clock: 1 })
    for (let i = 0; i < 1050; i++) original.update((i < 1000 ? 1 : 9) + (i % 3))
    const copy = copyState(original, new Adwin({ clock: 1 }))
    for (let i = 0; i < 300; i++) for (const adwin of [original, copy]) adwin.update(9 + (i % 3))
    expect(stateBytes(copy)).toEqual(stateBytes(original))
  })

  it('sums up mean and variance', () => {
    const adwin = new Adwin()
    for (const value of [1, 2, 3, 4, 5]) adwin.update(value)
    expect(adwin.width).toBe(5)
    expect(adwin.mean).toBe(3)
    expect(adwin.variance).toBeCloseTo(10 / 5, 14)
  })

  it('keeps the variance of both buckets at a merge; scikit-multiflow loses one', () => {
    const pattern = [0, 0, 1, 1, 0, 1, 0, 1]
    for (const [compat, deviation] of [
      ['canonical', 2],
      ['skm', 0.5],
    ] as const) {
      const adwin = new Adwin({ compat, clock: 1000 })
      for (let i = 0; i < 64; i++) adwin.update(pattern[i % 8])
      const top = adwin.buckets().filter(({ size }) => size === 8)
      expect(top.length).toBeGreaterThan(0)
      for (const bucket of top) expect(bucket).toEqual({ size: 8, sum: 4, deviation })
    }
  })

  it('finds a step where the specification says', () => {
    expect(drifts({}, step)).toEqual([
      [223, 56],
      [255, 72],
      [287, 88],
    ])
    expect(drifts({ clock: 1 }, step)[0]).toEqual([212, 181])
    expect(drifts({ compat: 'river' }, step)).toEqual([[223, 56]])
    expect(drifts({ compat: 'skm' }, step)).toEqual([
      [223, 192],
      [255, 96],
      [287, 96],
    ])
  })

  it('ends with the recent values only', () => {
    const run = (compat: AdwinOptions['compat']) => {
      const adwin = new Adwin({ compat })
      for (const value of step) adwin.update(value)
      return adwin
    }
    expect(run('canonical').width).toBe(200)
    expect(run('canonical').mean).toBe(1)
    expect(run('canonical').variance).toBeCloseTo(0, 14)
    expect(run('canonical').detections).toBe(3)
    expect(run('skm').width).toBe(208)
    expect(run('river').width).toBe(176)
  })

  it('has the mean of the window after the first cut', () => {
    const adwin = new Adwin()
    for (let i = 0; i <= 223; i++) adwin.update(step[i])
    expect(adwin.mean).toBeCloseTo(24 / 56, 15)
  })

  it('is quiet on a constant stream', () => {
    const adwin = new Adwin()
    for (let i = 0; i < 5000; i++) expect(adwin.update(0.3)).toBe('none')
    expect(adwin.width).toBe(5000)
    expect(adwin.variance).toBeLessThan(1e-12)
  })

  it('cuts exactly above the bound: ε = 0.94234 for 32 against 32 values of variance 0.25', () => {
    // δ' = ln(2 ln(64)/0.002) = 8.3330, m = 2/28. Two halves 0.94 apart are no drift, two 0.945 apart are one.
    const values = (distance: number) => {
      // Means 0.5 ∓ distance/2, spread so that the variance of the whole is 0.25.
      const spread = Math.sqrt(0.25 - (distance / 2) ** 2)
      return Array.from({ length: 64 }, (_, i) => 0.5 + (i < 32 ? -1 : 1) * (distance / 2) + (i % 2 ? 1 : -1) * spread)
    }
    expect(drifts({ clock: 64, minSubWindow: 5 }, values(0.94))).toEqual([])
    expect(drifts({ clock: 64, minSubWindow: 5 }, values(0.945)).map(([at]) => at)).toEqual([63])
  })

  it('compares parts of minSubWindow values, and none that are shorter', () => {
    // Only the first five together differ from the rest: the sixth value balances them.
    const values = Array.from({ length: 400 }, (_, i) => (i < 5 ? 10 : i === 5 ? -50 : 0))
    const options = { clock: 400, maxBuckets: 1000, delta: 0.3 }
    expect(drifts({ ...options, minSubWindow: 5 }, values).map(([at]) => at)).toEqual([399])
    expect(drifts({ ...options, minSubWindow: 6 }, values)).toEqual([])
    // Nor in a window that is too short for two parts.
    const zeros = new Array<number>(36).fill(0)
    for (const short of [
      [1, ...zeros],
      [...zeros, 1],
    ])
      expect(drifts({ clock: 1, minSubWindow: 20 }, short)).toEqual([])
  })

  it('cuts windows of two values where significance asks for little', () => {
    // δ' = ln(2 ln 2) = 0.3266, m = 2 and v = 3.0625: ε = 2.4356.
    expect(drifts({ clock: 1, grace: 0, delta: 1, minSubWindow: 1 }, [3.5, 0])).toEqual([[1, 1]])
  })

  it('a cut that leaves the mean as it was is no increase', () => {
    const values = [-8, 4, 0].flatMap((value, i) => new Array<number>([6, 12, 19][i]).fill(value))
    const options = { clock: 37, maxBuckets: 100, delta: 1, minSubWindow: 1, grace: 0 }
    expect(drifts(options, values)).toEqual([[36, 19]])
    expect(drifts({ ...options, sides: 'increase' }, values)).toEqual([])
  })

  it('ignores what gets better, when told to', () => {
    const better = step.map((value) => 1 - value)
    expect(drifts({ sides: 'increase' }, step).map(([at]) => at)).toEqual([223, 255, 287])
    expect(drifts({ sides: 'increase' }, better)).toEqual([])
    expect(drifts({ sides: 'both' }, better).map(([at]) => at)).toEqual([223, 255, 287])
    const adwin = new Adwin({ sides: 'increase' })
    for (const value of better) adwin.update(value)
    expect(adwin.width).toBe(200)
    expect(adwin.detections).toBe(0)
  })

  it('has buckets that add up to the window, whatever comes', () => {
    const options = fc.record({
      compat: fc.constantFrom('canonical', 'river'),
      clock: fc.integer({ min: 1, max: 40 }),
      maxBuckets: fc.integer({ min: 1, max: 9 }),
      delta: fc.double({ min: 1e-4, max: 0.9, noNaN: true }),
    })
    fc.assert(
      fc.property(options, fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 300 }), (o, values) => {
        const adwin = new Adwin(o as AdwinOptions)
        const seen: number[] = []
        for (const value of values) {
          adwin.update(value)
          seen.push(value)
        }
        const window = seen.slice(seen.length - adwin.width)
        const buckets = adwin.buckets()
        const mean = window.reduce((sum, value) => sum + value, 0) / (window.length || 1)
        expect(buckets.reduce((sum, { size }) => sum + size, 0)).toBe(adwin.width)
        expect(buckets.reduce((sum, bucket) => sum + bucket.sum, 0)).toBeCloseTo(mean * window.length, 8)
        expect(adwin.mean).toBeCloseTo(mean, 8)
        const variance = window.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (window.length || 1)
        expect(adwin.variance).toBeCloseTo(variance, 8)
        // Bucket by bucket, oldest first.
        let at = 0
        for (const { size, sum, deviation } of buckets) {
          const part = window.slice(at, at + size)
          const centre = part.reduce((total, value) => total + value, 0) / size
          expect(sum / size).toBeCloseTo(centre, 8)
          expect(deviation).toBeCloseTo(
            part.reduce((total, value) => total + (value - centre) ** 2, 0),
            8,
          )
          at += size
        }
      }),
    )
  })

  it('rarely cries wolf, and sees a change of the error rate soon', () => {
    const random = new Random(11, 'errors')
    let alarms = 0
    const delays: number[] = []
    for (let run = 0; run < 20; run++) {
      const adwin = new Adwin({ sides: 'increase' })
      for (let i = 0; i < 2000; i++) if (adwin.update(random.uniform() < 0.2 ? 1 : 0) === 'drift') alarms++
      let delay = 0
      while (delay < 1000 && adwin.update(random.uniform() < 0.6 ? 1 : 0) === 'none') delay++
      delays.push(delay)
    }
    expect(alarms).toBeLessThanOrEqual(2)
    expect(Math.max(...delays)).toBeLessThan(160)
  })

  it('holds an endless stream in little memory', () => {
    const adwin = new Adwin()
    for (let i = 0; i < 200_000; i++) adwin.update(i % 3 === 0 ? 1 : 0)
    expect(adwin.width).toBe(200_000)
    expect(adwin.buckets().length).toBeLessThan(100)
  })

  it('refuses options that make no sense', () => {
    expect(() => new Adwin({ delta: 0 })).toThrow(OptionError)
    expect(() => new Adwin({ clock: 0 })).toThrow(OptionError)
    expect(() => new Adwin({ compat: 'moa' as 'skm' })).toThrow(OptionError)
    expect(() => new Adwin({ window: 3 } as AdwinOptions)).toThrow(OptionError)
  })
})
