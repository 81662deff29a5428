import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { Random } from '../math/random.ts'
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
    // 16 zeros and 14 ones stay, and 30 times 0.5 fill the window: D = 16/30.
    expect(firstSignals(drifted('canonical'), repeat(0.5, 500)).drift).toBe(30)
    expect(firstSignals(drifted('river'), repeat(0.5, 500)).drift).toBe(0)
  })

  it('does not call a difference of at most 0.1 drift, however significant', () => {
    const random = new Random(3, 'kswin test')
    const values = Array.from({ length: 4000 }, (_, i) => (random.uniform() < (i < 2000 ? 0 : 0.05) ? 1 : 0))
    expect(firstSignals(new Kswin({ recent: 1000, alpha: 0.9 }), values).drift).toBe(0)
  })

  it('refuses a window without room for as many older values', () => {
    expect(() => new Kswin({ recent: 30, window: 59 })).toThrow(OptionError)
  })
})
