import { randomBytes } from 'node:crypto'
import type { Subscription } from '@nats-io/transport-node'
import type { Clock } from '../clock/clock.ts'
import type { Nats } from '../log/nats/connection.ts'
import type { Names } from '../log/nats/names.ts'
import { isWrongSequence } from '../log/nats/patience.ts'
import { StateBucket } from '../log/nats/state-bucket.ts'
import { type Assignment, claim, enrol, excess, leave, noAssignment, release, watchedBy } from './assignment.ts'
import { Heartbeats } from './heartbeats.ts'

/** Options of {@link ShardLeases}. */
export interface LeaseOptions {
  nats: Nats
  names: Names
  shards: number
  replicas: number
  /** Address under which the other workers reach this one. */
  url: string
  /** Seconds a lease lasts without a beat. */
  seconds: number
  /** Name of this worker, new with every start. Default: chance. */
  session?: string
}

/** What a worker does when shards change hands. */
export interface LeaseEvents {
  /** A shard is ours now. */
  onGain(shard: number, token: number): void
  /** A shard is somebody else's: drop everything of it at once. */
  onLoss(shard: number): void
  /** A shard is to be given away: resolve when everything of it is saved. */
  onRelease(shard: number): Promise<void>
  /** Something failed that is tried again. */
  onTrouble(error: Error): void
}

/** Beats per lease. A beat is seen one beat later at the latest, and counts from when it was seen. */
const BEATS = 8
const ASSIGNMENT = 'assignment'

/**
 * Leases on shards. A worker beats. When it has been silent for the length of a lease, another one strikes it off, and
 * its shards are free for workers with room. All changes go through one document that is replaced at its latest
 * revision, so two workers never own one shard by it.
 *
 * A worker stops by its own clock before anybody else counts its lease as run out. If it writes nevertheless, the
 * log refuses it: the new owner fences every system before it reads.
 */
export class ShardLeases {
  /** Name of this worker, new with every start. */
  readonly session: string
  private readonly options: LeaseOptions
  private readonly events: LeaseEvents
  private readonly bucket: StateBucket
  private readonly beats: Heartbeats
  private readonly ttl: number
  private readonly held = new Map<number, number>()
  private readonly releasing = new Set<number>()
  private latest: Assignment
  private lastBeat = Number.NEGATIVE_INFINITY
  private ticks = 0
  private stopBeating = () => {}
  private ticking: Promise<void> | undefined
  private again = false
  private stopped = false
  private changes: Subscription | undefined

  private constructor(options: LeaseOptions, events: LeaseEvents, bucket: StateBucket) {
    this.session = options.session ?? randomBytes(6).toString('hex')
    this.options = options
    this.events = events
    this.bucket = bucket
    this.ttl = options.seconds * 1000
    this.beats = new Heartbeats(this.ttl)
    this.latest = noAssignment(options.shards)
  }

  /** Joins the cluster. */
  static async join(options: LeaseOptions, events: LeaseEvents): Promise<ShardLeases> {
    const { nats, names, replicas } = options
    const leases = new ShardLeases(options, events, await StateBucket.open(nats, names.leases, replicas))
    leases.changes = nats.connection.subscribe(names.changes, { callback: () => leases.poke() })
    leases.stopBeating = nats.clock.every(leases.ttl / BEATS, () => leases.poke())
    leases.poke()
    return leases
  }

  private get clock(): Clock {
    return this.options.nats.clock
  }

  /** Who owns what, as of the latest look. */
  get assignment(): Assignment {
    return this.latest
  }

  /** Whether this worker's lease runs, by the clock at this moment: a paused process knows as soon as it goes on. */
  get valid(): boolean {
    return this.clock.monotonic() - this.lastBeat < this.ttl
  }

  /** Whether a shard is ours now. */
  holds(shard: number): boolean {
    return this.valid && this.held.has(shard)
  }

  /** Address of the owner of a shard, when it is another worker. */
  ownerOf(shard: number): string | undefined {
    const lease = this.latest.shards[shard]
    return lease && lease.owner !== this.session ? this.latest.workers[lease.owner] : undefined
  }

  /** Looks again soon, or at once when nothing is under way. */
  poke(): void {
    if (this.stopped) return
    if (this.ticking) {
      this.again = true
      return
    }
    this.ticking = this.tick()
      .catch((error) => this.events.onTrouble(error))
      .finally(() => {
        this.ticking = undefined
        if (this.again) this.clock.after(50, () => this.poke())
        this.again = false
      })
  }

  /** Gives everything back and leaves. The caller has saved the systems before. */
  async leave(): Promise<void> {
    this.stopped = true
    this.stopBeating()
    this.changes?.unsubscribe()
    await this.ticking
    try {
      await this.change((current) => leave(current, this.session))
      await this.bucket.removeOnce(`worker.${this.session}`)
    } catch (error) {
      // The others will notice by themselves.
      this.events.onTrouble(error as Error)
    }
  }

  private async tick(): Promise<void> {
    // Counted from before the beat: the others count from when they see it, which is later.
    const start = this.clock.monotonic()
    await this.bucket.putOnce(`worker.${this.session}`, this.ticks, Math.min(2_000, this.ttl / 2))
    const watched = watchedBy(this.latest, this.session)
    const looks = await Promise.all(watched.map((session) => this.bucket.lookOnce(`worker.${session}`)))
    const now = this.clock.monotonic()
    watched.forEach((session, i) => void this.beats.observe(session, looks[i].revision, now))
    this.beats.keep(watched)
    const dead = this.beats.dead(watched, now)
    // A lease that runs out before the next beat is looked at in that moment.
    const end = this.beats.nextEnd(watched, now)
    if (end < this.ttl / BEATS) this.clock.after(end + 1, () => this.poke())
    // Workers that start at the same moment know of each other before the first one takes a shard.
    const share = this.ticks++ > 0
    await this.change((current) => {
      const enrolled = enrol(current, this.session, this.options.url, dead)
      return share ? claim(enrolled, this.session) : enrolled
    })
    // Not earlier: the shards that were lost while nobody beat have just been dropped.
    this.lastBeat = start
    for (const session of dead) await this.bucket.removeOnce(`worker.${session}`).catch(() => {})
    for (const shard of excess(this.latest, this.session)) void this.giveAway(shard)
  }

  private async giveAway(shard: number): Promise<void> {
    if (this.releasing.has(shard)) return
    this.releasing.add(shard)
    try {
      await this.events.onRelease(shard)
      this.held.delete(shard)
      await this.change((current) => release(current, this.session, new Set([shard])))
    } catch (error) {
      this.events.onTrouble(error as Error)
    } finally {
      this.releasing.delete(shard)
    }
  }

  /** Replaces the document at its latest revision, tries again while others are faster, and acts on the result. */
  private async change(how: (current: Assignment) => Assignment): Promise<void> {
    for (;;) {
      const { value = noAssignment(this.options.shards), revision } = await this.bucket.lookOnce<Assignment>(ASSIGNMENT)
      const wanted = how(value)
      if (wanted === value) {
        this.accept(value)
        return
      }
      try {
        await this.bucket.replaceOnce(ASSIGNMENT, wanted, revision)
      } catch (error) {
        if (isWrongSequence(error)) continue
        throw error
      }
      this.accept(wanted)
      this.options.nats.connection.publish(this.options.names.changes)
      return
    }
  }

  private accept(assignment: Assignment): void {
    if (assignment.term < this.latest.term) return
    this.latest = assignment
    assignment.shards.forEach((lease, shard) => {
      const mine = lease?.owner === this.session && !this.stopped ? lease.token : undefined
      const held = this.held.get(shard)
      if (held === mine) return
      if (held !== undefined) {
        this.held.delete(shard)
        this.events.onLoss(shard)
      }
      if (mine !== undefined && !this.releasing.has(shard)) {
        this.held.set(shard, mine)
        this.events.onGain(shard, mine)
      }
    })
  }
}
