import { PbOelError } from '@pb-oel/core'
import type { Clock } from '../clock/clock.ts'
import { NotFound, NotReady, ServiceError } from '../errors.ts'
import { shardOf } from '../log/nats/names.ts'
import type { NatsLog } from '../log/nats/nats-log.ts'
import { SERVER_LOG } from '../log/record.ts'
import { rebuild } from '../replay/recover.ts'
import type { Service } from '../service/service.ts'
import type { Assignment } from './assignment.ts'
import { ShardLeases } from './shard-leases.ts'

/** Options of {@link ClusterNode}. */
export interface ClusterOptions {
  /** Seconds a lease lasts without a beat. */
  leaseSeconds: number
  /** Name of this worker, new with every start. Default: chance. */
  session?: string
  /** Called when a shard takes requests. */
  onReady?: (shard: number) => Promise<void>
  /** Called with each failure that is tried again. */
  onTrouble: (error: Error, what: string) => void
  /** Called when a shard is ours and ready, or gone. */
  onChange?: (shard: number, state: 'ready' | 'gone', milliseconds: number) => void
}

/** Where a system is: here, at the address of another worker, or nowhere at this moment. */
export type Location = 'here' | { url: string } | undefined

/** Systems rebuilt at once when a shard is taken over. */
const REBUILT_AT_ONCE = 8
const RETRY_MILLISECONDS = 500
const LOOK_MILLISECONDS = 250

/** This worker in its cluster. It loads the systems of shards it gains and drops those of shards it loses. */
export class ClusterNode {
  readonly log: NatsLog
  private readonly service: Service
  private readonly options: ClusterOptions
  private leases: ShardLeases | undefined
  /** Shards whose systems are loaded, and those being loaded; the signal ends the loading. */
  private readonly ready = new Set<number>()
  private readonly loading = new Map<number, AbortController>()
  private readonly loads = new Map<number, Promise<void>>()
  /** Systems that cannot be rebuilt, and why. */
  private readonly damaged = new Map<string, Error>()
  private lookedAgain = Number.NEGATIVE_INFINITY

  constructor(log: NatsLog, service: Service, options: ClusterOptions) {
    this.log = log
    this.service = service
    this.options = options
    service.absent = (id) => this.whyAbsent(id)
    service.elsewhere = async (id, view) =>
      view.look(await rebuild(log.reader(), id, { extensions: service.extensions }))
  }

  /** Begins to take shards. */
  async join(url: string): Promise<void> {
    const { nats, names, replicas } = this.log.cluster
    const { leaseSeconds: seconds, session } = this.options
    this.leases = await ShardLeases.join(
      { nats, names, url, shards: this.log.shards, replicas: await replicas(), seconds, session },
      {
        onGain: (shard) => this.gain(shard),
        onLoss: (shard) => this.lose(shard),
        onRelease: (shard) => this.release(shard),
        onTrouble: (error) => this.options.onTrouble(error, 'the lease'),
      },
    )
  }

  private get clock(): Clock {
    return this.service.time.clock
  }

  /** Where requests about a system go. */
  locate(id: string): Location {
    const shard = shardOf(id, this.log.shards)
    if (this.leases?.holds(shard)) return 'here'
    const url = this.leases?.ownerOf(shard)
    return url === undefined ? undefined : { url }
  }

  /** Addresses of the other workers. */
  get others(): string[] {
    if (!this.leases) return []
    const { assignment, session } = this.leases
    return Object.entries(assignment.workers).flatMap(([worker, url]) => (worker === session ? [] : [url]))
  }

  /** Who owns what, as this worker sees it. */
  get assignment(): (Assignment & { session: string; valid: boolean; ready: number[] }) | undefined {
    if (!this.leases) return undefined
    const { assignment, session, valid } = this.leases
    return { ...assignment, session, valid, ready: [...this.ready].sort((a, b) => a - b) }
  }

  /** Why this worker cannot answer for its own shards; `undefined` while it can. */
  get trouble(): string | undefined {
    if (!this.leases?.valid) return 'the lease of this worker has run out'
    if (this.loading.size > 0) return `shards that are being loaded: ${this.loading.size}`
    return undefined
  }

  /** Looks again who owns which shard, after the last look has turned out wrong. */
  lookAgain(): void {
    const now = this.clock.monotonic()
    // Many requests find the same thing at the same moment.
    if (now - this.lookedAgain < LOOK_MILLISECONDS) return
    this.lookedAgain = now
    this.leases?.poke()
  }

  /** Saves everything and goes. */
  async leave(): Promise<void> {
    const held = [...this.ready]
    for (const loading of this.loading.values()) loading.abort()
    this.ready.clear()
    for (const shard of held) {
      await Promise.all(this.systemsOf(shard).map((id) => this.service.release(id).catch(() => {})))
    }
    await this.leases?.leave()
  }

  private gain(shard: number): void {
    const aborter = new AbortController()
    this.loading.get(shard)?.abort()
    this.loading.set(shard, aborter)
    // One after the other: an earlier loading that was ended must not drop what this one loads.
    const earlier = this.loads.get(shard) ?? Promise.resolve()
    this.loads.set(
      shard,
      earlier.then(() => this.loadUntilReady(shard, aborter.signal)),
    )
  }

  private async loadUntilReady(shard: number, signal: AbortSignal): Promise<void> {
    const start = this.clock.monotonic()
    while (!signal.aborted) {
      try {
        await this.load(shard, signal)
        if (signal.aborted) return
        this.loading.delete(shard)
        this.ready.add(shard)
        this.options.onChange?.(shard, 'ready', this.clock.monotonic() - start)
        await this.options.onReady?.(shard).catch((error) => this.options.onTrouble(error, `systems of shard ${shard}`))
        return
      } catch (error) {
        if (signal.aborted) return
        this.options.onTrouble(error as Error, `loading shard ${shard}`)
        await this.clock.pause(RETRY_MILLISECONDS)
      }
    }
  }

  private async load(shard: number, signal: AbortSignal): Promise<void> {
    const systems = (await this.log.systemsOf(shard)).filter((id) => id !== SERVER_LOG)
    const waiting = systems.filter((id) => !this.service.has(id))
    const next = async () => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) await this.takeOver(id)
    }
    // Wait for all of them, also when one fails: nothing of this attempt may run beside the next.
    const outcomes = await Promise.allSettled(Array.from({ length: REBUILT_AT_ONCE }, next))
    if (signal.aborted) this.drop(shard)
    const failed = outcomes.find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
  }

  private async takeOver(id: string): Promise<void> {
    // The writer before is shut out first, so that what is read then is complete.
    this.log.forget(id)
    await this.log.fence(id)
    if (await this.log.finishDeletion(id)) return
    try {
      await this.service.load(id)
      this.damaged.delete(id)
    } catch (error) {
      if (!isLasting(error as Error)) throw error
      this.damaged.set(id, error as Error)
      this.options.onTrouble(error as Error, `system ${id}`)
    }
  }

  private lose(shard: number): void {
    this.loading.get(shard)?.abort()
    this.loading.delete(shard)
    this.ready.delete(shard)
    this.drop(shard)
    this.options.onChange?.(shard, 'gone', 0)
  }

  private drop(shard: number): void {
    for (const id of this.systemsOf(shard)) {
      this.service.drop(id)
      this.log.forget(id)
    }
  }

  private async release(shard: number): Promise<void> {
    this.loading.get(shard)?.abort()
    this.loading.delete(shard)
    this.ready.delete(shard)
    await this.loads.get(shard)
    for (const id of this.systemsOf(shard)) {
      await this.service.release(id)
      this.log.forget(id)
    }
    this.options.onChange?.(shard, 'gone', 0)
  }

  private systemsOf(shard: number): string[] {
    return this.service
      .list()
      .map(({ id }) => id)
      .filter((id) => shardOf(id, this.log.shards) === shard)
  }

  /** `undefined` while the system may be used here. */
  private whyAbsent(id: string): Error | undefined {
    const shard = shardOf(id, this.log.shards)
    if (!this.leases?.holds(shard)) return new NotReady(`system ${id} is not on this worker at this moment`)
    if (!this.ready.has(shard)) return new NotReady(`system ${id} is being loaded`)
    const damage = this.damaged.get(id)
    if (damage) return new NotReady(`system ${id} cannot be rebuilt: ${damage.message}`)
    return this.service.has(id) ? undefined : new NotFound(`there is no system ${id}`)
  }
}

/**
 * Whether an error is the system's own: its log is damaged, or of a later release, or needs a module that is missing.
 */
function isLasting(error: Error): boolean {
  return error instanceof PbOelError && !(error instanceof ServiceError)
}
