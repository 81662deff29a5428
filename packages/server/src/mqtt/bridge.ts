import type { MqttClient } from 'mqtt'
import type { Intake } from '../bridges/intake.ts'
import { type BrokerMessage, type ConnectMqtt, Session } from '../bridges/mqtt/session.ts'
import type { Clock } from '../clock/clock.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type MessageParts, SystemMessages } from './system-messages.ts'

/** Where the broker is and who we are there. */
export interface MqttOptions {
  /** Such as `mqtt://127.0.0.1:1883` or `mqtts://user:password@host`. */
  url: string
  /** The session the broker keeps while we are away; one per server or cluster. Default `pb-oel`. */
  clientId?: string
  username?: string
  password?: string
}

/** What a bridge tells. */
export interface MqttEvents {
  /** The connection is made or lost. */
  onChange: (connected: boolean, reason?: string) => void
  /** A message waits for its system, and stays with the broker meanwhile. */
  onFailure: (error: Error) => void
  /** An error of ours kept a message from being handled; it is answered by a problem and acknowledged. */
  onDefect: (error: Error) => void
}

/** Under which name we are at a broker unless told otherwise. */
export const CLIENT_ID = 'pb-oel'

const TOPIC = /^pb-oel\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})\/(sample|feedback)$/

/**
 * Samples and feedback in, assessments and problems out, all QoS 1.
 *
 * The session is kept by the broker, and a message is acknowledged to it only when everything it led to is on disk:
 * what a crash or a broken connection leaves unacknowledged is delivered again, and recognised by its id.
 */
export class MqttBridge {
  private readonly session: Session
  private readonly parts: MessageParts
  private readonly ending = new AbortController()
  /** Systems with messages that are not handled yet. */
  private readonly systems = new Map<string, SystemMessages>()

  constructor(
    work: { intake: Intake; clock: Clock; metrics: Metrics },
    { clientId = CLIENT_ID, ...broker }: MqttOptions,
    events: MqttEvents,
    connect?: ConnectMqtt,
  ) {
    this.parts = {
      ...{ ...work, signal: this.ending.signal },
      publish: (topic, payload) => {
        this.client.publish(topic, JSON.stringify(payload), { qos: 1 })
        work.metrics.mqtt('published')
      },
      onFailure: events.onFailure,
      onDefect: events.onDefect,
    }
    this.session = new Session(
      { ...broker, clientId },
      {
        onMessage: (message) => this.receive(message),
        onConnect: () => {
          this.client.subscribe(['pb-oel/+/sample', 'pb-oel/+/feedback'], { qos: 1 })
          events.onChange(true)
        },
        onLoss: (reason) => events.onChange(false, reason),
      },
      {},
      connect,
    )
  }

  /** The connection to the broker. */
  get client(): MqttClient {
    return this.session.client
  }

  /** Ends after what is under way; the broker keeps the session. */
  async stop(): Promise<void> {
    this.ending.abort()
    await Promise.all([...this.systems.values()].map((messages) => messages.settled()))
    await this.session.stop()
  }

  private async receive({ topic, payload, retained, acknowledged }: BrokerMessage): Promise<boolean> {
    const [, system, kind] = topic.match(TOPIC) ?? []
    const messages = system === undefined ? undefined : this.messagesOf(system)
    if (messages?.refuses(payload.length) && acknowledged) return false
    if (!messages || messages.refuses(payload.length)) {
      // Nobody keeps a message that needs no acknowledgement (QoS 0).
      this.parts.metrics.mqtt('refused')
      return true
    }
    return messages.add({ kind: kind as 'sample' | 'feedback', payload, retained })
  }

  /** All messages of a system are handled; the broker delivers those that had to stay at the next connection. */
  private finish(system: string, overflown: boolean): void {
    this.systems.delete(system)
    if (overflown && !this.ending.signal.aborted) this.client.stream.destroy()
  }

  private messagesOf(system: string): SystemMessages {
    const messages =
      this.systems.get(system) ?? new SystemMessages(system, this.parts, (overflown) => this.finish(system, overflown))
    this.systems.set(system, messages)
    return messages
  }
}
