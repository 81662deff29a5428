import type { Random } from '@pb-oel/core'
import type { AlarmMessage } from '@pb-oel/protocol'
import { AlarmOutbox } from '../../packages/server/src/alarms/outbox.ts'
import type { SimulatedClock } from '../../packages/server/src/clock/testing/simulated-clock.ts'
import { ClusterNode } from '../../packages/server/src/cluster/cluster-node.ts'
import { NatsLog } from '../../packages/server/src/log/nats/nats-log.ts'
import type { Line, SimulatedNats } from '../../packages/server/src/log/nats/testing/simulated-nats.ts'
import { Service } from '../../packages/server/src/service/service.ts'
import type { Faults } from './faults.ts'
import { Power } from './power.ts'
import { RECEIVER } from './server.ts'

/** Shards of the simulated cluster, and seconds that a lease lasts. */
const [SHARDS, LEASE_SECONDS] = [2, 5]

/** What a worker runs on, and who is around it. */
export interface WorkerSurroundings {
  clock: SimulatedClock
  nats: SimulatedNats
  faults: Faults
  random: Random
  snapshotEvery: number
  receive: (power: Power, message: AlarmMessage) => Promise<void>
}

/** A worker of a cluster: log, leases, systems and the receivers of alarms. Its way to the servers can be cut. */
export class SimulatedWorker {
  readonly url: string
  readonly power: Power
  readonly service: Service
  readonly node: ClusterNode
  private readonly way: Way

  private constructor(url: string, power: Power, way: Way, log: NatsLog, service: Service) {
    this.url = url
    this.power = power
    this.way = way
    this.service = service
    const session = url.slice(-4)
    this.node = new ClusterNode(log, service, { leaseSeconds: LEASE_SECONDS, session, onTrouble: () => {} })
  }

  /** A worker that has joined. */
  static async start(number: number, around: WorkerSurroundings): Promise<SimulatedWorker> {
    const { clock, nats, faults, random, snapshotEvery, receive } = around
    const skew = Math.round(random.between(-3_000, 3_000))
    const power = new Power(clock, skew)
    const way = new Way(clock, power, faults)
    const log = await NatsLog.open({ servers: 'simulated', shards: SHARDS }, async () => nats.connect(way))
    const service = Service.empty(log, { clock: power, snapshotEvery })
    const worker = new SimulatedWorker(`http://${String(number).padStart(4, '0')}`, power, way, log, service)
    await worker.node.join(worker.url)
    await new AlarmOutbox(service, RECEIVER, (message) => receive(power, message)).start()
    return worker
  }

  /** Cuts the way to the servers; what is on it waits there. */
  cutOff(): void {
    this.way.cut()
  }

  /** Opens it again. */
  reconnect(): void {
    this.way.open()
  }
}

/** The way of a worker to the servers. What is on its way arrives, even when the worker is gone. */
class Way implements Line {
  readonly clock: Power
  private readonly world: SimulatedClock
  private readonly faults: Faults
  private opened: PromiseWithResolvers<void> | undefined

  constructor(world: SimulatedClock, power: Power, faults: Faults) {
    this.world = world
    this.clock = power
    this.faults = faults
  }

  async carry(): Promise<void> {
    await this.world.pause(this.faults.networkDelay())
    await this.opened?.promise
  }

  alive(): boolean {
    return this.clock.isOn
  }

  cut(): void {
    this.opened ??= Promise.withResolvers()
  }

  open(): void {
    this.opened?.resolve()
    this.opened = undefined
  }
}
