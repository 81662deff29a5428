import { describe, expect, it } from 'vitest'
import { openStream } from '../streams/open-stream.ts'
import { AdaptationMeter } from './adaptation.ts'
import { runOnce } from './run.ts'

describe('the speed of adaptation', () => {
  const meter = (changes: number[], rights: readonly boolean[]) => {
    const meter = new AdaptationMeter(changes, rights.length)
    for (const right of rights) meter.add(right)
    return meter.result()
  }

  it('is the number of samples until the latest 50 are as right as 0.95 of the later ones', () => {
    // Wrong in the 100 samples after the change, right from then on: 48 of 50 are right after 148.
    const rights = Array.from({ length: 1000 }, (_, t) => t < 400 || t >= 500)
    expect(meter([400], rights)).toEqual([{ at: 400, samples: 148 }])
  })

  it('is told for each change up to the next', () => {
    const rights = Array.from({ length: 900 }, (_, t) => t < 300 || (t >= 600 && t < 620) || t >= 640)
    expect(meter([300, 600], rights)).toEqual([
      // Nothing was right later either, so nothing had to be reached.
      { at: 300, samples: 50 },
      { at: 600, samples: 88 },
    ])
  })

  it('is silent where no change is known', () => {
    expect(meter([], [true, false])).toBeUndefined()
  })

  it('is a figure of a run over a stream that says where it changes', async () => {
    const address = 'abrupt:at=1000+sea:concept=1,noise=0+sea:concept=3,noise=0'
    const stream = openStream(address, { samples: 2000 })
    expect(stream.changes).toEqual([1000])
    const { adaptation } = await runOnce(stream, { method: 'arf', rho: 1, seed: 1 })
    expect(adaptation).toHaveLength(1)
    expect(adaptation?.[0].at).toBe(1000)
    const steady = await runOnce(openStream('sea', { samples: 300 }), { method: 'arf', rho: 1, seed: 1 })
    expect(steady.adaptation).toBeUndefined()
  })
})
