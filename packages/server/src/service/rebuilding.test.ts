import { extensionsOf } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { NotReady, StorageError } from '../errors.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { LocalSeats } from '../seat/local-seats.ts'
import type { Opened, Seat } from '../seat/seat.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import broken, { BREAKS } from '../testing/broken-method.ts'
import { samplesMade } from '../views/progress.ts'
import { detail, hashOfState } from '../views/system.ts'
import { Service } from './service.ts'

describe('a system whose log refuses', () => {
  it('says so to all, tries again each second, and goes on from what is on disk', async () => {
    const { log, clock, system, service, sample } = await alarmingPlant()
    const troubles: string[] = []
    service.onTrouble = ({ message }, id) => troubles.push(`${id}: ${message}`)
    await sample()
    const good = await system.read(hashOfState())
    await system.overview()
    const last = (await log.extent('plant'))?.last
    log.refuses = 'disk full'
    for (const { status } of await Promise.allSettled([sample(), sample()])) expect(status).toBe('rejected')
    expect(system.ready).toBe(false)
    await expect(system.read(samplesMade())).rejects.toThrow('disk full')
    await expect(system.saveSnapshot()).rejects.toThrow('disk full')
    expect(troubles).toEqual(['plant: disk full; nothing of this request was kept'])
    await clock.advance(2_500)
    const row = await system.overview()
    expect(row).toMatchObject({ ready: false, samples: 6, reason: expect.stringContaining('disk full') })
    log.refuses = undefined
    await clock.advance(400)
    expect(system.ready).toBe(false)
    await clock.advance(600)
    expect([system.ready, await system.read(hashOfState())]).toEqual([true, good])
    expect((await log.extent('plant'))?.last).toBe(last)
    expect((await sample()).assessment).toBe(6)
    expect((await system.overview()).ready).toBe(true)
    expect(troubles.length).toBe(1)
  })

  it('that another writer has overtaken rebuilds itself from what the other wrote', async () => {
    const { log, clock, system, service, sample } = await alarmingPlant()
    const other = await Service.open(log, { clock })
    await other.configure('plant', { levels: ['ok', 'bad'], title: 'theirs' }, 'test')
    await other.addChannel('plant', { name: 'b', usual: 1 }, 'test')
    await expect(sample()).rejects.toMatchObject({ status: 503, message: expect.stringContaining('ends at record') })
    await clock.advance(0)
    await clock.advance(0)
    expect([system.ready, system.levels, system.channels]).toEqual([true, ['ok', 'bad'], ['a', 'b']])
    await service.sample('plant', { values: [1, 2] }, 'test')
    const { configuration } = await system.read(detail(0))
    expect(configuration.title).toBe('theirs')
  })

  it('takes over the times and alarms that another writer left, also from a clock that is ahead', async () => {
    const { log, clock, system, sample, alarms } = await alarmingPlant()
    const ahead = new SimulatedClock(clock.wall() + 60_000)
    const other = await Service.open(log, { clock: ahead })
    await other.sample('plant', { values: [1] }, 'test')
    await other.configure('plant', { stale: { after: 5 } }, 'test')
    const { last = 0 } = (await log.extent('plant')) ?? {}
    await expect(sample()).rejects.toMatchObject({ status: 503 })
    for (let i = 0; i < 3; i++) await clock.advance(0)
    // Before anything else is written: the times go on from those of the other, at half the speed.
    const [change] = await log.read('plant', { from: last + 1 })
    expect([change.kind, JSON.parse(change.body)]).toMatchObject(['clock', { ahead: 60_000, pace: 2 }])
    expect([change.time, system.now]).toEqual([ahead.wall(), ahead.wall()])
    await clock.advance(4_900)
    expect(alarms).toEqual([])
    await clock.advance(200)
    expect(alarms).toMatchObject([{ about: 'stale', status: 'active' }])
  })

  it('has an age that counts on from what its log says, before anybody has looked', async () => {
    const { log, service, clock, sample } = await alarmingPlant({ stale: { after: 300 } })
    await sample()
    await service.release('plant')
    const later = new SimulatedClock(clock.wall() + 60_000)
    await later.advance(7_000)
    const again = await Service.open(log, { clock: later })
    log.refuses = 'disk full'
    await expect(again.sample('plant', { values: [1] }, 'test')).rejects.toThrow('disk full')
    await later.advance(3_000)
    const row = await again.get('plant').overview()
    // Of the sample: a minute until the other clock began, 7 s until the start, 3 s since.
    expect(row).toMatchObject({ ready: false, lastSampleAge: 70, now: later.wall(), stale: false })
    log.refuses = undefined
    await later.advance(1_000)
    expect((await again.get('plant').overview()).lastSampleAge).toBe(71)
    await later.advance(1_000)
    log.refuses = 'disk full'
    await expect(again.sample('plant', { values: [1] }, 'test')).rejects.toThrow('disk full')
    expect(await again.get('plant').overview()).toMatchObject({ ready: false, lastSampleAge: 72 })
  })

  it('writes no change of its clock by itself where nothing waits for time', async () => {
    const { log, service, clock } = await alarmingPlant()
    await service.release('plant')
    const { last } = (await log.extent('plant')) ?? {}
    await Service.open(log, { clock: new SimulatedClock(clock.wall() - 60_000) })
    await clock.advance(0)
    expect((await log.extent('plant'))?.last).toBe(last)
  })

  it('stays as it is where it has ended, whatever the log does then', async () => {
    const { log, clock, system, service, sample } = await alarmingPlant({ stale: { after: 5 } })
    let ended = 0
    system.onEnd(() => ended++)
    const not = system.onEnd(() => (ended += 10))
    not()
    log.refuses = 'disk full'
    await expect(sample()).rejects.toThrow('disk full')
    service.drop('plant')
    expect(ended).toBe(1)
    system.end()
    expect(ended).toBe(1)
    log.refuses = undefined
    const records = (await log.read('plant')).length
    await clock.advance(60_000)
    expect(system.ready).toBe(false)
    await expect(system.read(samplesMade())).rejects.toThrow('has moved to another worker')
    expect((await log.read('plant')).length).toBe(records)
    system.jumped({ by: 5_000, followed: false })
    expect((await log.read('plant')).length).toBe(records)
  })
})

/** Seats in this thread that note what they are asked. A test chooses when they answer, as other threads do. */
class NotedSeats extends LocalSeats {
  readonly seats: Seat[] = []
  /** Answers that wait, while a test holds them. */
  held: (() => void)[] | undefined
  /** What a rebuilding waits for. */
  reopening: () => Promise<void> = async () => {}
  asked = 0
  reopened = 0
  left = 0

  override async create(...given: Parameters<LocalSeats['create']>) {
    return this.noted(await super.create(...given))
  }

  override async open(id: string) {
    return this.noted(await super.open(id))
  }

  private noted({ seat, opened }: { seat: Seat; opened: Opened }) {
    const { perform, reopen } = seat
    seat.perform = (operation, done) => {
      this.asked++
      perform.call(seat, operation as never, (outcome) => {
        const tell = () => done(outcome as never)
        if (this.held) this.held.push(tell)
        else tell()
      })
    }
    seat.reopen = async () => {
      this.reopened++
      await this.reopening()
      return reopen.call(seat)
    }
    seat.leave = () => this.left++
    this.seats.push(seat)
    return { seat, opened }
  }
}

describe('a system in a seat', () => {
  async function seated(request = {}) {
    const [log, clock] = [new MemoryLog(), new SimulatedClock()]
    const extensions = extensionsOf({ './broken.ts': { default: broken } })
    const seats = new NotedSeats(log, extensions)
    const service = await Service.open(log, { clock, seats, extensions })
    const troubles: string[] = []
    service.onTrouble = ({ message }) => troubles.push(message)
    const plant = { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority', stale: null, ...request }
    const system = await service.create('plant', plant, 'test')
    const sample = (value = 1) => service.sample('plant', { values: [value] }, 'test')
    await sample()
    return { log, clock, seats, service, system, sample, troubles }
  }

  it('that is lost says so, keeps nothing of what was under way, and is rebuilt', async () => {
    const { log, clock, seats, system, sample, troubles } = await seated()
    const good = await system.read(hashOfState())
    seats.held = []
    const samples = [sample(), sample()]
    const reopening = Promise.withResolvers<void>()
    seats.reopening = () => reopening.promise
    seats.seats[0].onLost(new NotReady('the thread has ended'))
    for (const tell of seats.held.splice(0)) tell()
    for (const one of samples) await expect(one).rejects.toThrow('the thread has ended')
    await clock.advance(0)
    // Nothing is asked of a state that is being rebuilt.
    const { asked } = seats
    await expect(sample()).rejects.toThrow('system plant is being rebuilt from its log')
    expect([seats.asked, troubles, system.ready]).toEqual([asked, ['the thread has ended'], false])
    seats.held = undefined
    reopening.resolve()
    await clock.advance(0)
    expect([system.ready, await system.read(hashOfState()), (await log.read('plant')).length]).toEqual([true, good, 3])
    expect((await sample()).assessment).toBe(1)
  })

  it('that has a defect is rebuilt as the log has it', async () => {
    const { clock, seats, system, sample, troubles } = await seated({ method: './broken.ts' })
    const good = await system.read(hashOfState())
    await expect(sample(BREAKS.throws)).rejects.toThrow('a defect of the module')
    expect(troubles).toEqual(['system plant is rebuilt after a defect: a defect of the module'])
    await clock.advance(0)
    expect([seats.reopened, system.ready, await system.read(hashOfState())]).toEqual([1, true, good])
    // What is refused on purpose leaves the state as it is.
    await expect(system.write({ kind: 'comment', given: { assessment: 9, text: 'x' }, by: 'x' })).rejects.toThrow('9')
    expect([seats.reopened, troubles.length, system.ready]).toEqual([1, 1, true])
  })

  it('leaves it when it ends, and with it its timers', async () => {
    const { log, clock, seats, service } = await seated({ stale: { after: 5 } })
    const before = clock.waiting
    expect(seats.left).toBe(0)
    service.drop('plant')
    expect([seats.left, clock.waiting]).toEqual([1, before - 1])
    log.refuses = 'disk full'
    await expect(service.create('x', { channels: ['a'], levels: ['0', '1'] }, 'test')).rejects.toThrow('disk full')
    expect([seats.left, clock.waiting]).toEqual([2, before - 1])
  })

  it.each([
    ['while the disk is tried', 'probe'],
    ['while it is rebuilt', 'reopen'],
    ['while it is rebuilt in vain', 'fail'],
  ])('that ends %s stays ended', async (_, moment) => {
    const { log, clock, seats, service, system } = await seated({ stale: { after: 5 } })
    const held = Promise.withResolvers<void>()
    if (moment === 'probe') log.probe = () => held.promise
    else seats.reopening = () => held.promise
    seats.seats[0].onLost(new NotReady('the thread has ended'))
    await clock.advance(0)
    expect([seats.reopened, system.ready]).toEqual([moment === 'probe' ? 0 : 1, false])
    service.drop('plant')
    const { waiting } = clock
    if (moment === 'fail') held.reject(new StorageError('gone'))
    else held.resolve()
    await clock.advance(0)
    expect([seats.reopened, system.ready, clock.waiting]).toEqual([moment === 'probe' ? 0 : 1, false, waiting])
    await expect(system.read(samplesMade())).rejects.toThrow('has moved to another worker')
  })

  it('that cannot be rebuilt at once after an exclusion is rebuilt later, and nothing else is told', async () => {
    const { clock, seats, service, system, troubles } = await seated()
    seats.reopening = () => Promise.reject(new StorageError('not now'))
    const { sequence } = await service.exclude('plant', { from: 0, why: 'test' }, 'ada')
    expect([sequence, system.ready, troubles]).toEqual([4, false, []])
    seats.reopening = async () => {}
    await clock.advance(1_000)
    expect([system.ready, await system.read(samplesMade())]).toEqual([true, 1])
  })
})
