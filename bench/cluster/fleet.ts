import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'
import { connectNats } from '../../packages/server/src/log/nats/connection.ts'
import { Names, shardOf } from '../../packages/server/src/log/nats/names.ts'
import { ChildServer } from '../../packages/server/src/testing/child-server.ts'
import { CpuShare } from '../../packages/server/src/testing/cpu-share.ts'
import { NatsCluster } from '../../packages/server/src/testing/nats-cluster.ts'
import { send } from '../../packages/server/src/testing/requests.ts'
import { processorSeconds } from './processor-time.ts'

/** What a fleet is made of. */
export interface FleetOptions {
  workers: number
  /** NATS servers. */
  servers: number
  systems: number
  shards: number
  leaseSeconds: number
  /** Records between two saved states of a system. */
  snapshotEvery: number
  /** Holds each worker to so much of one core; 0: no limit. Linux, root. */
  share?: number
}

/** Requests per second that a worker takes from one address: here all clients have the same. */
const NO_LIMIT = 1_000_000
const MADE_AT_ONCE = 8
const CLUSTER = 'fleet'
const STREAM = dive()

/** NATS servers, workers and systems like the simulated dive, all on this machine. */
export class Fleet {
  readonly options: FleetOptions
  readonly workers: ChildServer[]
  readonly systems: readonly string[]
  private readonly folder: string
  private readonly nats: NatsCluster
  private owners: Record<number, string> = {}
  private readonly shares: CpuShare[] = []

  private constructor(options: FleetOptions, folder: string, nats: NatsCluster, workers: ChildServer[]) {
    this.options = options
    this.folder = folder
    this.nats = nats
    this.workers = workers
    this.systems = Array.from({ length: options.systems }, (_, i) => `asset-${i}`)
  }

  /** Starts everything; resolves when every system is there and the shards are shared. */
  static async start(options: FleetOptions): Promise<Fleet> {
    const folder = mkdtempSync(join(tmpdir(), 'pb-oel-fleet-'))
    const nats = await NatsCluster.start(folder, options.servers)
    const fleet = new Fleet(options, folder, nats, [])
    await Promise.all(Array.from({ length: options.workers }, () => fleet.addWorker()))
    await fleet.ready()
    const waiting = [...fleet.systems]
    const make = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await fleet.make(id)
    }
    await Promise.all(Array.from({ length: MADE_AT_ONCE }, make))
    await fleet.ready()
    return fleet
  }

  async addWorker(): Promise<void> {
    const { shards, leaseSeconds, snapshotEvery } = this.options
    const nats = { servers: this.nats.url, cluster: CLUSTER, shards, leaseSeconds }
    const limits = { requestsPerSecond: NO_LIMIT, connections: NO_LIMIT, connectionsPerAddress: NO_LIMIT }
    this.workers.push(await ChildServer.start({ port: 0, nats, limits, snapshotEvery }))
  }

  /** From now on the workers have no more than their share. */
  hold(): void {
    const { share = 0 } = this.options
    if (share > 0) this.shares.push(...this.workers.map(({ pid }) => new CpuShare(pid, share)))
  }

  /** Address of the worker that has a system. What is measured is not the passing on. */
  ownerOf(system: string): string {
    return this.owners[shardOf(system, this.options.shards)]
  }

  /** Waits until every shard is loaded at a worker that lives. */
  async ready(): Promise<void> {
    for (;;) {
      const living = this.workers.filter((worker) => worker.running)
      const views = await Promise.all(
        living.map(({ url }) =>
          send(`${url}/v1/cluster`, 'GET').then(
            ({ body }) => ({ url, body }),
            () => undefined,
          ),
        ),
      )
      this.owners = {}
      for (const view of views) {
        for (const shard of view?.body.valid ? view.body.ready : []) this.owners[shard] = view?.url as string
      }
      if (Object.keys(this.owners).length === this.options.shards) return
      await setTimeout(50)
    }
  }

  /** Kills the first worker; resolves with the moment its lease runs out, in milliseconds since 1970. */
  async killWorker(): Promise<number> {
    const victim = this.workers.shift() as ChildServer
    const { body } = await send(`${victim.url}/v1/cluster`, 'GET')
    await victim.kill()
    const nats = await connectNats(this.nats.url)
    const bucket = await nats.bucket(new Names(CLUSTER).leases)
    const beat = await bucket.get(`worker.${body.session}`)
    await nats.connection.close()
    if (!beat) throw new Error(`worker ${body.session} has never beaten`)
    return beat.created.getTime() + this.options.leaseSeconds * 1000
  }

  /** Seconds of processor time so far. */
  processor(): { workers: number; servers: number } {
    return {
      workers: processorSeconds(this.workers.filter((worker) => worker.running).map(({ pid }) => pid)),
      servers: processorSeconds(this.nats.nodes.map(({ pid }) => pid)),
    }
  }

  /** Messages of the log so far, as the workers count them, and the mean seconds that one takes. */
  async messages(): Promise<{ count: number; seconds: number }> {
    const texts = await Promise.all(this.workers.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()))
    const sum = (name: string) =>
      texts.reduce((sum, text) => sum + Number(text.match(new RegExp(`^${name} (\\S+)`, 'm'))?.[1] ?? 0), 0)
    const name = 'pb_oel_log_commit_duration_seconds'
    return { count: sum(`${name}_count`), seconds: sum(`${name}_sum`) }
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.filter((worker) => worker.running).map((worker) => worker.kill()))
    for (const share of this.shares) share.remove()
    await this.nats.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async make(id: string): Promise<void> {
    const system = { id, channels: [...STREAM.channels], levels: [...STREAM.levels] }
    for (;;) {
      const { status } = await send(`${this.workers[0].url}/v1/systems`, 'POST', system)
      if (status === 201) return
      await setTimeout(100)
    }
  }
}
