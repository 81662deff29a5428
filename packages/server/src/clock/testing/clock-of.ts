import { type Clock, systemClock } from '../clock.ts'

/** A clock whose wall clock never jumps: it shows what a test says. Its timers are those of the machine. */
export function clockOf(wall: () => number): Clock {
  return { ...systemClock, wall, monotonic: wall }
}
