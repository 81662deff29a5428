import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { SqliteLog, SqliteLogReader } from '../log/sqlite-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { replaySystem } from '../replay/replay.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'
import { Backups } from './backups.ts'

it('copies of one moment queue, are listed, downloaded, and rotated', async () => {
  const folder = temporaryFolder()
  const server = await localServer({ backups: { folder, keep: 3 } })
  await send(`${server.url}/v1/systems/plant/samples`, 'POST', { values: [1, 2] })
  const made = await Promise.all(Array.from({ length: 5 }, () => send(`${server.url}/v1/backup`, 'POST')))
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  const { backups } = (await send(`${server.url}/v1/backups`, 'GET')).body
  expect(backups.map(({ file }: { file: string }) => file)).toEqual(
    made
      .map(({ body }) => body.file)
      .sort()
      .reverse()
      .slice(0, 3),
  )
  const download = await fetch(`${server.url}/v1/backups/${backups[0].file}`)
  expect(Number(download.headers.get('content-length'))).toBe(backups[0].bytes)
  const copy = join(folder, 'restored.db')
  writeFileSync(copy, Buffer.from(await download.arrayBuffer()))
  const reader = await SqliteLogReader.openReader(copy)
  const { assessments, difference } = await replaySystem(reader, 'plant')
  expect([assessments, difference]).toEqual([1, undefined])
  await reader.close()
  for (const name of ['restored.db', '..%2Fpasswd', 'pb-oel-backup-1.db']) {
    expect((await send(`${server.url}/v1/backups/${name}`, 'GET')).status).toBeGreaterThanOrEqual(400)
  }
})

it('copies are made by a schedule, and the oldest go', async () => {
  const folder = temporaryFolder()
  const hours = 1 / 3600
  await localServer({ backups: { folder, keep: 2, everyHours: hours } })
  const seen = new Set<string>()
  const copies = () => readdirSync(folder).filter((name) => /^pb-oel-backup-.*\.db$/.test(name))
  await expect.poll(() => copies().forEach((name) => void seen.add(name)) ?? seen.size).toBeGreaterThanOrEqual(4)
  // One may have been made, and the oldest not yet removed.
  expect(copies().length).toBeLessThanOrEqual(3)
})

it('a copy is synced to the disk before it has its name, and its name before an older copy goes', async () => {
  const folder = temporaryFolder()
  const log = await SqliteLog.open(join(folder, 'store.db'))
  const backups = new Backups(log, folder, Date.now, 1)
  const older = await backups.make()
  const some = await open(join(folder, 'store.db'))
  const handles: FileHandle = Object.getPrototypeOf(some)
  await some.close()
  const copies = () => readdirSync(folder).filter((name) => name.startsWith('pb-oel-backup'))
  const nameOf = (ino: number) => ['.', ...readdirSync(folder)].find((name) => statSync(join(folder, name)).ino === ino)
  const synced: string[][] = []
  const { sync } = handles
  const watch = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    const { ino } = await this.stat()
    const name = nameOf(ino)
    // Another server of this file makes copies meanwhile.
    if (name !== undefined) synced.push([name, ...copies()])
  })
  try {
    const file = await backups.make()
    expect(synced).toEqual([
      [`${file}.partial`, older, `${file}.partial`],
      ['.', older, file],
    ])
    expect(copies()).toEqual([file])
  } finally {
    watch.mockRestore()
    await log.close()
  }
})

it('a copy that fails leaves nothing that looks like one', async () => {
  const folder = temporaryFolder()
  await expect(new Backups(new MemoryLog(), folder, Date.now).make()).rejects.toThrow()
  const log = await SqliteLog.open(join(folder, 'store.db'))
  const gone = new Backups(log, join(folder, 'nowhere'), Date.now)
  await expect(gone.make()).rejects.toThrow()
  expect(readdirSync(folder).filter((name) => name.startsWith('pb-oel-backup'))).toEqual([])
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  await log.close()
})
