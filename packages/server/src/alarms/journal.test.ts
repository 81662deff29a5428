import type { AlarmEvent } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { turningPlant } from '../testing/alarming-plant.ts'
import { AlarmJournal } from './journal.ts'

/** Turns as often, one second after the other. */
async function tickingPlant() {
  const plant = await turningPlant()
  const turn = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await plant.clock.advance(1_000)
      await plant.turn()
    }
  }
  return { ...plant, turn }
}

const numbers = (events: readonly AlarmEvent[]) => events.map(({ sequence }) => sequence)

describe('the journal of alarms', () => {
  it('has what the log has and what came since, once each, oldest first, and asks the log once', async () => {
    const { service, log, system, turn, changes } = await tickingPlant()
    await turn(3)
    const journal = new AlarmJournal(service)
    await turn(1)
    const read = log.read.bind(log)
    let looks = 0
    log.read = async (...query) => {
      looks++
      // Comes after the journal has asked and before it has its answer.
      const records = await read(...query)
      await turn(1)
      return [...(await read('plant', { kinds: ['alarm'], from: (records[0]?.sequence ?? 0) + 1 })), ...records]
    }
    const [first, again] = await Promise.all([journal.latest(system), journal.latest(system)])
    log.read = read
    await turn(1)
    const latest = await journal.latest(system)
    expect(numbers(latest)).toEqual(await changes())
    expect([latest.length, looks, again === first, first === latest]).toEqual([6, 1, true, true])
    expect(latest[0]).toMatchObject({ about: 'hot', status: 'active', number: 1 })
    expect(latest[5]).toMatchObject({ status: 'returned', number: 3, time: system.now, since: system.now })
  })

  it('tries again after the log could not be read', async () => {
    const { service, log, system, turn, changes } = await tickingPlant()
    await turn(2)
    const journal = new AlarmJournal(service)
    const read = log.read.bind(log)
    log.read = () => Promise.reject(new Error('the disk does not answer'))
    await expect(journal.latest(system)).rejects.toThrow('the disk does not answer')
    log.read = read
    expect(numbers(await journal.latest(system))).toEqual(await changes())
  })

  it('finds changes before a time, latest first and no more than wanted, in memory or in the log', async () => {
    const { service, log, system, turn, changes } = await tickingPlant()
    await turn(1_003)
    const journal = new AlarmJournal(service)
    expect((await journal.latest(system)).length).toBe(1_000)
    const kept = (await changes()).reverse()
    const times = new Map((await log.read('plant', { limit: 1e6 })).map(({ sequence, time }) => [sequence, time]))
    const before = async (i: number, limit: number) =>
      numbers(await journal.before(system, times.get(kept[i]) as number, limit))
    const read = log.read.bind(log)
    const queries: unknown[] = []
    log.read = (id, query) => {
      queries.push(query?.limit)
      return read(id, query)
    }
    // Enough of them are in memory.
    expect(await before(10, 3)).toEqual(kept.slice(11, 14))
    expect(queries).toEqual([])
    // Those before are not.
    expect(await before(998, 4)).toEqual(kept.slice(999, 1_003))
    expect(queries).toEqual([4])
    expect(await before(1_002, 4)).toEqual([])
    expect(await journal.before(system, 0, 4)).toEqual([])
    // After 2,000 the oldest leave the memory, and the log still has them.
    await turn(1_001)
    expect((await journal.latest(system)).length).toBe(1_000)
    expect(numbers(await journal.latest(system))).toEqual((await changes()).slice(-1_000))
    const later = (await changes()).reverse()
    expect(numbers(await journal.before(system, times.get(kept[0]) as number, 2))).toEqual(later.slice(1_002, 1_004))
  })

  it('leaves out what was at the time itself, also where it reads on in the log', async () => {
    const { service, log, system, clock, turn, changes } = await tickingPlant()
    await turn(1)
    await clock.advance(1_000)
    await service.acknowledge('plant', 1, 'eva', 'hot')
    const time = system.now
    await turn(1)
    const read = log.read.bind(log)
    // As if the latest change had come a thousand times.
    log.read = async (...query) => {
      const [latest] = await read(...query)
      return Array.from({ length: 1_000 }, () => latest)
    }
    const journal = new AlarmJournal(service)
    await journal.latest(system)
    log.read = read
    expect(numbers(await journal.before(system, time, 4))).toEqual((await changes()).slice(0, 1))
  })

  it('knows when there is nothing older in the log', async () => {
    const { service, log, system, turn, changes } = await tickingPlant()
    await turn(3)
    const journal = new AlarmJournal(service)
    await journal.latest(system)
    await turn(1)
    const all = await changes()
    log.read = () => Promise.reject(new Error('needless'))
    expect(numbers(await journal.before(system, system.now + 1, 10))).toEqual(all.reverse())
  })
})
