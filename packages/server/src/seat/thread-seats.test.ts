import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { extensionsOf } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { SqliteLogReader } from '../log/sqlite-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { replaySystem } from '../replay/replay.ts'
import { type RunningServer, serve } from '../serve.ts'
import { Service } from '../service/service.ts'
import broken, { BREAKS } from '../testing/broken-method.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import { samplesMade } from '../views/progress.ts'
import { hashOfState } from '../views/system.ts'
import { ThreadSeats } from './thread-seats.ts'

const MODULE = './broken-method.ts'
const SHAPE = { channels: ['pressure', 'temperature'], levels: ['safe', 'odd', 'unsafe'] }

/** Samples, answers, a correction, a key used twice, refusals and a snapshot: the same for any seats. */
async function drive(service: Service): Promise<{ hash: string; told: unknown[] }> {
  const system = await service.create('plant', PLANT, 'test')
  const told: unknown[] = []
  const note = (answer: Promise<unknown>) => answer.then((value) => told.push(value)).catch((error) => told.push(error))
  for (let i = 0; i < 60; i++) {
    await note(service.sample('plant', { values: [i % 7, i % 3], key: `k${i >> 1}` }, 'sensor'))
    await note(
      service.feedback('plant', { assessment: i, kind: 'label', level: i % 3, correction: i % 5 === 0 }, 'eva'),
    )
    await note(service.sample('plant', { values: [i] }, 'sensor'))
  }
  await service.configure('plant', { title: 'other' }, 'test')
  await system.saveSnapshot()
  return { hash: await system.read(hashOfState()), told }
}

describe('systems on threads', () => {
  it('tell and record the same as in the main thread, bit for bit, errors and their classes included', async () => {
    const ticking = () => ({ clock: new SimulatedClock() })
    const [here, there] = [new MemoryLog(), new MemoryLog()]
    const local = await drive(await Service.open(here, ticking()))
    const service = await Service.open(there, { ...ticking(), seats: new ThreadSeats(there, { threads: 2 }) })
    const apart = await drive(service)
    expect(apart.told.length).toBe(180)
    expect(apart.told.filter((told) => told instanceof Error).length).toBeGreaterThan(60)
    // Of the fields of an error, only plain values come over.
    const comparable = (told: unknown) => (told instanceof Error ? [told.constructor, told.message] : told)
    expect(apart.told.map(comparable)).toEqual(local.told.map(comparable))
    expect(apart.hash).toBe(local.hash)
    const bodies = async (log: MemoryLog) => (await log.read('plant', { limit: 1e6 })).map(({ hash }) => hash)
    expect(await bodies(there)).toEqual(await bodies(here))
    await service.close()
  })

  it('keep the order of a system whatever is asked at once, and are spread over the threads', async () => {
    const log = new MemoryLog()
    const service = await Service.open(log, { snapshotEvery: 50, seats: new ThreadSeats(log, { threads: 2 }) })
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map((id) => service.create(id, PLANT, 'test')))
    const asked = Array.from({ length: 400 }, (_, i) => {
      const id = names[i % 4]
      return i % 40 > 30 ? service.get(id).read(samplesMade()) : service.sample(id, { values: [i % 9, 1] }, 'sensor')
    })
    await Promise.all(asked)
    for (const id of names) {
      // First the look: it waits for a snapshot that may still be under way.
      const hash = await service.get(id).read(hashOfState())
      const { difference, stateHash } = await replaySystem(log, id)
      expect([id, difference, stateHash]).toEqual([id, undefined, hash])
    }
    await service.close()
  })
})

/** A server with a system of a module that breaks, beside one that must not notice. */
async function withModule(store: string): Promise<RunningServer> {
  const server = await serve({
    ...{ store, port: 0, logLevel: 'silent', threads: 1, limits: { operationSeconds: 6, systemMegabytes: 40 } },
    extensions: extensionsOf({ [MODULE]: { default: broken } }),
    moduleFiles: { [MODULE]: pathToFileURL(join(import.meta.dirname, '../testing/broken-method.ts')).href },
    systems: [
      { ...SHAPE, id: 'good' },
      { ...SHAPE, id: 'bad', method: MODULE },
    ],
  })
  await server.recovered
  return server
}

describe('a module that breaks', () => {
  it.each(Object.entries(BREAKS))(
    '%s: the others go on, it is said, and its system comes back as the log has it',
    async (name, value) => {
      const store = join(temporaryFolder(), 'broken.db')
      const server = await withModule(store)
      const { service } = server
      const troubles: string[] = []
      service.onTrouble = (error, system) => troubles.push(`${system}: ${error.message}`)
      for (let i = 0; i < 5; i++) await service.sample('bad', { values: [i, 1] }, 'sensor')
      const hash = await service.get('bad').read(hashOfState())
      let over = false
      const fatal = service.sample('bad', { values: [value, 1] }, 'sensor').then(
        () => 'taken',
        (error: Error) => error.message,
      )
      let answered = 0
      const beside = (async () => {
        for (let i = 0; !over; i++) {
          await service.sample('good', { values: [i % 5, 1] }, 'sensor')
          answered++
          await setTimeout(5)
        }
      })()
      expect(await fatal).not.toBe('taken')
      // The thread of the module has stood still for six seconds; the other system has not.
      if (name === 'loops') expect(answered).toBeGreaterThan(5)
      while (!service.get('bad').ready) await setTimeout(20)
      over = true
      await beside
      expect(troubles.filter((trouble) => trouble.startsWith('bad')).length).toBe(1)
      expect(troubles.filter((trouble) => trouble.startsWith('good'))).toEqual([])
      expect(await service.get('bad').read(hashOfState())).toBe(hash)
      expect((await service.sample('bad', { values: [1, 1] }, 'sensor')).assessment).toBe(5)
      await server.stop()
      const reader = await SqliteLogReader.openReader(store)
      for (const id of ['good', 'bad']) {
        const extensions = extensionsOf({ [MODULE]: { default: broken } })
        expect((await replaySystem(reader, id, undefined, extensions)).difference).toBeUndefined()
      }
      await reader.close()
    },
    60_000,
  )
})
