import { describe, expect, it } from 'vitest'
import { clockOf } from '../clock/testing/clock-of.ts'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { Conflict, NotFound, NotReady, StorageError } from '../errors.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { SlowLog } from '../log/testing/slow-log.ts'
import { rebuild } from '../replay/recover.ts'
import { replaySystem } from '../replay/replay.ts'
import { PLANT } from '../testing/local-server.ts'
import { samplesMade } from '../views/progress.ts'
import { oldestOpen } from '../views/queue.ts'
import { detail, hashOfState } from '../views/system.ts'
import { Service } from './service.ts'

async function plant(options = {}) {
  const log = new MemoryLog()
  let now = 1000
  const service = await Service.open(log, { clock: clockOf(() => now++), ...options })
  await service.create('plant', PLANT, 'test')
  return { log, service, system: service.get('plant') }
}

const values = (n: number) => ({ values: [n, n % 5] })

describe('a service', () => {
  it('answers two requests with one key by one sample, also when they come at the same moment', async () => {
    const { service, system } = await plant()
    const answers = await Promise.all([1, 2, 3].map(() => service.sample('plant', { ...values(1), key: 'k' }, 'test')))
    expect(answers.map(({ assessment, repeated = false }) => [assessment, repeated])).toEqual([
      [0, false],
      [0, true],
      [0, true],
    ])
    expect(answers[1]).toEqual({ ...answers[0], repeated: true })
    expect(await system.read(samplesMade())).toBe(1)
    await expect(service.feedback('plant', { assessment: 0, kind: 'confirm', key: 'k' }, 'test')).rejects.toThrow(
      'something else',
    )
  })

  it('repeats feedback by its key, refuses it without, and records who corrected whom', async () => {
    const { service, log } = await plant()
    const { level } = await service.sample('plant', values(1), 'sensor')
    const first = await service.feedback('plant', { assessment: 0, kind: 'confirm', key: 'f' }, 'eva')
    const { effect, ...receipt } = first
    expect(effect?.accuracy).toEqual([null, 1])
    expect(await service.feedback('plant', { assessment: 0, kind: 'confirm', key: 'f' }, 'eva')).toEqual({
      ...receipt,
      repeated: true,
    })
    await expect(service.feedback('plant', { assessment: 0, kind: 'reject' }, 'max')).rejects.toThrow(
      'already answered',
    )
    await service.feedback('plant', { assessment: 0, kind: 'label', level: (level + 1) % 3, correction: true }, 'max')
    const [correction] = await log.read('plant', { kinds: ['correction'] })
    expect(JSON.parse(correction.body)).toMatchObject({ by: 'max', assessment: 0 })
    expect((await service.get('plant').read(detail(0))).counts).toMatchObject({
      confirms: 1,
      corrections: 1,
      right: 0,
      wrong: 1,
    })
  })

  it('shows nothing that is not on disk', async () => {
    const { service, system } = await plant()
    const seen: number[] = []
    system.subscribe(({ sequence, events }) => seen.push(...events.map((_, i) => sequence + i)))
    const pending = service.sample('plant', values(1), 'test')
    expect(seen).toEqual([])
    await pending
    expect(seen).toEqual([2, 3])
  })

  it('that cannot write throws memory away and goes on from the log', async () => {
    const { service, system, log } = await plant()
    await service.sample('plant', values(1), 'test')
    const good = await system.read(hashOfState())
    log.refuses = 'disk full'
    const outcomes = await Promise.allSettled([2, 3, 4].map((n) => service.sample('plant', values(n), 'test')))
    for (const outcome of outcomes) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(StorageError)
    expect(service.ready).toBe(false)
    await expect(service.sample('plant', values(5), 'test')).rejects.toThrow('nothing of this request was kept')
    log.refuses = undefined
    await expect.poll(() => system.ready).toBe(true)
    expect(await system.read(hashOfState())).toBe(good)
    expect((await service.sample('plant', values(6), 'test')).assessment).toBe(1)
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
  })

  it('starts from the latest snapshot with the same state as from the beginning', async () => {
    const { service, system, log } = await plant({ snapshotEvery: 25 })
    for (let i = 0; i < 60; i++) {
      const { assessment } = await service.sample('plant', values(i), 'test')
      if (i % 2) await service.feedback('plant', { assessment, kind: i % 3 ? 'confirm' : 'reject' }, 'test')
    }
    const hash = await system.read(hashOfState())
    expect((await log.snapshot('plant'))?.sequence).toBeGreaterThan(100)
    expect((await rebuild(log, 'plant')).stateHash()).toBe(hash)
    expect((await rebuild(log, 'plant', { fromStart: true })).stateHash()).toBe(hash)
    const again = await Service.open(log)
    expect(await again.get('plant').read(hashOfState())).toBe(hash)
    // Every moment of the past is the same from the nearest snapshot and from the beginning.
    for (const at of [1, 2, 3, 30, 77, 101]) {
      const past = await rebuild(log, 'plant', { at })
      expect(past.sequence).toBeGreaterThanOrEqual(at)
      expect(past.stateHash()).toBe((await rebuild(log, 'plant', { at, fromStart: true })).stateHash())
    }
  })

  it.each([
    [56, 400_000 / 56],
    [1, 20_000],
  ])('of %d systems saves snapshots as often as 400,000 records behind all of them say', async (count, every) => {
    const log = new MemoryLog()
    const service = await Service.open(log)
    const names = Array.from({ length: 56 }, (_, i) => `s${i}`)
    const baseline = { channels: ['a'], levels: ['safe', 'unsafe'], method: 'no-change' }
    for (const id of names) await service.create(id, baseline, 'test')
    for (const id of names.slice(0, 56 - count)) service.drop(id)
    // The first snapshot of the 56th comes earlier by 55 golden ratios modulo 1, which is 0.992 of what it would wait.
    const first = every * (1 - ((55 * 0.618_033_988_75) % 1))
    for (let i = 0; i < first; i++) {
      if (i % 2 === 0) await service.sample('s55', { values: [i] }, 'test')
    }
    await service.sample('s55', { values: [1] }, 'test')
    const place = (await log.snapshot('s55'))?.sequence as number
    expect(place - first).toBeGreaterThanOrEqual(0)
    expect(place - first).toBeLessThan(2)
  })

  it('compacts to a state, keeps what open questions show, and the rest verifies', async () => {
    const { service, system, log } = await plant({ snapshotEvery: 20 })
    for (let i = 0; i < 40; i++) {
      const { assessment } = await service.sample('plant', values(i), 'test')
      await service.feedback('plant', { assessment, kind: 'confirm' }, 'test')
    }
    await service.sample('plant', values(1), 'test')
    const before = await replaySystem(log, 'plant')
    const removed = await system.compact(10, 'admin')
    const extent = await log.extent('plant')
    expect(extent?.first).toBe(removed + 1)
    expect(removed).toBeLessThan((await system.read(oldestOpen())) as number)
    const [mark] = await log.read('plant', { kinds: ['compaction'] })
    expect(JSON.parse(mark.body)).toEqual({ version: 2, through: removed, hash: extent?.before, by: 'admin' })
    const after = await replaySystem(log, 'plant')
    expect([before.difference, after.difference]).toEqual([undefined, undefined])
    expect(after.stateHash).toBe(await system.read(hashOfState()))
    await expect(system.compact(10_000, 'admin')).rejects.toThrow('nothing to remove')
    await expect(rebuild(log, 'plant', { at: 3 })).rejects.toThrow('compacted')
  })

  it('compaction stops before the oldest open question, however little is to be kept', async () => {
    const { service, system, log } = await plant({ snapshotEvery: 10 })
    for (let i = 0; i < 60; i++) {
      const { assessment } = await service.sample('plant', values(i), 'test')
      if (i !== 30) await service.feedback('plant', { assessment, kind: 'confirm' }, 'test')
    }
    const asked = (await system.read(oldestOpen())) as number
    const removed = await system.compact(1, 'admin')
    expect(removed).toBeGreaterThan(10)
    expect(removed).toBeLessThan(asked)
    const [{ kind, body }] = await log.read('plant', { from: asked, limit: 1 })
    expect([kind, JSON.parse(body).values]).toEqual(['sample', values(30).values])
    await service.feedback('plant', { assessment: 30, kind: 'confirm' }, 'test')
    expect(await system.compact(1, 'admin')).toBeGreaterThan(asked)
  })

  it('time never goes back in the log, whatever the clock does', async () => {
    const clock = new SimulatedClock(5_000_000)
    const { service, system, log } = await plant({ clock })
    for (const by of [1_000_000, -2_000_000, -500, 900_000]) {
      clock.jump(by)
      await clock.advance(11_000)
      const { assessment } = await service.sample('plant', values(1), 'test')
      await service.feedback('plant', { assessment, kind: 'confirm' }, 'test')
      await system.saveSnapshot()
    }
    const times = (await log.read('plant')).map(({ time }) => time)
    expect(times.length).toBeGreaterThan(17)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(Math.max(...times)).toBeGreaterThan(clock.wall())
  })

  it('retention compacts every system that has something to remove, and is silent about the others', async () => {
    const { service, log } = await plant({ snapshotEvery: 20 })
    for (let i = 0; i < 40; i++) {
      const { assessment } = await service.sample('plant', values(i), 'test')
      await service.feedback('plant', { assessment, kind: 'confirm' }, 'test')
    }
    const { channels, levels } = PLANT
    await service.create('idle', { channels, levels }, 'test')
    const troubles: string[] = []
    service.onTrouble = (error, system) => troubles.push(`${system}: ${error.message}`)
    await service.compactAll(10)
    expect((await log.extent('plant'))?.first).toBeGreaterThan(60)
    expect((await log.extent('idle'))?.first).toBe(1)
    expect(troubles).toEqual([])
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
  })

  it('claims: one at a time, ended by time, release or answer', async () => {
    const clock = new SimulatedClock(1000)
    const { service, system } = await plant({ clock })
    const { assessment } = await service.sample('plant', values(1), 'test')
    const { claims } = system
    claims.claim(assessment, 'eva', 1)
    await clock.advance(500)
    expect(() => claims.claim(assessment, 'max', 1)).toThrow('claimed by eva')
    expect(claims.claim(assessment, 'eva', 1).until).toBe(2500)
    claims.release(assessment, 'max')
    clock.jump(86_400_000)
    await clock.advance(999)
    expect(claims.get(assessment)?.by).toBe('eva')
    await clock.advance(1)
    expect(claims.claim(assessment, 'max', 1).by).toBe('max')
    claims.release(assessment, 'max')
    expect(claims.get(assessment)).toBeUndefined()
    claims.claim(assessment, 'eva', 1e6)
    await service.feedback('plant', { assessment, kind: 'confirm' }, 'max')
    expect(claims.get(assessment)).toBeUndefined()
  })

  it('raises alarms by the most probable level, once trained, and lets people acknowledge them', async () => {
    const log = new MemoryLog()
    const service = await Service.open(log, { clock: clockOf(() => 5) })
    await service.create('plant', { ...PLANT, method: 'majority', options: {}, alarm: { level: 2 } }, 'test')
    const alarms: string[] = []
    service.subscribe((_, { events }) => {
      for (const { kind, body } of events) if (kind === 'alarm') alarms.push(body.status)
    })
    for (let assessment = 0; assessment < 5; assessment++) {
      await service.sample('plant', values(1), 'test')
      await service.feedback('plant', { assessment, kind: 'label', level: 2 }, 'eva')
    }
    expect(alarms).toEqual([])
    await service.sample('plant', values(1), 'test')
    await service.acknowledge('plant', 1, 'eva')
    await expect(service.acknowledge('plant', 1, 'eva')).rejects.toThrow('waits for nobody')
    expect(alarms).toEqual(['active', 'acknowledged'])
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
  })

  it('says that there is a system already only when it is on disk', async () => {
    const { log, service } = await plant()
    const create = () =>
      service.create('twin', PLANT, 'test').then(
        () => 'made',
        (error: Error) => error.message,
      )
    log.refuses = 'the disk is full'
    expect(await Promise.all([create(), create()])).toEqual([
      'the disk is full; nothing of this request was kept',
      'the disk is full; nothing of this request was kept',
    ])
    log.refuses = undefined
    expect(await Promise.all([create(), create()])).toEqual(['made', 'there is a system twin already'])
  })

  it('confirms no system that it lost while the first record was under way', async () => {
    const log = new SlowLog(0)
    const service = await Service.open(log)
    const held = Promise.withResolvers<void>()
    log.held = held.promise
    const made = service.create('plant', PLANT, 'test')
    await expect.poll(() => service.has('plant')).toBe(true)
    service.drop('plant')
    held.resolve()
    await expect(made).rejects.toThrow('moved while it was being created')
    await expect(service.create('plant', PLANT, 'test')).rejects.toThrow(Conflict)
    expect((await service.sample('plant', values(1), 'test')).assessment).toBe(0)
    // A worker of a cluster knows that a system went to another one before the system does.
    const lost = () => (service.has('other') ? new NotReady('it has moved') : new NotFound('nothing'))
    service.absent = lost
    await expect(service.create('other', PLANT, 'test')).rejects.toThrow('moved while it was being created')
    expect(service.has('other')).toBe(false)
  })

  it('calls no system unknown while it stops', async () => {
    const { service } = await plant()
    const closing = service.close()
    await expect.poll(() => service.has('plant')).toBe(false)
    expect(() => service.get('plant')).toThrow(NotReady)
    await closing
  })

  it('refuses a system that exists or one too many', async () => {
    const { service } = await plant({ maxSystems: 2 })
    await expect(service.create('plant', PLANT, 'test')).rejects.toThrow('already')
    const [second, third] = await Promise.allSettled(['second', 'third'].map((id) => service.create(id, PLANT, 'test')))
    expect([second.status, service.list().length]).toEqual(['fulfilled', 2])
    expect((third as PromiseRejectedResult).reason.message).toContain('at most 2 systems')
    await expect(service.create('third', PLANT, 'test')).rejects.toThrow('at most 2 systems')
  })
})
