import type { RecordBodies } from '@pb-oel/protocol'
import type { ClockJump, ServerClock } from './server-clock.ts'

/** What a `clock` record says. */
type ClockChange = RecordBodies['clock']

const NO_JUMP: ClockJump = { by: 0, followed: false }
/** How much slower than the monotonic clock the times of records run while they wait for the wall clock. */
const SLOW = 2
/** Milliseconds that records may be ahead of the server's time without a change of pace: they wait so long. */
const TOLERATED = 1_000

/**
 * The times of the records of one system. They never fall. When the wall clock was set back, they go on at half the
 * speed until it has caught up. A `clock` record says so, and how much time has really passed, so that durations can
 * be computed from the log alone.
 */
export class RecordTimes {
  private readonly clock: ServerClock
  /** Time of the latest record. */
  private last: number
  /** The monotonic clock then. */
  private lastAt: number
  /** Steps of the server's time that the records follow. */
  private steps: number
  private pace: number
  /** Where the slow times began. */
  private slow: { time: number; at: number }

  /**
   * @param last time of the latest record
   * @param pace what the latest `clock` record says of it; 1 without one
   */
  constructor(clock: ServerClock, last: number, pace = 1) {
    this.clock = clock
    this.last = last
    // What passed before this process began is known by the wall clock only.
    this.lastAt = clock.clock.monotonic() - Math.max(0, clock.now() - last)
    this.steps = clock.steps
    this.pace = pace
    this.slow = { time: last, at: this.lastAt }
  }

  /** Milliseconds by the monotonic clock since the latest record. */
  get sinceLast(): number {
    return this.clock.clock.monotonic() - this.lastAt
  }

  /** Milliseconds by which the next record is ahead of the server's time. */
  get ahead(): number {
    return Math.max(0, this.last - this.clock.now())
  }

  /** The time of a record that would be written now. */
  get now(): number {
    return Math.max(this.last, this.pace === 1 ? this.clock.now() : this.slowTime())
  }

  /** A record of this time is being written. */
  wrote(time: number): void {
    this.last = time
    this.lastAt = this.clock.clock.monotonic()
  }

  /**
   * What has to be recorded about the clock before anything else is, if anything. The caller must record it.
   *
   * @param jump that was just seen
   */
  change(jump?: ClockJump): { time: number; body: ClockChange } | undefined {
    const now = this.clock.now()
    const stepped = this.clock.steps !== this.steps
    const ahead = this.pace === 1 ? this.last - now : this.slowTime() - now
    const pace = ahead > (this.pace === 1 ? TOLERATED : 0) ? SLOW : 1
    if (!jump && !stepped && pace === this.pace) return undefined
    const elapsed = Math.floor(this.sinceLast)
    const time = Math.max(this.last, pace === 1 ? now : this.slowTime())
    this.steps = this.clock.steps
    this.pace = pace
    this.slow = { time, at: this.clock.clock.monotonic() }
    const { by, followed } = jump ?? (stepped ? this.clock.latestStep : NO_JUMP)
    return { time, body: { jump: by, followed, elapsed, pace, ahead: Math.max(0, Math.floor(ahead)) } }
  }

  private slowTime(): number {
    const { time, at } = this.pace === 1 ? { time: this.last, at: this.lastAt } : this.slow
    return Math.floor(time + (this.clock.clock.monotonic() - at) / SLOW)
  }
}
