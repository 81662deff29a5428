import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { gapProbability } from '../math/kolmogorov-smirnov.ts'
import { Random } from '../math/random.ts'
import { StateReader, stateBytes } from '../state/state-io.ts'
import { obey } from '../testing/obey.ts'
import { Kswin } from './kswin.ts'
import { firstSignals, repeat } from './testing/signals.ts'

describe('Kswin', () => {
  obey(detectorLaws({ create: () => new Kswin(), draws: true }))
  obey(detectorLaws({ create: () => new Kswin({ window: 60 }) }))

  it('sees drift when enough of the recent values differ from the older ones', () => {
    // With a window of 60 there is no choice among the older 30. The exact probability of D ≥ 14/30 is 0.0025, of
    // D ≥ 13/30 0.0065.
    const values = [...repeat(0, 100), ...repeat(1, 100)]
    expect(firstSignals(new Kswin({ window: 60 }), values).drift).toBe(114)
    expect(firstSignals(new Kswin({ window: 60, alpha: 0.007 }), values).drift).toBe(113)
  })

  it('keeps the recent values after drift; River forgets all', () => {
    const drifted = (compat: 'canonical' | 'river'): Kswin => {
      const detector = new Kswin({ window: 60, compat })
      expect(firstSignals(detector, [...repeat(0, 100), ...repeat(1, 14)]).drift).toBe(114)
      return detector
    }
    // 16 zeros and 14 ones stay, and 30 zeros fill the window: D = 14/30.
    expect(firstSignals(drifted('canonical'), repeat(0, 500)).drift).toBe(30)
    expect(firstSignals(drifted('river'), repeat(0, 500)).drift).toBe(0)
  })

  it('calls drift what is significant at alpha, but no difference of at most 0.1', () => {
    // Three values against three others: D = 1 has probability 0.1.
    const apart = [...repeat(0, 3), ...repeat(1, 3)]
    const exact = gapProbability(9, 3, 3)
    expect(exact).toBeCloseTo(0.1, 15)
    for (const [alpha, drift] of [
      [0.101, 6],
      [exact, 6],
      [0.099, 0],
    ])
      expect(firstSignals(new Kswin({ recent: 3, window: 6, alpha }), apart).drift).toBe(drift)
    const differing = (ones: number) =>
      firstSignals(new Kswin({ recent: 20, window: 40, alpha: 1 }), [...repeat(0, 40 - ones), ...repeat(1, ones)])
    expect([differing(2).drift, differing(3).drift]).toEqual([0, 40])
  })

  it('has a window of 100 values, or of twice the recent ones where that is more', () => {
    expect(firstSignals(new Kswin(), [...repeat(0, 70), ...repeat(1, 100)]).drift).toBe(100)
    expect(firstSignals(new Kswin({ recent: 60 }), [...repeat(0, 60), ...repeat(1, 100)]).drift).toBe(120)
  })

  it('draws the older values from all of them', () => {
    // 30 of 30 zeros and 30 ones: 15 ± 1.95 ones. At this alpha D ≥ 7/30 is drift; the first or the last 30 have 15/30.
    const values = [...repeat(0, 30), ...repeat(1, 30), ...repeat(0, 15), ...repeat(1, 15)]
    const seen = Array.from({ length: 40 }, (_, seed) => new Kswin({ window: 90, alpha: 0.4, seed }))
    expect(seen.map((detector) => firstSignals(detector, values).drift)).toEqual(repeat(0, 40))
  })

  it('draws no more numbers than choosing the older values needs', () => {
    const counts = Array.from({ length: 10 }, (_, seed) => {
      const detector = new Kswin({ window: 90, seed })
      for (let i = 0; i < 90; i++) detector.update(0)
      const random = new Random(seed, 'kswin')
      for (let left = 60, missing = 30; missing > 0; left--) {
        if (missing === left || random.uniform() * left < missing) missing--
      }
      expect([seed, new StateReader(stateBytes(detector)).number(0)]).toEqual([seed, random.position])
      return random.position
    })
    expect(Math.max(...counts)).toBeLessThan(60)
  })

  it('refuses a window without room for as many older values', () => {
    expect(() => new Kswin({ recent: 30, window: 59 })).toThrow(OptionError)
  })
})
