import { Conflict } from '../../errors.ts'
import type { SnapshotBytes } from '../event-log.ts'
import { chainHash, type LogRecord, type NewRecord } from '../record.ts'
import type { Batch, Head, StoredBatch } from './batch.ts'
import type { Publisher } from './publisher.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** One call of append as it waits for its turn. */
interface Call {
  first: number
  records: readonly NewRecord[]
  snapshot?: SnapshotBytes
}

type Waiting = Call & { answer: PromiseWithResolvers<void> }

/** What the writer of a chain works with. */
export interface ChainParts {
  publisher: Publisher
  snapshots: SnapshotStore
  /** Text that no other process has. */
  writer: string
  /** Reads where the chain ends. */
  load: () => Promise<Head>
  /** The hash of a record. */
  hashAt: (sequence: number) => Promise<string | undefined>
  /** Called for every message on disk, with the place of the one in front of it and the seconds it took. */
  onStored: (batch: StoredBatch, previous: number, seconds: number) => void
}

/** Most bytes of bodies in one message; the servers' own limit is 1 MB. */
const MESSAGE_BYTES = 400_000

/** Writes the chain of one system: one message at a time, everything that waits together in the next. */
export class ChainWriter {
  /** Where the chain ends, as this writer knows it. */
  head: Head | undefined
  private readonly system: string
  private readonly parts: ChainParts
  private waiting: Waiting[] = []
  private writing: Promise<void> | undefined
  /** Why nothing is taken at this moment: whoever calls has not yet heard that an earlier call was refused. */
  private refused: Error | undefined

  constructor(system: string, parts: ChainParts) {
    this.system = system
    this.parts = parts
  }

  append(call: Call): Promise<void> {
    if (this.refused) return Promise.reject(this.refused)
    const answer = Promise.withResolvers<void>()
    this.waiting.push({ ...call, answer })
    this.writing ??= this.writeAll()
    return answer.promise
  }

  /** Publishes an empty message behind whatever there is, so that everybody else's next one is refused. */
  async fence(): Promise<void> {
    await this.settled()
    for (;;) {
      const head = await this.parts.load()
      if (head.place === 0) return
      try {
        await this.store({ first: head.sequence + 1, before: head.hash, time: head.time, records: [] }, head)
        return
      } catch (error) {
        // The one to be shut out was faster once more.
        if (!(error instanceof Conflict)) throw error
      }
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing
  }

  private async writeAll(): Promise<void> {
    // One turn of the event loop first: callers of the same moment share the first message too.
    await new Promise(setImmediate)
    while (this.waiting.length > 0) {
      let group: Waiting[] = []
      try {
        const head = this.head ?? (await this.parts.load())
        this.head = head
        group = this.takeGroup(head.sequence)
        if (group.length > 0) await this.write(group, head)
        for (const { answer } of group) answer.resolve()
      } catch (error) {
        this.refuse(group, error as Error)
      }
    }
    this.writing = undefined
  }

  /** The next calls that fit into one message; those with another view of the chain are refused one by one. */
  private takeGroup(last: number): Waiting[] {
    const group: Waiting[] = []
    let sequence = last
    let bytes = 0
    while (this.waiting.length > 0 && bytes < MESSAGE_BYTES) {
      const [call] = this.waiting
      const size = call.records.reduce((sum, { body }) => sum + body.length + 150, 0)
      if (group.length > 0 && bytes + size > MESSAGE_BYTES) break
      this.waiting.shift()
      if (call.first !== sequence + 1) {
        const detail = `log of ${this.system} ends at record ${sequence}, not at ${call.first - 1}`
        call.answer.reject(new Conflict(detail))
        continue
      }
      group.push(call)
      sequence += call.records.length
      bytes += size
    }
    return group
  }

  private async write(group: readonly Waiting[], head: Head): Promise<void> {
    const { snapshots, writer, hashAt } = this.parts
    const records: LogRecord[] = []
    let { sequence, hash, time } = head
    for (const record of group.flatMap((call) => call.records)) {
      hash = chainHash(hash, this.system, ++sequence, record)
      time = record.time
      records.push({ ...record, sequence, hash })
    }
    const saved: { sequence: number; hash: string; object: string }[] = []
    try {
      for (const { snapshot } of group) {
        if (!snapshot) continue
        const inside = records.find((record) => record.sequence === snapshot.sequence)?.hash
        const at = snapshot.sequence === head.sequence ? head.hash : (inside ?? (await hashAt(snapshot.sequence)))
        const object = await snapshots.upload(this.system, snapshot, writer)
        saved.push({ sequence: snapshot.sequence, hash: at as string, object })
      }
      const place = await this.store({ first: head.sequence + 1, before: head.hash, time, records }, head)
      // The records are kept in any case; a state that is not listed only makes a later start longer.
      for (const entry of saved) await snapshots.add(this.system, { ...entry, place }).catch(() => {})
    } catch (error) {
      if (this.head === head) for (const { object } of saved) await snapshots.discard(object)
      throw error
    }
  }

  private async store(batch: Batch, head: Head): Promise<number> {
    const start = performance.now()
    const place = await this.parts.publisher.publish(this.system, batch, head.place)
    const { sequence, hash } = batch.records.at(-1) ?? head
    this.head = { sequence, hash, time: batch.time, place }
    this.parts.onStored({ ...batch, place, id: '' }, head.place, (performance.now() - start) / 1000)
    return place
  }

  /** Refuses a group and everything behind it: that was built on top of it. */
  private refuse(group: readonly Waiting[], error: Error): void {
    this.head = undefined
    this.refused = error
    setImmediate(() => {
      this.refused = undefined
    })
    for (const { answer } of [...group, ...this.waiting]) answer.reject(error)
    this.waiting = []
  }
}
