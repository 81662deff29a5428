import { describe, expect, it } from 'vitest'
import { type ClockJump, ServerClock } from './server-clock.ts'
import { SimulatedClock } from './testing/simulated-clock.ts'

const DAY = 86_400_000

function watched() {
  const clock = new SimulatedClock(1_000_000)
  const time = new ServerClock(clock)
  const told: ClockJump[] = []
  time.onJump((jump) => told.push(jump))
  return { clock, time, told }
}

describe("the server's time", () => {
  it('does not follow one wrong reading of the wall clock, and tells of both jumps', async () => {
    const { clock, time, told } = watched()
    await clock.advance(500)
    clock.jump(DAY)
    expect(time.now()).toBe(1_000_500)
    expect(time.offset).toBe(DAY)
    await clock.advance(1_500)
    clock.jump(-DAY)
    await clock.advance(20_000)
    expect(time.now()).toBe(1_022_000)
    expect(told).toEqual([
      { by: DAY, followed: false },
      { by: -DAY, followed: false },
    ])
    expect([time.jumps, time.steps, time.offset]).toEqual([2, 0, 0])
  })

  it.each([DAY, -3_600_000])('follows a jump of %d ms once it has lasted ten seconds', async (by) => {
    const { clock, time, told } = watched()
    clock.jump(by)
    await clock.advance(10_000)
    expect(time.now()).toBe(1_010_000)
    await clock.advance(1_000)
    expect(time.now()).toBe(1_011_000 + by)
    expect(told).toEqual([
      { by, followed: false },
      { by, followed: true },
    ])
    expect(time.latest).toEqual({ by, followed: true, time: 1_011_000 + by })
    expect([time.jumps, time.steps, time.offset]).toEqual([1, 1, 0])
  })

  it('takes more than a second for a jump, and no less', async () => {
    for (const [by, jumps] of [
      [1_000, 0],
      [1_001, 1],
      [-1_000, 0],
      [-1_001, 1],
    ]) {
      const { clock, time, told } = watched()
      clock.jump(by)
      await clock.advance(1_000)
      expect([by, told.length, time.jumps]).toEqual([by, jumps, jumps])
    }
  })

  it('makes up for a small difference slowly, without ever going back', async () => {
    const { clock, time, told } = watched()
    clock.jump(-300)
    let last = time.now()
    for (let second = 1; second <= 100; second++) {
      await clock.advance(1_000)
      expect(time.now()).toBeGreaterThanOrEqual(last + 998)
      last = time.now()
    }
    expect(Math.abs(time.offset)).toBeLessThan(202)
    await clock.advance(300_000)
    expect(Math.abs(time.offset)).toBeLessThan(2)
    expect(told).toEqual([])
  })

  it('counts every jump of a mad clock and tells of few', async () => {
    const { clock, time, told } = watched()
    for (let i = 0; i < 200; i++) {
      clock.jump(i % 2 ? -DAY : DAY)
      await clock.advance(1_000)
    }
    expect(time.jumps).toBe(200)
    expect(told.length).toBeLessThanOrEqual(14)
  })
})
