import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Backups } from '../backup/backups.ts'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { SqliteLog } from '../log/sqlite-log.ts'
import { openLocally } from '../log/testing/local-store.ts'
import { Metrics } from '../metrics/metrics.ts'
import { Service } from '../service/service.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import type { Parts } from './parts.ts'
import { scheduleBackups, scheduleRetention } from './upkeep.ts'

const HOUR = 3_600_000

/** A store with a system of 200 records, and what its upkeep tells. */
async function kept(options: Parts['options']) {
  const clock = new SimulatedClock(1_000_000_000)
  const folder = temporaryFolder()
  const log = await SqliteLog.open(join(folder, 'kept.db'), openLocally)
  const service = await Service.open(log, { clock, snapshotEvery: 20 })
  await service.create('plant', { ...PLANT, method: 'majority', ask: { perThousand: 0.001 }, options: {} }, 'test')
  for (let i = 0; i < 5; i++) {
    await Promise.all(Array.from({ length: 20 }, (_, j) => service.sample('plant', { values: [i, j] }, 'test')))
  }
  const backups = new Backups(log, folder, service.clock)
  const [told, metrics] = [[] as string[], new Metrics()]
  const tell = (_: object, text: string) => void told.push(text)
  const parts = { options, service, backups, metrics, note: tell, warn: tell } as Partial<Parts> as Parts
  const copies = () => readdirSync(folder).filter((name) => name.endsWith('.db')).length - 1
  return { clock, log, service, backups, parts, metrics, told, copies }
}

it('old records are removed once an hour, until the server ends', async () => {
  const { clock, log, service, parts } = await kept({ retention: { records: 50 } })
  const first = async () => (await log.extent('plant'))?.first
  const stop = scheduleRetention(parts)
  await clock.advance(HOUR - 1)
  expect(await first()).toBe(1)
  await clock.advance(1)
  await expect.poll(first).toBeGreaterThan(100)
  stop()
  expect(clock.waiting).toBe(1)
  expect(scheduleRetention({ ...parts, options: {} })()).toBeUndefined()
  expect(clock.waiting).toBe(1)
  await service.close()
  expect(clock.waiting).toBe(0)
})

it('back-ups are made every so many hours; one that fails is a trouble that is told', async () => {
  const { clock, service, backups, parts, metrics, told, copies } = await kept({ backups: { everyHours: 2 } })
  const stop = scheduleBackups(parts, undefined)
  await clock.advance(2 * HOUR - 1)
  expect(copies()).toBe(0)
  await clock.advance(1)
  await expect.poll(() => told).toEqual(['the store was backed up'])
  expect(copies()).toBe(1)
  backups.make = () => Promise.reject(new Error('the disk is full'))
  await clock.advance(2 * HOUR)
  await expect.poll(() => told.at(-1)).toBe('the store could not be backed up')
  expect(await metrics.text()).toMatch(/^pb_oel_troubles_total 1$/m)
  stop()
  // Of the workers of a cluster, one copies the store.
  const elsewhere = scheduleBackups(parts, { locate: () => 'elsewhere' } as never)
  await clock.advance(5 * HOUR)
  expect(told.length).toBe(2)
  elsewhere()
  await service.close()
})
