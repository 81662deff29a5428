import type { Clock } from '../../packages/server/src/clock/clock.ts'
import type { SimulatedClock } from '../../packages/server/src/clock/testing/simulated-clock.ts'

/** The power of one run of a server: its timers end with it, and nothing that it says is heard any more. */
export class Power implements Clock {
  isOn = true
  private readonly clock: SimulatedClock
  private readonly cancels = new Set<() => void>()
  private readonly enders = new Set<() => void>()
  private readonly skew: number

  /** @param skew milliseconds by which the wall clock of this machine is ahead of others */
  constructor(clock: SimulatedClock, skew = 0) {
    this.clock = clock
    this.skew = skew
  }

  /** Ends everything that waits. */
  cut(): void {
    this.isOn = false
    for (const cancel of this.cancels) cancel()
    for (const end of this.enders) end()
    this.cancels.clear()
    this.enders.clear()
  }

  /** Rejects when the power goes; otherwise settles as the promise does. */
  async whileOn<T>(promise: Promise<T>): Promise<T> {
    const gone = Promise.withResolvers<never>()
    const end = () => gone.reject(new Error('the power is gone'))
    if (!this.isOn) end()
    this.enders.add(end)
    return Promise.race([promise, gone.promise]).finally(() => this.enders.delete(end))
  }

  wall(): number {
    return this.clock.wall() + this.skew
  }

  monotonic(): number {
    return this.clock.monotonic()
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.keep((fire) => this.clock.after(milliseconds, fire), callback, true)
  }

  every(milliseconds: number, callback: () => void): () => void {
    return this.keep((fire) => this.clock.every(milliseconds, fire), callback, false)
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

  private keep(start: (fire: () => void) => () => void, callback: () => void, once: boolean): () => void {
    if (!this.isOn) return () => {}
    const cancel = start(() => {
      if (once) this.cancels.delete(cancel)
      callback()
    })
    this.cancels.add(cancel)
    return () => {
      cancel()
      this.cancels.delete(cancel)
    }
  }
}
