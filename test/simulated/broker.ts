import { EventEmitter } from 'node:events'
import type { Random } from '@pb-oel/core'
import type { ConnectMqtt } from '../../packages/server/src/bridges/mqtt/session.ts'
import type { SimulatedClock } from '../../packages/server/src/clock/testing/simulated-clock.ts'
import type { Faults } from './faults.ts'
import type { Power } from './power.ts'

type MqttClient = ReturnType<ConnectMqtt>

/** A message on its way to the server; the broker keeps it until the server has acknowledged it. */
interface Message {
  topic: string
  payload: string
  onTaken: () => void
}

/** Messages that a server has in hand at a time. */
const AT_ONCE = 3

/** Called for everything that a server publishes, when the broker has it. */
export type OnPublished = (topic: string, payload: string) => void

/**
 * A broker with one session. It delivers with QoS 1: again and again, also twice and out of order, until the server
 * acknowledges; acknowledgements get lost.
 */
export class SimulatedBroker {
  readonly waiting: Message[] = []
  private readonly clock: SimulatedClock
  private readonly random: Random
  private readonly faults: Faults
  private readonly onPublished: OnPublished
  private client: SimulatedMqttClient | undefined

  constructor(clock: SimulatedClock, random: Random, faults: Faults, onPublished: OnPublished) {
    this.clock = clock
    this.random = random
    this.faults = faults
    this.onPublished = onPublished
  }

  /** A sensor publishes; `onTaken` is called when the server has acknowledged. */
  publish(topic: string, payload: string, onTaken: () => void): void {
    this.waiting.push({ topic, payload, onTaken })
    this.client?.wake()
  }

  /** How the server of one run reaches the broker. */
  connector(power: Power): ConnectMqtt {
    return () => {
      this.client = new SimulatedMqttClient(this, power)
      return this.client as unknown as MqttClient
    }
  }

  /** Breaks the connection; the client comes again. */
  disconnect(): void {
    this.client?.breakOff()
  }

  /** The message to deliver next of those that are not under way: the oldest, or any. */
  next(underWay: ReadonlySet<Message>): Message | undefined {
    const waiting = this.waiting.filter((message) => !underWay.has(message))
    if (waiting.length === 0) return undefined
    return waiting[this.faults.reorders() ? this.random.integer(waiting.length) : 0]
  }

  /** The server has acknowledged; the broker may not hear it. */
  taken(message: Message): void {
    message.onTaken()
    if (this.faults.loses()) return
    const place = this.waiting.indexOf(message)
    if (place >= 0) this.waiting.splice(place, 1)
  }

  /** The server has published. */
  published(topic: string, payload: string): void {
    this.onPublished(topic, payload)
  }

  /** Milliseconds until the other side has something. */
  delay(): number {
    return this.faults.networkDelay()
  }

  /** Waits, whatever becomes of the server. */
  later(callback: () => void): void {
    this.clock.after(this.delay(), callback)
  }

  /** Whether an answer gets lost. */
  loses(): boolean {
    return this.faults.loses()
  }
}

/** What the bridge uses of a client of mqtt.js, with its ways: some messages at a time, what is unsent waits. */
class SimulatedMqttClient extends EventEmitter {
  connected = false
  disconnecting = false
  readonly options = { reconnectPeriod: 500 }
  /** Where acknowledgements are written; another one for each connection. */
  stream = { write: (_: Buffer) => {} }
  private readonly broker: SimulatedBroker
  private readonly power: Power
  private unsent: { topic: string; payload: string; done: () => void }[] = []
  private readonly underWay = new Map<number, Message>()
  private delivered = 0

  constructor(broker: SimulatedBroker, power: Power) {
    super()
    this.broker = broker
    this.power = power
    power.after(broker.delay(), () => this.arrive())
  }

  subscribe(): void {}

  publish(topic: string, payload: string): void {
    this.send({ topic, payload, done: () => {} })
  }

  publishAsync(topic: string, payload: string): Promise<void> {
    return this.power.whileOn(new Promise((done) => this.send({ topic, payload, done })))
  }

  async endAsync(): Promise<void> {
    this.disconnecting = true
    this.connected = false
  }

  /** The connection breaks. */
  breakOff(): void {
    if (!this.connected || !this.power.isOn) return
    this.connected = false
    this.emit('close')
    this.power.after(this.options.reconnectPeriod, () => this.arrive())
  }

  /** Takes the next message, unless enough are being handled. */
  wake(): void {
    if (!this.connected || this.underWay.size >= AT_ONCE || !this.power.isOn) return
    const message = this.broker.next(new Set(this.underWay.values()))
    if (!message) return
    const messageId = (this.delivered++ % 65_535) + 1
    this.underWay.set(messageId, message)
    const { stream } = this
    this.power.after(this.broker.delay(), () => {
      if (stream !== this.stream) return
      const { topic, payload } = message
      const packet = { cmd: 'publish', qos: 1, topic, payload: Buffer.from(payload), retain: false, messageId }
      this.emit('packetreceive', packet)
      this.wake()
    })
  }

  private acknowledged(messageId: number): void {
    const message = this.underWay.get(messageId)
    this.underWay.delete(messageId)
    if (!this.power.isOn) return
    if (message) this.broker.taken(message)
    this.power.after(1, () => this.wake())
  }

  private arrive(): void {
    if (this.disconnecting) return
    this.connected = true
    this.underWay.clear()
    this.stream = { write: (packet) => this.acknowledged(packet.readUInt16BE(2)) }
    this.emit('connect')
    for (const one of this.unsent.splice(0)) this.send(one)
    this.wake()
  }

  private send(one: { topic: string; payload: string; done: () => void }): void {
    if (!this.connected || !this.power.isOn) {
      this.unsent.push(one)
      return
    }
    this.broker.published(one.topic, one.payload)
    if (this.broker.loses()) {
      this.unsent.push(one)
      this.power.after(this.broker.delay(), () => this.breakOff())
    } else this.power.after(this.broker.delay(), one.done)
  }
}
