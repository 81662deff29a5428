import { type AnswerEffect, decodeBody, encodeBody, type SystemEvent, type SystemSummary } from '@pb-oel/protocol'
import { RecordTimes } from '../clock/record-times.ts'
import type { ClockJump, ServerClock } from '../clock/server-clock.ts'
import { Conflict, Gone, KeyUsed, NotReady, ServiceError, StorageError } from '../errors.ts'
import type { EventLog, Snapshot } from '../log/event-log.ts'
import { cutBeforeExclusions } from '../replay/exclusions.ts'
import { type Input, isOfKind } from '../seat/input.ts'
import type { Entry, Opened, Operation, OperationKind, Results, Seat } from '../seat/seat.ts'
import { samplesMade } from '../views/progress.ts'
import { oldestOpen } from '../views/queue.ts'
import { summary, unreadySummary } from '../views/system.ts'
import type { View } from '../views/view.ts'
import { Claims } from './claims.ts'
import { saysTheSame } from './same-input.ts'
import { Timekeeper } from './timekeeper.ts'

/** Records that belong together and are on disk: an input and what followed from it. */
export interface Written {
  /** Number of the first record. */
  sequence: number
  time: number
  events: readonly SystemEvent[]
}

/** What a write leaves behind once it is on disk. */
export interface Receipt extends Written {
  /** The key was used before; this is what was written then. */
  repeated?: true
  /** What an answer changed at once. */
  effect?: AnswerEffect
}

/** Options of a {@link LiveSystem}. */
export interface LiveSystemOptions {
  /** Records between two snapshots, at this moment. */
  snapshotEvery: () => number
  /** By which share of that the first snapshot comes earlier, so that not all systems save theirs at once. */
  firstEarlier: number
  clock: ServerClock
}

/** Seconds between attempts to write again after the disk refused. */
const RETRY_SECONDS = 1

/**
 * One system with its place in the log. {@link read} and {@link write} are the only ways to its state, which has a seat
 * in this thread or in another, and nothing leaves them that is not on disk. When the log refuses, the state is ahead
 * of the truth: it is thrown away and rebuilt.
 */
export class LiveSystem {
  readonly id: string
  /** Names, as of the latest record on disk. */
  channels: readonly string[]
  levels: readonly string[]
  readonly claims: Claims
  /** What was on disk when somebody last looked at the summary, and when that was by the monotonic clock. */
  #known: { row: SystemSummary; at: number }
  /** Settles with the latest append. The log keeps order, so everything before has then settled too. */
  #tail: Promise<unknown> = Promise.resolve()
  #broken: ServiceError | undefined
  /** Number of the last record that was given to the log. */
  #last: number
  #snapshotAt: number
  #saving = false
  #stopped = false
  private readonly log: EventLog
  private readonly seat: Seat
  private readonly snapshotEvery: () => number
  private readonly firstEarlier: number
  /** The time of the server. */
  readonly clock: ServerClock
  readonly #times: RecordTimes
  readonly #timekeeper: Timekeeper
  private readonly subscribers = new Set<(written: Written) => void>()
  private readonly enders = new Set<() => void>()
  /** Damage that was found in a part of the log that the state does not need. */
  damage: string | undefined
  /** Called when a background task fails that nobody waits for. */
  onTrouble: (error: Error) => void = () => {}

  /** @param opened what the seat said of the system when it took it */
  constructor(log: EventLog, seat: Seat, opened: Opened, options: LiveSystemOptions) {
    this.id = opened.summary.id
    this.channels = opened.configuration.channels
    this.levels = opened.configuration.levels
    this.log = log
    this.seat = seat
    const { clock } = options
    this.snapshotEvery = options.snapshotEvery
    this.firstEarlier = options.firstEarlier
    this.clock = clock
    this.claims = new Claims(clock)
    this.#times = new RecordTimes(clock, opened.time, opened.pace)
    this.#timekeeper = new Timekeeper(clock.clock, this.#times, (due) => this.tick(due))
    this.#known = { row: opened.summary, at: clock.clock.monotonic() - (this.now - opened.time) }
    this.#last = opened.sequence
    this.#snapshotAt = opened.snapshotAt
    seat.onLost = (reason) => this.abandon(reason)
    this.#timekeeper.expect(opened.outlook, opened.time)
  }

  /** The time of a record that would be written now. */
  get now(): number {
    return this.#times.now
  }

  /** Number of the last record that the latest snapshot includes. */
  get snapshotAt(): number {
    return this.#snapshotAt
  }

  /** True while the system takes events. */
  get ready(): boolean {
    return this.#broken === undefined
  }

  /**
   * What a view shows of the state now; resolves when everything it may depend on is on disk. Rejects with a
   * {@link StorageError} or {@link NotReady} when the log refuses any of it. The view's own error waits too: it may
   * tell something about the state.
   */
  read<T>(view: View<T>): Promise<T> {
    const { name, args } = view
    return this.ask({ kind: 'read', view: name, args }, async (value) => {
      // Everything the state included has been given to the log by now.
      await this.#tail
      return value as T
    })
  }

  /** The row of the list of systems. Never rejects: a system that is not ready says so. */
  async overview(): Promise<SystemSummary> {
    try {
      const at = this.clock.clock.monotonic()
      const row = await this.read(summary(this.now))
      this.#known = { row, at }
      return this.damage === undefined ? row : { ...row, reason: this.damage }
    } catch (error) {
      const { row, at } = this.#known
      return unreadySummary(row, this.clock.clock.monotonic() - at, (error as Error).message)
    }
  }

  /**
   * Applies an input and resolves when it and what followed from it are on disk. An input whose key was used before
   * changes nothing and gives the first receipt.
   */
  write(input: Input): Promise<Receipt> {
    return this.writeAt(input, this.stamp())
  }

  private writeAt(input: Input, now: number): Promise<Receipt> {
    return this.ask({ kind: 'write', input, now }, async (result) => {
      if ('repeated' in result) return this.earlier(result.repeated, input)
      const { sequence, time, events, effect } = result
      const stored = this.append(result)
      if (this.snapshotDue) this.saveSnapshot().catch(this.onTrouble)
      await stored
      if (input.kind === 'answer') this.claims.end(input.given.assessment)
      return { sequence, time, events, ...(effect && { effect }) }
    })
  }

  /**
   * Makes the model forget samples or answers. Resolves when the input is on disk and the system was rebuilt without
   * them; until then nobody sees the state, and nothing is taken.
   */
  async forget(input: Extract<Input, { kind: 'exclusion' | 'withdrawal' }>): Promise<Receipt> {
    const { sequence, time, events } = await this.ask({ kind: 'write', input, now: this.stamp() }, async (result) => {
      const entry = result as Entry
      const stored = this.append(entry)
      this.#broken = new NotReady(`system ${this.id} is being rebuilt from its log without what it is to forget`)
      await stored.finally(() => this.retry())
      return entry
    })
    // A start need not run the log again.
    if (this.ready) await this.saveSnapshot().catch(this.onTrouble)
    return { sequence, time, events }
  }

  /** Writes the first record of a system that was just made. */
  async create({ configuration, time }: Opened, by: string): Promise<void> {
    const created: SystemEvent = { kind: 'created', body: { configuration, by } }
    const record = { time, kind: created.kind, body: encodeBody(created.body) }
    const stored = this.log.append(this.id, 1, [record])
    this.#tail = stored
    try {
      await stored
    } catch (error) {
      this.stop(new NotReady(`system ${this.id} could not be created`))
      throw error
    }
    this.tell({ sequence: 1, time, events: [created] })
  }

  /** Calls back for everything that has reached the disk, in order. Returns how to end it. */
  subscribe(listener: (written: Written) => void): () => void {
    this.subscribers.add(listener)
    return () => this.subscribers.delete(listener)
  }

  /** Writes the state to the log, so that a start or a compaction need not go further back. */
  async saveSnapshot(): Promise<void> {
    if (this.#saving) return
    this.#saving = true
    const saved = this.ask({ kind: 'snapshot', now: this.stamp() }, (entry) => {
      this.#snapshotAt = entry.sequence - 1
      return this.append(entry)
    })
    await saved.finally(() => (this.#saving = false))
  }

  private get snapshotDue(): boolean {
    const share = this.#snapshotAt === 0 ? 1 - this.firstEarlier : 1
    return this.#last - this.#snapshotAt >= this.snapshotEvery() * share
  }

  /** Removes old records, as many as possible while `keep` remain, and says so in the chain. */
  async compact(keep: number, by: string): Promise<number> {
    const nothing = new Conflict(`log of ${this.id}: there is nothing to remove`)
    const before = await this.extent()
    if (before.last - keep < before.first) throw nothing
    await this.saveSnapshot()
    // An open question still shows its sample.
    const oldest = (await this.read(oldestOpen())) ?? Number.MAX_SAFE_INTEGER
    const { first, last } = await this.extent()
    const base = await this.cutAt(Math.min(this.#snapshotAt, oldest - 1, last - keep))
    if (!base || base.sequence < first) throw nothing
    await this.mark({ kind: 'compaction', body: { through: base.sequence, hash: base.hash, by } })
    await this.log.compact(this.id, base.sequence)
    return base.sequence
  }

  /** Numbers of the first and the last record in the log. */
  private async extent(): Promise<{ first: number; last: number }> {
    const { first = 1, last = 0 } = (await this.log.extent(this.id)) ?? {}
    return { first, last }
  }

  /** A compacted log must begin with a state that no later exclusion changes: the snapshot where it may be cut. */
  private async cutAt(atMost: number): Promise<Snapshot | undefined> {
    const base = await this.log.snapshot(this.id, atMost)
    if (!base) return undefined
    const settled = await cutBeforeExclusions(this.log, this.id, base.sequence)
    return settled === base.sequence ? base : this.cutAt(settled)
  }

  /** Waits for what is under way and saves the state, where anything has happened since the latest snapshot. */
  async settle(): Promise<void> {
    // Any look waits for everything that was asked before it.
    await this.read(samplesMade()).catch(() => {})
    // The mark of a snapshot is itself one record.
    if (this.ready && this.#last > this.#snapshotAt + 1) await this.saveSnapshot()
  }

  /** Ends the system in this process: nothing is written any more, and those who follow it are told to go elsewhere. */
  end(reason = `system ${this.id} has moved to another worker`): void {
    this.stop(new NotReady(reason))
    for (const listener of this.enders) listener()
    this.enders.clear()
  }

  private stop(reason: NotReady): void {
    this.#stopped = true
    this.#broken = reason
    this.#timekeeper.end()
    this.seat.leave()
  }

  /** Calls back when the system ends in this process. */
  onEnd(listener: () => void): () => void {
    this.enders.add(listener)
    return () => this.enders.delete(listener)
  }

  /**
   * Says in the log that its times are ahead of the clock, where they are. They would stand still until something else
   * is written, and so would the alarms that wait for time.
   */
  keepTime(): void {
    if (this.#timekeeper.waits) this.enterChange(this.#times.change())
  }

  /** Records that the wall clock has jumped. */
  jumped(jump: ClockJump): void {
    // One that the times follow has perhaps been recorded already.
    this.enterChange(this.#times.change(jump.followed ? undefined : jump))
  }

  /** The time of the next record. What has to be known about it is recorded before. */
  private stamp(): number {
    this.enterChange(this.#times.change())
    return this.#times.next()
  }

  private enterChange(change: ReturnType<RecordTimes['change']>): void {
    // Where the state is thrown away, its times are made anew with it.
    if (change) this.writeAt({ kind: 'clock', change: change.body }, change.time).catch(() => {})
  }

  /** Records that time has passed without a sample. */
  private tick(due: string[]): void {
    this.write({ kind: 'tick', due }).catch(() => {})
  }

  /**
   * Asks the seat. The seat answers in order, so `take` gives records to the log in order; it must do that before it
   * waits for anything.
   */
  private ask<K extends OperationKind, T>(
    operation: Operation<K>,
    take: (result: Results[K]) => Promise<T>,
  ): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken)
    return new Promise((done, fail) => {
      this.seat.perform(operation, (outcome) => {
        // What was computed on a state that is thrown away goes with it.
        if (this.#broken) fail(this.#broken)
        else if ('value' in outcome) take(outcome.value).then(done, fail)
        else {
          const { error, defect } = outcome
          // The reason of a refusal tells something about the state, too.
          this.#tail.then(() => fail(error), fail)
          if (defect) this.abandon(new NotReady(`system ${this.id} is rebuilt after a defect: ${error.message}`))
        }
      })
    })
  }

  /** What was written at a place of the log, once it is on disk. */
  private async earlier(sequence: number, input: Input): Promise<Receipt> {
    await this.#tail
    const records = await this.log.read(this.id, { from: sequence, limit: 2 })
    if (records[0].sequence !== sequence) throw new Gone('this key was used before; its records have been compacted')
    const events = records.map(({ kind, body }) => {
      return { kind, body: decodeBody(kind, body, this.channels).body } as SystemEvent
    })
    const { kind } = input
    if (!isOfKind(kind, events[0])) throw new KeyUsed(`something else than ${article(kind)}`)
    if (!saysTheSame(input, events[0], this.channels)) {
      throw new KeyUsed(`${article(kind)} that says something else, record ${sequence}`)
    }
    return { sequence, time: records[0].time, events, repeated: true }
  }

  /** Appends a record that changes no state. */
  private mark(event: SystemEvent): Promise<void> {
    return this.ask({ kind: 'mark', event, now: this.stamp() }, (entry) => this.append(entry))
  }

  private append({ sequence, time, events, records, snapshot, outlook }: Entry): Promise<void> {
    this.#timekeeper.expect(outlook, time)
    this.#last = sequence + records.length - 1
    const stored = this.log.append(this.id, sequence, records, snapshot).then(
      () => this.tell({ sequence, time, events }),
      (error) => {
        throw this.refused(error)
      },
    )
    this.#tail = stored
    return stored
  }

  private tell(written: Written): void {
    const [event] = written.events
    if (event.kind === 'configuration' && event.body.change.levels) this.levels = event.body.change.levels
    if (event.kind === 'channel') this.channels = [...this.channels, event.body.name]
    if (event.kind === 'level') this.levels = [...this.levels, event.body.name]
    for (const listener of this.subscribers) listener(written)
  }

  private refused(error: Error): Error {
    const reason = error instanceof Conflict ? new NotReady(error.message) : (error as StorageError)
    this.abandon(reason)
    return reason
  }

  /** The state cannot be used any more: nobody sees it again, and it is rebuilt. */
  private abandon(reason: ServiceError): void {
    if (this.#broken) return
    this.#broken = reason
    this.onTrouble(reason)
    void this.#tail.catch(() => {}).then(() => this.retry())
  }

  /** Waits until the disk takes records again, then rebuilds from what it holds. */
  private async retry(): Promise<void> {
    try {
      await this.log.probe()
      if (this.#stopped) return
      this.#broken = new NotReady(`system ${this.id} is being rebuilt from its log`)
      const { sequence, snapshotAt, time, pace, outlook, configuration } = await this.seat.reopen()
      if (this.#stopped) return
      this.#times.begin(time, pace)
      this.#timekeeper.expect(outlook, time)
      this.channels = configuration.channels
      this.levels = configuration.levels
      this.#last = sequence
      this.#snapshotAt = snapshotAt
      this.#tail = Promise.resolve()
      this.#broken = undefined
      this.keepTime()
    } catch (error) {
      if (this.#stopped) return
      this.#broken = error instanceof ServiceError ? error : new StorageError((error as Error).message)
      this.clock.clock.after(RETRY_SECONDS * 1000, () => void this.retry())
    }
  }
}

function article(kind: Input['kind']): string {
  return kind === 'sample' ? 'a sample' : kind === 'stretch' ? 'a stretch' : 'an answer'
}
