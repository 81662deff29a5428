import type { Clock } from '../clock/clock.ts'

/** Least milliseconds between two looks, should time stand still for the state. */
const LEAST = 10

/**
 * Waits for what time alone brings, such as an alarm about silence. A sample costs it one comparison: a timer that was
 * set too early looks again when it fires.
 */
export class Timekeeper {
  private readonly clock: Clock
  private readonly waits: () => readonly number[]
  private readonly act: () => void
  private cancel: (() => void) | undefined
  /** When the timer fires, by the monotonic clock. */
  private at = Number.POSITIVE_INFINITY
  private ended = false

  /**
   * @param waits milliseconds until each thing that is coming, 0 or less when it is due
   * @param act is called when something is due
   */
  constructor(clock: Clock, waits: () => readonly number[], act: () => void) {
    this.clock = clock
    this.waits = waits
    this.act = act
  }

  /** Looks when something is due, and sets the timer unless it fires earlier anyway. */
  look(): void {
    const waits = this.waits()
    if (waits.length === 0 || this.ended) return
    const at = this.clock.monotonic() + Math.max(LEAST, Math.min(...waits))
    if (at < this.at) this.set(at)
  }

  /** Ends; nothing is called any more. */
  end(): void {
    this.ended = true
    this.cancel?.()
  }

  private set(at: number): void {
    this.cancel?.()
    this.at = at
    this.cancel = this.clock.after(at - this.clock.monotonic(), () => {
      this.at = Number.POSITIVE_INFINITY
      if (this.waits().some((wait) => wait <= 0)) this.act()
      this.look()
    })
  }
}
