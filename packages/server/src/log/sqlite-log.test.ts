import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SetupError } from '../errors.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { cursorsOf } from './alarm-cursors.ts'
import { chainHash, GENESIS, type NewRecord } from './record.ts'
import { SqliteLog, SqliteLogReader } from './sqlite-log.ts'
import { StoreLock } from './store-lock.ts'
import { describeEventLog } from './testing/conformance.ts'
import { openLocally } from './testing/local-store.ts'
import { MemoryLog } from './testing/memory-log.ts'

const folder = temporaryFolder()
let files = 0
const newFile = () => join(folder, `${files++}.db`)

describeEventLog('SqliteLog', () => SqliteLog.open(newFile(), openLocally))
describeEventLog('MemoryLog', async () => new MemoryLog())

const RECORD: NewRecord = { time: 1, kind: 'sample', body: '{}' }

describe('SqliteLog', () => {
  it('keeps everything over a close and an open', async () => {
    const file = newFile()
    const log = await SqliteLog.open(file, openLocally)
    const appended = log.append('a', 1, [{ time: 1, kind: 'created', body: '{}' }])
    await log.close()
    await appended
    const again = await SqliteLog.open(file, openLocally)
    expect((await again.read('a')).length).toBe(1)
    await again.append('a', 2, [{ time: 2, kind: 'sample', body: '{}' }])
    await again.close()
    const reader = await SqliteLogReader.openReader(file, openLocally)
    expect((await reader.extent('a'))?.last).toBe(2)
    await reader.close()
    // Whoever closes a store last, of all that have opened it, removes its write-ahead log.
    await (await SqliteLog.open(file, openLocally)).close()
    expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false])
  })

  it('writes many small calls of one moment in one transaction, and says how long it took', async () => {
    const log = await SqliteLog.open(newFile(), openLocally)
    const groups: number[] = []
    let waited = 0
    log.onCommit = (seconds, records) => {
      groups.push(records)
      waited += seconds
    }
    const start = performance.now()
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => log.append('a', i + 1, [{ time: i, kind: 'sample', body: '{}' }])),
    )
    await log.close()
    expect(groups).toEqual([200])
    expect(waited).toBeGreaterThan(0)
    expect(waited).toBeLessThanOrEqual((performance.now() - start) / 1000)
  })

  it('tells all who wrote in a transaction that fails, and goes on with the next', async () => {
    const log = await SqliteLog.open(newFile(), openLocally)
    const broken = { time: 'late' as never, kind: 'sample' as const, body: '{}' }
    const outcomes = await Promise.allSettled([log.append('a', 1, [RECORD]), log.append('b', 1, [broken])])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await log.append('a', 1, [RECORD])
    expect([await log.systems(), await log.lost(), await log.probe()]).toEqual([['a'], 0, undefined])
    await expect(log.backup(join(folder, 'none', 'x.db'))).rejects.toThrow('unable to open')
    await log.close()
    await expect(log.probe()).rejects.toThrow('not open')
  })

  it('removes a system after what is on its way, ends after it too, and lets the next one in', async () => {
    const file = newFile()
    const log = await SqliteLog.open(file, openLocally)
    const appended = log.append('a', 1, [RECORD])
    const cursors = ['a', 'ab'].map((system) => `${cursorsOf(system)}hook`)
    for (const cursor of cursors) await log.moveCursor(cursor, 5)
    await log.remove('a', { ...RECORD, kind: 'deletion' }, cursorsOf('a'))
    await appended
    expect(await log.systems()).toEqual(['$server'])
    expect(await Promise.all(cursors.map((cursor) => log.cursor(cursor)))).toEqual([0, 5])
    expect(() => StoreLock.take(file, 0)).toThrow(`in use by process ${process.pid}`)
    const last = log.append('a', 1, [RECORD])
    await log.close()
    await last
    // A store that cannot be opened lets the next one in, too.
    const failing = () => Promise.reject(new Error('no thread'))
    await expect(SqliteLog.open(file, failing)).rejects.toThrow('no thread')
    const again = await SqliteLog.open(file, openLocally)
    expect(await again.systems()).toEqual(['$server', 'a'])
    await again.close()
  })

  it('copies itself while it is written to, with a connection of its own that it closes', async () => {
    const open: boolean[] = []
    const writers: boolean[] = []
    const log = await SqliteLog.open(newFile(), async (file, readOnly) => {
      const store = await openLocally(file, readOnly)
      const place = open.push(true) - 1
      writers.push(!readOnly)
      const close = () => {
        open[place] = false
        return store.close()
      }
      return { ...store, close }
    })
    await log.append('a', 1, [{ time: 1, kind: 'created', body: '{}' }])
    const file = newFile()
    const writing = Promise.all(Array.from({ length: 50 }, (_, i) => log.append('a', i + 2, [RECORD])))
    await log.backup(file)
    await writing
    await expect(log.backup(file)).rejects.toThrow('already exists')
    expect(open).toEqual([true, true, false, false])
    expect(writers).toEqual([true, false, false, false])
    await log.close()
    expect(open).toEqual([false, false, false, false])
    const copy = await SqliteLogReader.openReader(file, openLocally)
    const extent = await copy.extent('a')
    expect(extent?.first).toBe(1)
    expect((await copy.read('a')).length).toBe(extent?.last)
    await copy.close()
  })

  it('says clearly that a file is no store, and makes none when asked to read', async () => {
    const file = newFile()
    writeFileSync(file, 'this is a text, and a long enough one to be taken for a database by nobody at all')
    for (const none of [file, folder]) {
      const refused = expect(SqliteLog.open(none, openLocally)).rejects
      await refused.toThrow(SetupError)
      await refused.toThrow(`${none} is not a store of pb-oel, or cannot be opened`)
    }
    await expect(SqliteLogReader.openReader(join(folder, 'none.db'), openLocally)).rejects.toThrow('none.db')
    expect(existsSync(join(folder, 'none.db'))).toBe(false)
  })

  it('chains by SHA-256 over previous hash, system, number, time, kind and body', () => {
    // printf '%064d\na\n1\n5\nsample\n{}' 0 | sha256sum
    expect(chainHash(GENESIS, 'a', 1, { time: 5, kind: 'sample', body: '{}' })).toBe(
      '8442ca00481852db7a4d41b7a1e0215087afca34d57e1c5069c2e9b7098fe739',
    )
  })
})
