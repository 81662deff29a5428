import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { replaySystem } from '../replay/replay.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { SqliteLog, SqliteLogReader } from './sqlite-log.ts'
import { warningAboutSqlite } from './sqlite-version.ts'
import { StoreLock } from './store-lock.ts'
import { openLocally } from './testing/local-store.ts'

const folder = temporaryFolder()
const FIXTURE = join(import.meta.dirname, '../replay/fixtures/log-version-1.db.gz')
let files = 0
const newFile = () => join(folder, `store-${files++}.db`)

/** A store that was made and closed. */
async function madeStore(): Promise<string> {
  const file = newFile()
  await (await SqliteLog.open(file, openLocally)).close()
  return file
}

/** A thread that has a lock, says so, and ends a little later. */
const HOLDER = `
const { parentPort, workerData } = require('node:worker_threads')
const db = new (require('node:sqlite').DatabaseSync)(workerData)
db.exec('BEGIN IMMEDIATE')
parentPort.postMessage('held')
setTimeout(() => db.close(), 50)
`

/** Files that this process has open, where the system tells. */
function openFiles(): string[] {
  const folder = '/proc/self/fd'
  const numbers = existsSync(folder) ? readdirSync(folder) : []
  return numbers.flatMap((number) => {
    try {
      return [readlinkSync(join(folder, number))]
    } catch {
      // The one that listed them is closed again.
      return []
    }
  })
}

describe('one store, one server', () => {
  it('two names of one file are one store', async () => {
    const store = await madeStore()
    const log = await SqliteLog.open(store, openLocally)
    const other = join(folder, 'other-name.db')
    symlinkSync(store, other)
    await expect(SqliteLog.open(other, openLocally)).rejects.toThrow(`in use by process ${process.pid}`)
    await log.close()
    await (await SqliteLog.open(other, openLocally)).close()
  })
})

describe('a lock', () => {
  it('says who holds it, or that nobody has signed, and ends when it is released', () => {
    const store = newFile()
    const first = StoreLock.take(store)
    expect([first.signed, existsSync(`${store}-lock`)]).toEqual([false, true])
    expect(() => StoreLock.take(store, 0)).toThrow(`${store} is in use by another process: one server writes`)
    first.sign()
    expect(() => StoreLock.take(store, 0)).toThrow(`in use by process ${process.pid} on ${hostname()}, since 20`)
    first.release()
    first.release()
    const second = StoreLock.take(store)
    expect(second.signed).toBe(true)
    second.release()
  })

  it('is refused where there is no folder, or where the file is none', () => {
    expect(() => StoreLock.take(join(folder, 'none', 'x.db'))).toThrow(`there is no folder ${join(folder, 'none')}`)
    const store = newFile()
    writeFileSync(`${store}-lock`, 'this is a text, and a long enough one to be taken for a database by nobody')
    expect(() => StoreLock.take(store)).toThrow(`${store} cannot be locked (file is not a database)`)
    expect(openFiles()).not.toContain(`${store}-lock`)
    mkdirSync(`${folder}/is-folder.db-lock`)
    expect(() => StoreLock.take(`${folder}/is-folder.db`)).toThrow('is its folder there and writable?')
  })

  it.each([
    ['', 'goes on'],
    ['ROLLBACK', 'has been undone'],
  ])('stays when the disk cannot take the signature and the transaction %s%s', (before) => {
    const store = newFile()
    const lock = StoreLock.take(store)
    const exec = DatabaseSync.prototype.exec
    DatabaseSync.prototype.exec = function (sql) {
      exec.call(this, sql === 'COMMIT' ? before : sql)
      if (sql === 'COMMIT') throw new Error('the disk is full')
    }
    try {
      lock.sign()
    } finally {
      DatabaseSync.prototype.exec = exec
    }
    expect(() => StoreLock.take(store, 0)).toThrow('in use by another process')
    lock.release()
    expect(StoreLock.take(store).signed).toBe(false)
  })

  it('is waited for while its holder is ending', async () => {
    const store = newFile()
    const holder = new Worker(HOLDER, { eval: true, workerData: `${store}-lock` })
    await once(holder, 'message')
    StoreLock.take(store, 60_000).release()
    await once(holder, 'exit')
  })
})

describe('the format of a store', () => {
  it('is marked, also in a store from before there was a mark, which still replays', async () => {
    const store = newFile()
    writeFileSync(store, gunzipSync(readFileSync(FIXTURE)))
    const log = await SqliteLog.open(store, openLocally)
    for (const system of await log.systems())
      if (system !== '$server') expect((await replaySystem(log, system)).difference).toBeUndefined()
    await log.close()
    const db = new DatabaseSync(store)
    expect(db.prepare('PRAGMA application_id').get()).toEqual({ application_id: 0x50424f45 })
    db.close()
  })

  it('of a later release is refused, with what to do, by writers and readers', async () => {
    const store = await madeStore()
    const db = new DatabaseSync(store)
    db.exec('PRAGMA user_version = 7')
    db.close()
    const before = readFileSync(store)
    await expect(SqliteLog.open(store, openLocally)).rejects.toThrow(
      'in format 7; this one knows format 1: upgrade pb-oel',
    )
    await expect(SqliteLogReader.openReader(store, openLocally)).rejects.toThrow('upgrade pb-oel')
    expect(readFileSync(store).equals(before)).toBe(true)
  })

  it('of another program is refused untouched', async () => {
    for (const sql of ['CREATE TABLE records (x)', 'PRAGMA application_id = 77; CREATE TABLE t (x)']) {
      const file = newFile()
      const db = new DatabaseSync(file)
      db.exec(sql)
      db.close()
      const before = readFileSync(file)
      await expect(SqliteLog.open(file, openLocally)).rejects.toThrow('an SQLite file of another program')
      await expect(SqliteLogReader.openReader(file, openLocally)).rejects.toThrow('an SQLite file of another program')
      expect(readFileSync(file).equals(before)).toBe(true)
    }
  })

  it('of another program is refused with its write-ahead log untouched', async () => {
    const [theirs, found] = [newFile(), newFile()]
    const db = new DatabaseSync(theirs)
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE records (x)')
    const files = ['', '-wal']
    // As a crash leaves them.
    for (const end of files) copyFileSync(`${theirs}${end}`, `${found}${end}`)
    await expect(SqliteLog.open(found, openLocally)).rejects.toThrow('an SQLite file of another program')
    for (const end of files) expect(readFileSync(`${found}${end}`).equals(readFileSync(`${theirs}${end}`))).toBe(true)
    db.close()
  })
})

describe('a store that was lost', () => {
  it('is not replaced by an empty one: missing, or cut to nothing', async () => {
    const [missing, empty] = [await madeStore(), await madeStore()]
    rmSync(missing)
    truncateSync(empty)
    for (const store of [missing, empty]) {
      await expect(SqliteLog.open(store, openLocally)).rejects.toThrow(
        `${store} is missing or empty, and ${store}-lock beside it`,
      )
      // Whoever wants to begin anew says so.
      rmSync(`${store}-lock`)
      await (await SqliteLog.open(store, openLocally)).close()
    }
  })

  it('is not taken for one because of a lock that nobody has signed', async () => {
    const store = newFile()
    const db = new DatabaseSync(`${store}-lock`)
    db.exec('CREATE TABLE other (x)')
    db.close()
    await (await SqliteLog.open(store, openLocally)).close()
  })

  it('is noticed by its write-ahead log, too', async () => {
    const store = newFile()
    writeFileSync(`${store}-wal`, 'frames')
    await expect(SqliteLog.open(store, openLocally)).rejects.toThrow(`${store}-wal beside it`)
  })
})

it('knows which versions of SQLite have the WAL-reset bug', () => {
  for (const version of ['3.51.2', '3.50.6', '3.46.1', '3.44.5', '3.7.0'])
    expect(warningAboutSqlite(version)).toContain(`SQLite ${version} can damage`)
  for (const version of ['3.51.3', '3.52.0', '3.53.4', '3.50.7', '3.44.6', '4.0.0'])
    expect(warningAboutSqlite(version)).toBeUndefined()
})
