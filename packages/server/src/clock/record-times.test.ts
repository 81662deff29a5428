import { describe, expect, it } from 'vitest'
import { RecordTimes } from './record-times.ts'
import { ServerClock } from './server-clock.ts'
import { SimulatedClock } from './testing/simulated-clock.ts'

describe('the times of records', () => {
  it('wait for a clock that they are up to a second ahead of, and run at half the speed beyond that', async () => {
    const clock = new SimulatedClock(5_000_000)
    const time = new ServerClock(clock)
    const near = new RecordTimes(time, 5_001_000, 1)
    expect(near.change()).toBeUndefined()
    await clock.advance(999)
    expect([near.next(), near.pace]).toEqual([5_001_000, 1])
    await clock.advance(2)
    expect(near.next()).toBe(5_001_001)
    const far = new RecordTimes(time, 5_002_002, 1)
    expect(far.change()).toEqual({
      time: 5_002_002,
      body: { jump: 0, followed: false, until: 5_002_002, pace: 2, ahead: 1_001 },
    })
    await clock.advance(500)
    expect(far.next()).toBe(5_002_252)
    await clock.advance(1_502)
    // Both are there now: from here on the times are those of the clock.
    expect(far.change()).toMatchObject({ time: 5_003_003, body: { pace: 1, ahead: 0 } })
  })
})
