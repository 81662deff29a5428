import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folder.ts'
import { ChainVerifier } from './chain.ts'
import type { CommitMark } from './commit-mark.ts'
import { copyLog } from './copy-log.ts'
import { DirectReader } from './direct-reader.ts'
import { GENESIS, type NewRecord, type StoredRecord } from './record.ts'
import { SqliteLog } from './sqlite-log.ts'
import { SqliteStore } from './sqlite-store.ts'
import { answerCalls, CLOSE, OPENED } from './sqlite-worker.ts'
import { checkFormat } from './store-format.ts'
import { openLocally } from './testing/local-store.ts'
import { MemoryLog } from './testing/memory-log.ts'

const folder = temporaryFolder()
let files = 0
const newFile = () => join(folder, `${files++}.db`)
const record = (time: number): NewRecord => ({ time, kind: 'sample', body: `{"time":${time}}` })
const some = (count: number, from = 1) => Array.from({ length: count }, (_, i) => record(from + i))

/** Those of these places that a store has a state of. */
const states = (store: SqliteStore, places: readonly number[]) =>
  places.filter((place) => store.snapshot('a', place)?.sequence === place)

describe('a store', () => {
  it('takes calls together, refuses those that do not fit, and keeps nothing of a transaction that fails', () => {
    const store = new SqliteStore(newFile())
    const outcome = store.append([
      { system: 'a', first: 1, records: some(2) },
      { system: 'a', first: 2, records: some(1) },
      { system: 'a', first: 3, records: some(1, 3) },
    ])
    expect(outcome).toEqual([undefined, 'log of a ends at record 2, not at 1', undefined])
    const { hash } = store.extent('a') ?? {}
    const broken = { ...record(5), time: 'late' as never }
    const whole = [
      { system: 'a', first: 4, records: some(1, 4) },
      { system: 'b', first: 1, records: some(1) },
      { system: 'a', first: 5, records: [broken] },
    ]
    expect(() => store.append(whole)).toThrow('cannot store TEXT value in INTEGER column')
    expect([store.extent('a'), store.systems()]).toEqual([{ first: 1, before: GENESIS, last: 3, hash }, ['a']])
    expect(store.append([{ system: 'a', first: 4, records: some(1, 4) }])).toEqual([undefined])
    expect(store.read('a').map(({ time }) => time)).toEqual([1, 2, 3, 4])
    expect(() => store.begin('a', 3, hash as string)).toThrow('UNIQUE')
    expect(store.append([{ system: 'a', first: 5, records: some(1, 5) }])).toEqual([undefined])
    // A system that begins elsewhere is known from then on.
    expect(store.append([{ system: 'c', first: 8, records: some(1) }])[0]).toContain('ends at record 0')
    store.begin('c', 7, GENESIS)
    expect(store.append([{ system: 'c', first: 8, records: some(1) }])).toEqual([undefined])
    store.close()
  })

  it('notices records that are gone, once, also behind a cut and after systems were removed or begun', () => {
    const file = newFile()
    const reopened = (ahead: number) => {
      const mark = Number(readFileSync(`${file}-mark`, 'utf8'))
      writeFileSync(`${file}-mark`, `${String(mark + ahead).padStart(16, '0')}\n`)
      const store = new SqliteStore(file)
      return { store, mark }
    }
    const first = new SqliteStore(file)
    expect(first.lost()).toBe(0)
    first.append([
      { system: 'a', first: 1, records: some(5) },
      { system: 'a', first: 9, records: some(5) },
      { system: 'b', first: 1, records: some(3) },
    ])
    first.close()
    const once = reopened(2)
    expect([once.mark, once.store.lost()]).toEqual([8, 2])
    once.store.close()
    const second = reopened(0)
    expect([second.mark, second.store.lost()]).toEqual([8, 0])
    second.store.compact('a', 3)
    second.store.begin('c', 7, GENESIS)
    second.store.append([{ system: 'c', first: 8, records: some(1) }])
    second.store.close()
    const third = reopened(0)
    expect([third.mark, third.store.lost()]).toEqual([16, 0])
    third.store.remove('a', { ...record(9), kind: 'deletion' }, 'alarms of a ')
    third.store.close()
    const fourth = reopened(0)
    expect([fourth.mark, fourth.store.lost()]).toEqual([12, 0])
    fourth.store.close()
    expect(new SqliteStore(newFile()).lost()).toBe(0)
  })

  it('a removal that fails removes nothing, and the mark is not ahead of the store at any moment', () => {
    const file = newFile()
    const store = new SqliteStore(file)
    store.append([{ system: 'a', first: 1, records: some(5) }])
    store.append([{ system: 'b', first: 1, records: some(2) }])
    const marks: string[] = []
    const deletion = {
      kind: 'deletion' as const,
      time: 1,
      get body(): string {
        marks.push(readFileSync(`${file}-mark`, 'utf8').trim())
        throw new Error('no body')
      },
    }
    expect(() => store.remove('a', deletion, 'alarms of a ')).toThrow('no body')
    expect([store.extent('a')?.last, store.systems()]).toEqual([5, ['a', 'b']])
    expect([...marks, readFileSync(`${file}-mark`, 'utf8').trim()].map(Number)).toEqual([2, 7])
    store.append([{ system: 'a', first: 6, records: some(1, 6) }])
    expect(store.extent('a')?.last).toBe(6)
    store.remove('nobody', { ...record(1), kind: 'deletion' }, 'x')
    expect(store.systems()).toEqual(['$server', 'a', 'b'])
    const bytes = Uint8Array.of(1)
    store.append([{ system: 'a', first: 7, records: some(1, 7), snapshot: { sequence: 6, bytes } }])
    store.remove('a', { ...record(2), kind: 'deletion' }, 'x')
    const db = new DatabaseSync(file, { readOnly: true })
    const count = (table: string) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count
    // Two records of b, and two that say what was removed.
    expect([count('records'), count('snapshots'), count('systems')]).toEqual([4, 0, 2])
    db.close()
    store.close()
  })

  it('that is only read refuses records and removals in the words of SQLite', () => {
    const file = newFile()
    const store = new SqliteStore(file)
    store.append([{ system: 'a', first: 1, records: some(2) }])
    const reader = new SqliteStore(file, { readOnly: true })
    expect(() => reader.append([{ system: 'a', first: 3, records: some(1, 3) }])).toThrow('readonly')
    expect(() => reader.remove('a', { ...record(1), kind: 'deletion' }, 'x')).toThrow('readonly')
    expect(reader.read('a')).toHaveLength(2)
    reader.close()
    store.close()
  })

  it('keeps a state with the hash of its own place, and thins the older ones out', () => {
    const store = new SqliteStore(newFile())
    store.append([{ system: 'a', first: 1, records: some(4) }])
    const bytes = Uint8Array.of(1)
    const hashes = store.read('a').map(({ hash }) => hash)
    store.append([{ system: 'a', first: 5, records: some(1, 5), snapshot: { sequence: 2, bytes } }])
    store.append([{ system: 'a', first: 6, records: some(1, 6), snapshot: { sequence: 5, bytes } }])
    expect([store.snapshot('a', 4)?.hash, store.snapshot('a')?.hash]).toEqual([hashes[1], store.read('a')[4].hash])
    for (let next = 7; next <= 60; next++) {
      store.append([{ system: 'a', first: next, records: some(1, next), snapshot: { sequence: next - 1, bytes } }])
    }
    const places = Array.from({ length: 60 }, (_, i) => i)
    const kept = states(store, places)
    expect(kept.length).toBeLessThan(40)
    expect([kept[0], ...kept.slice(-8)]).toEqual([2, ...places.slice(52)])
    store.compact('a', kept[3])
    expect(states(store, places)).toEqual(kept.slice(3))
    store.close()
  })

  it('compacts only what is there, and finds times behind the cut', () => {
    const store = new SqliteStore(newFile())
    store.append([{ system: 'a', first: 1, records: some(6) }])
    store.compact('nobody', 3)
    expect(() => store.compact('a', 6)).toThrow('its last record cannot be removed')
    expect(() => store.compact('a', 7)).toThrow('its last record cannot be removed')
    store.compact('a', 1)
    const cut = store.extent('a')
    store.compact('a', 1)
    store.compact('a', 0)
    expect(store.extent('a')).toEqual(cut)
    expect(store.sequenceAt('a', 1)).toBe(2)
    expect([store.sequenceAt('a', 6), store.sequenceAt('a', 7), store.sequenceAt('nobody', 5)]).toEqual([6, 7, 1])
    store.compact('a', 2)
    expect(store.read('a').map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6])
    store.close()
  })

  it('reads 1,000 records at most unless told otherwise, and thins out up to the end', () => {
    const store = new SqliteStore(newFile())
    store.append([{ system: 'a', first: 1, records: some(1_005) }])
    expect(store.read('a').length).toBe(1_000)
    expect(store.read('a', { limit: 2_000 }).length).toBe(1_005)
    const numbers = (query: object) => store.read('a', query).map(({ sequence }) => sequence)
    expect(numbers({ stride: 500 })).toEqual([1, 501, 1001])
    expect(numbers({ stride: 500, limit: 2 })).toEqual([1, 501])
    expect(numbers({ stride: 500, to: 1_000 })).toEqual([1, 501])
    expect([numbers({ stride: 2, from: 1_004 }), numbers({ stride: 2, from: 1_005 })]).toEqual([[1_004], [1_005]])
    expect(store.read('nobody', { stride: 2 })).toEqual([])
    const comments = Array.from(
      { length: 9 },
      (_, i) => ({ ...record(i), kind: i % 3 ? 'comment' : 'sample' }) as const,
    )
    store.append([{ system: 'b', first: 1, records: comments }])
    const samples = store.read('b', { stride: 2, kinds: ['sample'] }).map(({ sequence }) => sequence)
    expect(samples).toEqual([1, 4, 7])
    store.close()
  })

  it('is refused where commits would not reach the disk, or where there is none', () => {
    expect(() => new SqliteStore(':memory:')).toThrow('commits would not be synced: journal_mode is memory')
    const exec = DatabaseSync.prototype.exec
    DatabaseSync.prototype.exec = function (sql) {
      return exec.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'))
    }
    try {
      expect(() => new SqliteStore(newFile())).toThrow('journal_mode is wal, synchronous is 1, not wal and 2')
    } finally {
      DatabaseSync.prototype.exec = exec
    }
    expect(() => new SqliteStore(join(folder, 'none', 'x.db'))).toThrow('is not a store of pb-oel, or cannot be opened')
    const empty = newFile()
    writeFileSync(empty, '')
    expect(() => new SqliteStore(empty, { readOnly: true })).toThrow('it is empty')
    const reader = new SqliteStore(madeFile(), { readOnly: true })
    expect(() => reader.append([{ system: 'a', first: 1, records: some(1) }])).toThrow('readonly')
    expect(() => reader.remove('a', { ...record(1), kind: 'deletion' }, 'x')).toThrow('readonly')
    expect(reader.lost()).toBe(0)
    reader.close()
  })

  it('tells why a transaction failed that the database has undone by itself, as on a full disk, and misses nothing', () => {
    const file = newFile()
    const store = new SqliteStore(file)
    const exec = DatabaseSync.prototype.exec
    DatabaseSync.prototype.exec = function (sql) {
      exec.call(this, sql === 'COMMIT' ? 'ROLLBACK' : sql)
      if (sql === 'COMMIT') throw new Error('the disk is full')
    }
    try {
      const first = [{ system: 'a', first: 1, records: some(1) }]
      expect(() => store.append(first)).toThrow('the disk is full')
      expect(() => store.moveCursor('x', 1)).toThrow('the disk is full')
    } finally {
      DatabaseSync.prototype.exec = exec
    }
    expect([store.systems(), store.cursor('x')]).toEqual([[], 0])
    // What was not kept is not counted as taken, or it would seem to be lost.
    expect(Number(readFileSync(`${file}-mark`, 'utf8'))).toBe(0)
    store.append([{ system: 'a', first: 1, records: some(1) }])
    expect(Number(readFileSync(`${file}-mark`, 'utf8'))).toBe(1)
    store.close()
  })

  it('marks a file once, and opens one of an earlier format', () => {
    const file = madeFile()
    const db = new DatabaseSync(file)
    const pragma = (name: string) => db.prepare(`PRAGMA ${name}`).get()?.[name]
    expect([pragma('application_id'), pragma('user_version')]).toEqual([0x50424f45, 1])
    db.exec('PRAGMA user_version = 0')
    new SqliteStore(file).close()
    expect(pragma('user_version')).toBe(1)
    // An open that has nothing to write needs no space on the disk.
    const { size } = statSync(`${file}-wal`)
    new SqliteStore(file).close()
    expect(statSync(`${file}-wal`).size).toBe(size)
    // What is refused is closed again: whoever closes a file last removes its write-ahead log.
    db.exec('PRAGMA user_version = 2')
    expect(() => new SqliteStore(file)).toThrow('format 2')
    db.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  it('closes its mark, too', () => {
    const store = new SqliteStore(newFile())
    const { mark } = store as unknown as { mark: CommitMark }
    expect(mark.read()).toBe(0)
    store.close()
    expect(() => mark.read()).toThrow('EBADF')
  })

  it('proves that the disk takes writes, and leaves nothing behind', () => {
    const file = newFile()
    const store = new SqliteStore(file)
    store.append([{ system: 'a', first: 1, records: some(1), snapshot: { sequence: 0, bytes: Uint8Array.of(1) } }])
    const before = statSync(`${file}-wal`).size
    store.probe()
    expect(statSync(`${file}-wal`).size - before).toBeGreaterThan(1 << 18)
    const db = new DatabaseSync(file, { readOnly: true })
    expect(db.prepare('SELECT system FROM snapshots').all()).toEqual([{ system: 1 }])
    db.close()
    store.close()
  })

  it('read in the thread that calls says what the log says', async () => {
    const file = newFile()
    const log = await SqliteLog.open(file, openLocally)
    await log.append('a', 1, some(4), { sequence: 0, bytes: Uint8Array.of(1) })
    await log.moveCursor('reader', 3)
    const reader = new DirectReader(file)
    const seen = async (one: Pick<SqliteLog, 'read'> & DirectReader) => [
      ...[await one.systems(), await one.read('a', { from: 3 }), await one.pick('a', [2]), await one.extent('a')],
      ...[await one.snapshot('a', 2), await one.sequenceAt('a', 3), await one.cursor('reader')],
    ]
    const said = await seen(reader)
    expect(said).toEqual(await seen(log as never))
    expect(said.map((one) => one !== undefined)).toEqual(said.map(() => true))
    expect((said[1] as NewRecord[]).map(({ time }) => time)).toEqual([3, 4])
    await reader.close()
    await expect(reader.systems()).rejects.toThrow('finalized')
    const none = newFile()
    expect(() => new DirectReader(none)).toThrow(none)
    expect(existsSync(none)).toBe(false)
    await log.close()
  })

  it('answers calls by a port in their order, errors as texts, until it is told to end', async () => {
    const file = newFile()
    const { port1, port2 } = new MessageChannel()
    const answers: unknown[] = []
    port1.on('message', (answer) => answers.push(answer))
    const ended = once(port1, 'close')
    answerCalls(port2, file, false)
    port1.postMessage({ id: 0, method: 'append', args: [[{ system: 'a', first: 1, records: some(2) }]] })
    port1.postMessage({ id: 1, method: 'compact', args: ['a', 2] })
    port1.postMessage({ id: 2, method: 'cursor', args: ['x'] })
    port1.postMessage({ id: CLOSE })
    await ended
    // Whoever closes a store last removes its write-ahead log.
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(answers).toEqual([
      ...[
        { id: OPENED, value: undefined },
        { id: 0, value: [undefined] },
      ],
      ...[
        { id: 1, error: 'log of a: its last record cannot be removed' },
        { id: 2, value: 0 },
      ],
    ])
    const reading = new MessageChannel()
    answerCalls(reading.port2, file, true)
    await once(reading.port1, 'message')
    reading.port1.postMessage({ id: 0, method: 'moveCursor', args: ['x', 1] })
    expect((await once(reading.port1, 'message'))[0].error).toContain('readonly')
    reading.port1.postMessage({ id: CLOSE })
    const other = new MessageChannel()
    const refused = once(other.port1, 'message')
    answerCalls(other.port2, join(folder, 'none', 'x.db'), true)
    expect((await refused)[0]).toMatchObject({ id: OPENED, error: expect.stringContaining('cannot be opened') })
    other.port1.close()
  })
})

/** A store that was made and closed. */
function madeFile(): string {
  const file = newFile()
  new SqliteStore(file).close()
  return file
}

describe('a copy of a log', () => {
  it('has the same records, hashes and states, from where a compacted log begins, and says so', async () => {
    const from = new MemoryLog()
    const bytes = Uint8Array.of(7)
    await from.append('a', 1, some(3))
    await from.append('a', 4, some(4, 4), { sequence: 3, bytes })
    await from.append('a', 8, some(1_200, 8), { sequence: 5, bytes: Uint8Array.of(8) })
    await from.append('a', 1_208, some(2, 1_208), { sequence: 1_207, bytes: Uint8Array.of(9) })
    await from.compact('a', 3)
    await from.append('b', 1, some(2))
    await from.append('d', 1, some(1))
    await from.append('e', 1, some(3))
    await from.append('e', 4, some(1, 4), { sequence: 3, bytes })
    await from.append('e', 5, some(1, 5), { sequence: 4, bytes: Uint8Array.of(4) })
    await from.append('e', 6, [], { sequence: 5, bytes: Uint8Array.of(5) })
    await from.compact('e', 3)
    // Deleted after the names were read.
    await from.append('c', 1, some(1))
    const extent = from.extent.bind(from)
    from.extent = async (system) => (system === 'c' ? undefined : extent(system))
    const to = new MemoryLog()
    const told: unknown[] = []
    await copyLog(from, to, (copied) => told.push(copied))
    expect(told).toEqual([
      { system: 'a', from: 4, to: 1_209 },
      { system: 'b', from: 1, to: 2 },
      { system: 'c', from: 1, to: 0 },
      { system: 'd', from: 1, to: 1 },
      { system: 'e', from: 4, to: 5 },
    ])
    for (const system of ['a', 'b', 'd', 'e']) {
      expect(await to.extent(system)).toEqual(await from.extent(system))
      expect(await to.read(system, { limit: 1e6 })).toEqual(await from.read(system, { limit: 1e6 }))
    }
    for (const [system, place] of [
      ['a', 3],
      ['a', 1_208],
      ['e', 3],
      ['e', 4],
    ] as const) {
      expect(await to.snapshot(system, place)).toEqual(await from.snapshot(system, place))
    }
    expect([(await to.snapshot('e'))?.sequence, (await to.snapshot('a', 5))?.sequence]).toEqual([4, 3])
    await expect(copyLog(from, to)).rejects.toThrow('the target has a system a already')
    await copyLog(new MemoryLog(), to)
  })

  it('is refused where the log is damaged: a record is missing, or was changed', async () => {
    const from = new MemoryLog()
    await from.append('a', 1, some(3))
    const read = from.read.bind(from)
    from.read = async (...query) => (await read(...query)).slice(3)
    await expect(copyLog(from, new MemoryLog())).rejects.toThrow('record 1 is missing')
    from.read = async (...query) => (await read(...query)).map((one) => ({ ...one, body: '{}' }))
    await expect(copyLog(from, new MemoryLog())).rejects.toThrow('does not match its hash')
  })
})

describe('a chain', () => {
  it('is followed record by record, from the beginning or from a place, and breaks where one does not fit', async () => {
    const log = new MemoryLog()
    await log.append('a', 1, some(4))
    const records = await log.read('a')
    const broken = (change: (records: StoredRecord[]) => StoredRecord[], from = 0) => {
      const after = from === 0 ? undefined : records[from - 1]
      const verifier = new ChainVerifier('a', after)
      for (const one of change(records.slice(from))) verifier.check(one)
    }
    broken((all) => all)
    broken((all) => all, 2)
    expect(() => broken((all) => all.toSpliced(2, 1))).toThrow('log of a: record 3 is missing; the next one there is 4')
    expect(() => broken((all) => all.toSpliced(0, 1))).toThrow('log of a: record 1 is missing; the next one there is 2')
    expect(() => broken((all) => all.with(1, { ...all[1], body: '{}' }))).toThrow('record 2 does not match its hash')
    expect(() => broken((all) => all.with(3, { ...all[3], time: 9 }))).toThrow('record 4 does not match its hash')
    const other = new ChainVerifier('b')
    expect(() => other.check(records[0])).toThrow('log of b: record 1 does not match its hash')
  })
})

describe('the format of a file', () => {
  it('is ours by its mark, or by its tables where it is from before there was one', () => {
    const known = (sql: string) => {
      const db = new DatabaseSync(':memory:')
      db.exec(sql)
      return checkFormat(db)
    }
    const tables = (names: string) => names.replace(/\w/g, 'CREATE TABLE $&x (y);')
    const ours = ['cursors', 'records', 'snapshots', 'systems'].map((name) => `CREATE TABLE ${name} (x);`).join('')
    expect([known(''), known(ours), known(`${ours}${tables('z')}`)]).toEqual([false, true, true])
    expect([known('PRAGMA application_id = 0x50424f45'), known('PRAGMA user_version = 9')]).toEqual([true, false])
    for (const foreign of [
      ...[`PRAGMA application_id = 77; ${ours}`, 'PRAGMA application_id = 77', tables('abcd')],
      ours.replace('cursors', 'other'),
    ])
      expect(() => known(foreign)).toThrow('another program')
    expect(() => known('PRAGMA application_id = 0x50424f45; PRAGMA user_version = 2')).toThrow('format 2')
  })
})
