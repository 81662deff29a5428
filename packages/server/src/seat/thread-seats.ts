import type { Extensions } from '@pb-oel/core'
import { decodeBody, type SystemEvent, type SystemRequest } from '@pb-oel/protocol'
import { systemClock } from '../clock/clock.ts'
import { NotReady } from '../errors.ts'
import type { LogReader } from '../log/event-log.ts'
import { firstConfiguration } from '../replay/check-modules.ts'
import type { ModuleFiles } from '../replay/load-modules.ts'
import { FoldThread } from './fold-thread.ts'
import type { Opening } from './fold-worker.ts'
import type { Entry, Opened, Operation, OperationKind, Outcome, Repeated, Results, Seat, Seats } from './seat.ts'
import { SeatedFold } from './seated-fold.ts'

/** Options of {@link ThreadSeats}. */
export interface ThreadSeatsOptions {
  /** How many threads share the systems. */
  threads: number
  /** File of the store that `log` reads, where threads can read it themselves; else systems are rebuilt here. */
  store?: string
  /** Modules from outside, and what they export. */
  modules?: ModuleFiles
  extensions?: Extensions
  /** Megabytes of heap that a thread of guests may take. Default 512. */
  guestMegabytes?: number
  /** Seconds after which one operation is taken for endless. Default 10. */
  operationSeconds?: number
}

/** Most threads for guests; when there are more guests, they share. */
const MOST_GUESTS = 8
const LOOK_MILLISECONDS = 1_000
/** How often a system is tried whose thread ends while it is opened. */
const ATTEMPTS = 2
/** Most seconds before a system that ended its thread gets another one. */
const LONGEST_WAIT = 60
/** Milliseconds after which that is forgotten. */
const FORGOTTEN = 600_000

/**
 * Seats in other threads. Systems are spread over them evenly. A guest is a system that uses a module from outside, or
 * that has ended its thread before: guests have threads of their own, which stand back for the others. When a thread
 * ends, its systems are rebuilt on another.
 */
export class ThreadSeats implements Seats {
  readonly lanes: number
  private readonly log: LogReader
  private readonly options: ThreadSeatsOptions
  private readonly pool: FoldThread[]
  private readonly guests = new Set<FoldThread>()
  private readonly seats = new Map<number, ThreadSeat>()
  private readonly stopWatching: () => void
  private next = 1
  /** Called when a thread has ended by itself. */
  onEnd: (reason: string, systems: readonly string[], culprit: string | undefined) => void = () => {}

  constructor(log: LogReader, options: ThreadSeatsOptions) {
    this.log = log
    this.options = options
    this.lanes = options.threads
    this.pool = Array.from({ length: options.threads }, () => this.start())
    this.stopWatching = systemClock.every(LOOK_MILLISECONDS, () => {
      for (const thread of [...this.pool, ...this.guests]) thread.look()
    })
  }

  async create(id: string, given: SystemRequest, now: number): Promise<{ seat: Seat; opened: Opened }> {
    const seat = this.seatFor(id, this.isForeign(given))
    return this.opened(seat, () => seat.take(this.place(seat), { kind: 'create', system: id, given, now }))
  }

  async open(id: string): Promise<{ seat: Seat; opened: Opened }> {
    const { modules = {} } = this.options
    const foreign = Object.keys(modules).length > 0 && this.isForeign(await firstConfiguration(this.log, id))
    const seat = this.seatFor(id, foreign)
    return this.opened(seat, async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await seat.reopen()
        } catch (error) {
          if (!(error instanceof NotReady) || attempt === ATTEMPTS) throw error
        }
      }
    })
  }

  async close(): Promise<void> {
    this.stopWatching()
    await Promise.all([...this.pool, ...this.guests].map((thread) => thread.end()))
  }

  /** A thread for a seat: its own while that lives, else the one with the fewest seats. */
  private place({ guest, thread }: ThreadSeat): FoldThread {
    if (thread?.alive && thread.guest === guest) return thread
    if (!guest) {
      this.pool.forEach((thread, i) => {
        if (!thread.alive) this.pool[i] = this.start()
      })
      return emptiest(this.pool)
    }
    if (this.guests.size >= MOST_GUESTS) return emptiest([...this.guests])
    const added = this.start({ megabytes: this.options.guestMegabytes ?? 512 })
    this.guests.add(added)
    return added
  }

  private seatFor(id: string, foreign: boolean): ThreadSeat {
    const seat = new ThreadSeat(this.next++, id, foreign, {
      rebuild: (seat) => this.rebuild(seat),
      left: (seat) => this.left(seat),
    })
    this.seats.set(seat.number, seat)
    return seat
  }

  private async opened(seat: ThreadSeat, open: () => Promise<Opened>): Promise<{ seat: Seat; opened: Opened }> {
    try {
      return { seat, opened: await open() }
    } catch (error) {
      seat.leave()
      throw error
    }
  }

  private async rebuild(seat: ThreadSeat): Promise<Opened> {
    const { store, extensions } = this.options
    if (store !== undefined) return seat.take(this.place(seat), { kind: 'open', system: seat.id })
    const seated = await SeatedFold.open(this.log, seat.id, extensions)
    const { snapshotAt, damages } = seated.opened
    const bytes = Uint8Array.from(seated.save())
    const opened = await seat.take(this.place(seat), { kind: 'load', bytes, snapshotAt, keys: seated.older })
    return { ...opened, damages }
  }

  private left({ number, thread }: ThreadSeat): void {
    this.seats.delete(number)
    if (!thread?.guest || thread.seats.size > 0) return
    this.guests.delete(thread)
    void thread.end()
  }

  private start(guest?: { megabytes: number }): FoldThread {
    const { store, modules = {}, operationSeconds = 10 } = this.options
    const thread = new FoldThread({ store, modules, operationSeconds, guest })
    thread.onEnd = (reason, culprit) => {
      this.guests.delete(thread)
      const lost = [...thread.seats].flatMap((number) => this.seats.get(number) ?? [])
      this.onEnd(
        reason,
        lost.map(({ id }) => id),
        this.seats.get(culprit)?.id,
      )
      for (const seat of lost) seat.lose(reason, seat.number === culprit)
    }
    return thread
  }

  /** Whether a system names a module. */
  private isForeign({ method, options }: Pick<SystemRequest, 'method' | 'options'>): boolean {
    const names = Object.keys(this.options.modules ?? {})
    if (names.length === 0) return false
    const { methods = {}, detectors = {}, learners = {} } = this.options.extensions ?? {}
    for (const entries of [methods, detectors, learners]) {
      names.push(...Object.values(entries).map(({ name }) => name))
    }
    // Names stand in options as strings, also within lists and addresses such as `members`.
    const text = JSON.stringify([method, options])
    return names.some((name) => text.includes(JSON.stringify(name).slice(1, -1)))
  }
}

/** What a seat needs of those who gave it. */
interface Keeper {
  rebuild(seat: ThreadSeat): Promise<Opened>
  left(seat: ThreadSeat): void
}

/** A seat in another thread. */
class ThreadSeat implements Seat {
  readonly number: number
  readonly id: string
  onLost: Seat['onLost'] = () => {}
  thread: FoldThread | undefined
  private readonly foreign: boolean
  private readonly keeper: Keeper
  /** How often it has ended its thread, and when last. */
  private strikes = 0
  private struck = 0

  constructor(number: number, id: string, foreign: boolean, keeper: Keeper) {
    this.number = number
    this.id = id
    this.foreign = foreign
    this.keeper = keeper
  }

  /** Whether it needs a thread of its own. */
  get guest(): boolean {
    return this.foreign || this.strikes > 0
  }

  perform<K extends OperationKind>(operation: Operation<K>, done: (outcome: Outcome<Results[K]>) => void): void {
    const finish = (outcome: Outcome<unknown>) =>
      done((operation.kind === 'read' ? outcome : withEvents(outcome)) as Outcome<Results[K]>)
    if (this.thread) this.thread.ask(this.number, operation as Operation, finish)
    else done({ error: new NotReady(`system ${this.id} has no thread`), defect: false })
  }

  async reopen(): Promise<Opened> {
    if (this.strikes > 0) {
      const seconds = Math.min(LONGEST_WAIT, 2 ** (this.strikes - 1))
      await systemClock.pause(seconds * 1000)
    }
    return this.keeper.rebuild(this)
  }

  /** Sits down in a thread. */
  take(thread: FoldThread, opening: Opening): Promise<Opened> {
    this.thread?.seats.delete(this.number)
    this.thread = thread
    thread.seats.add(this.number)
    return new Promise((done, fail) => {
      thread.ask(this.number, opening, (outcome) => {
        if ('value' in outcome) done(outcome.value as Opened)
        else fail(outcome.error)
      })
    })
  }

  /** The thread has ended. */
  lose(reason: string, culprit: boolean): void {
    this.thread = undefined
    const now = systemClock.monotonic()
    if (culprit) {
      this.strikes = now - this.struck > FORGOTTEN ? 1 : this.strikes + 1
      this.struck = now
    }
    this.onLost(new NotReady(`the thread of system ${this.id} has ended: ${reason}; it is rebuilt on another`))
  }

  leave(): void {
    this.thread?.seats.delete(this.number)
    if (this.thread?.alive) this.thread.ask(this.number, { kind: 'leave' }, () => {})
    this.keeper.left(this)
    this.thread = undefined
  }
}

/** The events of the records of an entry. */
function withEvents(outcome: Outcome<unknown>): Outcome<unknown> {
  if (!('value' in outcome)) return outcome
  const entry = outcome.value as Entry | Repeated
  if ('repeated' in entry) return outcome
  const events = entry.records.map(({ kind, body }) => ({ kind, body: decodeBody(kind, body, []).body }) as SystemEvent)
  return { value: { ...entry, events } }
}

function emptiest(threads: readonly FoldThread[]): FoldThread {
  return threads.reduce((least, thread) => (thread.seats.size < least.seats.size ? thread : least))
}
