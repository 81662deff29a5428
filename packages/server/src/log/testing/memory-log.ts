import { Conflict, StorageError } from '../../errors.ts'
import type { EventLog, LogExtent, LogQuery, Snapshot, SnapshotBytes } from '../event-log.ts'
import { chainHash, GENESIS, type NewRecord, SERVER_LOG, type StoredRecord } from '../record.ts'

interface Chain {
  records: StoredRecord[]
  removed: number
  removedHash: string
  snapshots: Snapshot[]
}

/** A log that forgets everything with the process: for tests, which can also make it refuse. */
export class MemoryLog implements EventLog {
  private readonly chains = new Map<string, Chain>()
  private readonly cursors = new Map<string, number>()
  /** Set to make every write fail with this reason, as a full disk does. */
  refuses: string | undefined

  async systems(): Promise<string[]> {
    return [...this.chains.keys()].sort()
  }

  async append(system: string, first: number, records: readonly NewRecord[], snapshot?: SnapshotBytes): Promise<void> {
    // As with a disk, the outcome is known only later; the order is settled now.
    const outcome = this.appendNow(system, first, records, snapshot)
    await new Promise(setImmediate)
    if (outcome) throw outcome
  }

  async read(system: string, query: LogQuery = {}): Promise<StoredRecord[]> {
    const { from = 1, to = Number.MAX_SAFE_INTEGER, kinds = [], by, limit = 1_000, reverse = false, stride = 1 } = query
    const all = (this.chains.get(system)?.records ?? []).filter(
      ({ sequence, kind, body }) =>
        sequence >= from &&
        sequence <= to &&
        (kinds.length === 0 || kinds.includes(kind)) &&
        (by === undefined || JSON.parse(body).by === by),
    )
    const bucket = ({ sequence }: StoredRecord) => Math.floor((sequence - from) / stride)
    const thinned = all.filter((record, i) => i === 0 || bucket(all[i - 1]) !== bucket(record))
    return (reverse ? thinned.reverse() : thinned).slice(0, limit)
  }

  async pick(system: string, sequences: readonly number[]): Promise<StoredRecord[]> {
    const { records = [] } = this.chains.get(system) ?? {}
    return sequences
      .map((wanted) => records.find(({ sequence }) => sequence === wanted))
      .filter((record) => record !== undefined)
  }

  async extent(system: string): Promise<LogExtent | undefined> {
    const chain = this.chains.get(system)
    if (!chain) return undefined
    const { sequence, hash } = end(chain)
    return { first: chain.removed + 1, before: chain.removedHash, last: sequence, hash }
  }

  async snapshot(system: string, atMost = Number.MAX_SAFE_INTEGER): Promise<Snapshot | undefined> {
    return this.chains.get(system)?.snapshots.findLast(({ sequence }) => sequence <= atMost)
  }

  async sequenceAt(system: string, time: number): Promise<number> {
    const chain = this.chains.get(system)
    if (!chain) return 1
    return chain.records.find((record) => record.time >= time)?.sequence ?? end(chain).sequence + 1
  }

  async begin(system: string, through: number, hash: string): Promise<void> {
    if (this.chains.has(system)) throw new Conflict(`there is a system ${system} already`)
    this.chains.set(system, { records: [], removed: through, removedHash: hash, snapshots: [] })
  }

  async compact(system: string, through: number): Promise<void> {
    const chain = this.chains.get(system)
    const last = chain?.records.find(({ sequence }) => sequence === through)
    if (!chain || !last) return
    if (through >= end(chain).sequence) throw new Conflict('the last record cannot be removed')
    chain.removed = through
    chain.removedHash = last.hash
    chain.records = chain.records.filter(({ sequence }) => sequence > through)
    chain.snapshots = chain.snapshots.filter(({ sequence }) => sequence >= through)
  }

  async remove(system: string, record: NewRecord, cursors: string): Promise<void> {
    await this.probe()
    await this.append(SERVER_LOG, ((await this.extent(SERVER_LOG))?.last ?? 0) + 1, [record])
    this.chains.delete(system)
    for (const name of this.cursors.keys()) if (name.startsWith(cursors)) this.cursors.delete(name)
  }

  async cursor(name: string): Promise<number> {
    return this.cursors.get(name) ?? 0
  }

  async moveCursor(name: string, value: number): Promise<void> {
    await this.probe()
    this.cursors.set(name, value)
  }

  async probe(): Promise<void> {
    if (this.refuses !== undefined) throw new StorageError(this.refuses)
  }

  async backup(): Promise<void> {
    throw new Error('memory has no file')
  }

  async close(): Promise<void> {}

  private appendNow(
    system: string,
    first: number,
    records: readonly NewRecord[],
    snapshot?: SnapshotBytes,
  ): Error | undefined {
    if (this.refuses !== undefined) return new StorageError(this.refuses)
    const chain = this.chains.get(system) ?? { records: [], removed: 0, removedHash: GENESIS, snapshots: [] }
    let { sequence, hash } = end(chain)
    if (first !== sequence + 1) return new Conflict(`log of ${system} ends at record ${sequence}, not at ${first - 1}`)
    this.chains.set(system, chain)
    if (snapshot) {
      const at = chain.records.find((record) => record.sequence === snapshot.sequence)
      chain.snapshots.push({ ...snapshot, hash: at?.hash ?? hash })
    }
    for (const record of records) {
      hash = chainHash(hash, system, ++sequence, record)
      chain.records.push({ ...record, sequence, hash })
    }
    return undefined
  }
}

function end({ records, removed, removedHash }: Chain): { sequence: number; hash: string } {
  return records.at(-1) ?? { sequence: removed, hash: removedHash }
}
