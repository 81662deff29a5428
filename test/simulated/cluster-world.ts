import { Random } from '@pb-oel/core'
import type { AlarmMessage } from '@pb-oel/protocol'
import { SimulatedClock } from '../../packages/server/src/clock/testing/simulated-clock.ts'
import { NotFound } from '../../packages/server/src/errors.ts'
import { SimulatedNats } from '../../packages/server/src/log/nats/testing/simulated-nats.ts'
import { GENESIS, type StoredRecord } from '../../packages/server/src/log/record.ts'
import { wholeState } from '../../packages/server/src/views/system.ts'
import { Faults } from './faults.ts'
import { plantOf, SYSTEMS } from './people.ts'
import type { Power } from './power.ts'
import { RECEIVER } from './server.ts'
import { Witness, type WitnessedLog } from './witness.ts'
import { SimulatedWorker } from './worker.ts'

/** Milliseconds that a client waits for an answer. */
const PATIENCE = 20_000
/** Most workers at once. */
const WORKERS = 3

/** Workers of a cluster, the servers that keep their log, and those who use them, from one seed. */
export class ClusterWorld {
  readonly clock = new SimulatedClock(1_700_000_000_000)
  readonly random: Random
  readonly faults: Faults
  readonly witness = new Witness()
  /** What happened, newest last. */
  readonly story: string[] = []
  /** Inputs that nobody has acknowledged yet. */
  unheard = 0
  private readonly nats = new SimulatedNats()
  private readonly snapshotEvery: number
  private workers: SimulatedWorker[] = []
  private readonly starting = new Set<number>()
  private started = 0
  private count = 0
  private readonly made: string[] = []

  constructor(seed: number) {
    this.random = new Random(seed, 'cluster')
    this.faults = new Faults(new Random(seed, 'cluster faults'))
    this.snapshotEvery = 5 + this.random.integer(40)
    this.witness.begin(new StreamLog(this.nats))
  }

  /** Lets time pass, and looks whether everything still holds. */
  async pass(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds)
    this.witness.inspect()
    this.check()
  }

  /** Throws when something does not hold. */
  check(): void {
    if (this.witness.violation) throw this.witness.violation
  }

  /** One more worker, where there is room. */
  start(): void {
    if (this.workers.length + this.starting.size >= WORKERS) return
    const number = this.started++
    this.starting.add(number)
    const { clock, nats, faults, random, snapshotEvery } = this
    const receive = (power: Power, message: AlarmMessage) => this.receive(power, message)
    void SimulatedWorker.start(number, { clock, nats, faults, random, snapshotEvery, receive }).then((worker) => {
      this.starting.delete(number)
      this.workers.push(worker)
    })
  }

  /** A worker is gone from one moment to the next. What it has sent still arrives. */
  kill(): void {
    const [worker] = this.workers.splice(this.random.integer(this.workers.length), 1)
    worker?.power.cut()
    worker?.reconnect()
  }

  /** A worker is cut off from the servers for about as long as a lease lasts. Its clients still reach it. */
  cutOff(): void {
    const worker = this.any()
    worker?.cutOff()
    this.clock.after(this.random.between(1_000, 12_000), () => worker?.reconnect())
  }

  /** Nothing is wrong any more. */
  heal(): void {
    this.faults.heal()
    for (const worker of this.workers) worker.reconnect()
  }

  /** Makes the systems. */
  found(): void {
    for (const id of SYSTEMS) {
      const plant = plantOf(this.random)
      this.insist(id, async ({ service }) => {
        await service.create(id, plant, 'admin').catch((error) => {
          if (error.status !== 409) throw error
        })
        this.made.push(id)
      })
    }
  }

  /** A sensor sends a sample. */
  sample(): void {
    const system = this.made[this.random.integer(this.made.length)]
    if (system === undefined) return
    const key = `s${this.count++}`
    const given = { values: [this.random.integer(2), this.random.uniform()], key }
    this.insist(system, async ({ service, power }) => {
      const { sequence, assessment } = await service.sample(system, given, 'sensor')
      if (power.isOn) this.witness.heard(system, key, { sequence, assessment })
    })
  }

  /** Somebody looks at a system where it is. */
  look(): void {
    const system = this.made[this.random.integer(this.made.length)]
    const worker = system === undefined ? undefined : this.ownerOf(system)
    if (!worker) return
    const told = this.witness.told()
    const state = async () => worker.service.get(system).read(wholeState())
    void state().then(
      ({ system: { sequence }, stateHash }) => {
        if (!worker.power.isOn) return
        this.witness.read(system, sequence, told, `a read of ${worker.url}`)
        this.witness.inspect()
        void this.witness.state(system, sequence, stateHash)
      },
      () => {},
    )
  }

  /** Ends everything. */
  leave(): void {
    for (const worker of this.workers) worker.power.cut()
    this.workers = []
  }

  /** Asks any worker, which passes it on as the routes do; again until it works. */
  private insist(system: string, work: (worker: SimulatedWorker) => Promise<void>): void {
    this.unheard++
    const attempt = async () => {
      const worker = this.ownerOf(system)
      if (!worker) return false
      let heard = false
      const done = work(worker).then(
        () => {
          heard = worker.power.isOn
        },
        (error) => {
          if (error instanceof NotFound) this.witness.fail(`${system} is gone: ${error.message}`)
        },
      )
      await Promise.race([done, this.clock.pause(PATIENCE)])
      return heard
    }
    const again = async () => {
      while (!(await attempt())) await this.clock.pause(200 + this.random.integer(1_000))
      this.unheard--
    }
    void again()
  }

  private ownerOf(system: string): SimulatedWorker | undefined {
    const asked = this.any()
    const location = asked?.node.locate(system)
    if (location === 'here') return asked
    const owner = this.workers.find(({ url }) => location !== undefined && url === location.url)
    return owner?.node.locate(system) === 'here' ? owner : undefined
  }

  private any(): SimulatedWorker | undefined {
    return this.workers[this.random.integer(this.workers.length)]
  }

  private async receive(power: Power, message: AlarmMessage): Promise<void> {
    await power.whileOn(power.pause(this.faults.networkDelay()))
    if (this.faults.receiverDown) throw new Error('the receiver is down')
    this.witness.alarm(RECEIVER, message)
  }
}

/** The log of a cluster: what the servers have is durable. */
class StreamLog implements WitnessedLog {
  private readonly nats: SimulatedNats

  constructor(nats: SimulatedNats) {
    this.nats = nats
  }

  systems(): string[] {
    return [...this.nats.logs.keys()].filter((system) => !system.startsWith('$'))
  }

  extent(system: string): { first: number; before: string } | undefined {
    return this.nats.logs.has(system) ? { first: 1, before: GENESIS } : undefined
  }

  read(system: string, from: number): readonly StoredRecord[] {
    return (this.nats.logs.get(system) ?? []).slice(from - 1)
  }

  durableEnds(): Map<string, number> {
    return new Map([...this.nats.logs].map(([system, records]) => [system, records.at(-1)?.sequence ?? 0]))
  }

  async replay(): Promise<never> {
    throw new Error('nothing is removed from the log of this cluster')
  }

  close(): void {}
}
