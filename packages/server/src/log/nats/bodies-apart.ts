import { randomBytes } from 'node:crypto'
import { ChainError } from '../../errors.ts'
import { type Bundle, encodeBundle } from './bundle.ts'
import { toToken } from './names.ts'
import type { StateBucket } from './state-bucket.ts'
import type { StoredObjects } from './stored-objects.ts'

/** What the list of a system says about one object of bodies. */
interface ApartEntry {
  /** The last record whose body it holds. */
  last: number
  object: string
}

/** Bytes of a message when the servers do not say how many they take. */
const USUAL_LIMIT = 1 << 20
/** Bytes that headers and the frame of a message take at most. */
const FRAME = 4_096
/** Bytes per character at most, as UTF-8 in a JSON string. */
const WIDEST = 3
/** Bytes of a record beside its body at most. */
const BESIDE = 200

/**
 * The bodies of bundles that are too large for a message, such as the first record of a clone, which holds a state.
 * They are in the object store before the message is published; the message names the object. Its records have their
 * hashes and empty bodies, so that a reader that knows nothing of this finds a broken chain and no wrong record.
 */
export class BodiesApart {
  private readonly objects: StoredObjects
  private readonly state: StateBucket
  private readonly limit: number

  /** @param limit bytes of a message that the servers take */
  constructor(objects: StoredObjects, state: StateBucket, limit = USUAL_LIMIT) {
    this.objects = objects
    this.state = state
    this.limit = limit - FRAME
  }

  /** The bundle as a message can hold it. */
  async pack(system: string, bundle: Bundle): Promise<Bundle> {
    const { records } = bundle
    const most = records.reduce((sum, { body }) => sum + WIDEST * body.length + BESIDE, 0)
    if (most < this.limit || Buffer.byteLength(encodeBundle(bundle)) < this.limit) return bundle
    const object = `${toToken(system)}.bodies.${randomBytes(8).toString('hex')}`
    await this.objects.put(object, Buffer.from(JSON.stringify(records.map(({ body }) => body))))
    // Listed before a record names it: what is in the log is always found when the system goes.
    const entry: ApartEntry = { last: bundle.first + records.length - 1, object }
    await this.state.put(this.key(system), [...(await this.list(system)), entry])
    return { ...bundle, records: records.map((record) => ({ ...record, body: '' })), apart: object }
  }

  /** The bundle with the bodies that were put apart. */
  async whole<T extends Bundle>(system: string, bundle: T): Promise<T> {
    const { apart, first, records } = bundle
    if (apart === undefined) return bundle
    const bytes = await this.objects.get(apart)
    if (!bytes) throw new ChainError(system, first, `has no body: object ${apart} is missing`)
    const bodies: string[] = JSON.parse(Buffer.from(bytes).toString())
    return { ...bundle, records: records.map((record, i) => ({ ...record, body: bodies[i] })) }
  }

  /** Removes the bodies of records up to and including one. */
  async removeThrough(system: string, sequence: number): Promise<void> {
    const list = await this.list(system)
    const kept = list.filter(({ last }) => last > sequence)
    if (kept.length === list.length) return
    if (kept.length > 0) await this.state.put(this.key(system), kept)
    else await this.state.remove(this.key(system))
    for (const { last, object } of list) if (last <= sequence) await this.objects.discard(object)
  }

  private async list(system: string): Promise<ApartEntry[]> {
    return (await this.state.get<ApartEntry[]>(this.key(system))) ?? []
  }

  private key(system: string): string {
    return `bodies.${toToken(system)}`
  }
}
