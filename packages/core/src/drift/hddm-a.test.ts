import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { log } from '../math/elementary.ts'
import { obey } from '../testing/obey.ts'
import { HddmA } from './hddm-a.ts'
import { firstSignals, repeat } from './testing/signals.ts'

interface GoldenRun {
  confidence: number[]
  drifts: number[]
}

describe('HddmA', () => {
  obey(detectorLaws({ create: () => new HddmA() }))

  it.each([
    [30, 34, 35],
    [50, 54, 55],
    [100, 0, 104],
    [200, 0, 204],
  ])('after %i correct answers and then errors only, warns at %i and sees drift at %i', (zeros, warning, drift) => {
    expect(firstSignals(new HddmA(), [...repeat(0, zeros), ...repeat(1, 30)])).toEqual({ warning, drift })
  })

  it('with ln(1/α) needs 4 of 34 where ln(2/α) needs 5 of 35', () => {
    // √(4·ln 1000 / (2·30·34)) = 0.11638 ≤ 4/34 = 0.11765 < √(4·ln 2000 / (2·30·34)) = 0.12208
    const values = [...repeat(0, 30), ...repeat(1, 30)]
    expect(firstSignals(new HddmA({ tail: 1 }), values).drift).toBe(34)
    expect(firstSignals(new HddmA({ tail: 2 }), values).drift).toBe(35)
  })

  it('agrees with an independent implementation on confidences', () => {
    const runs: GoldenRun[] = JSON.parse(readFileSync(new URL('./golden/hddm.json', import.meta.url), 'utf8'))
    for (const { confidence, drifts } of runs) {
      const detector = new HddmA()
      const found: number[] = []
      confidence.forEach((value, i) => {
        if (detector.update(1 - value) === 'drift') found.push(i)
      })
      expect(found).toEqual(drifts)
    }
  })

  it.each([0, 1])('says nothing on a stream of %i only, on either side', (value) => {
    expect(firstSignals(new HddmA({ sides: 'both' }), repeat(value, 5000))).toEqual({ warning: 0, drift: 0 })
  })

  it('sees a fall when asked to watch both sides, where it would see the mirrored rise', () => {
    const values = [...repeat(1, 30), ...repeat(0, 30)]
    expect(firstSignals(new HddmA(), values)).toEqual({ warning: 0, drift: 0 })
    expect(firstSignals(new HddmA({ sides: 'both' }), values)).toEqual({ warning: 34, drift: 35 })
  })

  it('calls drift or a warning what is exactly significant, and nothing where nothing has changed', () => {
    // 0 and then v differ by v/2 from their mean: 4·(v/2)² = ln(1/α) for v = √ln(1/α).
    const values = [0, Math.sqrt(log(4))]
    expect(firstSignals(new HddmA({ tail: 1, drift: 0.25 }), values).drift).toBe(2)
    expect(firstSignals(new HddmA({ tail: 1, drift: 0.1, warning: 0.25 }), values)).toEqual({ warning: 2, drift: 0 })
    const eager = new HddmA({ tail: 1, drift: 1, sides: 'both' })
    expect(firstSignals(eager, repeat(0.5, 20))).toEqual({ warning: 0, drift: 0 })
  })

  it('that sees a rise as drift says so on both sides, too, whatever it has seen of a fall', () => {
    const options = { drift: 0.05, warning: 0.9 }
    const values = Array.from('101011000000000011111', Number)
    expect(firstSignals(new HddmA(options), values).drift).toBe(21)
    expect(firstSignals(new HddmA({ ...options, sides: 'both' }), values).drift).toBe(21)
  })

  it('as scikit-multiflow starts afresh at a fall without saying so', () => {
    const detector = new HddmA({ sides: 'both', compat: 'skm' })
    expect(firstSignals(detector, [...repeat(1, 30), ...repeat(0, 5)])).toEqual({ warning: 0, drift: 0 })
    // Thirty zeros after the silent reset, and the rise comes as in a new detector.
    expect(firstSignals(detector, [...repeat(0, 30), ...repeat(1, 30)])).toEqual({ warning: 34, drift: 35 })
    const rise = new HddmA({ sides: 'both', compat: 'skm' })
    expect(firstSignals(rise, [...repeat(0, 30), ...repeat(1, 30)])).toEqual({ warning: 34, drift: 35 })
  })

  it('refuses levels out of order and unknown options', () => {
    expect(() => new HddmA({ drift: 0.01, warning: 0.001 })).toThrow(OptionError)
    expect(() => new HddmA({ tail: 3 as 2 })).toThrow(OptionError)
    expect(() => new HddmA({ level: 1 } as object)).toThrow(OptionError)
  })
})
