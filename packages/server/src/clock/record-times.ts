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
 * speed until it has caught up. A `clock` record says so, and which time it would be without the change, so that
 * durations can be computed from the log alone.
 */
export class RecordTimes {
  private readonly clock: ServerClock
  /** Milliseconds of the monotonic clock for each of the times of records. */
  pace = 1
  /** The latest time that was given. */
  private last = 0
  /** Where the times go on from when they do not follow the server's time. */
  private from = { time: 0, at: 0 }
  /** Steps of the server's time that the records follow. */
  private steps = 0

  /**
   * @param last time of the latest record
   * @param pace what the latest `clock` record says of it; 1 without one
   */
  constructor(clock: ServerClock, last: number, pace: number) {
    this.clock = clock
    this.begin(last, pace)
  }

  /** Goes on from a state that was just rebuilt. */
  begin(last: number, pace: number): void {
    this.pace = pace
    // What passed before this process began is known by the wall clock only.
    this.last = pace === 1 ? Math.max(last, this.clock.now()) : last
    this.from = { time: this.last, at: this.clock.clock.monotonic() }
    this.steps = this.clock.steps
  }

  /** The time now, as the records so far have it. */
  get now(): number {
    const follows = this.pace === 1 && this.clock.steps === this.steps
    return Math.max(this.last, follows ? this.clock.now() : this.carriedOn())
  }

  /** The time of a record that is written now. */
  next(): number {
    this.last = this.now
    this.from = { time: this.last, at: this.clock.clock.monotonic() }
    return this.last
  }

  /**
   * What has to be recorded about the clock before anything else is, if anything. The caller must record it.
   *
   * @param jump that was just seen
   */
  change(jump?: ClockJump): { time: number; body: ClockChange } | undefined {
    const real = this.clock.now()
    const until = this.now
    const ahead = until - real
    const stepped = this.clock.steps !== this.steps
    const pace = ahead > (this.pace === 1 ? TOLERATED : 0) ? SLOW : 1
    if (!jump && !stepped && pace === this.pace) return undefined
    const { by, followed } = jump ?? (stepped ? this.clock.latestStep : NO_JUMP)
    this.steps = this.clock.steps
    this.pace = pace
    this.last = Math.max(until, real)
    this.from = { time: this.last, at: this.clock.clock.monotonic() }
    return { time: this.last, body: { jump: by, followed, until, pace, ahead: Math.max(0, ahead) } }
  }

  private carriedOn(): number {
    const { time, at } = this.from
    return Math.floor(time + (this.clock.clock.monotonic() - at) / this.pace)
  }
}
