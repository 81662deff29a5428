import { describe, expect, it } from 'vitest'
import { StorageError } from '../errors.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { rebuild } from '../replay/recover.ts'
import { hashOfState } from '../views/system.ts'
import { Service } from './service.ts'

const PLANT = { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority', stale: null }

async function made() {
  const log = new MemoryLog()
  const service = await Service.open(log)
  const system = await service.create('plant', PLANT, 'test')
  return { log, service, system, sample: () => service.sample('plant', { values: [1] }, 'sensor') }
}

describe('compaction', () => {
  it('removes as much as the snapshots and what is to be kept allow, and changes nothing where that is nothing', async () => {
    const { system, service, log } = await made()
    const change = (title: string) => service.configure('plant', { title }, 'test')
    await system.saveSnapshot()
    await change('a')
    const records = (await log.read('plant')).length
    await expect(system.compact(3, 'test')).rejects.toThrow('log of plant: there is nothing to remove')
    expect((await log.read('plant')).length).toBe(records)
    // Records 1 to 4 are created, snapshot of 1, a, b. With the snapshot of 4 there are 5, and 3 are to be kept.
    await change('b')
    expect(await system.compact(3, 'test')).toBe(1)
    expect((await log.extent('plant'))?.first).toBe(2)
    // The latest snapshot that may be cut at is where the log begins already.
    await expect(system.compact(4, 'test')).rejects.toThrow('there is nothing to remove')
    const fresh = await service.create('fresh', PLANT, 'test')
    await fresh.saveSnapshot()
    expect(await fresh.compact(1, 'test')).toBe(2)
    const early = await service.create('early', PLANT, 'test')
    for (const title of ['a', 'b']) await service.configure('early', { title }, 'test')
    // The only snapshot is behind what is to be kept.
    await expect(early.compact(2, 'test')).rejects.toThrow('there is nothing to remove')
    await service.remove('early', 'test')
    await expect(early.compact(0, 'test')).rejects.toThrow('there is nothing to remove')
  })

  it('keeps the sample of an open question, also where a snapshot stands right behind it', async () => {
    const { system, service, sample } = await made()
    await system.saveSnapshot()
    const { sequence, assessment } = await sample()
    await system.saveSnapshot()
    for (const title of ['a', 'b', 'c']) await service.configure('plant', { title }, 'test')
    expect(await system.compact(1, 'test')).toBe(1)
    await service.feedback('plant', { assessment, kind: 'confirm' }, 'eva')
    expect(await system.compact(1, 'test')).toBeGreaterThan(sequence)
  })

  it('keeps the samples of an exclusion that it keeps', async () => {
    const { system, service, sample, log } = await made()
    const answer = async () => {
      const { assessment } = await sample()
      await service.feedback('plant', { assessment, kind: 'confirm' }, 'eva')
    }
    await answer()
    await system.saveSnapshot()
    const settled = system.snapshotAt
    await answer()
    await system.saveSnapshot()
    await service.exclude('plant', { from: 1, why: 'test' }, 'ada')
    const { last = 0 } = (await log.extent('plant')) ?? {}
    // The exclusion and the snapshot behind it are kept, and so is sample 1, which it is about.
    expect(await system.compact(last - system.snapshotAt + 2, 'test')).toBe(settled)
    expect((await rebuild(log, 'plant', { fromStart: true })).stateHash()).toBe(await system.read(hashOfState()))
  })

  it('of all systems goes on where one fails, and tells why', async () => {
    const { system, service, log } = await made()
    const troubles: string[] = []
    service.onTrouble = ({ message }, id) => troubles.push(`${id}: ${message}`)
    for (const id of ['zeta', 'alpha']) await service.create(id, PLANT, 'test')
    for (const id of ['plant', 'zeta']) await service.configure(id, { title: 'x' }, 'test')
    const { compact } = log
    log.compact = (id, through) => {
      if (id === 'plant') throw new StorageError('cannot be read')
      return compact.call(log, id, through)
    }
    await service.compactAll(1)
    expect(troubles).toEqual([`plant: ${new StorageError('cannot be read').message}`])
    const firsts = await Promise.all(['alpha', 'plant', 'zeta'].map(async (id) => (await log.extent(id))?.first))
    expect([firsts, system.ready]).toEqual([[1, 1, 3], true])
  })
})
