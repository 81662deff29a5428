import type { Clock } from '../clock/clock.ts'
import type { RecordTimes } from '../clock/record-times.ts'
import type { Due } from '../seat/seat.ts'

/** Least milliseconds between two looks, while what was due is being recorded. */
const LEAST = 10

/**
 * Waits for the alarms that time alone raises. A sample costs it one comparison: a timer that was set too early looks
 * again when it fires.
 */
export class Timekeeper {
  private readonly clock: Clock
  private readonly times: Pick<RecordTimes, 'now' | 'pace'>
  private readonly act: (due: string[]) => void
  /** When this process had the state, by the monotonic clock. */
  private readonly begun: number
  private outlook: readonly Due[] = []
  /** Time of the record that the outlook counts from. */
  private since = 0
  private cancel = () => {}
  /** When the timer fires, by the monotonic clock. */
  private at = Number.POSITIVE_INFINITY
  private ended = false

  /** @param act is called with the alarms that are due */
  constructor(clock: Clock, times: Pick<RecordTimes, 'now' | 'pace'>, act: (due: string[]) => void) {
    this.clock = clock
    this.times = times
    this.act = act
    this.begun = clock.monotonic()
  }

  /** What time alone will bring, counted from a record of this time. */
  expect(outlook: readonly Due[], since: number): void {
    this.outlook = outlook
    this.since = since
    this.look()
  }

  /** Whether time alone will bring anything. */
  get waits(): boolean {
    return this.outlook.length > 0
  }

  /** Ends; nothing is called any more. */
  end(): void {
    this.ended = true
    this.cancel()
  }

  /** Sets the timer, unless it fires early enough anyway. */
  private look(): void {
    if (this.ended) return
    // Infinity where nothing is expected.
    const at = this.clock.monotonic() + Math.max(LEAST, Math.min(...this.outlook.map((due) => this.left(due))))
    if (at >= this.at) return
    this.cancel()
    this.at = at
    this.cancel = this.clock.after(at - this.clock.monotonic(), () => {
      this.at = Number.POSITIVE_INFINITY
      const due = this.outlook.filter((one) => this.left(one) <= 0)
      if (due.length > 0) this.act(due.map(({ alarm }) => alarm))
      this.look()
    })
  }

  /** Milliseconds by the monotonic clock until an alarm is due. */
  private left({ wait, grace }: Due): number {
    const passed = (this.times.now - this.since) * this.times.pace
    return Math.max(wait - passed, grace - (this.clock.monotonic() - this.begun))
  }
}
