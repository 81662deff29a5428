import { hash } from 'node:crypto'
import type { SparkplugHost } from '@pb-oel/protocol'
import { InvalidRequest } from '../../errors.ts'
import type { Bridge, BridgeContext } from '../bridge.ts'
import { BridgedSystems } from '../bridged-systems.ts'
import { type BrokerMessage, Session } from '../mqtt/session.ts'
import { DeviceRule } from './device-rule.ts'
import { EdgeNode, type Told } from './edge-node.ts'
import { rebirthCommand } from './payload.ts'

const KINDS = ['NBIRTH', 'NDEATH', 'NDATA', 'DBIRTH', 'DDEATH', 'DDATA']
const TOPIC = new RegExp(`^spBv1\\.0/([^/]+)/(${KINDS.join('|')})/([^/]+)(?:/([^/]+))?$`)
/** Edge nodes that are followed, at most. */
const MOST_NODES = 10_000
/** Milliseconds between two requests for one node to tell everything anew. */
const REBIRTH_EVERY = 5_000

/** A host application of Sparkplug B (3.0): it tells edge nodes that it is there and hears what they tell. */
class Host {
  private readonly context: BridgeContext
  private readonly rules: readonly DeviceRule[]
  private readonly systems: BridgedSystems
  private readonly session: Session
  private readonly nodes = new Map<string, EdgeNode>()
  private readonly asked = new Map<string, number>()
  /** The channels that each device has told something for. */
  private readonly channels = new Map<string, Set<string>>()
  /** Whether samples are of now: what is told after the fact is then of no use. */
  private readonly now: boolean
  private readonly state: { topic: string; message: (online: boolean) => string }

  constructor(options: SparkplugHost, context: BridgeContext) {
    const { url, clientId = `pb-oel-${context.name}`, username, password, host = 'pb-oel', rules, join } = options
    this.context = context
    this.rules = rules.map((rule) => new DeviceRule(rule))
    this.systems = new BridgedSystems({ by: 'latest', ...join }, context)
    this.now = (join?.by ?? 'latest') === 'latest'
    const timestamp = context.clock.wall()
    const message = (online: boolean) => JSON.stringify({ online, timestamp })
    this.state = { topic: `spBv1.0/STATE/${host}`, message }
    this.session = new Session(
      { url, clientId, username, password },
      {
        onMessage: (message) => this.hear(message),
        onConnect: () => void this.begin().catch((error) => context.connected(false, error.message)),
        onLoss: (reason) => this.lost(reason),
      },
      // A host begins anew with each connection: edge nodes are asked for what was missed.
      { clean: true, will: { topic: this.state.topic, payload: message(false), qos: 1, retain: true } },
    )
  }

  async stop(): Promise<void> {
    this.systems.end()
    const { client } = this.session
    const { topic, message } = this.state
    if (client.connected) await client.publishAsync(topic, message(false), { qos: 1, retain: true })
    await this.session.stop()
  }

  private async begin(): Promise<void> {
    const { client } = this.session
    const { topic, message } = this.state
    await client.subscribeAsync(['spBv1.0/+/+/+', 'spBv1.0/+/+/+/+'], { qos: 1 })
    await client.publishAsync(topic, message(true), { qos: 1, retain: true })
    this.context.connected(true)
  }

  /** Nobody is known to be alive without the broker. */
  private lost(reason?: string): void {
    this.context.connected(false, reason)
    for (const node of this.nodes.values()) void this.lose(node.die().gone)
  }

  private async hear({ topic, payload, retained }: BrokerMessage): Promise<void> {
    const [, group, kind, edge, device] = topic.match(TOPIC) ?? []
    const name = `${group}/${edge}`
    // Births and deaths are never retained; one that is tells nothing about now.
    if (kind === undefined || retained || !this.rules.some((rule) => rule.meansNode(name))) return
    try {
      const node = this.node(name)
      const { told, gone = [], rebirth } = node.take(kind, device, payload)
      if (rebirth !== undefined) this.askForBirth(group, edge, rebirth)
      const lost = this.lose(gone)
      await Promise.all([lost, ...(told ? this.tell(told) : [])])
    } catch (error) {
      this.systems.refuse(undefined, error as Error)
    }
  }

  private node(name: string): EdgeNode {
    const known = this.nodes.get(name)
    if (known) return known
    if (this.nodes.size >= MOST_NODES) throw new InvalidRequest(`a host follows at most ${MOST_NODES} edge nodes`)
    const node = new EdgeNode(name)
    this.nodes.set(name, node)
    return node
  }

  /** Readings of what was told: the metrics of one time are one, as a node may tell of several times at once. */
  private tell({ device, metrics, mark }: Told): Promise<void>[] {
    return this.rules.flatMap((rule) => {
      const system = rule.systemOf(device)
      if (system === undefined) return []
      const known = metrics.filter(({ historical }) => !(historical && this.now))
      const times = [...Map.groupBy(known, ({ timestamp }) => timestamp)].sort(([a = 0], [b = 0]) => a - b)
      return times.map(([at, together]) => {
        const values = rule.valuesOf(together)
        this.remember(device, Object.keys(values))
        const key = hash('sha256', `${mark} ${at}`).slice(0, 40)
        return Object.keys(values).length === 0
          ? Promise.resolve()
          : this.systems.add(system, { values, key, ...(at !== undefined && { at }) })
      })
    })
  }

  private remember(device: string, channels: readonly string[]): void {
    const known = this.channels.get(device) ?? new Set()
    for (const channel of channels) known.add(channel)
    this.channels.set(device, known)
  }

  private async lose(devices: readonly string[]): Promise<void> {
    const lost = devices.flatMap((device) => this.rules.map((rule) => ({ device, rule })))
    await Promise.all(
      lost.map(async ({ device, rule }) => {
        const system = rule.systemOf(device)
        const channels = this.channels.get(device)
        if (system !== undefined && channels) await this.systems.lose(system, [...channels])
      }),
    )
  }

  private askForBirth(group: string, edge: string, reason: string): void {
    const { clock, warn } = this.context
    const name = `${group}/${edge}`
    const now = clock.monotonic()
    if (now - (this.asked.get(name) ?? Number.NEGATIVE_INFINITY) < REBIRTH_EVERY) return
    this.asked.set(name, now)
    warn({ node: name, reason }, 'an edge node is asked to tell everything anew')
    this.session.client.publish(`spBv1.0/${group}/NCMD/${edge}`, rebirthCommand(clock.wall()), { qos: 0 })
  }
}

/** Opens a host application. */
export async function openSparkplug(options: SparkplugHost, context: BridgeContext): Promise<Bridge> {
  return new Host(options, context)
}
