import { PbOelError } from '@pb-oel/core'
import { type AlarmMessage, type AssessedSample, InvalidShape, type Problem } from '@pb-oel/protocol'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { ServiceError } from '../errors.ts'
import { problemOf } from '../http/problems.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Service } from '../service/service.ts'
import { parseFeedback, parseSamples } from './payload.ts'

/** Where the broker is and who we are there. */
export interface MqttOptions {
  /** Such as `mqtt://127.0.0.1:1883` or `mqtts://user:password@host`. */
  url: string
  /** The session the broker keeps while we are away; one per server. Default `pb-oel`. */
  clientId?: string
  username?: string
  password?: string
}

/** Makes the client of a broker. */
export type ConnectMqtt = (url: string, options: IClientOptions) => MqttClient

const TOPIC = /^pb-oel\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})\/(sample|feedback)$/

/** What a message leads to on another topic. */
interface Outgoing {
  topic: string
  payload: AssessedSample | Problem
}

/** What a message is made of that matters here. */
interface Incoming {
  system: string
  payload: Buffer
  /** The broker kept it and tells it to everybody who comes; it was told to this server before, or is of old. */
  retained: boolean
}

/**
 * Samples and feedback in, assessments, alarms and problems out, all QoS 1.
 *
 * The session is kept by the broker, and a message is acknowledged to it only when everything it led to is on disk:
 * what a crash or a broken connection leaves unacknowledged is delivered again, and recognised by its id.
 */
export class MqttBridge {
  private readonly client: MqttClient
  private readonly service: Service
  private readonly metrics: Metrics
  /** Called when the connection is made or lost. */
  onChange: (connected: boolean, reason?: string) => void = () => {}
  /** Called when a message could not be handled and was not acknowledged. */
  onFailure: (error: Error) => void = () => {}
  /** Called when an error of ours kept a message from being handled; it is answered by a problem and acknowledged. */
  onDefect: (error: Error) => void = () => {}

  constructor(
    service: Service,
    metrics: Metrics,
    { url, clientId = 'pb-oel', username, password }: MqttOptions,
    connect: ConnectMqtt = mqtt.connect,
  ) {
    this.service = service
    this.metrics = metrics
    this.client = connect(url, {
      clientId,
      username,
      password,
      clean: false,
      reconnectPeriod: 500,
      connectTimeout: 5_000,
    })
    // The acknowledgement of a message waits for this callback; a message that failed stays with the broker.
    this.client.handleMessage = (packet, done) => {
      this.receive(packet.topic, packet.payload as Buffer, packet.retain).then(
        () => done(),
        (error: Error) => {
          this.onFailure(error)
          done(error)
        },
      )
    }
    let attempts = 0
    this.client.on('connect', () => {
      attempts = 0
      this.client.options.reconnectPeriod = 500
      this.client.subscribe(['pb-oel/+/sample', 'pb-oel/+/feedback'], { qos: 1 })
      this.onChange(true)
    })
    this.client.on('close', () => {
      // 0.5 s, 1 s, 2 s, … 30 s.
      this.client.options.reconnectPeriod = Math.min(30_000, 500 * 2 ** Math.min(attempts++, 6))
      this.onChange(false)
    })
    this.client.on('error', (error) => this.onChange(false, error.message))
  }

  /** Publishes a change of an alarm; resolves when the broker has it. Retained, so that whoever comes later knows. */
  async alarm(message: AlarmMessage): Promise<void> {
    const topic = message.about === undefined ? 'alarm' : (`${message.about}-alarm` as const)
    await this.client.publishAsync(`pb-oel/${message.system}/${topic}`, JSON.stringify(message), {
      qos: 1,
      retain: true,
    })
    this.metrics.mqtt('published')
  }

  /** Publishes a change of an alarm on a topic that a receiver of escalations reads. */
  async escalation(topic: string, message: AlarmMessage): Promise<void> {
    await this.client.publishAsync(topic, JSON.stringify(message), { qos: 1 })
    this.metrics.mqtt('published')
  }

  /** Ends after what is under way; the broker keeps the session. */
  async stop(): Promise<void> {
    await this.client.endAsync(!this.client.connected)
  }

  private async receive(topic: string, payload: Buffer, retained: boolean): Promise<void> {
    const [, system, kind] = topic.match(TOPIC) ?? []
    if (system === undefined) {
      this.metrics.mqtt('refused')
      return
    }
    for (;;) {
      try {
        const incoming = { system, payload, retained }
        const outgoing = kind === 'sample' ? await this.samples(incoming) : await this.feedback(incoming)
        for (const { topic, payload } of outgoing) this.publish(topic, payload)
        return
      } catch (error) {
        // While the store refuses or the system is rebuilt, the message stays with the broker.
        if (!(error instanceof ServiceError && error.status >= 500)) throw error
        await this.service.time.clock.pause(1_000)
        if (this.client.disconnecting) throw error
      }
    }
  }

  private async samples(incoming: Incoming): Promise<Outgoing[]> {
    const { system } = incoming
    return this.each(incoming, parseSamples, async (sample) => {
      const assessed = await this.service.sample(system, sample, 'mqtt')
      this.metrics.mqtt(assessed.repeated ? 'repeated' : 'accepted')
      return { topic: `pb-oel/${system}/assessment`, payload: assessed }
    })
  }

  private async feedback(incoming: Incoming): Promise<Outgoing[]> {
    return this.each(incoming, parseFeedback, async (answer) => {
      const receipt = await this.service.feedback(incoming.system, answer, answer.by ?? 'mqtt')
      this.metrics.mqtt(receipt.repeated ? 'repeated' : 'accepted')
      return undefined
    })
  }

  /**
   * Handles the entries of a message together; those that are wrong become problems, the rest goes on. Of a retained
   * message only entries with a key are handled: any other would be taken anew at each connection.
   */
  private async each<T extends { key?: string }>(
    { system, payload, retained }: Incoming,
    parse: (payload: Buffer) => T[],
    handle: (entry: T) => Promise<Outgoing | undefined>,
  ): Promise<Outgoing[]> {
    const refuse = (error: Error): Outgoing => {
      // The store refuses or the system is being rebuilt: the message is not at fault.
      if (error instanceof ServiceError && error.status >= 500) throw error
      if (!(error instanceof PbOelError || error instanceof InvalidShape)) this.onDefect(error)
      this.metrics.mqtt('refused')
      return { topic: `pb-oel/${system}/problem`, payload: problemOf(error) }
    }
    let entries: T[]
    try {
      entries = parse(payload)
    } catch (error) {
      // A retained one was refused when it was sent.
      return retained ? [] : [refuse(error as Error)]
    }
    const known = retained ? entries.filter(({ key }) => key !== undefined) : entries
    const outgoing = await Promise.all(known.map((entry) => handle(entry).catch(refuse)))
    return outgoing.filter((message) => message !== undefined)
  }

  private publish(topic: string, payload: object): void {
    this.client.publish(topic, JSON.stringify(payload), { qos: 1 })
    this.metrics.mqtt('published')
  }
}
