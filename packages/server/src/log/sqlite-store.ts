import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { CommitMark } from './commit-mark.ts'
import type { LogExtent, LogQuery, Snapshot, SnapshotBytes } from './event-log.ts'
import { chainHash, GENESIS, type NewRecord, SERVER_LOG, type StoredRecord } from './record.ts'
import { superfluousSnapshots } from './snapshot-thinning.ts'
import { checkFormat, stampFormat } from './store-format.ts'

/** One call of append as it waits for its turn. */
export interface Append {
  system: string
  first: number
  records: readonly NewRecord[]
  snapshot?: SnapshotBytes
}

const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS systems (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  removed INTEGER NOT NULL DEFAULT 0, removed_hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS records (
  system INTEGER NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL, kind TEXT NOT NULL,
  body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (system, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshots (
  system INTEGER NOT NULL, sequence INTEGER NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (system, sequence)
) STRICT;
CREATE TABLE IF NOT EXISTS cursors (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

const COLUMNS = 'sequence, time, kind, body, hash'

/**
 * The tables behind {@link SqliteLog}: all SQL, all synchronous, one connection. It runs in worker threads, so it
 * imports next to nothing and throws plain errors; {@link StoreThread} gives them their names.
 */
export class SqliteStore {
  private readonly db: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()
  /** Number in the tables, last record and its hash, per system; only the writer relies on it. */
  private readonly heads = new Map<string, { id: number; sequence: number; hash: string }>()

  /** Only a writer has one. */
  private readonly mark: CommitMark | undefined
  /** Records taken since the store was made. */
  private taken = 0
  /** Records that were on disk and are not there any more. */
  private readonly missing: number = 0

  constructor(file: string, { readOnly = false }: { readOnly?: boolean } = {}) {
    try {
      this.db = new DatabaseSync(file, { readOnly, timeout: 5_000 })
    } catch (error) {
      throw new Error(`${file} is not a store of pb-oel, or cannot be opened (${(error as Error).message})`)
    }
    try {
      const made = checkFormat(this.db)
      if (readOnly) {
        if (!made) throw new Error('it is empty')
        return
      }
      this.db.exec(SCHEMA)
      checkDurable(this.db)
      stampFormat(this.db)
    } catch (error) {
      this.db.close()
      throw new Error(`${file} is not a store of pb-oel, or cannot be opened (${(error as Error).message})`)
    }
    this.mark = new CommitMark(file)
    this.taken = this.count()
    this.missing = Math.max(0, this.mark.read() - this.taken)
    this.mark.write(this.taken)
  }

  /** How many records the write-ahead log had lost when the store was opened. */
  lost(): number {
    return this.missing
  }

  private count(): number {
    const last = 'SELECT max(sequence) FROM records WHERE system = systems.id'
    const row = this.get(`SELECT coalesce(sum(coalesce((${last}), removed)), 0) AS count FROM systems`)
    return row?.count as number
  }

  systems(): string[] {
    return this.all('SELECT name FROM systems ORDER BY name').map(({ name }) => name as string)
  }

  /** Writes several appends in one transaction. The answer has an entry for each: the message where it was refused. */
  append(appends: readonly Append[]): (string | undefined)[] {
    try {
      this.db.exec('BEGIN IMMEDIATE')
      const conflicts = appends.map((append) => this.appendOne(append))
      this.db.exec('COMMIT')
      appends.forEach(({ records }, i) => {
        if (conflicts[i] === undefined) this.taken += records.length
      })
      this.mark?.write(this.taken)
      return conflicts
    } catch (error) {
      this.heads.clear()
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
      throw error
    }
  }

  private appendOne({ system, first, records, snapshot }: Append): string | undefined {
    const head = this.head(system)
    if (head.sequence !== first - 1) return `log of ${system} ends at record ${head.sequence}, not at ${first - 1}`
    if (head.id < 0) {
      this.run('INSERT INTO systems (name, removed_hash) VALUES (?, ?)', system, GENESIS)
      head.id = this.systemId(system)
    }
    // The hash at the state's own place: mostly that of the last record before these.
    if (snapshot) {
      const hash = snapshot.sequence === head.sequence ? head.hash : this.hashAt(head.id, snapshot.sequence)
      const { sequence, bytes } = snapshot
      this.run('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)', head.id, sequence, hash, bytes)
      const places = this.all('SELECT sequence FROM snapshots WHERE system = ? ORDER BY sequence', head.id)
      for (const place of superfluousSnapshots(places.map(({ sequence }) => sequence as number))) {
        this.run('DELETE FROM snapshots WHERE system = ? AND sequence = ?', head.id, place)
      }
    }
    for (const record of records) {
      head.hash = chainHash(head.hash, system, ++head.sequence, record)
      const { time, kind, body } = record
      this.run('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)', head.id, head.sequence, time, kind, body, head.hash)
    }
    return undefined
  }

  begin(system: string, through: number, hash: string): void {
    this.transaction(() => {
      this.run('INSERT INTO systems (name, removed, removed_hash) VALUES (?, ?, ?)', system, through, hash)
    })
    this.taken += through
    this.heads.delete(system)
  }

  read(system: string, query: LogQuery = {}): StoredRecord[] {
    const { from = 1, to = Number.MAX_SAFE_INTEGER, kinds = [], by, limit = 1_000, reverse = false, stride = 1 } = query
    const kind = kinds.length === 0 ? '' : `AND kind IN (${kinds.map(() => '?').join(', ')})`
    const author = by === undefined ? '' : "AND body ->> '$.by' = ?"
    const filters = by === undefined ? kinds : [...kinds, by]
    const sql = `SELECT ${COLUMNS} FROM records WHERE system = ? AND sequence BETWEEN ? AND ? ${kind} ${author}
      ORDER BY sequence ${reverse ? 'DESC' : 'ASC'} LIMIT ?`
    const id = this.systemId(system)
    if (stride === 1) return this.all(sql, id, from, to, ...filters, limit) as unknown as StoredRecord[]
    const records: StoredRecord[] = []
    const end = Math.min(to, this.extent(system)?.last ?? 0)
    for (let start = from; start <= end && records.length < limit; start += stride) {
      const record = this.get(sql, id, start, Math.min(end, start + stride - 1), ...filters, 1)
      if (record) records.push(record as unknown as StoredRecord)
    }
    return records
  }

  pick(system: string, sequences: readonly number[]): StoredRecord[] {
    const id = this.systemId(system)
    const sql = `SELECT ${COLUMNS} FROM records WHERE system = ? AND sequence = ?`
    const records = sequences.map((sequence) => this.get(sql, id, sequence) as unknown as StoredRecord | undefined)
    return records.filter((record) => record !== undefined)
  }

  extent(system: string): LogExtent | undefined {
    const row = this.get('SELECT id, removed, removed_hash FROM systems WHERE name = ?', system)
    if (!row) return undefined
    const last = this.get('SELECT sequence, hash FROM records WHERE system = ? ORDER BY sequence DESC LIMIT 1', row.id)
    const before = row.removed_hash as string
    const end = last ?? { sequence: row.removed, hash: before }
    return { first: (row.removed as number) + 1, before, last: end.sequence as number, hash: end.hash as string }
  }

  snapshot(system: string, atMost = Number.MAX_SAFE_INTEGER): Snapshot | undefined {
    const sql = `SELECT sequence, hash, bytes FROM snapshots WHERE system = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1`
    return this.get(sql, this.systemId(system), atMost) as unknown as Snapshot | undefined
  }

  /** By bisection: times never fall within a system, so no index on time is needed. */
  sequenceAt(system: string, time: number): number {
    const extent = this.extent(system)
    if (!extent) return 1
    const id = this.systemId(system)
    let low = extent.first
    let high = extent.last + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = this.get('SELECT time FROM records WHERE system = ? AND sequence = ?', id, middle)
      if (row && (row.time as number) < time) low = middle + 1
      else high = middle
    }
    return low
  }

  compact(system: string, through: number): void {
    const extent = this.extent(system)
    if (!extent || through < extent.first) return
    if (through >= extent.last) throw new Error(`log of ${system}: its last record cannot be removed`)
    const id = this.systemId(system)
    this.transaction(() => {
      this.run('UPDATE systems SET removed = ?, removed_hash = ? WHERE id = ?', through, this.hashAt(id, through), id)
      this.run('DELETE FROM records WHERE system = ? AND sequence <= ?', id, through)
      this.run('DELETE FROM snapshots WHERE system = ? AND sequence < ?', id, through)
    })
  }

  remove(system: string, record: NewRecord, cursors: string): void {
    const id = this.systemId(system)
    const removed = this.extent(system)?.last ?? 0
    // The mark must not be ahead of the store at any moment, or records would seem to be lost.
    this.mark?.write(this.taken - removed)
    try {
      this.transaction(() => {
        this.appendOne({ system: SERVER_LOG, first: this.head(SERVER_LOG).sequence + 1, records: [record] })
        this.run('DELETE FROM records WHERE system = ?', id)
        this.run('DELETE FROM snapshots WHERE system = ?', id)
        this.run('DELETE FROM systems WHERE id = ?', id)
        this.run('DELETE FROM cursors WHERE substr(name, 1, length(?1)) = ?1', cursors)
      })
    } finally {
      this.heads.clear()
      this.taken = this.count()
      this.mark?.write(this.taken)
    }
  }

  cursor(name: string): number {
    return (this.get('SELECT value FROM cursors WHERE name = ?', name)?.value as number) ?? 0
  }

  moveCursor(name: string, value: number): void {
    this.transaction(() => this.run('INSERT OR REPLACE INTO cursors VALUES (?, ?)', name, value))
  }

  /** Writes about as much as a busy moment does, and takes it away again. */
  probe(): void {
    this.transaction(() => {
      this.run('INSERT OR REPLACE INTO snapshots VALUES (0, 0, ?, ?)', '', new Uint8Array(1 << 18))
    })
    this.transaction(() => this.run('DELETE FROM snapshots WHERE system = 0'))
  }

  backup(file: string): void {
    this.run('VACUUM INTO ?', file)
  }

  close(): void {
    this.mark?.close()
    this.db.close()
  }

  private head(system: string): { id: number; sequence: number; hash: string } {
    let head = this.heads.get(system)
    if (!head) {
      const extent = this.extent(system)
      head = { id: this.systemId(system), sequence: extent?.last ?? 0, hash: extent?.hash ?? GENESIS }
      this.heads.set(system, head)
    }
    return head
  }

  private hashAt(id: number, sequence: number): string {
    const row = this.get('SELECT hash FROM records WHERE system = ? AND sequence = ?', id, sequence)
    return (row as { hash: string }).hash
  }

  private systemId(name: string): number {
    return (this.get('SELECT id FROM systems WHERE name = ?', name)?.id as number) ?? -1
  }

  private transaction(work: () => void): void {
    try {
      this.db.exec('BEGIN IMMEDIATE')
      work()
      this.db.exec('COMMIT')
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
      throw error
    }
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }

  private run(sql: string, ...values: SQLInputValue[]): void {
    this.statement(sql).run(...values)
  }

  private get(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue> | undefined {
    return this.statement(sql).get(...values) as Record<string, SQLInputValue> | undefined
  }

  private all(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue>[] {
    return this.statement(sql).all(...values) as Record<string, SQLInputValue>[]
  }
}

/** Throws unless every commit is synced to the disk: SQLite ignores a pragma that it cannot follow. */
function checkDurable(db: DatabaseSync): void {
  const { journal_mode: journal } = db.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
  const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number }
  if (journal !== 'wal' || synchronous !== 2) {
    throw new Error(
      `commits would not be synced: journal_mode is ${journal}, synchronous is ${synchronous}, not wal and 2`,
    )
  }
}
