import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'

/** Makes the client of a broker. */
export type ConnectMqtt = (url: string, options: IClientOptions) => MqttClient

/** Where a broker is, and who we are there. */
export interface BrokerOptions {
  url: string
  clientId: string
  username?: string
  password?: string
}

/** A message of a broker. */
export interface BrokerMessage {
  topic: string
  payload: Buffer
  /** The broker kept it and tells it to everybody who comes. */
  retained: boolean
  /** The broker waits for its acknowledgement (QoS 1). */
  acknowledged: boolean
}

/** What a session tells. */
export interface SessionEvents {
  /** Resolves when the message may be acknowledged, or with `false` when the broker shall deliver it again. */
  onMessage: (message: BrokerMessage) => Promise<unknown>
  onConnect: () => void
  onLoss: (reason?: string) => void
}

/** Messages that the broker may send before the first of them is acknowledged; the most that MQTT allows. */
const UNACKNOWLEDGED = 65_535
const [FIRST_RETRY, LAST_RETRY] = [500, 30_000]

/**
 * A session that the broker keeps (MQTT 5). Each message is acknowledged by itself, when everything that it led to is
 * on disk; others come meanwhile, since a sample may need many of them.
 */
export class Session {
  readonly client: MqttClient

  constructor(
    { url, ...who }: BrokerOptions,
    events: SessionEvents,
    more: IClientOptions = {},
    connect: ConnectMqtt = mqtt.connect,
  ) {
    const session = { receiveMaximum: UNACKNOWLEDGED, sessionExpiryInterval: 0xffff_ffff }
    const client = connect(url, {
      ...{ ...who, protocolVersion: 5, clean: false, reconnectPeriod: FIRST_RETRY, connectTimeout: 5_000 },
      ...more,
      properties: session,
    })
    this.client = client
    // The client would acknowledge a message before it takes the next one. For it, the message asks for nothing.
    client.on('packetreceive', (packet) => {
      if (packet.cmd !== 'publish' || packet.qos !== 1) return
      packet.qos = 0
      const { stream } = client
      const { topic, payload, retain, messageId = 0 } = packet
      const message = { topic, payload: payload as Buffer, retained: retain, acknowledged: true }
      void events.onMessage(message).then((outcome) => {
        if (outcome === false) return
        // After a new connection the number may be another message's.
        if (client.stream === stream && client.connected) stream.write(acknowledgement(messageId))
      })
    })
    client.on('message', (topic, payload, packet) => {
      if (packet.messageId !== undefined) return
      void events.onMessage({ topic, payload, retained: packet.retain, acknowledged: false })
    })
    let attempts = 0
    client.on('connect', () => {
      attempts = 0
      client.options.reconnectPeriod = FIRST_RETRY
      events.onConnect()
    })
    client.on('close', () => {
      client.options.reconnectPeriod = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** Math.min(attempts++, 6))
      events.onLoss()
    })
    client.on('error', (error) => events.onLoss(error.message))
  }

  /** Ends; the broker keeps the session. */
  async stop(): Promise<void> {
    await this.client.endAsync(!this.client.connected)
  }
}

/** PUBACK of MQTT 3.1.1 and 5: everything went well. */
export function acknowledgement(messageId: number): Buffer {
  return Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff])
}
