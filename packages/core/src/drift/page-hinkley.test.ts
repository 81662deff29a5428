import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { obey } from '../testing/obey.ts'
import { PageHinkley } from './page-hinkley.ts'
import { firstSignals, repeat } from './testing/signals.ts'

describe('PageHinkley', () => {
  obey(detectorLaws({ create: () => new PageHinkley({ threshold: 10 }) }))

  it('sums the deviations from the running mean', () => {
    // k ones after 100 zeros deviate by 100/101 + … + 100/(100+k): 9.44 for k = 10, 10.33 for k = 11, less 0.005 each.
    const values = [...repeat(0, 100), ...repeat(1, 100)]
    expect(firstSignals(new PageHinkley({ threshold: 10, forgetting: 1 }), values).drift).toBe(111)
    expect(firstSignals(new PageHinkley({ threshold: 9.4, forgetting: 1 }), values).drift).toBe(110)
    // A tolerated change of 0.2 costs 0.2 per value: Σ − 0.2k is 9.57 for k = 13 and 10.24 for k = 14.
    expect(firstSignals(new PageHinkley({ threshold: 10, forgetting: 1, delta: 0.2 }), values).drift).toBe(114)
  })

  it('sees a fall only when asked to', () => {
    const values = [...repeat(1, 100), ...repeat(0, 100)]
    expect(firstSignals(new PageHinkley({ threshold: 10 }), values).drift).toBe(0)
    expect(firstSignals(new PageHinkley({ threshold: 10, forgetting: 1, sides: 'both' }), values).drift).toBe(111)
  })

  it('a sum that has reached the threshold is not above it', () => {
    // The mean of 0 and ±2 is ±1: the second value deviates by 1 from it.
    const detector = (threshold: number) =>
      new PageHinkley({ threshold, minimum: 1, delta: 0, forgetting: 1, sides: 'both' })
    for (const value of [2, -2]) {
      expect([1, 0.99].map((threshold) => firstSignals(detector(threshold), [0, value]).drift)).toEqual([0, 2])
    }
  })

  it('waits for its minimum', () => {
    const values = [0, ...repeat(100, 40)]
    expect(firstSignals(new PageHinkley({ threshold: 10, minimum: 20 }), values).drift).toBe(20)
    expect(firstSignals(new PageHinkley({ threshold: 10, minimum: 2 }), values).drift).toBe(2)
  })

  it('refuses options out of range', () => {
    expect(() => new PageHinkley({ threshold: 0 })).toThrow(OptionError)
    expect(() => new PageHinkley({ forgetting: 1.1 })).toThrow(OptionError)
  })
})
