import { systemClock } from '../../clock/clock.ts'
import { StorageError } from '../../errors.ts'
import type { Nats } from './connection.ts'
import type { Objects } from './object-put.ts'
import { patiently } from './patience.ts'

/** Milliseconds for attempts to write an object. */
const WRITE_PATIENCE = 10_000

/** Messages in front of the description of an object among which its chunks are looked for first. */
const NEAR = 64

/** What is too large for a message: bytes under names that are each used once. */
export class StoredObjects {
  private readonly objects: Objects
  private readonly nats: Nats

  private constructor(objects: Objects, nats: Nats) {
    this.objects = objects
    this.nats = nats
  }

  /** Opens an object store; with a number of replicas it is made when there is none. */
  static async open(nats: Nats, name: string, replicas?: number): Promise<StoredObjects> {
    const objects = await patiently(`object store ${name}`, () => nats.objects(name, replicas))
    return new StoredObjects(objects, nats)
  }

  /** Writes an object; rejects when that takes too long. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    // One attempt may wait forever when the server it talks to falls silent in between.
    const attempt = () => inTime(this.objects.put(name, bytes), WRITE_PATIENCE)
    await patiently(`object ${name}`, attempt, WRITE_PATIENCE)
  }

  /** The bytes of an object, when it is there as a whole. */
  get(name: string): Promise<Uint8Array | undefined> {
    return patiently(`object ${name}`, () => this.download(name))
  }

  /** Removes an object that nothing names. An object that stays only takes space, so this does not fail. */
  async discard(name: string): Promise<void> {
    await inTime(this.objects.delete(name), WRITE_PATIENCE).catch(() => {})
  }

  /**
   * The bytes of an object, chunk by chunk. The object store's own reading goes through a consumer, which may be on a
   * replica that lags behind.
   */
  private async download(name: string): Promise<Uint8Array | undefined> {
    const info = await this.objects.info(name)
    if (!info || info.deleted) return undefined
    const stream = `OBJ_${info.bucket}`
    const subject = `$O.${info.bucket}.C.${info.nuid}`
    // The chunks are just in front of the message that describes them; a search from the start reads everything.
    for (let reach = NEAR; ; reach *= 8) {
      const chunks = await this.chunks(stream, subject, Math.max(1, info.revision - reach), info.chunks)
      if (chunks.length === info.chunks) return Buffer.concat(chunks)
      if (reach >= info.revision) return undefined
    }
  }

  private async chunks(stream: string, subject: string, from: number, count: number): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = []
    for (let place = from; chunks.length < count; ) {
      const chunk = await this.nats.message(stream, { seq: place, next_by_subj: subject })
      if (!chunk) break
      chunks.push(chunk.data)
      place = chunk.seq + 1
    }
    return chunks
  }
}

/** The outcome of a promise, or an error when it does not come in time. */
async function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  const late = new AbortController()
  const timeout = systemClock.pause(milliseconds, late.signal).then(() => {
    throw new StorageError(`no answer in ${milliseconds} ms`)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    timeout.catch(() => {})
    late.abort()
  }
}
