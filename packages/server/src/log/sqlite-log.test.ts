import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SetupError } from '../errors.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { chainHash, GENESIS } from './record.ts'
import { SqliteLog, SqliteLogReader } from './sqlite-log.ts'
import { describeEventLog } from './testing/conformance.ts'
import { openLocally } from './testing/local-store.ts'
import { MemoryLog } from './testing/memory-log.ts'

const folder = temporaryFolder()
let files = 0
const newFile = () => join(folder, `${files++}.db`)

describeEventLog('SqliteLog', () => SqliteLog.open(newFile()))
describeEventLog('SqliteLog in one thread', () => SqliteLog.open(newFile(), openLocally))
describeEventLog('MemoryLog', async () => new MemoryLog())

describe('SqliteLog', () => {
  it('keeps everything over a close and an open', async () => {
    const file = newFile()
    const log = await SqliteLog.open(file)
    const appended = log.append('a', 1, [{ time: 1, kind: 'created', body: '{}' }])
    await log.close()
    await appended
    const again = await SqliteLog.open(file)
    expect((await again.read('a')).length).toBe(1)
    await again.append('a', 2, [{ time: 2, kind: 'sample', body: '{}' }])
    await again.close()
    const reader = await SqliteLogReader.openReader(file)
    expect((await reader.extent('a'))?.last).toBe(2)
    await reader.close()
  })

  it('writes many small calls of one moment in few transactions', async () => {
    const log = await SqliteLog.open(newFile())
    const groups: number[] = []
    log.onCommit = (_, records) => groups.push(records)
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => log.append('a', i + 1, [{ time: i, kind: 'sample', body: '{}' }])),
    )
    await log.close()
    expect(groups.reduce((sum, n) => sum + n, 0)).toBe(200)
    expect(groups.length).toBeLessThanOrEqual(3)
  })

  it('copies itself while it is written to', async () => {
    const log = await SqliteLog.open(newFile())
    await log.append('a', 1, [{ time: 1, kind: 'created', body: '{}' }])
    const file = newFile()
    const writing = Promise.all(
      Array.from({ length: 50 }, (_, i) => log.append('a', i + 2, [{ time: 2, kind: 'sample', body: '{}' }])),
    )
    await log.backup(file)
    await writing
    await log.close()
    const copy = await SqliteLogReader.openReader(file)
    const extent = await copy.extent('a')
    expect(extent?.first).toBe(1)
    expect((await copy.read('a')).length).toBe(extent?.last)
    await copy.close()
  })

  it('says clearly that a file is no store, and makes none when asked to read', async () => {
    const file = newFile()
    writeFileSync(file, 'this is a text, and a long enough one to be taken for a database by nobody at all')
    await expect(SqliteLog.open(file)).rejects.toThrow(SetupError)
    await expect(SqliteLogReader.openReader(join(folder, 'none.db'))).rejects.toThrow('none.db')
    expect(existsSync(join(folder, 'none.db'))).toBe(false)
  })

  it('chains by SHA-256 over previous hash, system, number, time, kind and body', () => {
    // printf '%064d\na\n1\n5\nsample\n{}' 0 | sha256sum
    expect(chainHash(GENESIS, 'a', 1, { time: 5, kind: 'sample', body: '{}' })).toBe(
      '8442ca00481852db7a4d41b7a1e0215087afca34d57e1c5069c2e9b7098fe739',
    )
  })
})
