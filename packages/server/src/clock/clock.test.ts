import { describe, expect, it, vi } from 'vitest'
import { deadline, systemClock } from './clock.ts'
import { SimulatedClock } from './testing/simulated-clock.ts'

/** The longest wait that Node takes; it ends a longer one at once. */
const LONGEST = 2_147_483_647

describe('the clock of the machine', () => {
  it('waits as long as a timer can where more is wanted, and not no time at all', async () => {
    const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')]
    const month = 31 * 86_400_000
    try {
      systemClock.after(month, () => {})()
      systemClock.every(month, () => {})()
      const ending = new AbortController()
      const paused = systemClock.pause(month, ending.signal)
      ending.abort()
      await paused
      expect(timers.map(({ mock }) => mock.calls.map(([, wait]) => wait))).toEqual([[LONGEST, LONGEST], [LONGEST]])
    } finally {
      for (const timer of timers) timer.mockRestore()
    }
  })
})

describe('a deadline', () => {
  it('ends what waits after its milliseconds, and says so', async () => {
    const clock = new SimulatedClock()
    const signal = deadline(clock, 10_000)
    await clock.advance(9_999)
    expect(signal.aborted).toBe(false)
    await clock.advance(1)
    expect([signal.aborted, signal.reason.name, signal.reason.message]).toEqual([
      ...[true, 'TimeoutError', 'no answer in 10000 ms'],
    ])
  })
})
