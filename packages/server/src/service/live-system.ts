import { hash } from 'node:crypto'
import type { Extensions } from '@pb-oel/core'
import {
  type AlarmKind,
  type AnswerEffect,
  decodeBody,
  encodeBody,
  type SystemEvent,
  type SystemSummary,
} from '@pb-oel/protocol'
import { RecordTimes } from '../clock/record-times.ts'
import type { ClockJump, ServerClock } from '../clock/server-clock.ts'
import { Conflict, Gone, NotReady, StorageError } from '../errors.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import type { EventLog, SnapshotBytes } from '../log/event-log.ts'
import { rebuild } from '../replay/recover.ts'
import type { UsedKey } from '../replay/used-keys.ts'
import { type Instant, summary, unreadySummary } from '../views/system.ts'
import type { View } from '../views/view.ts'
import { Claims } from './claims.ts'
import { eventOf, type Input, isOfKind, keyOf } from './input.ts'
import { KeyMemory } from './key-memory.ts'
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
  /** Records between two snapshots. */
  snapshotEvery: number
  /** Number of the last record that the latest snapshot includes; 0 without one. */
  snapshotAt: number
  /** Keys of the latest minutes that the state does not hold any more. */
  keys?: readonly UsedKey[]
  clock: ServerClock
  /** Methods, detectors and learners from outside that the system may use. */
  extensions?: Extensions
}

/** Seconds between attempts to write again after the disk refused. */
const RETRY_SECONDS = 1

/**
 * One system in memory with its place in the log. {@link read} and {@link write} are the only ways to its state, and
 * nothing leaves them that is not on disk. When the log refuses, memory is ahead of the truth: it is thrown away and
 * rebuilt.
 */
export class LiveSystem {
  readonly id: string
  /** Names, fixed for the life of a system. */
  readonly channels: readonly string[]
  readonly levels: readonly string[]
  readonly claims: Claims
  #fold: SystemFold
  /** What was on disk when somebody last looked at the summary, and when that was by the monotonic clock. */
  #known: { summary: SystemSummary; at: number }
  /** Settles with the latest append. The log keeps order, so everything before has then settled too. */
  #tail: Promise<unknown> = Promise.resolve()
  #broken: StorageError | NotReady | undefined
  #snapshotAt: number
  #stopped = false
  private readonly log: EventLog
  private readonly snapshotEvery: number
  /** The time of the server. */
  readonly clock: ServerClock
  #times: RecordTimes
  /** When this process had the state, by the monotonic clock. */
  readonly #since: number
  #timekeeper: Timekeeper
  private readonly keys: KeyMemory
  private readonly extensions: Extensions | undefined
  private readonly subscribers = new Set<(written: Written) => void>()
  private readonly enders = new Set<() => void>()
  /** Damage that was found in a part of the log that the state does not need. */
  damage: string | undefined
  /** Called when a background task fails that nobody waits for. */
  onTrouble: (error: Error) => void = () => {}

  constructor(log: EventLog, fold: SystemFold, options: LiveSystemOptions) {
    const { snapshotEvery, snapshotAt, keys, clock } = options
    this.id = fold.id
    this.channels = fold.configuration.channels
    this.levels = fold.configuration.levels
    this.log = log
    this.snapshotEvery = snapshotEvery
    this.clock = clock
    this.claims = new Claims(clock)
    this.keys = new KeyMemory(keys?.map((used) => ({ ...used, time: fold.steady - (fold.time - used.time) })))
    this.extensions = options.extensions
    this.#fold = fold
    this.#since = clock.clock.monotonic()
    this.#times = new RecordTimes(clock, fold.time, fold.pace)
    this.#known = { summary: summary(this.instant())(fold), at: clock.clock.monotonic() }
    this.#snapshotAt = snapshotAt
    this.#timekeeper = new Timekeeper(
      clock.clock,
      () => this.coming().map(({ wait }) => wait),
      () => this.tick(),
    )
    this.#timekeeper.look()
  }

  /** When this is, for a view. */
  instant(): Instant {
    const { now, sinceLast } = this.#times
    return { now, sinceRecord: sinceLast }
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
  async read<T>(view: View<T>): Promise<T> {
    if (this.#broken) throw this.#broken
    const durable = this.#tail
    let result: T
    try {
      result = view(this.#fold)
    } catch (error) {
      await durable
      throw error
    }
    await durable
    return result
  }

  /** The row of the list of systems. Never rejects: a system that is not ready says so. */
  async overview(): Promise<SystemSummary> {
    try {
      const at = this.clock.clock.monotonic()
      const known = await this.read(summary(this.instant()))
      this.#known = { summary: known, at }
      return this.damage === undefined ? known : { ...known, reason: this.damage }
    } catch (error) {
      const { summary, at } = this.#known
      return unreadySummary(summary, this.clock.clock.monotonic() - at, (error as Error).message)
    }
  }

  /**
   * Applies an input and resolves when it and what followed from it are on disk. An input whose key was used before
   * changes nothing and gives the first receipt.
   */
  async write(input: Input): Promise<Receipt> {
    if (this.#broken) throw this.#broken
    // No await between these looks and the append: two requests with one key must not both pass.
    const key = keyOf(input)
    const first = key === undefined ? undefined : (this.#fold.sequenceOfKey(key) ?? this.keys.get(key))
    if (first !== undefined) return this.earlier(first, input)
    const time = this.stamp()
    const sequence = this.#fold.sequence + 1
    const before = input.kind === 'answer' ? standing(this.#fold) : undefined
    let events: readonly SystemEvent[]
    try {
      const event = eventOf(input, this.#fold)
      events = [event, ...this.#fold.apply(event, time)]
    } catch (error) {
      // The reason of a refusal tells something about the state, too.
      await this.#tail
      throw error
    }
    this.#timekeeper.look()
    const effect = before && effectOf(before, standing(this.#fold))
    const written = { sequence, time, events }
    if (key !== undefined) this.keys.add({ key, sequence, time: this.#fold.steady })
    const stored = this.append(written)
    if (this.#fold.sequence - this.#snapshotAt >= this.snapshotEvery) this.saveSnapshot().catch(this.onTrouble)
    await stored
    if (input.kind === 'answer') this.claims.end(input.given.assessment)
    return effect ? { ...written, effect } : written
  }

  /** Writes the first record of a system that was just made. */
  async create(by: string): Promise<void> {
    const { configuration, time } = this.#fold
    const created: SystemEvent = { kind: 'created', body: { configuration, by } }
    const record = { time, kind: created.kind, body: encodeBody(created.body) }
    const stored = this.log.append(this.id, 1, [record])
    this.#tail = stored
    try {
      await stored
    } catch (error) {
      this.#stopped = true
      this.#timekeeper.end()
      this.#broken = new NotReady(`system ${this.id} could not be created`)
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
    if (this.#broken) throw this.#broken
    const { sequence } = this.#fold
    const bytes = this.#fold.save()
    this.#snapshotAt = sequence
    const body = { sequence, sha256: hash('sha256', bytes) }
    await this.mark({ kind: 'snapshot', body }, { sequence, bytes })
  }

  /** Removes old records, as many as possible while `keep` remain, and says so in the chain. */
  async compact(keep: number, by: string): Promise<number> {
    const before = await this.log.extent(this.id)
    if (!before || before.last - keep < before.first)
      throw new Conflict(`log of ${this.id}: there is nothing to remove`)
    await this.saveSnapshot()
    // An open question still shows its sample.
    const oldest = await this.read(({ recent }) => recent.oldestOpen?.sequence ?? Number.MAX_SAFE_INTEGER)
    const extent = await this.log.extent(this.id)
    const through = Math.min(this.#snapshotAt, oldest - 1, (extent?.last ?? 0) - keep)
    // A compacted log must begin with a state: the cut is where the nearest snapshot stands.
    const base = await this.log.snapshot(this.id, through)
    if (!extent || !base || base.sequence < extent.first)
      throw new Conflict(`log of ${this.id}: there is nothing to remove`)
    await this.mark({ kind: 'compaction', body: { through: base.sequence, hash: base.hash, by } })
    await this.log.compact(this.id, base.sequence)
    return base.sequence
  }

  /** Waits for what is under way and saves the state, where anything has happened since the latest snapshot. */
  async settle(): Promise<void> {
    await this.#tail.catch(() => {})
    // The mark of a snapshot is itself one record.
    if (this.ready && this.#fold.sequence > this.#snapshotAt + 1) await this.saveSnapshot()
  }

  /** Ends the system in this process: nothing is written any more, and those who follow it are told to go elsewhere. */
  end(): void {
    this.#stopped = true
    this.#timekeeper.end()
    this.#broken = new NotReady(`system ${this.id} has moved to another worker`)
    for (const listener of this.enders) listener()
    this.enders.clear()
  }

  /** Calls back when the system ends in this process. */
  onEnd(listener: () => void): () => void {
    this.enders.add(listener)
    return () => this.enders.delete(listener)
  }

  /** Records that the wall clock has jumped. */
  jumped(jump: ClockJump): void {
    if (this.#broken) return
    // One that the times follow has perhaps been recorded already.
    const change = this.#times.change(jump.followed ? undefined : jump)
    if (change) this.enter({ kind: 'clock', body: change.body }, change.time)
  }

  /** The time of the next record. What has to be known about it is recorded before. */
  private stamp(): number {
    const change = this.#times.change()
    if (change) this.enter({ kind: 'clock', body: change.body }, change.time)
    return this.#times.now
  }

  /** Enters an event that nobody waits for. */
  private enter(event: SystemEvent, time: number): void {
    const sequence = this.#fold.sequence + 1
    void this.append({ sequence, time, events: [event, ...this.#fold.apply(event, time)] })
    this.#timekeeper.look()
  }

  /** The alarms that time alone will raise, each with the milliseconds until then. */
  private coming(): { alarm: AlarmKind; wait: number }[] {
    if (this.#broken) return []
    const { due, steady, staleAfter } = this.#fold
    const now = steady + this.#times.sinceLast
    // A sensor may need as long after a start of the server as it may be silent.
    const grace = (staleAfter ?? 0) * 1000 - (this.clock.clock.monotonic() - this.#since)
    return due.map(({ alarm, at }) => ({ alarm, wait: Math.max(at - now, alarm === 'stale' ? grace : 0) }))
  }

  /** Enters that time has passed without a sample. */
  private tick(): void {
    const due = this.coming().flatMap(({ alarm, wait }) => (wait <= 0 ? [alarm] : []))
    if (due.length > 0 && !this.#broken) this.enter({ kind: 'tick', body: { due } }, this.stamp())
  }

  /** What was written at a place of the log, once it is on disk. */
  private async earlier(sequence: number, input: Input): Promise<Receipt> {
    await this.#tail
    const records = await this.log.read(this.id, { from: sequence, limit: 2 })
    if (records[0]?.sequence !== sequence) throw new Gone('this key was used before; its records have been compacted')
    const events = records.map(({ kind, body }) => {
      return { kind, body: decodeBody(kind, body, this.channels).body } as SystemEvent
    })
    const { kind } = input
    if (!isOfKind(kind, events[0])) throw new Conflict(`this key was used for something else than ${article(kind)}`)
    if (!saysTheSame(input, events[0], this.channels)) {
      throw new Conflict(`this key was used for ${article(kind)} that says something else, record ${sequence}`)
    }
    return { sequence, time: records[0].time, events, repeated: true }
  }

  /** Appends a record that changes no state. */
  private async mark(event: SystemEvent, snapshot?: SnapshotBytes): Promise<void> {
    if (this.#broken) throw this.#broken
    const time = this.stamp()
    const sequence = this.#fold.sequence + 1
    this.#fold.skip(time)
    await this.append({ sequence, time, events: [event] }, snapshot)
  }

  private append(written: Written, snapshot?: SnapshotBytes): Promise<void> {
    const { sequence, time, events } = written
    this.#times.wrote(time)
    const records = events.map(({ kind, body }) => ({ time, kind, body: encodeBody(body) }))
    const stored = this.log.append(this.id, sequence, records, snapshot).then(
      () => this.tell(written),
      (error) => {
        throw this.refused(error)
      },
    )
    this.#tail = stored
    // Callers that wait are told; without any, this is not a failure of its own.
    stored.catch(() => {})
    return stored
  }

  private tell(written: Written): void {
    for (const listener of this.subscribers) listener(written)
  }

  private refused(error: Error): Error {
    const reason = error instanceof Conflict ? new NotReady(error.message) : (error as StorageError)
    if (!this.#broken) {
      this.#broken = reason
      this.onTrouble(reason)
      void this.#tail.catch(() => {}).then(() => this.retry())
    }
    return reason
  }

  /** Waits until the disk takes records again, then rebuilds from what it holds. */
  private async retry(): Promise<void> {
    if (this.#stopped) return
    try {
      await this.log.probe()
      if (this.#stopped) return
      this.#broken = new NotReady(`system ${this.id} is being rebuilt from its log`)
      let snapshotAt = 0
      const onSnapshot = (sequence: number) => {
        snapshotAt = sequence
      }
      const fold = await rebuild(this.log, this.id, { extensions: this.extensions, onSnapshot })
      if (this.#stopped) return
      this.#fold = fold
      this.#times = new RecordTimes(this.clock, fold.time, fold.pace)
      this.#timekeeper.look()
      this.keys.forgetAfter(fold.sequence)
      this.#snapshotAt = snapshotAt
      this.#tail = Promise.resolve()
      this.#broken = undefined
    } catch (error) {
      if (this.#stopped) return
      this.#broken = error instanceof StorageError ? error : new StorageError((error as Error).message)
      this.clock.clock.after(RETRY_SECONDS * 1000, () => void this.retry())
    }
  }
}

interface Standing {
  accuracy: number | null
  weights: number[] | undefined
}

function standing(fold: SystemFold): Standing {
  return { accuracy: fold.accuracy, weights: fold.weights() }
}

function effectOf(before: Standing, after: Standing): AnswerEffect {
  return {
    accuracy: [before.accuracy, after.accuracy],
    ...(before.weights && after.weights && { weights: [before.weights, after.weights] }),
  }
}

function article(kind: Input['kind']): string {
  return kind === 'sample' ? 'a sample' : 'an answer'
}
