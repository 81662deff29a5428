import { randomBytes } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'
import { InTurn } from '../clock/in-turn.ts'
import { AlarmTopics } from './alarm-topics.ts'
import { CLIENT_ID, MqttBridge, type MqttEvents, type MqttOptions } from './bridge.ts'

/**
 * The broker of a server. Alarms go out from every worker of a cluster. Messages come in while this process has the
 * bridge: always on a single server, in turns in a cluster. The broker keeps the session in between.
 */
export class Broker {
  readonly alarms: AlarmTopics
  private readonly work: ConstructorParameters<typeof MqttBridge>[0]
  private readonly options: MqttOptions
  private readonly events: MqttEvents
  private readonly client: MqttClient
  private readonly turns = new InTurn()
  private bridge: MqttBridge | undefined

  constructor(work: ConstructorParameters<typeof MqttBridge>[0], options: MqttOptions, events: MqttEvents) {
    const { url, clientId = CLIENT_ID, username, password } = options
    this.work = work
    this.options = options
    this.events = events
    // Whoever needs the alarms keeps their place in the log: no session is needed.
    const name = `${clientId}-alarms-${randomBytes(4).toString('hex')}`
    this.client = mqtt.connect(url, { ...{ clientId: name, username, password, clean: true }, connectTimeout: 5_000 })
    // The bridge tells of the same broker.
    this.client.on('error', () => {})
    this.alarms = new AlarmTopics(this.client, work.metrics)
  }

  /** Begins to take messages. */
  start(): Promise<void> {
    return this.turns.take(async () => {
      this.bridge ??= new MqttBridge(this.work, this.options, this.events)
    })
  }

  /** Takes no more messages, after what is under way. */
  stop(): Promise<void> {
    return this.turns.take(async () => {
      const { bridge } = this
      this.bridge = undefined
      await bridge?.stop()
    })
  }

  /** Ends. */
  async close(): Promise<void> {
    await this.stop()
    await this.client.endAsync(!this.client.connected)
  }
}
