import { join } from 'node:path'
import type { AlarmMessage } from '@pb-oel/protocol'
import { AlarmOutbox, type SendAlarm } from '../../packages/server/src/alarms/outbox.ts'
import { createApp } from '../../packages/server/src/app.ts'
import { Tokens } from '../../packages/server/src/auth/tokens.ts'
import { Backups } from '../../packages/server/src/backup/backups.ts'
import { localIntake } from '../../packages/server/src/bridges/intake.ts'
import type { ConnectMqtt } from '../../packages/server/src/bridges/mqtt/session.ts'
import type { App } from '../../packages/server/src/http/context.ts'
import { LIMITS } from '../../packages/server/src/http/limits.ts'
import { LiveFeed } from '../../packages/server/src/http/live-feed.ts'
import { SqliteLog } from '../../packages/server/src/log/sqlite-log.ts'
import { Metrics } from '../../packages/server/src/metrics/metrics.ts'
import { AlarmTopics } from '../../packages/server/src/mqtt/alarm-topics.ts'
import { MqttBridge } from '../../packages/server/src/mqtt/bridge.ts'
import { LocalReading } from '../../packages/server/src/reading/local-reading.ts'
import type { LiveSystem } from '../../packages/server/src/service/live-system.ts'
import { Service } from '../../packages/server/src/service/service.ts'
import { STORE } from './disk-log.ts'
import type { Power } from './power.ts'
import { SimulatedStore } from './store.ts'

/** What a server runs on, and who is around it. */
export interface Surroundings {
  power: Power
  folder: string
  snapshotEvery: number
  diskDelay: () => number
  connectMqtt: ConnectMqtt
  /** Makes one attempt to deliver an alarm. */
  receive: (message: AlarmMessage) => Promise<void>
  /** Called with everything that followers of a system see. */
  onFed: (system: string, sequence: number, text: string) => void
}

const FOLLOWED = ['assessment', 'feedback', 'correction', 'alarm', 'clock', 'snapshot'] as const
/** The receiver of alarms over HTTP; its place in the log is kept under it. */
export const RECEIVER = 'http://receiver'

/** The parts of a server as `serve` puts them together, on one thread, without a socket. */
export class SimulatedServer {
  readonly app: App
  readonly service: Service
  private readonly closers: (() => Promise<unknown>)[]

  private constructor(app: App, service: Service, closers: (() => Promise<unknown>)[]) {
    this.app = app
    this.service = service
    this.closers = closers
  }

  /** Starts on what the folder holds. */
  static async start(around: Surroundings): Promise<SimulatedServer> {
    const { power, folder, snapshotEvery, diskDelay } = around
    const log = await SqliteLog.open(join(folder, STORE), async (file, readOnly) => {
      return new SimulatedStore(file, readOnly, { power, delay: diskDelay })
    })
    const closers: (() => Promise<unknown>)[] = [() => log.close()]
    try {
      const tokens = await Tokens.open(log)
      const metrics = new Metrics()
      const service = Service.empty(log, { clock: power, snapshotEvery })
      metrics.watch(service)
      await service.recover()
      const context = {
        ...{ service, tokens, metrics, reading: new LocalReading(log) },
        backups: new Backups(log, folder, service.clock),
        stopping: () => !power.isOn,
        streams: new Set<never>(),
        maxStreams: 10,
      }
      const app = await createApp(context, { ...LIMITS, requestsPerSecond: 1e9 })
      await app.ready()
      closers.splice(0, 1, () => service.close())
      closers.push(() => app.close())
      const server = new SimulatedServer(app, service, closers)
      server.follow(around)
      await server.takeUp(around, metrics)
      return server
    } catch (error) {
      for (const close of closers.reverse()) await close().catch(() => {})
      throw error
    }
  }

  /** Ends as a server that is told to; after a power cut it only lets go of its files. */
  async stop(): Promise<void> {
    for (const close of [...this.closers].reverse()) await close().catch(() => {})
  }

  private async takeUp(around: Surroundings, metrics: Metrics): Promise<void> {
    const { connectMqtt, receive } = around
    const work = { intake: localIntake(this.service), clock: this.service.time.clock, metrics }
    const silent = { onChange: () => {}, onFailure: () => {}, onDefect: () => {} }
    const bridge = new MqttBridge(work, { url: 'mqtt://broker' }, silent, connectMqtt)
    const topics = new AlarmTopics(bridge.client, metrics)
    this.closers.push(() => bridge.stop())
    const post: SendAlarm = (message) => receive(message)
    const outboxes = [
      new AlarmOutbox(this.service, RECEIVER, post),
      new AlarmOutbox(this.service, 'mqtt', (message) => topics.alarm(message)),
    ]
    for (const outbox of outboxes) {
      this.closers.push(() => outbox.stop())
      await outbox.start()
    }
  }

  private follow({ onFed }: Surroundings): void {
    const feed = (system: LiveSystem) =>
      LiveFeed.of(system).follow(FOLLOWED, ({ events }) => {
        for (const { sequence, text } of events) onFed(system.id, sequence, text)
      })
    for (const system of this.service.list()) feed(system)
    this.service.onLoaded(feed)
    const fed = new Set<string>()
    this.service.subscribe((system, { sequence }) => {
      // One that was just made; its first record is not an event of the feed.
      if (sequence === 1 && !fed.has(system.id)) feed(system)
      fed.add(system.id)
    })
  }
}
