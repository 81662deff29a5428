import type { Clock } from '../../clock/clock.ts'
import { Conflict } from '../../errors.ts'
import type { SnapshotBytes } from '../event-log.ts'
import { chainHash, type NewRecord, type StoredRecord } from '../record.ts'
import type { BodiesApart } from './bodies-apart.ts'
import type { Bundle, Deletion, Head, StoredBundle } from './bundle.ts'
import type { KeyPages } from './key-pages.ts'
import type { Publisher } from './publisher.ts'
import type { SnapshotEntry, SnapshotStore } from './snapshot-store.ts'

/** One call of append as it waits for its turn. */
interface Call {
  first: number
  records: readonly NewRecord[]
  snapshot?: SnapshotBytes
}

type Waiting = Call & { answer: PromiseWithResolvers<void>; upload?: Promise<string> }

/** What the writer of a chain works with. */
export interface ChainParts {
  clock: Clock
  publisher: Publisher
  snapshots: SnapshotStore
  keys: KeyPages
  apart: BodiesApart
  /** Text that no other process has. */
  writer: string
  /** Reads where the chain ends. */
  load: () => Promise<Head>
  /** The hash of a record. */
  hashAt: (sequence: number) => Promise<string | undefined>
  /** Called for every message on disk, with the place of the one in front of it and the seconds it took. */
  onStored: (bundle: StoredBundle, previous: number, seconds: number) => void
}

/** Most bytes of bodies in one message; the servers' own limit is 1 MB. */
const MESSAGE_BYTES = 400_000
/** Milliseconds from one message of a busy system to the next while many systems write. */
const PACE = 100

/** Writes the chain of one system: one message at a time; everything that waits goes into the next one together. */
export class ChainWriter {
  /** Where the chain ends, as this writer knows it. */
  head: Head | undefined
  private readonly system: string
  private readonly parts: ChainParts
  private waiting: Waiting[] = []
  private writing: Promise<void> | undefined
  private readonly listing = new Set<Promise<void>>()
  /** When the latest message was sent, and how many calls it answered. */
  private latest = { sent: Number.NEGATIVE_INFINITY, calls: 0 }
  /** Why nothing is taken at this moment: an earlier call was refused, and the caller has not heard of it yet. */
  private refused: Error | undefined

  constructor(system: string, parts: ChainParts) {
    this.system = system
    this.parts = parts
  }

  append(call: Call): Promise<void> {
    if (this.refused) return Promise.reject(this.refused)
    const answer = Promise.withResolvers<void>()
    const upload = call.snapshot && this.parts.snapshots.upload(this.system, call.snapshot, this.parts.writer)
    upload?.catch(() => {})
    this.waiting.push({ ...call, answer, upload })
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
        await this.store(emptyBehind(head), head)
        return
      } catch (error) {
        // The writer that is to be shut out was faster once more.
        if (!(error instanceof Conflict)) throw error
      }
    }
  }

  /** Publishes the end of the system; refused like an append when another writer was faster. */
  async end(deletion: Deletion): Promise<void> {
    await this.settled()
    const head = this.head ?? (await this.parts.load())
    await this.store({ ...emptyBehind(head), deletion }, head)
  }

  /** Publishes an empty message that says after which record the chain goes on; the system must not exist. */
  async begin(through: number, hash: string): Promise<void> {
    const before = { sequence: through, hash, time: 0, place: 0 }
    await this.store({ first: through + 1, before: hash, time: 0, records: [] }, before)
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing
    await Promise.all(this.listing)
  }

  private async writeAll(): Promise<void> {
    // One turn of the event loop first: callers of the same moment share the first message too.
    await new Promise(setImmediate)
    while (this.waiting.length > 0) {
      await this.pace()
      let group: Waiting[] = []
      try {
        const head = this.head ?? (await this.parts.load())
        this.head = head
        if (head.deletion) throw new Conflict(`log of ${this.system}: the system is being deleted`)
        group = this.takeGroup(head.sequence)
        if (group.length > 0) await this.write(group, head)
        for (const call of group) this.finish(call, head, this.head)
      } catch (error) {
        this.refuse(group, error as Error)
      }
    }
    this.writing = undefined
  }

  /**
   * A message costs the servers the same whatever is in it. So where many systems write and this one sends samples
   * faster than they are answered, more of them share a message. Who waits for each answer never waits here.
   */
  private async pace(): Promise<void> {
    const { sent, calls } = this.latest
    if (calls < 2 || !this.parts.publisher.crowded) return
    const rest = sent + PACE - this.parts.clock.monotonic()
    if (rest > 0) await this.parts.clock.pause(rest)
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
    const records: StoredRecord[] = []
    let { sequence, hash, time } = head
    for (const record of group.flatMap((call) => call.records)) {
      hash = chainHash(hash, this.system, ++sequence, record)
      time = record.time
      records.push({ ...record, sequence, hash })
    }
    this.latest = { sent: this.parts.clock.monotonic(), calls: group.length }
    await this.store({ first: head.sequence + 1, before: head.hash, time, records }, head)
  }

  /** Answers a call that is on disk; a call with a state when the state can be found. Others do not wait for it. */
  private finish(call: Waiting, before: Head, after: Head): void {
    const { snapshot, upload, answer } = call
    if (!snapshot || !upload) {
      answer.resolve()
      return
    }
    const places = {
      before: { last: before.sequence, place: before.place },
      message: { last: after.sequence, place: after.place },
    }
    const listed = Promise.all([this.list(snapshot.sequence, upload, places), this.keepKeys(snapshot)])
      // The records are kept in any case; a state that is not listed only makes a later start longer.
      .catch(() => {})
      .then(() => {
        this.listing.delete(listed)
        answer.resolve()
      })
    this.listing.add(listed)
  }

  private async keepKeys({ keys }: SnapshotBytes): Promise<void> {
    if (keys && keys.keys.length > 0) await this.parts.keys.add(this.system, keys)
  }

  private async list(
    sequence: number,
    upload: Promise<string>,
    places: Pick<SnapshotEntry, 'message' | 'before'>,
  ): Promise<void> {
    const object = await upload
    const hash = await this.parts.hashAt(sequence)
    if (hash !== undefined) await this.parts.snapshots.add(this.system, { sequence, hash, object, ...places })
  }

  private async store(bundle: Bundle, head: Head): Promise<number> {
    const start = this.parts.clock.monotonic()
    const { publisher, apart } = this.parts
    const place = await publisher.publish(this.system, await apart.pack(this.system, bundle), head.place)
    const { sequence, hash } = bundle.records.at(-1) ?? head
    this.head = { sequence, hash, time: bundle.time, place, deletion: bundle.deletion }
    this.parts.onStored({ ...bundle, place, id: '' }, head.place, (this.parts.clock.monotonic() - start) / 1000)
    return place
  }

  /** Refuses a group and everything behind it, which was built on top of it. */
  private refuse(group: readonly Waiting[], error: Error): void {
    this.head = undefined
    this.refused = error
    setImmediate(() => {
      this.refused = undefined
    })
    for (const { answer, upload } of [...group, ...this.waiting]) {
      answer.reject(error)
      void upload?.then((object) => this.parts.snapshots.discard(object)).catch(() => {})
    }
    this.waiting = []
  }
}

/** A message without records behind the end of a chain. */
function emptyBehind({ sequence, hash, time, deletion }: Head): Bundle {
  return { first: sequence + 1, before: hash, time, records: [], deletion }
}
