import type { KV } from '@nats-io/kv'
import type { Nats } from './connection.ts'
import { patiently } from './patience.ts'

/** A value in a bucket with its revision; revision 0 when there is none. */
export interface Versioned<T> {
  value: T | undefined
  revision: number
}

/** A key-value bucket of JSON documents. Reads go to the leader: what was written is read. */
export class StateBucket {
  private readonly kv: KV

  private constructor(kv: KV) {
    this.kv = kv
  }

  /** Opens a bucket; with a number of replicas it is made when there is none. */
  static async open(nats: Nats, name: string, replicas?: number): Promise<StateBucket> {
    return new StateBucket(await patiently(`bucket ${name}`, () => nats.bucket(name, replicas)))
  }

  /** The document of a key. */
  async get<T>(key: string): Promise<T | undefined> {
    return (await this.look<T>(key)).value
  }

  /** The document of a key and its revision. */
  look<T>(key: string): Promise<Versioned<T>> {
    return patiently(`reading ${key}`, () => this.lookOnce<T>(key))
  }

  /** The same in one attempt. */
  async lookOnce<T>(key: string): Promise<Versioned<T>> {
    const entry = await this.kv.get(key)
    const { revision = 0 } = entry ?? {}
    return { value: entry?.operation === 'PUT' ? entry.json<T>() : undefined, revision }
  }

  /** Replaces the document of a key. */
  async put(key: string, value: unknown): Promise<void> {
    await patiently(`writing ${key}`, () => this.putOnce(key, value))
  }

  /** The same in one attempt; returns the revision. */
  putOnce(key: string, value: unknown, timeout?: number): Promise<number> {
    return this.kv.put(key, JSON.stringify(value), timeout === undefined ? undefined : { timeout })
  }

  /** Replaces the document of a key when it is still of a revision; in one attempt. Returns the new revision. */
  replaceOnce(key: string, value: unknown, revision: number): Promise<number> {
    return this.kv.put(key, JSON.stringify(value), { previousSeq: revision })
  }

  /** Removes a key; in one attempt. */
  async removeOnce(key: string): Promise<void> {
    await this.kv.purge(key)
  }

  /** Removes a key. */
  async remove(key: string): Promise<void> {
    await patiently(`removing ${key}`, () => this.kv.purge(key))
  }

  /** Removes all keys that begin with a text, which has a full stop in it. */
  async removeAll(beginning: string): Promise<void> {
    const keys = await patiently(`keys ${beginning}`, () => this.keysOnce(beginning.replace(/\..*/, '.*')))
    for (const key of keys) if (key.startsWith(beginning)) await this.remove(key)
  }

  /** All keys under a filter, such as `worker.*`; in one attempt. */
  async keysOnce(filter: string): Promise<string[]> {
    const keys: string[] = []
    for await (const key of await this.kv.keys(filter)) keys.push(key)
    return keys
  }
}
