import { expect, it } from 'vitest'
import { mixedLoad } from './mixed-load.ts'

/** PB_OEL_SOAK=1 asks for it: it takes more than three minutes. */
it.skipIf(!process.env.PB_OEL_SOAK)(
  'three minutes of load and abuse: nothing lost, nothing doubled, hashes equal, memory flat (soak: three minutes; PB_OEL_SOAK=1 runs it)',
  async () => {
    const { wrong, acknowledged, events, abuse } = await mixedLoad({ minutes: 3, systems: 10, rate: 5 })
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(1_000)
    expect(events).toBeGreaterThan(100)
    expect(Object.keys(abuse).length).toBeGreaterThanOrEqual(7)
  },
  300_000,
)
