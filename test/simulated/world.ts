import { join } from 'node:path'
import { Random } from '@pb-oel/core'
import type { AlarmMessage, SystemDetail } from '@pb-oel/protocol'
import { SimulatedClock } from '../../packages/server/src/clock/testing/simulated-clock.ts'
import { SimulatedBroker } from './broker.ts'
import { type DiskProbe, SimulatedDisk } from './disk.ts'
import { DiskLog } from './disk-log.ts'
import { Faults } from './faults.ts'
import { type Answered, type Asked, HttpClient, type Running, type Told } from './http-client.ts'
import { Power } from './power.ts'
import { RECEIVER, SimulatedServer } from './server.ts'
import { Violation, Witness } from './witness.ts'

/** When the world begins, milliseconds since 1970. */
const BEGINNING = 1_700_000_000_000
/** Simulated milliseconds within which anything that is possible must have happened. */
const PATIENCE = 1_800_000
/** Simulated milliseconds between two looks at something that is waited for. */
const WAIT = 5

/** Everything around one server, from one seed: clock, disk, network, broker, receivers, and who watches them. */
export class World {
  readonly clock = new SimulatedClock(BEGINNING)
  readonly random: Random
  readonly faults: Faults
  readonly broker: SimulatedBroker
  readonly http: HttpClient
  readonly witness = new Witness()
  /** What happened, newest last. */
  readonly story: string[] = []
  private readonly probe: DiskProbe & { folder: string }
  private readonly snapshotEvery: number
  private readonly scratch: string
  private disk!: SimulatedDisk
  private current: Running | undefined
  private starts = 0

  constructor(seed: number, probe: DiskProbe & { folder: string }, scratch: string) {
    this.random = new Random(seed, 'world')
    this.faults = new Faults(new Random(seed, 'faults'))
    this.scratch = scratch
    this.probe = probe
    this.snapshotEvery = 5 + this.random.integer(60)
    this.broker = new SimulatedBroker(this.clock, new Random(seed, 'broker'), this.faults, (topic, payload) =>
      this.published(topic, JSON.parse(payload)),
    )
    this.http = new HttpClient({
      ...{ clock: this.clock, faults: this.faults, running: () => this.current },
      onLeft: (asked, answered, told) => this.left(asked, answered, told),
      told: () => this.witness.told(),
    })
  }

  /** Whether a server runs. */
  get running(): boolean {
    return this.current !== undefined
  }

  /** Lets time pass, and looks whether everything still holds. */
  async pass(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds)
    if (this.current) this.witness.inspect()
    this.check()
  }

  /** Ends without a word: nothing is looked at any more. */
  async leave(): Promise<void> {
    const { server, power } = this.current ?? {}
    this.witness.end()
    power?.cut()
    await server?.stop()
    this.current = undefined
  }

  /** Throws when something does not hold. */
  check(): void {
    if (this.witness.violation) throw this.witness.violation
  }

  /** Starts a server on what the disk holds. The power may go again before it is there. */
  async start(files: ReadonlyMap<string, Buffer> = new Map()): Promise<void> {
    let left = files
    while (this.random.integer(6) === 0) left = await this.startInVain(left)
    const { power, starting } = this.begin(left)
    const server = await this.until(starting, 'a server does not start')
    this.current = { server, power }
    this.witness.inspect()
    await this.witness.replayFromStart()
    this.check()
  }

  /** The power goes while a server starts; returns what is left on the disk. */
  private async startInVain(files: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
    const { power, starting } = this.begin(files)
    await this.clock.advance(this.random.integer(12))
    const left = this.disk.cut(this.random)
    power.cut()
    await starting.then(
      (server) => server.stop(),
      () => {},
    )
    return left
  }

  private begin(files: ReadonlyMap<string, Buffer>): { power: Power; starting: Promise<SimulatedServer> } {
    this.disk = new SimulatedDisk(this.probe, join(this.probe.folder, String(this.starts++)), files)
    this.witness.begin(new DiskLog(this.disk, this.scratch))
    const power = new Power(this.clock)
    const starting = SimulatedServer.start({
      ...{ power, folder: this.disk.folder, snapshotEvery: this.snapshotEvery },
      diskDelay: () => this.faults.diskDelay(),
      connectMqtt: this.broker.connector(power),
      receive: (message) => this.receive(power, message),
      onFed: (system, sequence) => {
        if (power.isOn) this.witness.shown(system, sequence, 'an event')
      },
    })
    return { power, starting }
  }

  /** The power goes, and what was not synced is gone or torn; then a server starts on the rest. */
  async cutPower(): Promise<void> {
    const { server, power } = this.current as Running
    this.witness.end()
    const files = this.disk.cut(this.random)
    power.cut()
    this.current = undefined
    await server.stop()
    await this.start(files)
  }

  /** Stops the server as an administrator does, and starts it again. */
  async restart(): Promise<void> {
    const { server, power } = this.current as Running
    this.witness.end()
    await this.until(server.stop(), 'a server does not stop')
    power.cut()
    this.current = undefined
    await this.start(this.disk.files())
  }

  /** The disk is full, or has room again. */
  full(is: boolean): void {
    this.disk.full(is)
  }

  /** Nothing is wrong any more. */
  heal(): void {
    this.faults.heal()
    this.full(false)
  }

  /** Waits for something that must happen while time passes. */
  async until<T>(promise: Promise<T>, otherwise: string): Promise<T> {
    let settled = false
    const end = () => {
      settled = true
    }
    promise.then(end, end)
    for (const begin = this.clock.monotonic(); !settled; ) {
      if (this.clock.monotonic() - begin > PATIENCE) throw new Violation(otherwise)
      await this.clock.advance(WAIT)
      this.check()
    }
    return promise.catch((error) => {
      throw new Violation(`${otherwise}: ${(error as Error).message}`)
    })
  }

  private async receive(power: Power, message: AlarmMessage): Promise<void> {
    await power.whileOn(power.pause(this.faults.networkDelay()))
    if (this.faults.receiverDown) throw new Error('the receiver is down')
    this.witness.alarm(RECEIVER, message)
    await power.whileOn(power.pause(this.faults.networkDelay()))
    if (this.faults.loses()) throw new Error('the answer of the receiver got lost')
  }

  private published(topic: string, payload: { sequence?: number }): void {
    const [, system, what] = topic.split('/')
    if (what === 'problem') this.witness.fail(`a message to ${system} is refused: ${JSON.stringify(payload)}`)
    else if (what.endsWith('alarm')) this.witness.alarm('mqtt', payload as AlarmMessage)
    else if (payload.sequence !== undefined) this.witness.shown(system, payload.sequence, `the topic ${topic}`)
  }

  /** An answer leaves the server: what it tells must be durable, and no older than what was told before. */
  private left({ method, url }: Asked, { status, body }: Answered, told: Told): void {
    if (status >= 300) return
    const system = systemOf(url) || body.id
    if (url === '/v1/systems' && method === 'GET') {
      for (const row of body.systems) if (row.ready) this.witness.read(row.id, row.sequence, told, 'the list')
      return
    }
    if (url.endsWith('/state')) {
      this.witness.inspect()
      void this.witness.state(system, body.system.sequence, body.stateHash)
    }
    const sequence = body.sequence ?? body.system?.sequence ?? body.records?.[0]?.sequence
    if (sequence === undefined) return
    if (method === 'GET') this.witness.read(system, sequence, told, url)
    else this.witness.shown(system, sequence, `POST ${url}`)
    if (body.configuration) this.checkAlarm(system, body)
  }

  /** A system that finds its level unsafe has an alarm, where its rule does not wait. */
  private checkAlarm(system: string, { trained, likely, alarm, configuration }: SystemDetail): void {
    const { level, raiseAfter } = configuration.alarm
    const quiet = alarm.status === 'normal' || alarm.status === 'returned'
    if (trained && likely !== null && likely >= level && raiseAfter === 0 && quiet) {
      this.witness.fail(`missed alarm: ${system} is unsafe and its alarm is ${alarm.status}`)
    }
  }
}

function systemOf(url: string): string {
  return url.split('/')[3] ?? ''
}
