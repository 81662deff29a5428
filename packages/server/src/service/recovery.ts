import { type Clock, systemClock } from '../clock/clock.ts'

/**
 * Rebuilds the systems of a store while the server already answers. Systems that somebody asks for come first. A system
 * that cannot be rebuilt stays out, with the reason; the others go on.
 */
export class Recovery {
  readonly total: number
  /** Systems that could not be rebuilt, and why. */
  readonly damaged = new Map<string, Error>()
  /** Resolves when every system is there or cannot be. */
  readonly finished: Promise<void>
  private readonly load: (system: string) => Promise<void>
  private readonly waiting: string[]
  private readonly loads = new Map<string, PromiseWithResolvers<void>>()
  private readonly clock: Clock
  private readonly start: number
  private done = 0
  private stopped = false

  /**
   * @param load rebuilds a system and puts it into the service
   * @param lanes how many are rebuilt at once
   */
  constructor(
    systems: readonly string[],
    load: (system: string) => Promise<void>,
    lanes = 1,
    clock: Clock = systemClock,
  ) {
    this.clock = clock
    this.start = clock.monotonic()
    this.total = systems.length
    this.load = load
    this.waiting = [...systems]
    for (const system of systems) this.loads.set(system, Promise.withResolvers())
    this.finished = Promise.all(Array.from({ length: lanes }, () => this.work())).then(() => {})
  }

  /** Whether a system is still to be rebuilt. */
  isPending(system: string): boolean {
    return this.loads.has(system)
  }

  /** The systems that are still to be rebuilt. */
  get pending(): string[] {
    return [...this.loads.keys()]
  }

  /** Such as "recovering: 3 of 200 systems are there"; `undefined` when all are done. */
  get progress(): string | undefined {
    return this.loads.size === 0 ? undefined : `recovering: ${this.done} of ${this.total} systems are there`
  }

  /** Seconds until all are done, as far as those so far tell. */
  get secondsLeft(): number {
    return Math.max(1, this.secondsEach() * this.loads.size)
  }

  /** Puts a system in front of those that nobody asked for; returns in how many seconds it is probably there. */
  hurry(system: string): number {
    const place = this.waiting.indexOf(system)
    if (place > 0) this.waiting.unshift(...this.waiting.splice(place, 1))
    return Math.max(1, Math.ceil(this.secondsEach() * 2))
  }

  /** Resolves when a system is there or cannot be. */
  async settled(system: string): Promise<void> {
    this.hurry(system)
    await this.loads.get(system)?.promise
  }

  /** Ends with the systems that are being rebuilt; the others stay in the log. */
  async stop(): Promise<void> {
    this.stopped = true
    this.waiting.length = 0
    await this.finished
  }

  private secondsEach(): number {
    return (this.clock.monotonic() - this.start) / 1000 / Math.max(1, this.done)
  }

  private async work(): Promise<void> {
    for (let system = this.waiting.shift(); system !== undefined; system = this.waiting.shift()) {
      try {
        await this.load(system)
      } catch (error) {
        if (!this.stopped) this.damaged.set(system, error as Error)
      }
      this.done++
      this.loads.get(system)?.resolve()
      this.loads.delete(system)
    }
  }
}
