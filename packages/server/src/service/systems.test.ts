import { stateSize } from '@pb-oel/core'
import type { SystemRequest } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { Conflict, NotFound, NotReady, ServiceError, Unconfirmed } from '../errors.ts'
import { serviceOptions } from '../fold/service-options.ts'
import type { Snapshot } from '../log/event-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { rebuild } from '../replay/recover.ts'
import { detail, hashOfState } from '../views/system.ts'
import { Service, type ServiceOptions } from './service.ts'

const PLANT: SystemRequest = { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority', stale: null }

/** A service with one system, on a clock that stands still. */
async function made(options: ServiceOptions = {}, request: Partial<SystemRequest> = {}) {
  const [log, clock] = [new MemoryLog(), new SimulatedClock(1_000_000)]
  const service = await Service.open(log, { clock, ...options })
  await service.create('plant', { ...PLANT, ...request }, 'test')
  const sample = async (value = 1, more = {}) => service.sample('plant', { values: [value], ...more }, 'sensor')
  const bodies = async (kind: never) =>
    (await log.read('plant', { kinds: [kind] })).map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  return { log, clock, service, sample, bodies, system: service.get('plant') }
}

/** Everything of a log but some systems that are damaged. */
class DamagedLog extends MemoryLog {
  damaged = new Set<string>()
  override async read(...[system, query]: Parameters<MemoryLog['read']>) {
    const records = await super.read(system, query)
    return this.damaged.has(system) ? records.map((record) => ({ ...record, body: `${record.body} ` })) : records
  }
}

describe('the systems of a service', () => {
  it('are listed by name, known while they are in the log, and told apart from those that are not', async () => {
    const { service, log } = await made()
    for (const id of ['zeta', 'alpha']) await service.create(id, PLANT, 'test')
    expect(service.list().map(({ id }) => id)).toEqual(['alpha', 'plant', 'zeta'])
    expect([service.has('alpha'), service.has('beta'), service.knows('alpha'), service.knows('beta')]).toEqual([
      ...[true, false, true, false],
    ])
    expect(() => service.get('beta')).toThrow(NotFound)
    const old = service.get('alpha')
    expect(service.holds(old)).toBe(true)
    service.drop('alpha')
    expect([service.has('alpha'), service.holds(old)]).toEqual([false, false])
    await service.load('alpha')
    expect([service.holds(old), service.holds(service.get('alpha'))]).toEqual([false, true])
    await service.release('nobody')
    const loaded: string[] = []
    const leave = service.onLoaded(({ id }) => loaded.push(id))
    service.drop('zeta')
    await service.load('zeta')
    leave()
    service.drop('zeta')
    await service.load('zeta')
    expect(loaded).toEqual(['zeta'])
    expect((await log.systems()).length).toBe(3)
  })

  it('that are rebuilt are asked for, waited for, and missing with the reason; damage keeps out one only', async () => {
    const log = new DamagedLog()
    const first = await Service.open(log)
    for (const id of ['a', 'b', 'c']) await first.create(id, PLANT, 'test')
    await first.remove('b', 'test')
    await first.create('b', PLANT, 'test')
    log.damaged.add('b')
    const clock = new SimulatedClock()
    const service = Service.empty(log, { clock })
    expect([service.recovering, service.missing]).toEqual([undefined, []])
    expect(() => service.get('a')).toThrow(NotFound)
    await service.settled('a')
    const recovery = await service.recover()
    expect(recovery.pending).toEqual(['a', 'b', 'c'])
    expect(service.recovering).toBeInstanceOf(NotReady)
    expect(service.recovering?.message).toBe('recovering: 0 of 3 systems are there')
    expect(service.missing[2]).toEqual({ id: 'c', reason: 'recovering: 0 of 3 systems are there' })
    expect([service.knows('c'), service.knows('d')]).toEqual([true, false])
    expect(() => service.get('c')).toThrow('system c is not there yet; recovering: 0 of 3 systems are there')
    await expect(service.create('c', PLANT, 'test')).rejects.toThrow(NotReady)
    await service.settled('b')
    expect(service.missing.map(({ id }) => id)).toEqual(['b', 'c'])
    await service.settled('c')
    expect([service.has('c'), service.has('b')]).toEqual([true, false])
    await recovery.finished
    expect(service.recovering).toBeUndefined()
    expect(service.missing.map(({ id }) => id)).toEqual(['b'])
    expect(service.missing[0].reason).toContain('log of b: record 1')
    expect(() => service.get('b')).toThrow(ServiceError)
    expect(() => service.get('b')).toThrow('system b cannot be rebuilt: log of b: record 1')
    await expect(Service.open(log)).rejects.toThrow('log of b: record 1')
    // Those that are there are not rebuilt again.
    expect((await service.recover()).pending).toEqual(['b'])
  })

  it('leave when the service closes, with their states saved; each says that the server is stopping', async () => {
    const { service, log, sample, clock } = await made()
    await sample()
    let closed = false
    log.close = async () => {
      closed = true
    }
    await service.close()
    expect([closed, service.list()]).toEqual([true, []])
    expect(() => service.get('plant')).toThrow('the server is stopping')
    expect((await log.read('plant', { kinds: ['snapshot'] })).length).toBe(1)
    const records = (await log.read('plant')).length
    clock.jump(500_000)
    await clock.advance(60_000)
    expect((await log.read('plant')).length).toBe(records)
    expect(clock.waiting).toBe(0)
    // One that never rebuilt anything closes, too.
    await Service.empty(log).close()
  })

  it('tell of a snapshot that is damaged, and begin with what was before it', async () => {
    const { service, log, sample, system } = await made()
    await sample()
    await system.saveSnapshot()
    const hash = await system.read(hashOfState())
    const snapshot = (await log.snapshot('plant')) as Snapshot
    snapshot.bytes[100] ^= 1
    const damages: string[] = []
    service.onDamage = (reason, id) => damages.push(`${id}: ${reason}`)
    service.drop('plant')
    await service.load('plant')
    expect(damages).toEqual([expect.stringContaining('plant: log of plant: record 3 has a snapshot that does not')])
    expect(await service.get('plant').read(hashOfState())).toBe(hash)
  })

  it('are ready together', async () => {
    const { service, log, sample } = await made()
    await service.create('other', PLANT, 'test')
    expect(service.ready).toBe(true)
    log.refuses = 'disk full'
    await sample().catch(() => {})
    expect(service.ready).toBe(false)
  })

  it('record that the clock has jumped', async () => {
    const { clock, bodies, sample } = await made()
    await sample()
    clock.jump(7_200_000)
    await clock.advance(60_000)
    expect((await bodies('clock' as never)).map(({ jump }) => jump)).toContain(7_200_000)
  })

  it('save their first snapshots apart, and the next ones as often as the service says', async () => {
    const log = new MemoryLog()
    const service = await Service.open(log, { snapshotEvery: 31 })
    const first: number[] = []
    for (const id of ['a', 'b', 'c']) {
      await service.create(id, PLANT, 'test')
      for (let i = 0; i < 50; i++) await service.sample(id, { values: [i] }, 'test')
      const places = (await log.read(id, { kinds: ['snapshot'] })).map(({ sequence }) => sequence)
      first.push(places[0])
      expect(places.length).toBeGreaterThanOrEqual(3)
      for (const [i, place] of places.entries()) if (i > 0) expect(place - places[i - 1]).toBe(31)
    }
    // Behind 31 records, and earlier by one golden ratio and by two, modulo 1. A sample has two records.
    const shares = [1, 1 - 0.618, 1 - 0.236]
    for (const [i, share] of shares.entries()) {
      expect(first[i] - 31 * share).toBeGreaterThanOrEqual(1)
      expect(first[i] - 31 * share).toBeLessThan(3)
    }
    expect(first[0]).toBe(32)
  })
})

describe('a new system', () => {
  it('is refused where nobody can be told of it, it is too large, or its name is taken', async () => {
    const { service } = await made({ systemMegabytes: 1 })
    const alarms = { level: { escalation: [{ after: 5, tell: ['lead', 'boss'] }] } }
    await service.create('free', { ...PLANT, alarms }, 'test')
    service.receivers = new Set(['lead'])
    await expect(service.create('x', { ...PLANT, alarms }, 'test')).rejects.toThrow(
      /alarms\.level\.escalation.*boss.*configuration: lead/,
    )
    service.receivers = new Set()
    await expect(service.create('x', { ...PLANT, alarms }, 'test')).rejects.toThrow('configuration: none')
    await expect(service.configure('plant', { alarms }, 'test')).rejects.toThrow('configuration: none')
    await expect(service.configure('plant', { alarms: { level: { priority: 'high' } } }, 'test')).resolves.toBe(
      undefined,
    )
    await expect(service.configure('plant', { alarms: { level: null } }, 'test')).resolves.toBeUndefined()
    const channels = Array.from({ length: 3_000 }, (_, i) => `c${i}`)
    const large = { channels, levels: ['0', '1'], method: 'pb-oel' }
    await expect(service.create('x', large, 'test')).rejects.toThrow(
      /a model of 3000 channels takes about \d+ MB .* allows 1 MB/,
    )
    await expect(service.create('x', { channels, levels: ['0', '1'] }, 'test')).rejects.toMatchObject({ status: 422 })
    expect(service.has('x')).toBe(false)
    const given = { ...large, channels: ['a'] }
    const size = stateSize('pb-oel', { channels: 1, levels: 2 }, serviceOptions(given)) / 1e6
    const exact = await made({ systemMegabytes: size })
    await expect(exact.service.create('x', given, 'test')).resolves.toMatchObject({ id: 'x' })
    const less = await made({ systemMegabytes: size * 0.999 }, PLANT)
    await expect(less.service.create('x', given, 'test')).rejects.toThrow('takes about')
  })

  it('that was not written is not there', async () => {
    const { service, log } = await made()
    log.refuses = 'disk full'
    await expect(service.create('x', PLANT, 'test')).rejects.toThrow('disk full')
    expect(service.has('x')).toBe(false)
    log.refuses = undefined
    const system = await service.create('x', PLANT, 'test')
    expect(system.id).toBe('x')
    expect(JSON.parse((await log.read('x'))[0].body)).toMatchObject({ by: 'test', configuration: { title: 'x' } })
  })

  it('that another worker has made meanwhile is loaded, and the caller hears of the conflict', async () => {
    const { service, log, clock } = await made()
    const other = await Service.open(log, { clock })
    await other.create('x', { ...PLANT, title: 'theirs' }, 'test')
    await expect(service.create('x', PLANT, 'test')).rejects.toThrow(Conflict)
    expect((await service.get('x').read(detail(0))).title).toBe('theirs')
  })
})

describe('a clone', () => {
  it('is made of a system here or elsewhere, with its state where that is wanted', async () => {
    const { service, log, sample, system } = await made()
    for (let i = 0; i < 4; i++)
      await service.feedback('plant', { assessment: (await sample()).assessment, kind: 'label', level: 1 }, 'x')
    const plain = await service.clone('plant', { id: 'plain' }, 'eva')
    expect(await plain.read(detail(0))).toMatchObject({ id: 'plain', title: 'plant', samples: 0 })
    const whole = await service.clone('plant', { id: 'whole', title: 'Whole', state: true }, 'eva')
    expect(await whole.read(detail(0))).toMatchObject({ title: 'Whole', samples: 4, counts: { labels: 4 } })
    const [first] = await log.read('whole')
    const { sequence } = await system.read(detail(0))
    expect(JSON.parse(first.body)).toMatchObject({ by: 'eva', from: { system: 'plant', sequence } })
    expect((await rebuild(log, 'whole')).stateHash()).toBe(await whole.read(hashOfState()))
    await expect(service.clone('nobody', { id: 'x' }, 'eva')).rejects.toThrow(NotFound)
    await expect(service.clone('plant', { id: 'whole' }, 'eva')).rejects.toThrow('there is a system whole already')
    const asked: string[] = []
    service.elsewhere = async (id, view) => {
      asked.push(id)
      return system.read(view)
    }
    await service.clone('far', { id: 'near' }, 'eva')
    await service.clone('plant', { id: 'other' }, 'eva')
    expect([asked, service.has('near')]).toEqual([['far'], true])
  })
})

describe('a wider system', () => {
  it('begins with the answered samples, each with what is usual of the new channel', async () => {
    const { service, sample, bodies, system } = await made()
    for (let i = 0; i < 250; i++) {
      const { assessment } = await sample(i)
      if (i !== 249) await service.feedback('plant', { assessment, kind: 'label', level: i % 2 }, 'x')
    }
    await service.addChannel('plant', { name: 'b', usual: 7 }, 'eva')
    const [{ warmUp, name, by }] = (await bodies('channel' as never)) as never as [
      { warmUp: { x: number[]; level: number }[]; name: string; by: string },
    ]
    expect([name, by, system.channels]).toEqual(['b', 'eva', ['a', 'b']])
    expect(warmUp).toEqual(Array.from({ length: 200 }, (_, i) => ({ x: [i + 49, 7], level: (i + 49) % 2 })))
  })

  it('begins with fewer where they are wide', async () => {
    const channels = Array.from({ length: 2_000 }, (_, i) => `c${i}`)
    const { service, bodies } = await made({}, { channels })
    const values = channels.map(() => 1)
    for (let i = 0; i < 110; i++) await service.sample('plant', { values, trueLevel: i % 2 }, 'x')
    await service.addChannel('plant', { name: 'b', usual: 7 }, 'eva')
    // 200,000 numbers in samples of 2,001 channels.
    expect((await bodies('channel' as never))[0].warmUp).toHaveLength(99)
  })
})

describe('a deletion', () => {
  it('leaves a receipt in the log of the server, and the name is free', async () => {
    const { service, log, sample, system } = await made()
    await sample()
    await log.moveCursor('alarms of plant to hook', 3)
    const troubles: string[] = []
    service.onTrouble = ({ message }) => troubles.push(message)
    const receipt = await service.remove('plant', 'ada')
    // Created, sample, assessment, snapshot.
    expect(receipt).toEqual({ system: 'plant', records: 4 })
    const [{ body, kind, time }] = await log.read('$server')
    expect([kind, time]).toEqual(['deletion', 1_000_000])
    expect(JSON.parse(body)).toMatchObject({ system: 'plant', first: 1, last: 4, by: 'ada' })
    expect([await log.cursor('alarms of plant to hook'), troubles]).toEqual([0, []])
    await expect(system.overview()).resolves.toMatchObject({ ready: false, reason: 'system plant has been deleted' })
    await service.create('plant', PLANT, 'test')
    expect((await sample()).assessment).toBe(0)
  })

  it('that fails leaves the system there, unless it is decided already', async () => {
    const { service, log, sample } = await made()
    await sample()
    log.remove = () => Promise.reject(new Conflict('not now'))
    await expect(service.remove('plant', 'ada')).rejects.toThrow('not now')
    expect((await sample()).assessment).toBe(1)
    log.remove = () => Promise.reject(new Unconfirmed('perhaps'))
    await expect(service.remove('plant', 'ada')).rejects.toThrow('perhaps')
    expect(service.has('plant')).toBe(false)
  })
})

describe('what people do', () => {
  it('is answered with what was written', async () => {
    const { service, sample, bodies, clock, system } = await made(
      {},
      { alarm: { level: 1 }, review: { secondOpinion: 1 } },
    )
    const { assessment } = await sample()
    await clock.advance(1_000)
    const given = { assessment, kind: 'label', level: 'unsafe', key: 'k' } as const
    const receipt = await service.feedback('plant', given, 'eva')
    expect(receipt).toMatchObject({ assessment, kind: 'label', sequence: 4, time: 1_001_000 })
    expect([receipt.effect !== undefined, 'correction' in receipt, 'second' in receipt, 'repeated' in receipt]).toEqual(
      [...[true, false, false, false]],
    )
    expect((await bodies('feedback' as never))[0]).toMatchObject({ level: 1, by: 'eva' })
    expect(await service.feedback('plant', given, 'eva')).toMatchObject({ repeated: true, sequence: 4 })
    const second = await service.feedback('plant', { assessment, kind: 'label', level: 0 }, 'max')
    expect(second).toMatchObject({ assessment, kind: 'label', second: true })
    const corrected = await service.feedback('plant', { assessment, kind: 'confirm', correction: true }, 'eva')
    expect(corrected).toMatchObject({ kind: 'confirm', correction: true })
    const silent = await sample()
    expect(
      await service.feedback('plant', { assessment: silent.assessment, kind: 'cannot-tell' }, 'eva'),
    ).toMatchObject({ assessment: silent.assessment, kind: 'cannot-tell' })
    const comment = await service.comment('plant', { assessment, text: 'odd noise' }, 'eva')
    expect(comment).toEqual({
      assessment,
      text: 'odd noise',
      by: 'eva',
      sequence: expect.any(Number),
      time: system.now,
    })
    expect(await service.assign('plant', { assessment: silent.assessment, to: 'max' }, 'eva')).toEqual({
      ...{ assessment: silent.assessment, to: 'max', by: 'eva', sequence: comment.sequence + 1, time: system.now },
    })
    const everybody = await service.assign('plant', { to: 'team' }, 'eva')
    expect(Object.keys(everybody).sort()).toEqual(['by', 'sequence', 'time', 'to'])
    expect(await service.sample('plant', { values: [1], trueLevel: 'unsafe' }, 'x')).not.toHaveProperty('repeated')
    expect(await sample(1, { key: 'l' })).not.toHaveProperty('repeated')
    expect(await sample(1, { key: 'l' })).toMatchObject({ repeated: true })
    await expect(sample(1, { key: 'k' })).rejects.toThrow('this key was used for something else than a sample')
    const stretch = { from: 0, to: 9e9, kind: 'confirm', key: 'k' } as const
    await expect(service.answerStretch('plant', stretch, 'eva')).rejects.toThrow('something else than a stretch')
    const answer = { assessment, kind: 'confirm', key: 'l' } as const
    await expect(service.feedback('plant', answer, 'eva')).rejects.toThrow('something else than an answer')
    await expect(service.feedback('plant', { ...given, level: 'safe' }, 'eva')).rejects.toThrow(
      'an answer that says something else, record 4',
    )
    await expect(sample(2, { key: 'l' })).rejects.toThrow('a sample that says something else')
    expect(await service.answerStretch('plant', { ...stretch, key: 's' }, 'eva')).not.toHaveProperty('repeated')
    expect(await service.answerStretch('plant', { ...stretch, key: 's' }, 'eva')).toMatchObject({ repeated: true })
    await expect(service.answerStretch('plant', { ...stretch, kind: 'reject', key: 's' }, 'eva')).rejects.toThrow(
      'a stretch that says something else',
    )
  })

  it('with an alarm names it, unless it is the one about the level', async () => {
    const { service, bodies } = await made({}, { alarm: { level: 1 } })
    const told: object[] = []
    service.subscribe((_, { events }) => told.push(events[0].body))
    for (let i = 0; i < 6; i++) await service.sample('plant', { values: [1], trueLevel: 1 }, 'x')
    await service.sample('plant', { values: [1] }, 'x')
    await service.alarmAction('plant', { about: 'level', action: 'shelve', seconds: 5, by: 'eva' })
    await service.alarmAction('plant', { about: 'stale', action: 'shelve', seconds: 5, by: 'eva' })
    await service.alarmAction('plant', { action: 'unshelve', by: 'eva' })
    expect((await bodies('alarm-action' as never)).map(({ about }) => about)).toEqual([undefined, 'stale', undefined])
    await service.acknowledge('plant', 1, 'eva', 'level')
    const [seen] = await bodies('acknowledgement' as never)
    expect([seen.about, seen.number, seen.by, 'comment' in seen]).toEqual([undefined, 1, 'eva', false])
    // Those who follow are told what the log has, without a name or a comment that is empty.
    expect(told.at(-1)).not.toHaveProperty('comment')
    expect(told.at(-2)).not.toHaveProperty('about')
    // It ends, and comes again.
    for (const trueLevel of [0, 1]) {
      for (let i = 0; i < 8; i++) await service.sample('plant', { values: [1], trueLevel }, 'x')
    }
    await service.acknowledge('plant', 2, 'eva', undefined, 'on my way')
    expect((await bodies('acknowledgement' as never))[1]).toMatchObject({ number: 2, comment: 'on my way' })
  })
})

describe('an exclusion', () => {
  it('names samples or a place of the log, and says what it left out', async () => {
    const { service, sample, log } = await made()
    for (let i = 0; i < 6; i++) await sample(i)
    const exclude = (given: object) => service.exclude('plant', { why: 'test', ...given } as never, 'ada')
    for (const given of [{}, { from: 1, afterRecord: 5 }, { afterRecord: 5, to: 3 }, { to: 3 }])
      await expect(exclude(given)).rejects.toThrow('say either from, perhaps with to, or afterRecord alone')
    await expect(exclude({ from: 3, to: 2 })).rejects.toThrow('to should be at least from, which is 3')
    await expect(exclude({ from: 6 })).rejects.toThrow('there is no assessment 6; the latest is 5')
    await expect(exclude({ afterRecord: 99 })).rejects.toThrow('the log of plant has no sample behind record 99')
    expect(await exclude({ from: 1 })).toMatchObject({ from: 1, to: 1, first: 4, why: 'test', by: 'ada', sequence: 14 })
    expect(await exclude({ from: 2, to: 3 })).toMatchObject({ from: 2, to: 3, first: 6 })
    expect(await exclude({ afterRecord: 10 })).toMatchObject({ from: 5, to: 5, first: 12 })
    await sample(6)
    expect(await exclude({ from: 6, to: 6 })).toMatchObject({ from: 6, to: 6 })
    const { model } = await rebuild(log, 'plant')
    expect(model.forgotten).toBe(5)
    // A start need not run the log again: the state is saved.
    expect((await log.read('plant', { kinds: ['snapshot'] })).length).toBe(4)
  })

  it('of what compaction has removed is refused with what is there', async () => {
    const { service, sample, system } = await made()
    for (let i = 0; i < 6; i++) {
      const { assessment } = await sample(i)
      await service.feedback('plant', { assessment, kind: 'confirm' }, 'x')
      if (i === 3) await system.saveSnapshot()
    }
    const removed = await system.compact(4, 'test')
    const exclude = (given: object) => service.exclude('plant', { why: 'test', ...given } as never, 'ada')
    await expect(exclude({ from: 1 })).rejects.toThrow(
      /the sample of assessment 1 is not in the log of plant: .* the first there is 4/,
    )
    await expect(exclude({ afterRecord: removed - 1 })).rejects.toThrow(
      `record ${removed - 1} was removed; the log begins at record ${removed + 1}`,
    )
    expect(await exclude({ afterRecord: removed })).toMatchObject({ from: 4, to: 5 })
  })

  it('of what is all removed says that nothing else is there', async () => {
    const { service, sample, system } = await made()
    const { assessment } = await sample()
    await service.feedback('plant', { assessment, kind: 'confirm' }, 'x')
    await system.compact(1, 'test')
    await expect(service.exclude('plant', { from: 0, why: 'test' }, 'ada')).rejects.toThrow('no other sample is there')
  })
})
