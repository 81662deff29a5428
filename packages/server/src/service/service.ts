import { type Extensions, OptionError } from '@pb-oel/core'
import type {
  AnswerReceipt,
  AssessedSample,
  Assignment,
  Comment,
  CommentBody,
  Exclusion,
  ExclusionBody,
  GivenAnswer,
  GivenAssignment,
  GivenChange,
  GivenComment,
  GivenExclusion,
  GivenSample,
  GivenStretch,
  Stretch,
  StretchBody,
  SystemRequest,
  Withdrawal,
  WithdrawalBody,
} from '@pb-oel/protocol'
import {
  type DeletionReceipt,
  encodeBody,
  type NewChannel,
  type NewClone,
  type NewLevel,
  type RecordBodies,
} from '@pb-oel/protocol'
import { type Clock, systemClock } from '../clock/clock.ts'
import { ServerClock } from '../clock/server-clock.ts'
import { Conflict, NotFound, NotReady, ServiceError, Unconfirmed } from '../errors.ts'
import { levelIndex } from '../fold/level-index.ts'
import { cursorsOf } from '../log/alarm-cursors.ts'
import type { EventLog } from '../log/event-log.ts'
import { SERVER_LOG } from '../log/record.ts'
import { missingModule } from '../replay/check-modules.ts'
import { LocalSeats } from '../seat/local-seats.ts'
import type { Opened, Seat, Seats } from '../seat/seat.ts'
import { cloneOf } from '../views/clone.ts'
import { latestAssessment } from '../views/progress.ts'
import type { View } from '../views/view.ts'
import { checkExclusion, firstExcluded } from './first-excluded.ts'
import { LiveSystem, type Written } from './live-system.ts'
import { answerReceipt, sampleReceipt } from './receipts.ts'
import { Recovery } from './recovery.ts'
import { checkReceivers, checkSize } from './request-checks.ts'
import { widenedWarmUp } from './warm-up.ts'

/** Options of {@link Service}. */
export interface ServiceOptions {
  /** Records between two snapshots of a system. Default 20,000, and fewer where there are more than 20 systems. */
  snapshotEvery?: number
  /** Largest number of systems. Default 1,000. */
  maxSystems?: number
  /** Megabytes that the model of a new system may take. Default 256. */
  systemMegabytes?: number
  /** The clocks and timers; those of the machine by default. */
  clock?: Clock
  /** Methods, detectors and learners from outside that systems may use. */
  extensions?: Extensions
  /** Where the folds are. Default: in this thread. */
  seats?: Seats
}

/** Most records between two snapshots of a system, and fewest where nobody says otherwise. */
const [MOST_RECORDS, FEWEST_RECORDS] = [20_000, 1_000]
/** Records behind the latest snapshots of all systems together, at most: a start has to replay them. */
const RECORDS_BEHIND = 400_000
/** Multiples of it, taken modulo 1, are spread evenly however many there are. */
const GOLDEN_RATIO = 0.618_033_988_75

/** All systems of a server: what HTTP, MQTT and the simulation call. */
export class Service {
  readonly log: EventLog
  /** The server's time, and what its clock did. */
  readonly time: ServerClock
  /** What systems may use from outside. */
  readonly extensions: Extensions
  private readonly systems = new Map<string, LiveSystem>()
  /** Systems that are being made or removed. */
  private readonly making = new Map<string, Promise<unknown>>()
  private readonly seats: Seats
  /** How many systems were seated so far. */
  private adopted = 0
  private readonly options: Required<Omit<ServiceOptions, 'seats' | 'extensions'>>
  private readonly subscribers = new Set<(system: LiveSystem, written: Written) => void>()
  private readonly newcomers = new Set<(system: LiveSystem) => void>()
  /** Names of the receivers that an escalation can tell; any name is taken where nobody has set them. */
  receivers: ReadonlySet<string> | undefined
  /** Called when something fails that no caller waits for. */
  onTrouble: (error: Error, system: string) => void = () => {}
  /** Why a system cannot be used here; `undefined` when it can. A worker of a cluster has more reasons than one. */
  absent: (id: string) => Error | undefined = (id) => this.whyAbsent(id)
  /** Shows a view of a system that another worker of the cluster has, from its log. */
  elsewhere: (<T>(id: string, view: View<T>) => Promise<T>) | undefined
  private recovery: Recovery | undefined
  /** From then on systems leave one after the other: one that is not there is not unknown. */
  private closing = false
  private readonly stopWatching: () => void
  /** Called when a part of the log of a system turns out to be damaged. */
  onDamage: (reason: string, system: string) => void = () => {}

  private constructor(log: EventLog, options: ServiceOptions) {
    this.log = log
    const { snapshotEvery = 0, maxSystems = 1_000, systemMegabytes = 256 } = options
    const { clock = systemClock, extensions = {} } = options
    this.options = { snapshotEvery, maxSystems, systemMegabytes, clock }
    this.time = new ServerClock(clock)
    this.stopWatching = this.time.onJump((jump) => {
      for (const system of this.systems.values()) system.jumped(jump)
    })
    this.extensions = extensions
    this.seats = options.seats ?? new LocalSeats(log, extensions)
  }

  /** The server's time, milliseconds since 1970. */
  readonly clock = (): number => this.time.now()

  /** Rebuilds every system from the log. Rejects when one cannot be. */
  static async open(log: EventLog, options: ServiceOptions = {}): Promise<Service> {
    const service = Service.empty(log, options)
    const { damaged, finished } = await service.recover()
    await finished
    for (const error of damaged.values()) throw error
    return service
  }

  /** A service without systems, whatever the log has: they are loaded one by one. */
  static empty(log: EventLog, options: ServiceOptions = {}): Service {
    return new Service(log, options)
  }

  /** Begins to rebuild every system of the log, as many at once as there are threads for it. */
  async recover(): Promise<Recovery> {
    const systems = (await this.log.systems()).filter((id) => id !== SERVER_LOG && !this.systems.has(id))
    this.recovery = new Recovery(systems, (id) => this.load(id), this.seats.lanes, this.time.clock)
    return this.recovery
  }

  /** Rebuilds one system from the log. */
  async load(id: string): Promise<void> {
    const { seat, opened } = await this.seats.open(id).catch((error) => {
      throw error instanceof OptionError ? missingModule(id, error) : error
    })
    for (const damage of opened.damages) this.onDamage(damage, id)
    const system = this.adopt(seat, opened)
    for (const listener of this.newcomers) listener(system)
  }

  /** Records between two snapshots of a system: the more systems, the fewer, so that a start is not the longer. */
  private get snapshotEvery(): number {
    const { snapshotEvery } = this.options
    if (snapshotEvery > 0) return snapshotEvery
    return Math.min(MOST_RECORDS, Math.max(FEWEST_RECORDS, RECORDS_BEHIND / this.systems.size))
  }

  /** Resolves when a system that is being rebuilt is there or cannot be; at once for any other. */
  async settled(id: string): Promise<void> {
    await this.recovery?.settled(id)
  }

  /** Such as "recovering: 3 of 200 systems are there"; `undefined` when nothing is being rebuilt. */
  get recovering(): NotReady | undefined {
    const { progress, secondsLeft } = this.recovery ?? {}
    return progress === undefined ? undefined : new NotReady(progress, secondsLeft)
  }

  /** Systems of the log that are not here yet, or cannot be, each with the reason. */
  get missing(): { id: string; reason: string }[] {
    const { pending = [], damaged = new Map<string, Error>() } = this.recovery ?? {}
    const reason = this.recovery?.progress ?? ''
    const all = [
      ...pending.map((id) => ({ id, reason })),
      ...[...damaged].map(([id, { message }]) => ({ id, reason: message })),
    ]
    return all.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Whether there is a system of this name, here or still in the log. */
  knows(id: string): boolean {
    return this.systems.has(id) || this.missing.some((missing) => missing.id === id)
  }

  private whyAbsent(id: string): Error | undefined {
    if (this.systems.has(id)) return undefined
    if (this.closing) return new NotReady('the server is stopping')
    const { recovery } = this
    if (recovery?.isPending(id)) {
      return new NotReady(`system ${id} is not there yet; ${recovery.progress}`, recovery.hurry(id))
    }
    const damage = recovery?.damaged.get(id)
    if (damage) return new ServiceError(503, 'Not ready', `system ${id} cannot be rebuilt: ${damage.message}`)
    return new NotFound(`there is no system ${id}`)
  }

  /** Ends a system here at once: somebody else has it. Whoever waits for it is told so. */
  drop(id: string, reason?: string): void {
    this.systems.get(id)?.end(reason)
    this.systems.delete(id)
  }

  /** Ends a system here properly: waits for what is under way and saves the state. */
  async release(id: string): Promise<void> {
    const system = this.systems.get(id)
    if (!system) return
    // Why it was not saved has been told by then.
    await system.settle().catch(() => {})
    this.drop(id)
  }

  /** Whether a system is the one of its name here. */
  holds(system: LiveSystem): boolean {
    return this.systems.get(system.id) === system
  }

  /** Whether a system is loaded here. */
  has(id: string): boolean {
    return this.systems.has(id)
  }

  /** Calls back for every system that is loaded from now on. */
  onLoaded(listener: (system: LiveSystem) => void): () => void {
    this.newcomers.add(listener)
    return () => this.newcomers.delete(listener)
  }

  /** All systems, by name. */
  list(): LiveSystem[] {
    return [...this.systems.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  get(id: string): LiveSystem {
    const reason = this.absent(id)
    if (reason) throw reason
    return this.systems.get(id) as LiveSystem
  }

  /** True when every system takes events. */
  get ready(): boolean {
    return this.list().every((system) => system.ready)
  }

  /** Makes a system; resolves when its first record is on disk. */
  async create(id: string, given: SystemRequest, by: string): Promise<LiveSystem> {
    checkSize(given, this.extensions, this.options.systemMegabytes)
    checkReceivers(this.receivers, given.alarms)
    return this.reserved(id, () => this.make(id, given, by))
  }

  /** Makes a system under a name that nobody else can take meanwhile. */
  private async reserved(id: string, make: () => Promise<LiveSystem>): Promise<LiveSystem> {
    // Until it is on disk, nobody knows whether there is one.
    for (let other = this.making.get(id); other; other = this.making.get(id)) await other.catch(() => {})
    if (this.systems.has(id)) throw new Conflict(`there is a system ${id} already`)
    const reason = this.absent(id)
    if (reason && !(reason instanceof NotFound)) throw reason
    if (this.systems.size + this.making.size >= this.options.maxSystems) {
      throw new Conflict(`this server may have at most ${this.options.maxSystems} systems`)
    }
    return this.whileMaking(id, async () => {
      try {
        const system = await make()
        // While the first record was under way, the worker may have lost the system and taken it over without it.
        if (this.absent(id)) {
          this.drop(id)
          throw new Unconfirmed(`system ${id} moved while it was being created`)
        }
        return system
      } catch (error) {
        // In a shared log it may be there although this worker never heard of it.
        if (error instanceof Conflict) await this.load(id)
        throw error
      }
    })
  }

  private async whileMaking<T>(id: string, work: () => Promise<T>): Promise<T> {
    const working = work()
    this.making.set(id, working)
    return working.finally(() => this.making.delete(id))
  }

  private async make(id: string, given: SystemRequest, by: string): Promise<LiveSystem> {
    const { seat, opened } = await this.seats.create(id, given, this.clock())
    const system = this.adopt(seat, opened)
    try {
      await system.create(opened, by)
    } catch (error) {
      this.systems.delete(id)
      throw error
    }
    return system
  }

  /**
   * Makes a system like another one: its configuration, and everything that was learned where that is wanted. Resolves
   * when its first record, which holds all of it, is on disk.
   */
  async clone(from: string, { id, title, state = false }: NewClone, by: string): Promise<LiveSystem> {
    return this.reserved(id, async () => {
      const time = this.clock()
      const view = cloneOf({ id, title, time, withState: state })
      const { configuration, sequence, bytes } = await this.look(from, view)
      const body: RecordBodies['created'] = {
        ...{ configuration, by, from: { system: from, sequence } },
        ...(bytes && { state: Buffer.from(bytes).toString('base64') }),
      }
      await this.log.append(id, 1, [{ time, kind: 'created', body: encodeBody(body) }])
      await this.load(id)
      return this.systems.get(id) as LiveSystem
    })
  }

  /** What a view shows of a system, here or at another worker. */
  private look<T>(id: string, view: View<T>): Promise<T> {
    return this.elsewhere && !this.systems.has(id) ? this.elsewhere(id, view) : this.get(id).read(view)
  }

  /**
   * Adds a channel. The wider model begins with the latest answered samples, which the record holds, so that a replay
   * needs nothing else.
   */
  async addChannel(id: string, channel: NewChannel, by: string): Promise<void> {
    const system = this.get(id)
    const warmUp = await widenedWarmUp(this.log, system, channel)
    await system.write({ kind: 'channel', channel: { ...channel, warmUp, by } })
  }

  /** Adds a level behind the others, the least safe. The model keeps what it has learned. */
  async addLevel(id: string, level: NewLevel, by: string): Promise<void> {
    await this.get(id).write({ kind: 'level', level: { ...level, by } })
  }

  /** Removes a system for good; resolves when nothing of it is left and the server's own log says so. */
  async remove(id: string, by: string): Promise<DeletionReceipt> {
    const system = this.get(id)
    await system.settle().catch(() => {})
    this.drop(id, `system ${id} has been deleted`)
    return this.whileMaking(id, () => this.removeDropped(id, by))
  }

  private async removeDropped(id: string, by: string): Promise<DeletionReceipt> {
    try {
      const extent = await this.log.extent(id)
      const { first = 1, last = 0, hash = '' } = extent ?? {}
      const body = encodeBody<'deletion'>({ system: id, first, last, hash, by })
      await this.log.remove(id, { time: this.clock(), kind: 'deletion', body }, cursorsOf(id))
      return { system: id, records: last - first + 1 }
    } catch (error) {
      // Where it is decided already, only the rest of the work is left.
      if (!(error instanceof Unconfirmed)) await this.load(id)
      throw error
    }
  }

  /** Assesses a sample. Where its true level is known, the model learns it before any later sample. */
  async sample(id: string, sample: GivenSample, by: string): Promise<AssessedSample & { repeated?: true }> {
    const system = this.get(id)
    const { trueLevel: told, ...given } = sample
    const trueLevel = levelIndex(told, system.levels)
    return sampleReceipt(system.levels, await system.write({ kind: 'sample', given, trueLevel, by }))
  }

  /** Learns from an answer, or from a corrected one. */
  async feedback(id: string, given: GivenAnswer, by: string): Promise<AnswerReceipt> {
    const system = this.get(id)
    const level = levelIndex(given.level, system.levels)
    return answerReceipt(await system.write({ kind: 'answer', given: { ...given, level }, by }))
  }

  /** Changes what may change of a system. */
  async configure(id: string, change: GivenChange, by: string): Promise<void> {
    checkReceivers(this.receivers, change.alarms)
    await this.get(id).write({ kind: 'configuration', change, by })
  }

  /** A person has seen an alarm. */
  async acknowledge(id: string, number: number, by: string, about?: string, comment?: string): Promise<void> {
    const said = { ...alarmName(about), number, ...(comment !== undefined && { comment }), by }
    await this.get(id).write({ kind: 'acknowledgement', body: said })
  }

  /** A person does something else with an alarm: shelves it, takes it out of service, resets it. */
  async alarmAction(id: string, { about, ...given }: RecordBodies['alarm-action']): Promise<void> {
    await this.get(id).write({ kind: 'alarm-action', body: { ...alarmName(about), ...given } })
  }

  /**
   * Makes the model of a system forget samples: one, a range, or everything behind a record. What was shown stays, and
   * so do alarms, counts and promises.
   */
  async exclude(id: string, given: GivenExclusion, by: string): Promise<Exclusion> {
    checkExclusion(given)
    const system = this.get(id)
    // Everything that was made so far is on disk then.
    const latest = await system.read(latestAssessment())
    const { assessment, record } = await firstExcluded(this.log, id, latest, given)
    const { from, to = from, why } = given
    const range = { from: assessment, to, first: record }
    const { sequence, time, events } = await system.forget({ kind: 'exclusion', ...range, why, by })
    return { ...(events[0].body as ExclusionBody), sequence, time }
  }

  /** Learns what a reviewer says of a stretch of time, as one record. */
  async answerStretch(id: string, given: GivenStretch, by: string): Promise<Stretch> {
    const system = this.get(id)
    const level = levelIndex(given.level, system.levels)
    const written = await system.write({ kind: 'stretch', given: { ...given, level }, by })
    const { sequence, time, events, repeated } = written
    return { ...(events[0].body as StretchBody), sequence, time, ...(repeated && { repeated }) }
  }

  /** Takes a stretch back: its samples are open again, and the model is made anew as if nobody had answered. */
  async withdrawStretch(id: string, stretch: number, by: string): Promise<Withdrawal> {
    const { sequence, time, events } = await this.get(id).forget({ kind: 'withdrawal', stretch, by })
    return { ...(events[0].body as WithdrawalBody), sequence, time }
  }

  /** Records what a person remarks on the moment of an assessment. */
  async comment(id: string, given: GivenComment, by: string): Promise<Comment> {
    const { sequence, time, events } = await this.get(id).write({ kind: 'comment', given, by })
    const { assessment, text } = events[0].body as CommentBody
    return { assessment, text, by, sequence, time }
  }

  /** Says who shall answer a question, or all questions of a system. */
  async assign(id: string, { assessment, to }: GivenAssignment, by: string): Promise<Assignment> {
    const body = { ...(assessment !== undefined && { assessment }), to, by }
    const { sequence, time } = await this.get(id).write({ kind: 'assignment', body })
    return { ...body, sequence, time }
  }

  /** Calls back for everything of every system that has reached the disk, in order within a system. */
  subscribe(listener: (system: LiveSystem, written: Written) => void): () => void {
    this.subscribers.add(listener)
    return () => this.subscribers.delete(listener)
  }

  /** Removes what is older than the latest `keep` records of each system, as far as states allow. */
  async compactAll(keep: number): Promise<void> {
    for (const system of this.list()) {
      // A system without anything to remove says so; that is no trouble.
      await system.compact(keep, 'retention').catch((error) => {
        if (!(error instanceof Conflict)) this.onTrouble(error, system.id)
      })
    }
  }

  /** Waits for everything on its way, saves every state, closes the log. */
  async close(): Promise<void> {
    this.closing = true
    this.stopWatching()
    await this.recovery?.stop()
    await Promise.all([...this.systems.keys()].map((id) => this.release(id)))
    await this.seats.close()
    await this.log.close()
  }

  private adopt(seat: Seat, opened: Opened): LiveSystem {
    const snapshotEvery = () => this.snapshotEvery
    const firstEarlier = (this.adopted++ * GOLDEN_RATIO) % 1
    const system = new LiveSystem(this.log, seat, opened, { snapshotEvery, firstEarlier, clock: this.time })
    system.onTrouble = (error) => this.onTrouble(error, system.id)
    system.subscribe((written) => {
      for (const listener of this.subscribers) listener(system, written)
    })
    this.systems.set(system.id, system)
    system.keepTime()
    return system
  }
}

/** The alarm about the level has no name in the log. */
function alarmName(about: string | undefined): { about?: string } {
  return about === undefined || about === 'level' ? {} : { about }
}
