import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { Random } from '../math/random.ts'
import { obey } from '../testing/obey.ts'
import { Eddm } from './eddm.ts'
import { firstSignals } from './testing/signals.ts'

/** Errors at the given distances from each other. */
function errorsAt(distances: number[]): number[] {
  return distances.flatMap((distance) => [...new Array<number>(distance - 1).fill(0), 1])
}

/** Where drift is by the definition: every level from all distances since the last drift. */
function definedDrifts(values: number[], minimum: number): number[] {
  const found: number[] = []
  let [n, last, highest, distances] = [0, 0, 0, [] as number[]]
  values.forEach((value, i) => {
    n++
    if (value === 0) return
    distances.push(n - last)
    last = n
    const mean = distances.reduce((sum, one) => sum + one, 0) / distances.length
    const squares = distances.reduce((sum, one) => sum + (one - mean) ** 2, 0)
    const level = mean + 2 * Math.sqrt(squares / Math.max(1, distances.length - 1))
    if (n > minimum) highest = Math.max(highest, level)
    if (n <= minimum || distances.length <= minimum || level >= 0.9 * highest) return
    found.push(i)
    ;[n, last, highest, distances] = [0, 0, 0, []]
  })
  return found
}

describe('Eddm', () => {
  obey(detectorLaws({ create: () => new Eddm() }))

  it('compares mean + 2 deviations of the distances with its maximum', () => {
    // 40 distances of 10, then b of 2: mean (400+2b)/(40+b), variance 64·40b / ((40+b)(39+b)).
    const level = (b: number): number => (400 + 2 * b) / (40 + b) + 2 * Math.sqrt((64 * 40 * b) / ((40 + b) * (39 + b)))
    const levels = Array.from({ length: 200 }, (_, b) => level(b))
    const highest = Math.max(...levels)
    const after = (ratio: number): number =>
      400 + 2 * levels.findIndex((l, b) => b > levels.indexOf(highest) && l < ratio * highest)
    const values = errorsAt([...new Array<number>(40).fill(10), ...new Array<number>(200).fill(2)])
    expect(firstSignals(new Eddm(), values)).toEqual({ warning: after(0.95), drift: after(0.9) })
  })

  it('of River ends a warning also when the maximum is reached again, and no more', () => {
    const detector = new Eddm({ minimum: 1, drift: 0.01, compat: 'river' })
    // The levels after the last three errors: 4, 3.66 and 4 again.
    const signals = errorsAt([1, 2, 3, 1, 3]).map((value) => detector.update(value))
    expect(signals.filter((_, i) => [0, 2, 5, 6, 9].includes(i))).toEqual(['none', 'none', 'none', 'warning', 'none'])
  })

  it('counts from the last drift, with levels and errors beyond its minimum only', () => {
    const random = new Random(3, 'eddm')
    let drifts = 0
    for (let run = 0; run < 60; run++) {
      const minimum = 2 + (run % 6)
      const values = Array.from({ length: 60 }, (_, i) => (random.uniform() < (i % 30 < 15 ? 0.3 : 0.8) ? 1 : 0))
      const detector = new Eddm({ minimum })
      const found = values.flatMap((value, i) => (detector.update(value) === 'drift' ? [i] : []))
      expect(found).toEqual(definedDrifts(values, minimum))
      drifts += found.length
    }
    expect(drifts).toBeGreaterThan(60)
  })

  it('lets a warning last until the next error', () => {
    const distances = [...new Array<number>(40).fill(10), ...new Array<number>(200).fill(2)]
    const { warning } = firstSignals(new Eddm(), errorsAt(distances))
    const detector = new Eddm()
    expect(firstSignals(detector, errorsAt(distances).slice(0, warning)).warning).toBe(warning)
    for (let i = 0; i < 50; i++) expect(detector.update(0)).toBe('warning')
    // An error so late sets a new maximum of mean + 2 deviations and ends the warning; in River it does not.
    for (let i = 0; i < 1000; i++) detector.update(0)
    expect(detector.update(1)).toBe('none')
    const river = new Eddm({ compat: 'river' })
    firstSignals(river, errorsAt(distances).slice(0, warning))
    for (let i = 0; i < 1050; i++) river.update(0)
    expect(river.update(1)).toBe('warning')
  })

  it('says nothing while errors keep their distance, nor before 30 errors', () => {
    for (const options of [{}, { warning: 1 }, { drift: 1 }]) {
      const even = errorsAt(new Array<number>(500).fill(7))
      expect(firstSignals(new Eddm(options), even)).toEqual({ warning: 0, drift: 0 })
    }
    expect(
      firstSignals(new Eddm(), errorsAt([...new Array<number>(10).fill(50), ...new Array<number>(20).fill(1)])),
    ).toEqual({
      warning: 0,
      drift: 0,
    })
  })

  it('refuses a warning level below the drift level', () => {
    expect(() => new Eddm({ warning: 0.8, drift: 0.9 })).toThrow(OptionError)
  })
})
