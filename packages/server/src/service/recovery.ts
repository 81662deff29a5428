import { availableParallelism } from 'node:os'
import { type Clock, systemClock } from '../clock/clock.ts'

/** One place where systems are rebuilt, one after the other. */
export interface Lane {
  /** Resolves when it can begin. */
  ready(): Promise<void>
  /** Rebuilds a system and puts it into the service. */
  load(system: string): Promise<void>
  /** Ends at once. */
  end(): Promise<void>
}

/** Milliseconds that this thread works alone: a small store is ready before other threads have started. */
const ALONE_MILLISECONDS = 100
/** Most threads that rebuild at once. */
const MOST_LANES = 8

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
  private readonly waiting: string[]
  private readonly loads = new Map<string, PromiseWithResolvers<void>>()
  private readonly lanes: Lane[] = []
  private readonly clock: Clock
  private readonly start: number
  private done = 0
  private stopped = false
  private threadsUp = false

  /**
   * @param local rebuilds in this thread until other threads have started
   * @param remote makes a lane in another thread, where there can be one
   */
  constructor(systems: readonly string[], local: Lane, remote?: () => Lane, clock: Clock = systemClock) {
    this.clock = clock
    this.start = clock.monotonic()
    this.total = systems.length
    this.waiting = [...systems]
    for (const system of systems) this.loads.set(system, Promise.withResolvers())
    this.finished = this.run(local, remote)
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

  /** Ends at once; what is not rebuilt yet stays in the log. */
  async stop(): Promise<void> {
    this.stopped = true
    this.waiting.length = 0
    await Promise.all(this.lanes.map((lane) => lane.end()))
    await this.finished
  }

  private secondsEach(): number {
    return (this.clock.monotonic() - this.start) / 1000 / Math.max(1, this.done)
  }

  private async run(local: Lane, remote: (() => Lane) | undefined): Promise<void> {
    const here = this.work(local, () => !this.threadsUp)
    const elsewhere = remote ? this.startThreads(remote) : Promise.resolve()
    await Promise.all([here, elsewhere])
    // Threads that failed leave the rest to this one.
    await this.work(local, () => true)
  }

  private async startThreads(remote: () => Lane): Promise<void> {
    await this.clock.pause(ALONE_MILLISECONDS)
    const count = Math.min(MOST_LANES, availableParallelism(), this.waiting.length)
    await Promise.all(
      Array.from({ length: count }, async () => {
        const lane = remote()
        this.lanes.push(lane)
        try {
          await lane.ready()
          this.threadsUp = true
          await this.work(lane, () => true)
        } catch {
          // A thread that cannot start: the others do its work.
        }
        await lane.end()
      }),
    )
  }

  private async work(lane: Lane, goOn: () => boolean): Promise<void> {
    while (goOn() && !this.stopped) {
      const system = this.waiting.shift()
      if (system === undefined) return
      try {
        await lane.load(system)
      } catch (error) {
        if (!this.stopped) this.damaged.set(system, error as Error)
      }
      this.done++
      this.loads.get(system)?.resolve()
      this.loads.delete(system)
    }
  }
}
