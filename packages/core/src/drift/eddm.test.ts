import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { obey } from '../testing/obey.ts'
import { Eddm } from './eddm.ts'
import { firstSignals } from './testing/signals.ts'

/** Errors at the given distances from each other. */
function errorsAt(distances: number[]): number[] {
  return distances.flatMap((distance) => [...new Array<number>(distance - 1).fill(0), 1])
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
    expect(firstSignals(new Eddm(), errorsAt(new Array<number>(500).fill(7)))).toEqual({ warning: 0, drift: 0 })
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
