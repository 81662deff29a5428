import { expect, it } from 'vitest'
import type { LogReader, Snapshot } from '../log/event-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { hashOfState } from '../views/system.ts'
import { rebuild } from './recover.ts'

const log = new MemoryLog()
const service = await Service.open(log, { snapshotEvery: 40 })
await service.create('plant', { channels: ['a'], levels: ['safe', 'unsafe'], options: { networks: 2 } }, 'test')
for (let i = 0; i < 150; i++) await service.sample('plant', { values: [i % 7] }, 'test')

/** The log with something in place of one of its methods. */
const logWith = (replaced: Partial<LogReader>) =>
  new Proxy<LogReader>(log, {
    get: (target, key) => Reflect.get(replaced, key) ?? Reflect.get(target, key).bind(target),
  })

it('passes over a snapshot that was changed for the one before it, and for the log where all were', async () => {
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
    const fold = await rebuild(logWith({ snapshot }), 'plant', {
      onSnapshot: (sequence) => used.push(sequence),
      onDamage: ({ sequence }) => told.push(sequence),
    })
    expect(told).toEqual(damaged.toReversed())
    expect(used).toEqual(places.slice(0, places.length - damaged.length).slice(-1))
    expect(fold.stateHash()).toBe(hash)
  }
})

it('replays at most 100 records before others have their turn', async () => {
  let [total, inTurn, most, over] = [0, 0, 0, false]
  const others = () => {
    inTurn = 0
    if (!over) setImmediate(others)
  }
  others()
  const onRecord = () => {
    total++
    most = Math.max(most, ++inTurn)
  }
  await rebuild(log, 'plant', { fromStart: true, onRecord })
  over = true
  expect(total).toBeGreaterThan(300)
  expect(most).toBeLessThanOrEqual(100)
})
