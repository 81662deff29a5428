import { type Clock, systemClock } from './clock.ts'

/** Milliseconds between the wall clock and the server's own time from which on it is a jump. */
const JUMP = 1_000
/** Milliseconds that a jump must have lasted before the server's time follows it. */
const LASTING = 10_000
/** Share by which the server's time may run faster or slower to follow a wall clock that is a little off. */
const SLEW = 0.001
/** Milliseconds between two looks at the wall clock. */
const LOOK = 1_000
/** Jumps told at once, and milliseconds until one more may be: a clock that is mad must not fill the log. */
const TOLD_AT_ONCE = 10
const TOLD_EVERY = 60_000

/** What the wall clock did. */
export interface ClockJump {
  /** Milliseconds, by which it jumped against the monotonic clock. Negative: back. */
  by: number
  /** Whether the server's time follows it from now on. */
  followed: boolean
}

/**
 * The server's time: the wall clock, carried on by the monotonic clock. A jump of the wall clock is told at once, and
 * followed only when it has lasted, so that one wrong reading harms nobody. Small differences are made up for slowly.
 */
export class ServerClock {
  readonly clock: Clock
  /** Jumps seen so far. */
  jumps = 0
  /** How often the time has followed one. */
  steps = 0
  /** The latest jump, and the server's time then. */
  latest: (ClockJump & { time: number }) | undefined
  /** The latest jump that was followed. */
  latestStep: ClockJump = { by: 0, followed: true }
  private base: { time: number; at: number }
  private looked: number
  private off = 0
  private offSince = 0
  private credit = { jumps: TOLD_AT_ONCE, at: 0 }
  private stopLooking = () => {}
  private readonly listeners = new Set<(jump: ClockJump) => void>()

  constructor(clock: Clock = systemClock) {
    this.clock = clock
    this.base = { time: clock.wall(), at: clock.monotonic() }
    this.looked = this.base.at
  }

  /** The time, milliseconds since 1970. Between jumps that are followed it never goes back. */
  now(): number {
    return Math.floor(this.look())
  }

  /** Milliseconds by which the wall clock is ahead of the server's time now. */
  get offset(): number {
    return Math.round(this.clock.wall() - this.look())
  }

  /** Calls back for every jump. Looks by itself as long as anybody listens. Returns how to end it. */
  onJump(listener: (jump: ClockJump) => void): () => void {
    if (this.listeners.size === 0) this.stopLooking = this.clock.every(LOOK, () => void this.look())
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size === 0) this.stopLooking()
    }
  }

  private look(): number {
    const at = this.clock.monotonic()
    const time = this.base.time + at - this.base.at
    const off = this.clock.wall() - time
    const most = SLEW * (at - this.looked)
    this.looked = at
    if (Math.abs(off - this.off) > JUMP) {
      this.jumped(off, at)
    } else if (Math.abs(this.off) > JUMP && at - this.offSince >= LASTING) {
      this.base = { time: time + off, at }
      this.steps++
      this.off = 0
      this.latestStep = { by: Math.round(off), followed: true }
      this.tell(this.latestStep)
      return this.base.time
    }
    if (Math.abs(off) > JUMP) return time
    const made = Math.min(most, Math.max(-most, off))
    this.base.time += made
    return time + made
  }

  private jumped(off: number, at: number): void {
    const by = Math.round(off - this.off)
    this.off = Math.abs(off) > JUMP ? off : 0
    this.offSince = at
    this.jumps++
    const jumps = Math.min(TOLD_AT_ONCE, this.credit.jumps + (at - this.credit.at) / TOLD_EVERY)
    this.credit = { jumps: jumps >= 1 ? jumps - 1 : jumps, at }
    if (jumps >= 1) this.tell({ by, followed: false })
  }

  /** Not at once: whoever looked at the time goes on first. */
  private tell(jump: ClockJump): void {
    this.latest = { ...jump, time: Math.floor(this.base.time + this.looked - this.base.at) }
    queueMicrotask(() => {
      for (const listener of this.listeners) listener(jump)
    })
  }
}
