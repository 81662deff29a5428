import { type Metric, type Payload, readPayload, signed } from './payload.ts'

/** What a message of an edge node says of the node itself or of a device. */
export interface Told {
  /** `group/edge` or `group/edge/device`. */
  device: string
  metrics: readonly Metric[]
  /** What the message is recognised by. */
  mark: string
}

/** What follows from a message: something is told, devices are gone, the node must tell everything anew. */
export interface Consequence {
  told?: Told
  gone?: string[]
  rebirth?: string
}

/** Numbers of messages run from 0 to 255. */
const SEQUENCE = 256

interface Born {
  /** By alias: name and type. */
  aliases: Map<bigint, { name: string; datatype: number | undefined }>
  /** By name: type. */
  types: Map<string, number | undefined>
}

/**
 * An edge node as a host sees it: whether it is alive, what its aliases mean, which number its next message has
 * (Sparkplug B 3.0, sections 5 and 6). What comes out of turn is not used: the node is asked to tell everything anew.
 */
export class EdgeNode {
  /** `group/edge`. */
  readonly name: string
  /** The node and its devices that are alive, with what their births said. */
  private readonly born = new Map<string, Born>()
  private birth = ''
  private next: number | undefined

  constructor(name: string) {
    this.name = name
  }

  /** @param kind such as `DDATA` */
  take(kind: string, device: string | undefined, bytes: Buffer): Consequence {
    const payload = readPayload(bytes)
    const who = device === undefined ? this.name : `${this.name}/${device}`
    if (kind === 'NBIRTH') return this.nodeBorn(payload)
    if (kind === 'NDEATH') return this.nodeDied(payload)
    if (this.next === undefined) return { rebirth: 'its birth was not heard' }
    if (payload.seq !== this.next) {
      const reason = `expected message ${this.next}, got ${payload.seq ?? 'one without a number'}`
      return { ...this.die(), rebirth: reason }
    }
    this.next = (this.next + 1) % SEQUENCE
    if (kind === 'DDEATH') return this.born.delete(who) ? { gone: [who] } : {}
    return kind === 'DBIRTH' ? this.bear(who, payload) : this.tell(who, payload)
  }

  /** Forgets that it is alive: messages may have been missed. */
  die(): { gone: string[] } {
    const gone = [...this.born.keys()]
    this.born.clear()
    this.next = undefined
    return { gone }
  }

  private nodeBorn(payload: Payload): Consequence {
    const { gone } = this.die()
    this.birth = birthNumber(payload) ?? ''
    this.next = ((payload.seq ?? 0) + 1) % SEQUENCE
    // Devices are born anew after their node.
    return { ...this.bear(this.name, payload), gone: gone.filter((device) => device !== this.name) }
  }

  private nodeDied(payload: Payload): Consequence {
    // The will of an earlier connection may come after the birth of the next. Any other number ends the node: some
    // edge nodes name their next connection when they leave, and old values must not be taken for new ones.
    const number = birthNumber(payload)
    const earlier = number === undefined ? 0 : (Number(this.birth) - Number(number) + SEQUENCE) % SEQUENCE
    return earlier > 0 && earlier < SEQUENCE / 2 ? {} : this.die()
  }

  /** A birth says what holds now, since whenever that may be. */
  private bear(who: string, payload: Payload): Consequence {
    const { timestamp } = payload
    const metrics = payload.metrics.map((metric) => ({ ...metric, timestamp }))
    const born: Born = { aliases: new Map(), types: new Map() }
    for (const { name, alias, datatype } of metrics) {
      if (name === undefined) continue
      born.types.set(name, datatype)
      if (alias !== undefined) born.aliases.set(alias, { name, datatype })
    }
    this.born.set(who, born)
    return this.tell(who, { ...payload, metrics })
  }

  private tell(device: string, { metrics, timestamp, seq }: Payload): Consequence {
    const born = this.born.get(device)
    if (!born) return { ...this.die(), rebirth: `the birth of ${device} was not heard` }
    const told: Metric[] = []
    for (const metric of metrics) {
      const meant = metric.alias === undefined ? undefined : born.aliases.get(metric.alias)
      const name = metric.name ?? meant?.name
      if (name === undefined) return { ...this.die(), rebirth: `alias ${metric.alias} of ${device} has no meaning` }
      const datatype = metric.datatype ?? meant?.datatype ?? born.types.get(name)
      const { whole, value } = metric
      const number = whole !== undefined && value !== null ? signed(whole, datatype) : value
      told.push({ ...metric, name, value: number, timestamp: metric.timestamp ?? timestamp })
    }
    return { told: { device, metrics: told, mark: `${device} ${this.birth} ${timestamp} ${seq}` } }
  }
}

/** Which connection of a node a birth or death belongs to. */
function birthNumber({ metrics }: Payload): string | undefined {
  return metrics.find(({ name }) => name === 'bdSeq')?.whole?.toString()
}
