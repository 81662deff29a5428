import { FeedbackError, findMethod, OptionError, stateSize } from '@pb-oel/core'
import type { ConfigurationChange, SystemRequest } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { configure, makeAsker, makeNovelty, makePromises, makeStuck, promiseOptions, reconfigure } from './configure.ts'
import { indexedAlarm, indexedOptions, indexedRules, levelIndex } from './level-index.ts'
import { setAside } from './names-and-limits.ts'
import { serviceOptions } from './service-options.ts'
import { withChannel, withLevel } from './widen.ts'

const LEVELS = ['safe', 'odd', 'unsafe']
const PLANT: SystemRequest = { channels: ['a', 'b'], levels: LEVELS, method: 'majority' }
/** Samples that a system may be warmed up with. */
const warmUp = (level: number | string) => [{ x: [1, 2], level }]

describe('a new system', () => {
  it('has everything that its request does not say', () => {
    const { options, ...rest } = configure('plant', PLANT)
    expect(rest).toStrictEqual({
      ...{ title: 'plant', channels: ['a', 'b'], levels: LEVELS, method: 'majority', seed: 1, missing: 'reject' },
      alarm: { level: 2, raiseAfter: 0, clearBelow: 2, clearAfter: 0, watch: 'likely' },
      ...{ alarms: {}, stale: {}, stuck: true, edition: 2 },
      queue: { uncertainty: 0.4, disagreement: 0.3, level: 0.2, freshness: 0.1 },
      promises: { confidence: 0.95, missTarget: 0.005, window: 3600, tolerance: 2, falseAlarmEvery: 100_000 },
    })
    expect(configure('plant', { channels: ['a'], levels: LEVELS }).method).toBe('pb-oel-plus')
  })

  it('has everything that its request says, and shares nothing with it', () => {
    const given: SystemRequest = {
      ...{ ...PLANT, title: 'Plant', seed: 7, missing: 'hold', stale: { rate: 2 }, stuck: false },
      ...{ alarm: { level: 'odd', clearBelow: 1, raiseAfter: 3 }, queue: { level: 1 } },
      alarms: { early: { watch: 'likely', level: 'odd' } },
      ...{ ask: { perThousand: 100 }, promises: { target: 0.9, window: 60 }, novelty: { falseAlarmEvery: 50 } },
      ...{ ranges: { a: { max: 5 } }, units: { b: 'm' }, review: { secondOpinion: 0.5 } },
      late: { samples: 10, seconds: 5 },
    }
    const made = configure('plant', given)
    expect(made).toMatchObject({
      ...{ title: 'Plant', seed: 7, missing: 'hold', stale: { rate: 2 }, stuck: false },
      alarm: { level: 1, clearBelow: 1, raiseAfter: 3, clearAfter: 0, watch: 'likely' },
      alarms: { early: { watch: 'likely', level: 1 } },
      queue: { uncertainty: 0.4, disagreement: 0.3, level: 1, freshness: 0.1 },
      ...{ ask: { perThousand: 100 }, promises: { target: 0.9, window: 60, confidence: 0.95 } },
      ...{ novelty: { falseAlarmEvery: 50 }, ranges: { a: { max: 5 } }, units: { b: 'm' } },
      ...{ review: { secondOpinion: 0.5, trust: false }, late: { samples: 10, seconds: 5 } },
    })
    for (const part of ['channels', 'levels', 'stale', 'ask'] as const) expect(made[part]).not.toBe(given[part])
    const none = configure('plant', { ...PLANT, stale: null, promises: { target: null }, late: { seconds: null } })
    expect([none.stale, none.promises?.target, none.late]).toEqual([undefined, undefined, { samples: 2_048 }])
    expect(configure('plant', { ...PLANT, novelty: {} }).novelty).toEqual({ falseAlarmEvery: 1000 })
  })

  it.each<[string, Partial<SystemRequest>]>([
    ['option method', { method: 'magic' }],
    ['option networks', { method: 'pb-oel', options: { networks: 0 } }],
    ['option channels', { channels: ['a', 'a'] }],
    ['option levels', { levels: ['0', '1', '0'] }],
    ['option alarm.level', { alarm: { level: 3 } }],
    ['option alarm.level', { alarm: { level: 0 } }],
    ['option alarm.level', { alarm: { level: 'nowhere' } }],
    ['option alarm.clearBelow', { alarm: { level: 1, clearBelow: 2 } }],
    ['option alarm.clearBelow', { alarm: { level: 1, clearBelow: 0 } }],
    ['option alarms.x.watch', { alarms: { x: {} } }],
    ['option alarms.x.level', { alarms: { x: { watch: 'likely', level: 'nowhere' } } }],
    ['option alarms.x.clearBelow', { alarms: { x: { watch: 'likely', level: 1, clearBelow: 'nowhere' } } }],
    ['option perThousand', { ask: { perThousand: 0 } }],
    ['option confidence', { promises: { confidence: 2 } }],
    ['option falseAlarmEvery', { novelty: { falseAlarmEvery: 0 } }],
    ['option ranges', { ranges: { c: { max: 1 } } }],
    ['option ranges.a.min', { ranges: { a: { min: 2, max: 1 } } }],
    ['option units', { units: { c: 'm' } }],
    ['option late.samples', { options: { pending: 9 }, late: { samples: 10 } }],
    ['option warmUp[0].level', { method: 'pb-oel', options: { warmUp: warmUp('nowhere') } }],
  ])('is refused by name: %s %j', (message, given) => {
    expect(() => configure('x', { ...PLANT, ...given })).toThrow(`${message} `)
  })

  it('is refused with the levels that would do', () => {
    expect(() => configure('x', { ...PLANT, alarm: { level: 3 } })).toThrow(
      'one of odd, unsafe, or an integer in [1, 2]',
    )
  })

  it('may be at each limit', () => {
    const given = { alarm: { level: 1, clearBelow: 1 }, ranges: { a: { min: 1, max: 1 } }, late: { samples: 10 } }
    const made = configure('x', { ...PLANT, ...given, options: { pending: 10 } })
    expect([made.alarm.level, made.late, made.ranges]).toStrictEqual([1, { samples: 10 }, { a: { min: 1, max: 1 } }])
  })
})

describe('a change', () => {
  const old = configure('plant', {
    ...{ ...PLANT, stale: { after: 5 }, ask: { perThousand: 10 }, novelty: {}, options: { pending: 50 } },
    ...{ promises: { target: 0.9 }, ranges: { a: { max: 5 } }, units: { b: 'm' }, late: { samples: 9, seconds: 3 } },
    alarms: { hot: { watch: 'range', channel: 'a', max: 3 } },
  })

  it('of nothing changes nothing', () => {
    expect(reconfigure(old, {})).toEqual(old)
    const { promises: _, alarms: __, late: ___, ...ancient } = old
    const bare = { ...ancient, ask: undefined, stale: undefined, novelty: undefined, ranges: undefined }
    const same = reconfigure({ ...bare, units: undefined }, {})
    for (const part of [
      'promises',
      'alarms',
      'ask',
      'stale',
      'novelty',
      'ranges',
      'units',
      'late',
      'review',
      'archived',
    ])
      expect(Object.keys(same)).not.toContain(part)
  })

  it.each<[ConfigurationChange, object]>([
    [{ title: 'New' }, { title: 'New' }],
    [{ levels: ['ok', 'so-so', 'bad'] }, { levels: ['ok', 'so-so', 'bad'] }],
    [{ alarm: { level: 1, clearBelow: 1 } }, { alarm: { ...old.alarm, level: 1, clearBelow: 1 } }],
    [{ queue: { level: 9 } }, { queue: { ...old.queue, level: 9 } }],
    [{ ask: null }, { ask: undefined }],
    [{ ask: { perThousand: 20 } }, { ask: { perThousand: 20 } }],
    [{ stale: null }, { stale: undefined }],
    [{ stale: { rate: 2 } }, { stale: { rate: 2 } }],
    [{ novelty: null }, { novelty: undefined }],
    [{ novelty: { falseAlarmEvery: 10 } }, { novelty: { falseAlarmEvery: 10 } }],
    [{ promises: { target: null } }, { promises: configure('plant', PLANT).promises }],
    [{ promises: { window: 9 } }, { promises: { ...old.promises, window: 9 } }],
    [{ promises: { target: 0.6 } }, { promises: { ...old.promises, target: 0.6 } }],
    [{ alarms: { hot: null } }, { alarms: {} }],
    [{ ranges: { a: null } }, { ranges: undefined }],
    [{ ranges: { b: { min: 1 } } }, { ranges: { a: { max: 5 }, b: { min: 1 } } }],
    [{ units: { a: 'bar' } }, { units: { a: 'bar', b: 'm' } }],
    [{ units: { b: null } }, { units: undefined }],
    [{ late: { samples: 50 } }, { late: { samples: 50, seconds: 3 } }],
    [{ late: { seconds: null } }, { late: { samples: 9 } }],
    [{ review: { trust: true } }, { review: { secondOpinion: 0, trust: true } }],
    [{ archived: true }, { archived: true }],
    [{ archived: false }, { archived: undefined }],
    [{ stuck: false }, { stuck: false }],
  ])('of %j changes that and no more', (change, changed) => {
    const next = { ...old, ...changed }
    // A part that is gone is not there, and not undefined: the hash of the state would differ.
    for (const [key, value] of Object.entries(changed)) if (value === undefined) delete next[key as never]
    const made = reconfigure(old, change)
    expect(made).toEqual(next)
    expect(Object.keys(made).sort()).toEqual(Object.keys(next).sort())
  })

  it('keeps what an earlier one said', () => {
    const once = reconfigure(old, { review: { secondOpinion: 0.5 }, archived: true })
    expect(reconfigure(once, { title: 'x' })).toMatchObject({ review: { secondOpinion: 0.5 }, archived: true })
    expect(reconfigure(once, { review: { trust: true } }).review).toEqual({ secondOpinion: 0.5, trust: true })
    expect(reconfigure(once, { archived: false }).archived).toBeUndefined()
    expect(reconfigure({ ...old, alarms: undefined }, { alarms: { x: { watch: 'drift' } } }).alarms).toEqual({
      ...{ x: { watch: 'drift' } },
    })
  })

  it.each<[string, ConfigurationChange]>([
    ['option levels', { levels: ['ok', 'bad'] }],
    ['option levels', { levels: ['ok', 'bad', 'ok'] }],
    ['option alarm.level', { alarm: { level: 9 } }],
    ['option alarms.hot.suppressedBy', { alarms: { hot: { watch: 'drift', suppressedBy: ['hot'] } } }],
    ['option ranges', { ranges: { c: { max: 1 } } }],
    ['option units', { units: { c: 'm' } }],
    ['option late.samples', { late: { samples: 51 } }],
    ['option confidence', { promises: { confidence: 2 } }],
    ['option falseAlarmEvery', { novelty: { falseAlarmEvery: 0 } }],
    ['option perThousand', { ask: { perThousand: 0 } }],
  ])('is refused by name: %s %j', (message, change) => {
    expect(() => reconfigure(old, change)).toThrow(`${message} `)
  })

  it('of promises is refused where none are kept, and so is an alarm on the safe side', () => {
    const { promises: _, ...ancient } = old
    expect(() => reconfigure(ancient, { promises: { window: 9 } })).toThrow('created before promises were kept')
    expect(() => reconfigure(ancient, { alarm: { watch: 'safe-side' } })).toThrow('option alarm.watch')
    expect(reconfigure(old, { alarm: { watch: 'safe-side' } }).alarm.watch).toBe('safe-side')
    expect(reconfigure(ancient, { alarm: { watch: 'likely' } }).promises).toBeUndefined()
  })
})

describe('what a configuration makes', () => {
  const rich = configure('plant', { ...PLANT, ask: { perThousand: 100 }, novelty: {}, options: { pending: 7 } })
  const { promises: _, ...bare } = configure('plant', { ...PLANT, stuck: false })

  it('is there where the configuration says so', () => {
    expect([makeAsker(rich), makeNovelty(rich), makeStuck(rich), makePromises(rich)]).not.toContain(undefined)
    expect([makeAsker(bare), makeNovelty(bare), makeStuck(bare), makePromises(bare)]).toEqual(Array(4).fill(undefined))
  })

  it('promises with the least probability of the questions, and with 1 where everything is asked', () => {
    const warm = { ...rich, options: { pending: 7, warmUp: warmUp(1) } }
    const asker = makeAsker(warm)
    expect(promiseOptions(warm, asker)).toEqual({
      ...{ ...rich.promises, levels: 3, pending: 7, warmUp: warmUp(1) },
      // Budget 0.1 per sample, a fifth of it for random checks.
      floor: expect.closeTo(0.02, 12),
    })
    expect(promiseOptions(rich, undefined)).toMatchObject({ floor: 1, pending: 7, levels: 3 })
    expect(promiseOptions(bare, undefined)).toBeUndefined()
  })
})

describe('levels by name', () => {
  it('become indices in answers, rules and warm-ups; indices stay', () => {
    expect(['safe', 'odd', 2, undefined].map((level) => levelIndex(level, LEVELS))).toEqual([0, 1, 2, undefined])
    expect(() => levelIndex('x', LEVELS)).toThrow('one of safe, odd, unsafe, or an index')
    expect(() => levelIndex('x', LEVELS)).toThrow(FeedbackError)
    expect(() => indexedOptions({ warmUp: warmUp('x') }, LEVELS)).toThrow(OptionError)
    expect(() => indexedRules({ x: { watch: 'likely', level: 'x' } }, LEVELS)).toThrow(OptionError)
    expect(indexedAlarm({ level: 'unsafe', clearBelow: 1, raiseAfter: 3 }, LEVELS)).toEqual({
      ...{ level: 2, clearBelow: 1, raiseAfter: 3 },
    })
    expect(indexedAlarm({ clearAfter: 1 }, LEVELS)).toEqual({ clearAfter: 1 })
    expect(indexedRules(undefined, LEVELS)).toBeUndefined()
    expect(indexedRules({ x: { watch: 'likely', level: 'odd' }, y: null }, LEVELS)).toEqual({
      ...{ x: { watch: 'likely', level: 1 }, y: null },
    })
    const options = { nodes: 3, warmUp: [...warmUp('unsafe'), ...warmUp(1), null, { x: [1] }] }
    expect(indexedOptions(options, LEVELS)).toEqual({
      nodes: 3,
      warmUp: [...warmUp(2), ...warmUp(1), null, { x: [1] }],
    })
    for (const other of [{ nodes: 3 }, { warmUp: 'x' }]) expect(indexedOptions(other, LEVELS)).toBe(other)
  })
})

describe('the options that the service chooses', () => {
  it('scale so that no sample can spoil it, where the method scales, and what the caller says counts', () => {
    expect(serviceOptions({ ...PLANT, method: 'pb-oel' }).scaling).toBe('robust')
    expect(serviceOptions({ ...PLANT, method: 'pb-oel', options: { scaling: 'none' } }).scaling).toBe('none')
    expect(serviceOptions(PLANT)).toEqual({ pending: 2_048 })
    expect(serviceOptions({ channels: ['a'], levels: LEVELS })).toMatchObject({ pending: 2_048, scaling: 'robust' })
    expect(serviceOptions({ ...PLANT, options: { pending: 5 } }).pending).toBe(5)
    expect(serviceOptions({ ...PLANT, method: 'pb-oel', options: { warmUp: warmUp('odd') } }).warmUp).toEqual(warmUp(1))
  })

  it('keep ten minutes for late answers where the rate is known, as many as wanted, or what 16 MB can hold', () => {
    const kept = (more: Partial<SystemRequest>) => serviceOptions({ ...PLANT, ...more }).pending
    expect(kept({ stale: { rate: 10 } })).toBe(6_000)
    expect(kept({ stale: { rate: 3.5 } })).toBe(2_100)
    expect(kept({ stale: { rate: 3.501 } })).toBe(2_101)
    expect(kept({ stale: { rate: 1 } })).toBe(2_048)
    expect(kept({ stale: { rate: 1_000 } })).toBe(16_384)
    expect(kept({ stale: null })).toBe(2_048)
    expect(kept({ late: { samples: 30_000 } })).toBe(30_000)
    expect(kept({ late: { seconds: 3 } })).toBe(2_048)
    const bytes = (channels: number, pending: number) => {
      const size = (one: number) => stateSize('majority', { channels, levels: 3 }, { pending: one })
      return size(pending) - size(1)
    }
    // The widest system whose 2,048 samples take 16 MB at most.
    let width = 1
    while (bytes(width + 1, 2_048) <= 16e6) width++
    const channels = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`)
    expect(kept({ channels: channels(width) })).toBe(2_048)
    expect(serviceOptions({ ...PLANT, channels: channels(width + 1) })).not.toHaveProperty('pending')
    // Then it keeps as many as the library does.
    expect([setAside({ pending: 5 }), setAside({})]).toEqual([5, findMethod('majority').options.pending.default])
    // A system whose samples take 16 MB exactly.
    let even = 1
    while (16e6 % bytes(even, 2) !== 0 || 16e6 / bytes(even, 2) > 16_000) even++
    const exact = 16e6 / bytes(even, 2) + 1
    expect([bytes(even, exact), exact > 2_048]).toEqual([16e6, true])
    expect(kept({ channels: channels(even), stale: { rate: (exact - 0.5) / 600 } })).toBe(exact)
    expect(kept({ channels: channels(width), stale: { rate: 20 } })).toBe(2_048)
    expect(kept({ channels: channels(width + 1), late: { samples: 9 } })).toBe(9)
  })
})

describe('a wider system', () => {
  const old = configure('plant', { ...PLANT, method: 'pb-oel', options: { experts: 2, warmUp: warmUp(1) } })
  const added = { name: 'c', usual: 5, warmUp: [{ x: [1, 2, 5], level: 0 }], by: 'eva' }

  it('has one channel more, its unit and its range, and begins with what the record holds', () => {
    const next = withChannel(old, { ...added, unit: 'm', range: { min: 0 } })
    const { warmUp: _, ...options } = old.options
    expect(next).toEqual({
      ...{ ...old, channels: ['a', 'b', 'c'], units: { c: 'm' }, ranges: { c: { min: 0 } } },
      options: { ...options, warmUp: added.warmUp },
    })
    expect(withChannel(old, { ...added, warmUp: [] })).toEqual({ ...old, channels: ['a', 'b', 'c'], options })
    const both = withChannel({ ...next, options: {} }, { ...added, name: 'd', unit: 's', range: { max: 1 } })
    expect([both.units, both.ranges]).toEqual([
      { c: 'm', d: 's' },
      { c: { min: 0 }, d: { max: 1 } },
    ])
    // A method that cannot be warmed up begins with nothing.
    const methods = { cold: { ...findMethod('majority'), name: 'cold', options: {} } }
    const cold = { ...old, method: 'cold', options: {} }
    expect(withChannel(cold, added, { methods }).options).toEqual({})
    expect(serviceOptions({ ...PLANT, method: 'cold' }, { methods })).toEqual({})
  })

  it('is refused where the name is taken, or nothing can be in the range', () => {
    expect(() => withChannel(old, { ...added, name: 'b' })).toThrow('the name of no other channel')
    expect(() => withChannel(old, { ...added, range: { min: 2, max: 1 } })).toThrow('option ranges.c.min')
    expect(() => withLevel(old, { name: 'odd', by: 'eva' })).toThrow('the name of no other level')
    expect(withLevel(old, { name: 'lost', by: 'eva' })).toEqual({ ...old, levels: [...LEVELS, 'lost'] })
  })
})
