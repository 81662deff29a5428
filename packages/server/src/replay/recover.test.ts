import { expect, it } from 'vitest'
import type { LogReader, Snapshot } from '../log/event-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { hashOfState } from '../views/system.ts'
import { rebuild } from './recover.ts'

it('passes over a snapshot that was changed for the one before it, and for the log where all were', async () => {
  const log = new MemoryLog()
  const service = await Service.open(log, { snapshotEvery: 40 })
  await service.create('plant', { channels: ['a'], levels: ['safe', 'unsafe'], options: { networks: 2 } }, 'test')
  for (let i = 0; i < 100; i++) await service.sample('plant', { values: [i % 7] }, 'test')
  const hash = await service.get('plant').read(hashOfState())
  const places: number[] = []
  for (let at = Infinity; ; at = places[0] - 1) {
    const found = await log.snapshot('plant', at)
    if (!found) break
    places.unshift(found.sequence)
  }
  expect(places.length).toBeGreaterThan(2)

  for (const damaged of [places.slice(-1), places.slice(-2), places]) {
    const [used, told]: number[][] = [[], []]
    const snapshot = async (system: string, atMost: number): Promise<Snapshot | undefined> => {
      const found = await log.snapshot(system, atMost)
      return found && damaged.includes(found.sequence) ? { ...found, bytes: new Uint8Array(1000) } : found
    }
    const reader = new Proxy<LogReader>(log, {
      get: (target, key) => (key === 'snapshot' ? snapshot : Reflect.get(target, key).bind(target)),
    })
    const fold = await rebuild(reader, 'plant', {
      onSnapshot: (sequence) => used.push(sequence),
      onDamage: ({ sequence }) => told.push(sequence),
    })
    expect(told).toEqual(damaged.toReversed())
    expect(used).toEqual(places.slice(0, places.length - damaged.length).slice(-1))
    expect(fold.stateHash()).toBe(hash)
  }
})
