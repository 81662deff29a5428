import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { obey } from '../testing/obey.ts'
import { HddmW } from './hddm-w.ts'
import { firstSignals, repeat } from './testing/signals.ts'

describe('HddmW', () => {
  obey(detectorLaws({ create: () => new HddmW() }))
  obey(detectorLaws({ create: () => new HddmW({ sides: 'both', compat: 'river' }) }))

  it.each([
    [50, 62, 65],
    [100, 112, 115],
    [200, 212, 215],
  ])('after %i correct answers and then errors only, warns at %i and sees drift at %i', (zeros, warning, drift) => {
    const values = [...repeat(0, zeros), ...repeat(1, 50)]
    expect(firstSignals(new HddmW(), values)).toEqual({ warning, drift })
    expect(firstSignals(new HddmW({ compat: 'river' }), values)).toEqual({ warning: warning - 1, drift: drift - 1 })
  })

  it('follows McDiarmid’s bound with λ = 1: the difference of two values never exceeds √(2 ln(1/α) / 2)', () => {
    // λ = 1 keeps the latest value only: q = 1 for both averages, and 1 > √((1+1)·ln(1/α)/2) needs α > 1/e.
    const values = [0, 0, 1]
    expect(firstSignals(new HddmW({ lambda: 1, drift: 0.37, warning: 0.9 }), values).drift).toBe(3)
    expect(firstSignals(new HddmW({ lambda: 1, drift: 0.36, warning: 0.9 }), values).drift).toBe(0)
    const edge = 1 / Math.E
    expect(firstSignals(new HddmW({ lambda: 1, drift: edge, warning: 0.9 }), values)).toEqual({ warning: 3, drift: 0 })
    expect(firstSignals(new HddmW({ lambda: 1, drift: 0.1, warning: edge }), values)).toEqual({ warning: 0, drift: 0 })
  })

  it('compares two averages that both have settled, after a long time without change', () => {
    // q = λ/(2−λ) = 0.02564 for both. k errors make the new one 1 − 0.95^k; drift is above √(2q·ln(1000)/2) = 0.4209,
    // a warning above √(2q·ln(200)/2) = 0.3686.
    const values = [...repeat(0, 1000), ...repeat(1, 50)]
    expect(firstSignals(new HddmW(), values)).toEqual({ warning: 1009, drift: 1011 })
    expect(
      firstSignals(
        new HddmW({ sides: 'both' }),
        values.map((value) => 1 - value),
      ),
    ).toEqual({
      warning: 1009,
      drift: 1011,
    })
  })

  it.each([0, 1])('says nothing on a stream of %i only, on either side', (value) => {
    expect(firstSignals(new HddmW({ sides: 'both' }), repeat(value, 5000))).toEqual({ warning: 0, drift: 0 })
  })

  it('sees a fall only when asked to, where it would see the mirrored rise; scikit-multiflow never', () => {
    const values = [...repeat(1, 50), ...repeat(0, 50)]
    expect(firstSignals(new HddmW(), values)).toEqual({ warning: 0, drift: 0 })
    expect(firstSignals(new HddmW({ sides: 'both' }), values)).toEqual({ warning: 62, drift: 65 })
    expect(firstSignals(new HddmW({ sides: 'both', compat: 'skm' }), values)).toEqual({ warning: 0, drift: 0 })
  })

  it('that sees a rise as drift says so on both sides, too, whatever it has seen of a fall', () => {
    const options = { drift: 0.05, warning: 0.9 }
    const values = Array.from('000000010000000100000001001000011111111100000000111', Number)
    expect(firstSignals(new HddmW(options), values).drift).toBe(51)
    expect(firstSignals(new HddmW({ ...options, sides: 'both' }), values).drift).toBe(51)
  })

  it('refuses options out of range', () => {
    expect(() => new HddmW({ lambda: 0 })).toThrow(OptionError)
    expect(() => new HddmW({ drift: 0.01, warning: 0.001 })).toThrow(OptionError)
    expect(() => new HddmW({ lamda: 0.1 } as object)).toThrow(OptionError)
  })
})
