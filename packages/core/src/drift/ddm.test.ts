import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { detectorLaws } from '../laws/detector-laws.ts'
import { obey } from '../testing/obey.ts'
import { Ddm } from './ddm.ts'
import { firstSignals, repeat } from './testing/signals.ts'

describe('Ddm', () => {
  obey(detectorLaws({ create: () => new Ddm() }))

  it('measures from the best point so far', () => {
    // Every tenth answer wrong, then all. Best at n = 39: 3/39 + √(3/39·36/39/39) = 0.0769 + 0.0427. Two deviations
    // above 0.0769 is 0.1623 (7/61 + s = 0.1556, 8/62 + s = 0.1716), three 0.2049 (10/64 + s = 0.2016, 11/65 + s =
    // 0.2157).
    const values = Array.from({ length: 99 }, (_, i) => (i + 1 > 60 || (i + 1) % 10 === 0 ? 1 : 0))
    expect(firstSignals(new Ddm(), values)).toEqual({ warning: 62, drift: 65 })
  })

  it('takes the first error after a stretch without any for drift, but not within its minimum', () => {
    expect(firstSignals(new Ddm(), [...repeat(0, 40), 1])).toEqual({ warning: 0, drift: 41 })
    expect(firstSignals(new Ddm({ minimum: 41 }), [...repeat(0, 40), 1])).toEqual({ warning: 0, drift: 0 })
  })

  it('is not disturbed by fewer errors', () => {
    expect(firstSignals(new Ddm(), [...repeat(1, 100), ...repeat(0, 400)])).toEqual({ warning: 0, drift: 0 })
  })

  it('refuses a drift level below the warning level', () => {
    expect(() => new Ddm({ warning: 3, drift: 2 })).toThrow(OptionError)
  })
})
