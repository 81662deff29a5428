import { hash } from 'node:crypto'

/** Names of everything a cluster keeps in NATS. Several clusters can share servers under different names. */
export class Names {
  /** Bucket of small values: cursors, lists of snapshots, cuts of compactions, the number of shards. */
  readonly state: string
  /** Object store of the saved states. */
  readonly snapshots: string
  /** Bucket of who owns what. */
  readonly leases: string
  /** Stream of the pages of idempotency keys. */
  readonly keys: string
  private readonly cluster: string

  /** @param cluster letters, digits, `_` and `-` */
  constructor(cluster: string) {
    this.cluster = cluster
    this.state = `${cluster}-state`
    this.snapshots = `${cluster}-snapshots`
    this.leases = `${cluster}-leases`
    this.keys = `${cluster}-keys`
  }

  /** The stream of a shard. */
  stream(shard: number): string {
    return `${this.cluster}-log-${shard}`
  }

  /** All subjects of a shard. */
  subjects(shard: number): string {
    return `${this.cluster}.log.${shard}.>`
  }

  /** The subject of a system in its shard. */
  subject(shard: number, system: string): string {
    return `${this.cluster}.log.${shard}.${toToken(system)}`
  }

  /** The subject of the pages of a system; `*` for those of all. */
  keysOf(system: string): string {
    return `${this.cluster}.keys.${system === '*' ? '*' : toToken(system)}`
  }

  /** Where workers tell each other that ownership has changed. */
  get changes(): string {
    return `${this.cluster}.changes`
  }
}

/** The shard of a system: the same foreverybody, forever. */
export function shardOf(system: string, shards: number): number {
  return Number.parseInt(hash('sha256', system).slice(0, 8), 16) % shards
}

/** Any text as one part of a subject or key: letters, digits, `_` and `-` stay, other bytes become `=hex`. */
export function toToken(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[\w-]/.test(character) ? character : `=${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
}

/** The text that {@link toToken} made a token of. */
export function fromToken(token: string): string {
  const bytes = token.match(/=[0-9a-f]{2}|[^=]/g) ?? []
  return Buffer.from(
    bytes.map((part) => (part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0))),
  ).toString()
}
