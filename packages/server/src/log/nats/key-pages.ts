import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { KEYS_KNOWN_FOR, type KeyPage } from '../event-log.ts'
import type { Nats } from './connection.ts'
import type { Names } from './names.ts'
import { patiently } from './patience.ts'
import { subjectMessages } from './subject-messages.ts'

/** How much longer than a key is known its page is kept: a takeover may come late. */
const SPARE = 1.2

/**
 * Pages of idempotency keys, one for each saved state. Whoever takes a system over would else read all records of the
 * latest minutes for their keys. A page that is missing costs time only: its records are read then.
 */
export class KeyPages {
  private readonly nats: Nats
  private readonly names: Names

  private constructor(nats: Nats, names: Names) {
    this.nats = nats
    this.names = names
  }

  /** Opens the pages; with a number of replicas their stream is made when there is none. */
  static async open(nats: Nats, names: Names, replicas?: number): Promise<KeyPages> {
    if (replicas !== undefined) {
      const config = {
        ...{ name: names.keys, subjects: [names.keysOf('*')], num_replicas: replicas, allow_direct: false },
        ...{ storage: StorageType.File, retention: RetentionPolicy.Limits, discard: DiscardPolicy.Old },
        max_age: nanos(SPARE * KEYS_KNOWN_FOR),
      }
      await patiently(names.keys, () => nats.jsm.streams.add(config))
    }
    return new KeyPages(nats, names)
  }

  /** Writes a page; its records are in the log. */
  async add(system: string, page: KeyPage): Promise<void> {
    const { stream, subject } = this.address(system)
    const text = JSON.stringify(page)
    // A page that is there twice says the same twice.
    await patiently(subject, () => this.nats.js.publish(subject, text, { expect: { streamName: stream } }))
  }

  /** The pages of a system, oldest first. */
  async read(system: string): Promise<KeyPage[]> {
    const { stream, subject } = this.address(system)
    const last = await patiently(stream, () => this.nats.message(stream, { last_by_subj: subject }))
    const pages: KeyPage[] = []
    if (!last) return pages
    const range = { from: 1, end: last.seq, many: true }
    for await (const { data } of subjectMessages(this.nats, this.address(system), range)) {
      pages.push(JSON.parse(Buffer.from(data).toString()))
    }
    return pages
  }

  /** Removes the pages of a system. */
  async remove(system: string): Promise<void> {
    const { stream, subject } = this.address(system)
    await patiently(stream, () => this.nats.jsm.streams.purge(stream, { filter: subject }))
  }

  private address(system: string): { stream: string; subject: string } {
    return { stream: this.names.keys, subject: this.names.keysOf(system) }
  }
}
