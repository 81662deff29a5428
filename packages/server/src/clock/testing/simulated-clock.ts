import type { Clock } from '../clock.ts'

interface Timer {
  at: number
  /** Milliseconds from one call to the next; absent when there is only one. */
  every?: number
  callback: () => void
}

/**
 * A clock that stands still until it is told to go on. Timers fire in the order of their times, and those of the same
 * moment in the order they were made, so that a run is the same each time.
 */
export class SimulatedClock implements Clock {
  private elapsed = 0
  private offset: number
  private readonly timers = new Set<Timer>()

  /** @param start the wall clock at first, milliseconds since 1970 */
  constructor(start = 1_000_000) {
    this.offset = start
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.timers.size
  }

  wall(): number {
    return Math.floor(this.offset + this.elapsed)
  }

  monotonic(): number {
    return this.elapsed
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.add({ at: this.elapsed + milliseconds, callback })
  }

  every(milliseconds: number, callback: () => void): () => void {
    return this.add({ at: this.elapsed + milliseconds, every: milliseconds, callback })
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((done) => {
      const cancel = this.after(milliseconds, done)
      signal?.addEventListener('abort', () => {
        cancel()
        done()
      })
    })
  }

  /** The wall clock jumps; no time passes. */
  jump(milliseconds: number): void {
    this.offset += milliseconds
  }

  /** Lets time pass and fires what is due meanwhile. Between two timers everything that waits may run. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.elapsed + milliseconds
    for (;;) {
      const next = this.earliest()
      if (!next || next.at > end) break
      this.elapsed = Math.max(this.elapsed, next.at)
      if (next.every === undefined) this.timers.delete(next)
      else next.at += next.every
      next.callback()
      await new Promise((done) => setImmediate(done))
    }
    this.elapsed = end
    await new Promise((done) => setImmediate(done))
  }

  private earliest(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.timers) if (!first || timer.at < first.at) first = timer
    return first
  }

  private add(timer: Timer): () => void {
    this.timers.add(timer)
    return () => this.timers.delete(timer)
  }
}
