import { JetStreamApiError } from '@nats-io/jetstream'
import type { MsgHdrs } from '@nats-io/transport-node'
import type { Clock } from '../../../clock/clock.ts'
import type { StoredRecord } from '../../record.ts'
import { decodeBundle, ID_HEADER } from '../bundle.ts'
import type { Nats } from '../connection.ts'
import type { MessageQuery } from '../leader-message.ts'
import { fromToken } from '../names.ts'

interface Message {
  seq: number
  subject: string
  data: Uint8Array
  header?: MsgHdrs
  id?: string
}

interface Stream {
  /** The messages of each subject, in their order. */
  subjects: Map<string, Message[]>
  /** Those that say who wrote them, by that. */
  written: Map<string, Message>
  last: number
}

/** The last message of a subject must be this one: the check that makes a write safe. */
type Expected = number | undefined

/** The way of one client to the servers. */
export interface Line {
  /** What the client waits by. */
  clock: Clock
  /** Takes a request there, or an answer back; resolves when it has arrived. */
  carry(): Promise<void>
  /** Whether there is still somebody at its end: a client that is gone sends nothing and hears nothing. */
  alive(): boolean
}

/** Bytes as the servers keep them. */
const encoder = new TextEncoder()

/**
 * NATS servers with JetStream, in memory: streams, buckets and objects with the checks of the real ones. What reaches
 * them is kept. Everything on the way takes time, also beyond the life of the client that sent it.
 */
export class SimulatedNats {
  /** The records of each system that the servers have. */
  readonly logs = new Map<string, StoredRecord[]>()
  private readonly streams = new Map<string, Stream>()
  private readonly subscribers = new Set<{ subject: string; callback: () => void; line: Line }>()

  /** A client at the end of a line. */
  connect(line: Line): Nats {
    return {
      ...{ clock: line.clock, connection: this.connection(line), js: this.client(line), jsm: this.manager(line) },
      bucket: async (name: string) => this.bucket(line, `KV_${name}`),
      objects: async (name: string) => this.objects(line, name),
      message: (stream: string, query: MessageQuery) => this.call(line, () => this.find(stream, query)),
    } as unknown as Nats
  }

  private stream(name: string): Stream {
    const stream = this.streams.get(name) ?? { subjects: new Map(), written: new Map(), last: 0 }
    this.streams.set(name, stream)
    return stream
  }

  private latest(name: string, subject: string): Message | undefined {
    return this.stream(name).subjects.get(subject)?.at(-1)
  }

  private find(name: string, query: MessageQuery) {
    const found =
      'last_by_subj' in query
        ? this.latest(name, query.last_by_subj)
        : this.stream(name)
            .subjects.get(query.next_by_subj)
            ?.find(({ seq }) => seq >= query.seq)
    return found && { seq: found.seq, id: found.header?.get(ID_HEADER) ?? '', data: found.data }
  }

  private store(name: string, message: Omit<Message, 'seq'>, expected: Expected): number {
    const stream = this.stream(name)
    const last = this.latest(name, message.subject)?.seq ?? 0
    if (expected !== undefined && expected !== last) {
      throw new JetStreamApiError({ code: 400, err_code: 10071, description: `wrong last sequence: ${last}` })
    }
    const seq = ++stream.last
    const stored = { ...message, seq }
    const others = stream.subjects.get(message.subject)
    if (others) others.push(stored)
    else stream.subjects.set(message.subject, [stored])
    if (message.id !== undefined) stream.written.set(message.id, stored)
    const [, system] = message.subject.match(/\.log\.\d+\.(.+)$/) ?? []
    if (system !== undefined) this.note(fromToken(system), decodeBundle(seq, '', message.data).records)
    return seq
  }

  private note(system: string, records: readonly StoredRecord[]): void {
    const log = this.logs.get(system) ?? []
    if (records.length > 0) this.logs.set(system, log)
    log.push(...records)
  }

  /** There, done, and back. A client that does not wait so long does not know what became of it. */
  private async call<T>(line: Line, work: () => T, timeout = Number.POSITIVE_INFINITY): Promise<T> {
    if (!line.alive()) return new Promise(() => {})
    const answer = line.carry().then(async () => {
      const outcome = attempt(work)
      await line.carry()
      return line.alive() ? outcome() : new Promise<T>(() => {})
    })
    if (timeout === Number.POSITIVE_INFINITY) return answer
    const late = Promise.withResolvers<never>()
    const cancel = line.clock.after(timeout, () =>
      late.reject(Object.assign(new Error('no answer'), { name: 'TimeoutError' })),
    )
    return Promise.race([answer, late.promise]).finally(cancel)
  }

  private connection(line: Line) {
    return {
      info: { version: '2.15.2' },
      publish: (subject: string) => {
        if (line.alive()) void line.carry().then(() => this.announce(subject))
      },
      subscribe: (subject: string, { callback }: { callback: () => void }) => {
        const one = { subject, callback, line }
        this.subscribers.add(one)
        return { unsubscribe: () => this.subscribers.delete(one) }
      },
      close: async () => {},
    }
  }

  private announce(subject: string): void {
    for (const one of this.subscribers) {
      if (one.subject === subject) void one.line.carry().then(() => one.line.alive() && one.callback())
    }
  }

  private client(line: Line) {
    interface Options {
      msgID?: string
      timeout?: number
      headers?: MsgHdrs
      expect: { streamName: string; lastSubjectSequence?: number }
    }
    return {
      publish: (subject: string, payload: string, { msgID: id, timeout, headers: header, expect }: Options) => {
        const work = () => {
          const earlier = id === undefined ? undefined : this.stream(expect.streamName).written.get(id)
          if (earlier) return { seq: earlier.seq, duplicate: true }
          const message = { subject, data: encoder.encode(payload), header, id }
          return { seq: this.store(expect.streamName, message, expect.lastSubjectSequence), duplicate: false }
        }
        return this.call(line, work, timeout)
      },
      consumers: { getConsumerFromInfo: () => ({}) },
    }
  }

  private manager(line: Line) {
    const info = (name: string) =>
      this.call(line, () => {
        const subjects = Object.fromEntries([...this.stream(name).subjects.keys()].map((subject) => [subject, 1]))
        return { state: { subjects }, config: { num_replicas: 1 } }
      })
    const add = ({ name }: { name: string }) => this.call(line, () => void this.stream(name))
    const names = () => this.streams.keys()
    // Without anything pending, the caller reads one message after the other.
    const consumers = { add: async () => ({ name: '', num_pending: 0 }), delete: async () => true }
    return { streams: { info, add, names }, consumers }
  }

  private bucket(line: Line, name: string) {
    const encode = (text: string) => encoder.encode(text)
    return {
      get: (key: string) =>
        this.call(line, () => {
          const found = this.latest(name, key)
          if (!found) return null
          const text = Buffer.from(found.data).toString()
          return { revision: found.seq, operation: text === '' ? 'PURGE' : 'PUT', json: () => JSON.parse(text) }
        }),
      put: (key: string, text: string, { previousSeq, timeout }: { previousSeq?: number; timeout?: number } = {}) =>
        this.call(line, () => this.store(name, { subject: key, data: encode(text) }, previousSeq), timeout),
      purge: (key: string) => this.call(line, () => this.store(name, { subject: key, data: encode('') }, undefined)),
    }
  }

  private objects(line: Line, bucket: string) {
    const name = `OBJ_${bucket}`
    return {
      put: (object: string, data: Uint8Array) =>
        this.call(line, () => {
          const nuid = object
          const revision = this.store(name, { subject: `$O.${bucket}.C.${nuid}`, data }, undefined)
          const text = JSON.stringify({ bucket, nuid, chunks: 1, revision: revision + 1 })
          this.store(`${name}_INFO`, { subject: object, data: encoder.encode(text) }, undefined)
        }),
      info: (object: string) =>
        this.call(line, () => {
          const found = this.latest(`${name}_INFO`, object)
          return found ? JSON.parse(Buffer.from(found.data).toString()) : null
        }),
      delete: (object: string) => this.call(line, () => void this.stream(`${name}_INFO`).subjects.delete(object)),
    }
  }
}

/** Does something now; its outcome is told later. */
function attempt<T>(work: () => T): () => T {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}
