import type { SystemEvent } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { ServerClock } from '../clock/server-clock.ts'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { SlowLog } from '../log/testing/slow-log.ts'
import type { Input } from '../seat/input.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { samplesMade } from '../views/progress.ts'
import { checkLogs } from './background-check.ts'
import { Claims } from './claims.ts'
import { Explanations } from './explanations.ts'
import { saysTheSame } from './same-input.ts'
import { Service } from './service.ts'
import { Timekeeper } from './timekeeper.ts'

describe('two inputs with one key', () => {
  const sample = (given: object): Input => ({ kind: 'sample', given: given as never, by: 'x' })
  const answer = (given: object): Input => ({ kind: 'answer', given: given as never, by: 'x' })
  const event = (kind: string, body: object) => ({ kind, body }) as unknown as SystemEvent
  const same = (input: Input, earlier: SystemEvent) => saysTheSame(input, earlier, ['a', 'b'])

  it('say the same where every value, moment and mode is the same; what was held was not sent', () => {
    const whole = event('sample', { values: [1, 2], at: 5, mode: 'full' })
    const held = event('sample', { values: [1, 2], degraded: ['b'] })
    expect(same(sample({ values: [1, 2], at: 5, mode: 'full' }), whole)).toBe(true)
    expect(same(sample({ values: { b: 2, a: 1 }, at: 5, mode: 'full' }), whole)).toBe(true)
    expect(same(sample({ values: { a: 1 } }), held)).toBe(true)
    expect(same(sample({ values: [-0, 2] }), event('sample', { values: [0, 2] }))).toBe(true)
    for (const other of [
      ...[{ values: [1, 3] }, { values: [3, 2] }, { at: 6 }, { at: undefined }, { mode: 'partial' }],
      ...[{ values: { a: 1 } }, { mode: undefined }],
    ])
      expect(same(sample({ values: [1, 2], at: 5, mode: 'full', ...other }), whole)).toBe(false)
    expect(same(sample({ values: [1, 2] }), held)).toBe(false)
    expect(same(sample({ values: { b: 2 } }), held)).toBe(false)
  })

  it('say the same of an answer, a second opinion, an abstention, a comment or a stretch by what they name', () => {
    const given = { assessment: 3, kind: 'label', level: 1, at: 5 }
    for (const kind of ['feedback', 'correction', 'second-opinion']) {
      expect(same(answer(given), event(kind, given))).toBe(true)
      for (const other of [{ assessment: 4 }, { kind: 'confirm' }, { level: 2 }])
        expect(same(answer({ ...given, ...other }), event(kind, given))).toBe(false)
    }
    expect(same(answer({ ...given, at: 6 }), event('feedback', given))).toBe(false)
    expect(same(answer({ ...given, at: 6 }), event('second-opinion', given))).toBe(true)
    const silent = event('abstention', { assessment: 3 })
    expect(same(answer({ assessment: 3, kind: 'cannot-tell' }), silent)).toBe(true)
    expect(same(answer({ assessment: 4, kind: 'cannot-tell' }), silent)).toBe(false)
    expect(same(answer({ assessment: 3, kind: 'confirm' }), silent)).toBe(false)
    const comment = (body: object): Input => ({ kind: 'comment', given: body as never, by: 'x' })
    const said = { assessment: 3, text: 'odd' }
    expect(same(comment(said), event('comment', said))).toBe(true)
    expect(same(comment({ ...said, text: 'even' }), event('comment', said))).toBe(false)
    expect(same(comment({ ...said, assessment: 4 }), event('comment', said))).toBe(false)
    const stretch = (body: object): Input => ({ kind: 'stretch', given: body as never, by: 'x' })
    const told = { kind: 'label', level: 1 }
    expect(same(stretch(told), event('stretch', told))).toBe(true)
    expect(same(stretch({ ...told, level: 2 }), event('stretch', told))).toBe(false)
    expect(same(stretch({ kind: 'confirm', level: 1 }), event('stretch', told))).toBe(false)
  })

  it('of different kinds never say the same', () => {
    const kinds = ['sample', 'feedback', 'correction', 'second-opinion', 'comment', 'stretch', 'abstention']
    /** The kinds of events that say the same as each kind of input, where all of them carry the same fields. */
    const agree = (said: string) => {
      const given = { values: [1, 2], assessment: 1, kind: said, text: 'x' }
      const inputs = ['sample', 'answer', 'comment', 'stretch', 'tick'].map((kind) => ({ kind, given, by: 'x' }))
      return inputs.map((input) => kinds.filter((kind) => same(input as unknown as Input, event(kind, given))))
    }
    const answers = ['feedback', 'correction', 'second-opinion']
    expect(agree('confirm')).toEqual([['sample'], answers, ['comment'], ['stretch'], []])
    expect(agree('cannot-tell')[1]).toEqual([...answers, 'abstention'])
    expect(agree('cannot-tell').toSpliced(1, 1)).toEqual([['sample'], ['comment'], ['stretch'], []])
  })
})

describe('claims', () => {
  it('list what is taken now, and forget what has ended', async () => {
    const clock = new SimulatedClock(1_000)
    const claims = new Claims(new ServerClock(clock))
    claims.claim(1, 'eva', 1)
    claims.claim(2, 'max', 3)
    expect(claims.taken()).toEqual([1, 2])
    await clock.advance(1_000)
    expect([claims.taken(), claims.get(1), claims.get(2)?.by]).toEqual([[2], undefined, 'max'])
    // One that has ended is anybody's, and is not given back by who had it.
    expect(claims.claim(3, 'eva', 2)).toEqual({ by: 'eva', until: 4_000 })
    claims.release(2, 'eva')
    claims.release(9, 'eva')
    expect(claims.taken()).toEqual([2, 3])
    claims.release(3, 'eva')
    claims.end(2)
    expect(claims.taken()).toEqual([])
    claims.claim(4, 'eva', 0.0005)
    expect(claims.get(4)?.until).toBe(2_000)
  })
})

describe('a timekeeper', () => {
  /** One that notes what it does; records have the times of the clock, or go at another pace. */
  function keeper(pace = 1) {
    const clock = new SimulatedClock(0)
    const acted: [number, string[]][] = []
    const times = {
      get now() {
        return clock.monotonic() / pace
      },
      pace,
    }
    const one = new Timekeeper(clock, times, (due) => acted.push([clock.monotonic(), due]))
    return { clock, acted, one }
  }
  const due = (alarm: string, wait: number, grace = 0) => ({ alarm, wait, grace })

  it('acts when something is due, with everything that is due then, and again until it has happened', async () => {
    const { clock, acted, one } = keeper()
    one.expect([due('a', 500), due('b', 505), due('c', 900)], 0)
    await clock.advance(499)
    expect(acted).toEqual([])
    await clock.advance(6)
    expect(acted).toEqual([[500, ['a']]])
    await clock.advance(10)
    expect(acted.slice(1)).toEqual([[510, ['a', 'b']]])
    one.expect([due('c', 900)], 0)
    await clock.advance(500)
    expect(acted.at(-1)?.[1]).toEqual(['c'])
    expect(acted.filter(([, [first]]) => first === 'c')[0][0]).toBeGreaterThanOrEqual(900)
    expect(acted.filter(([, [first]]) => first === 'c')[0][0]).toBeLessThanOrEqual(910)
    one.expect([], 0)
    const { length } = acted
    await clock.advance(5_000)
    expect(acted.length).toBe(length)
  })

  it('looks again when what it waits for has moved, and sooner when something sooner comes', async () => {
    const { clock, acted, one } = keeper()
    one.expect([due('a', 500)], 0)
    await clock.advance(400)
    one.expect([due('a', 500)], 400)
    await clock.advance(499)
    expect(acted).toEqual([])
    one.expect([due('a', 500)], 899)
    one.expect([due('b', 50)], 899)
    await clock.advance(50)
    expect(acted).toEqual([[949, ['b']]])
    one.end()
    one.expect([due('b', 5)], 949)
    await clock.advance(5_000)
    expect(acted.length).toBe(1)
  })

  it('has one timer at most, sets it no more often than it must, and none once it has ended', async () => {
    const { clock, acted, one } = keeper()
    expect([one.waits, clock.waiting]).toEqual([false, 0])
    let set = 0
    const { after } = clock
    clock.after = (...given) => {
      set++
      return after.apply(clock, given)
    }
    one.expect([], 0)
    expect([one.waits, set]).toEqual([false, 0])
    for (const wait of [500, 500, 900]) one.expect([due('a', wait)], 0)
    expect([one.waits, set, clock.waiting]).toEqual([true, 1, 1])
    one.expect([due('a', 100)], 0)
    expect([set, clock.waiting]).toEqual([2, 1])
    one.end()
    one.expect([due('a', 50)], 0)
    await clock.advance(5_000)
    expect([acted, set, clock.waiting]).toEqual([[], 2, 0])
  })

  it('gives a sensor time after a start, and counts by the pace of the records', async () => {
    const { clock, acted, one } = keeper()
    one.expect([due('stale', 100, 2_000)], -60_000)
    await clock.advance(1_999)
    expect(acted).toEqual([])
    await clock.advance(1)
    expect(acted).toEqual([[2_000, ['stale']]])
    const slow = keeper(2)
    slow.one.expect([due('a', 1_000)], 0)
    await slow.clock.advance(999)
    expect(slow.acted).toEqual([])
    await slow.clock.advance(1)
    expect(slow.acted).toEqual([[1_000, ['a']]])
  })
})

describe('the check of logs in the background', () => {
  it('follows each chain up to the latest snapshot, tells of damage, and goes on', async () => {
    const { service, system } = await alarmingPlant()
    for (const id of ['alpha', 'beta']) await service.create(id, { channels: ['a'], levels: ['0', '1'] }, 'test')
    await system.saveSnapshot()
    await service.get('alpha').saveSnapshot()
    const checked: [string, number][] = []
    const damages: string[] = []
    service.onDamage = (reason, id) => damages.push(`${id}: ${reason}`)
    const verify = async (id: string, through: number) => {
      checked.push([id, through])
      if (id === 'alpha') throw new Error('record 1 was changed')
    }
    const aborter = new AbortController()
    await checkLogs(service, verify, aborter.signal)
    expect(checked).toEqual([
      ['alpha', 1],
      ['plant', system.snapshotAt],
    ])
    expect([damages, service.get('alpha').damage]).toEqual([['alpha: record 1 was changed'], 'record 1 was changed'])
    expect(await service.get('alpha').overview()).toMatchObject({ ready: true, reason: 'record 1 was changed' })
    expect(await system.overview()).not.toHaveProperty('reason')
    // The end of the server is no damage.
    const ending = async () => {
      aborter.abort()
      throw new Error('ended')
    }
    await checkLogs(service, ending, aborter.signal)
    let looked = 0
    await checkLogs(service, async () => void looked++, aborter.signal)
    expect([damages.length, looked]).toEqual([1, 0])
  })
})

describe('explanations', () => {
  it('serve everybody for three seconds, for each assessment apart; an error serves nobody', async () => {
    const { system } = await alarmingPlant()
    let now = 0
    let refuse = false
    const asked: { assessment?: number; system: string; through: number }[] = []
    const explain = async (query: (typeof asked)[number]) => {
      asked.push(query)
      if (refuse) throw new Error('not now')
      return Uint8Array.of(asked.length)
    }
    const explanations = new Explanations({ explain } as never, () => now)
    const first = explanations.explain(system)
    expect(explanations.explain(system)).toBe(first)
    expect([...(await first)]).toEqual([1])
    expect(asked[0]).toMatchObject({ system: 'plant', channels: ['a'], levels: ['safe', 'unsafe'], through: 16 })
    expect(asked[0].assessment).toBeUndefined()
    await explanations.explain(system, 3)
    expect(asked[1].assessment).toBe(3)
    now = 2_999
    expect(explanations.explain(system)).toBe(first)
    now = 3_000
    refuse = true
    await expect(explanations.explain(system)).rejects.toThrow('not now')
    refuse = false
    expect([...(await explanations.explain(system))]).toEqual([4])
    // Two hundred are kept, the latest ones.
    for (let i = 10; i < 209; i++) await explanations.explain(system, i)
    const { length } = asked
    await explanations.explain(system, 10)
    await explanations.explain(system)
    expect(asked.length).toBe(length)
    await explanations.explain(system, 300)
    await explanations.explain(system, 11)
    expect(asked.length).toBe(length + 1)
    await explanations.explain(system)
    expect(asked.length).toBe(length + 2)
    // One that was asked for anew is among the latest.
    now = 6_000
    await explanations.explain(system, 300)
    for (let i = 400; i < 599; i++) await explanations.explain(system, i)
    await explanations.explain(system, 300)
    expect(asked.length).toBe(length + 2 + 200)
  })
})

describe('what a system writes', () => {
  it('reaches those who follow it when it is on disk, in order, and not those who have left', async () => {
    const log = new SlowLog(0)
    const service = await Service.open(log)
    const held = Promise.withResolvers<void>()
    await service.create('plant', { channels: ['a'], levels: ['0', '1'], method: 'majority' }, 'test')
    const system = service.get('plant')
    const seen: number[] = []
    const all: number[] = []
    const leave = system.subscribe(({ sequence }) => seen.push(sequence))
    const stop = service.subscribe((_, { sequence }) => all.push(sequence))
    log.held = held.promise
    const samples = [1, 2].map((value) => service.sample('plant', { values: [value] }, 'test'))
    const looked = system.read(samplesMade())
    const refused = service.feedback('plant', { assessment: 9, kind: 'confirm' }, 'test')
    let told = false
    const waiting = Promise.allSettled([looked, refused]).then(() => (told = true))
    await new Promise(setImmediate)
    expect([seen, told]).toEqual([[], false])
    held.resolve()
    await Promise.all([...samples, waiting])
    expect([seen, all, await looked]).toEqual([[2, 4], [2, 4], 2])
    await expect(refused).rejects.toThrow('9')
    leave()
    stop()
    await service.sample('plant', { values: [1] }, 'test')
    expect([seen, all]).toEqual([
      [2, 4],
      [2, 4],
    ])
  })

  it('has names that follow the log', async () => {
    const { system, service } = await alarmingPlant()
    await service.configure('plant', { title: 'x' }, 'test')
    expect([system.levels, system.channels]).toEqual([['safe', 'unsafe'], ['a']])
    await service.configure('plant', { levels: ['ok', 'bad'] }, 'test')
    await service.addLevel('plant', { name: 'worse' }, 'test')
    await service.addChannel('plant', { name: 'b', usual: 1 }, 'test')
    expect([system.levels, system.channels]).toEqual([
      ['ok', 'bad', 'worse'],
      ['a', 'b'],
    ])
  })

  it('is saved when it settles, where anything has happened, and once at a time', async () => {
    const { system, log, sample } = await alarmingPlant()
    await Promise.all([system.saveSnapshot(), system.saveSnapshot()])
    const snapshots = async () => (await log.read('plant', { kinds: ['snapshot'] })).length
    expect([await snapshots(), system.snapshotAt]).toEqual([1, 16])
    await system.settle()
    expect(await snapshots()).toBe(1)
    await sample()
    await system.settle()
    const { last = 0 } = (await log.extent('plant')) ?? {}
    expect([await snapshots(), system.snapshotAt]).toEqual([2, last - 1])
    await system.saveSnapshot()
    expect(await snapshots()).toBe(3)
  })

  it('under a key whose records were compacted is gone, and so says the answer', async () => {
    const { system, service, log } = await alarmingPlant()
    const sample = (key: string) => service.sample('plant', { values: [1], key }, 'test')
    const first = await sample('k')
    await service.feedback('plant', { assessment: first.assessment, kind: 'confirm' }, 'test')
    expect((await sample('k')).repeated).toBe(true)
    await system.saveSnapshot()
    for (let i = 0; i < 2; i++) await service.configure('plant', { title: `t${i}` }, 'test')
    await system.compact(2, 'test')
    expect((await log.extent('plant'))?.first).toBeGreaterThan(first.sequence)
    await expect(sample('k')).rejects.toMatchObject({ status: 410, message: expect.stringContaining('compacted') })
  })
})
