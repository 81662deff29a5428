import type { AlarmSetting, AssessmentBody, Configuration } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { AlarmBook } from './alarm-book.ts'
import { changedRules, checkRules, priorityOf, type Rule, rulesOf, type Sight, see } from './alarm-rule.ts'
import { configure } from './configure.ts'
import { ruleInWords } from './rule-words.ts'
import { restoreAlarms, savedAlarms } from './saved-alarms.ts'

const CONFIGURATION = configure('plant', {
  ...{ channels: ['a', 'b'], levels: ['safe', 'odd', 'unsafe'], method: 'majority', units: { a: 'bar' } },
  ...{ novelty: {}, alarm: { level: 2, raiseAfter: 3 } },
})

const withRules = (alarms: Record<string, AlarmSetting>, more: Partial<Configuration> = {}): Configuration => ({
  ...CONFIGURATION,
  ...{ alarms, ...more },
})

/** The rule of this name. */
function rule(alarms: Record<string, AlarmSetting>, name: string, more: Partial<Configuration> = {}): Rule {
  return rulesOf(withRules(alarms, more)).find((one) => one.name === name) as Rule
}

const at = (time: number) => ({ time, steady: time })

/** What there is to see of a sample that is most probably of a level. */
function sight(likely: number, more: Partial<AssessmentBody> = {}, values = [1, 2], degraded: string[] = []): Sight {
  const probabilities = [0, 1, 2].map((level) => (level === likely ? 0.8 : 0.1))
  const body = { probabilities, trained: true, ...more } as AssessmentBody
  return { body, values, degraded, level: likely }
}

describe('the rules of a system', () => {
  it('are those that every system has, then its own, each with what it does not say', () => {
    const escalation = [{ after: 5, tell: ['lead'] }]
    const own = { watch: 'range', channel: 'a', raiseAfter: 1, clearAfter: 2, latch: true, realarmAfter: 9 } as const
    const rules = rulesOf(
      withRules({
        level: { priority: 'critical', suppressedBy: ['stale'] },
        hot: { ...own, shelveAtMost: 60, escalation },
      }),
    )
    expect(rules.map(({ name, watch }) => `${name}: ${watch}`)).toEqual([
      ...['level: likely', 'stale: stale', 'accuracy: accuracy', 'hot: range'],
    ])
    expect(rules[0]).toMatchObject({
      ...{ setting: { level: 2, raiseAfter: 3, clearBelow: 2, clearAfter: 0, priority: 'critical' } },
      ...{ raiseAfter: 3, clearAfter: 0, momentary: false, shelveAtMost: 28_800, priority: 'critical' },
      suppressedBy: ['stale'],
    })
    expect(rules[1]).toMatchObject({
      setting: {},
      raiseAfter: 0,
      momentary: false,
      priority: 'medium',
      suppressedBy: [],
    })
    expect(rules[2]).toMatchObject({ setting: {}, momentary: true, priority: 'medium' })
    expect(rules[3]).toMatchObject({ raiseAfter: 1, clearAfter: 2, latch: true, realarmAfter: 9, escalation })
    expect([rules[3].shelveAtMost, rules[3].momentary]).toEqual([60, false])
    expect(rule({ change: { watch: 'drift' } }, 'change')).toMatchObject({ momentary: true, priority: 'low' })
    const watched = ['likely', 'safe-side', 'novel', 'range', 'stale', 'drift'] as const
    expect(watched.map((watch) => rule({ own: { watch } }, 'own').priority)).toEqual([
      ...['high', 'high', 'medium', 'medium', 'medium', 'low'],
    ])
    expect(rule({ stale: { latch: true } }, 'stale').latch).toBe(true)
    expect(rule({ accuracy: { latch: true } }, 'accuracy').latch).toBe(true)
  })

  it('of a system from before there were more have no priority, and its promises decide whether accuracy is watched', () => {
    const { alarms: _, promises: __, ...old } = CONFIGURATION
    const rules = rulesOf({ ...old, alarm: { level: 2, raiseAfter: 0, clearBelow: 1, clearAfter: 0 } })
    expect(rules.map(({ name, watch, priority }) => [name, watch, priority])).toEqual([
      ['level', 'likely', undefined],
      ['stale', 'stale', undefined],
    ])
    expect(rules.map(priorityOf)).toEqual(['high', 'medium'])
    expect(rulesOf({ ...old, promises: __ }).map(({ name }) => name)).toEqual(['level', 'stale', 'accuracy'])
    expect(priorityOf(rule({ level: { priority: 'low' } }, 'level'))).toBe('low')
  })

  it('change by name, and null takes one away', () => {
    const [hot, cold] = [{ watch: 'drift' } as const, { watch: 'novel' } as const]
    expect(changedRules({ hot, cold }, { hot: null, new: hot })).toEqual({ cold, new: hot })
    expect(changedRules({ hot }, undefined)).toEqual({ hot })
    expect(changedRules(undefined, { hot })).toEqual({ hot })
  })
})

describe('what a rule sees', () => {
  const channels = ['a', 'b']

  it('of a level: from where it raises to where it clears nothing changes, and only findings count', () => {
    const likely = rule({ x: { watch: 'likely', level: 2, clearBelow: 1 } }, 'x')
    expect([0, 1, 2].map((level) => see(likely, channels, sight(level)))).toEqual([
      { raises: false, clears: true, level: 0 },
      { raises: false, clears: false, level: 1 },
      { raises: true, clears: false, level: 2 },
    ])
    const plain = rule({ x: { watch: 'likely', level: 2 } }, 'x')
    expect(see(plain, channels, sight(1))).toEqual({ raises: false, clears: true, level: 1 })
    expect(see({ ...plain, setting: {} }, channels, sight(1))).toEqual({ raises: true, clears: false, level: 1 })
    expect(see(plain, channels, sight(2, { trained: false }))).toBeUndefined()
    expect(see(plain, channels, sight(2, { trained: undefined }))?.raises).toBe(true)
    expect(see(plain, channels, { ...sight(2), body: undefined })).toBeUndefined()
  })

  it('of the safe side: the safe-side level, or the most probable one where there is none', () => {
    const careful = rule({ x: { watch: 'safe-side', level: 2 } }, 'x')
    expect(see(careful, channels, sight(0, { safeSide: 2 }))).toEqual({ raises: true, clears: false, level: 2 })
    expect(see(careful, channels, sight(2))).toEqual({ raises: true, clears: false, level: 2 })
    const likely = rule({ x: { watch: 'likely', level: 2 } }, 'x')
    expect(see(likely, channels, sight(0, { safeSide: 2 }))?.raises).toBe(false)
  })

  it('of novelty: whether the sample is novel, where anybody looked', () => {
    const novel = rule({ x: { watch: 'novel' } }, 'x')
    const found = (is: boolean) => sight(1, { novelty: { novel: is } as never })
    expect(see(novel, channels, found(true))).toEqual({ raises: true, clears: false, level: 1 })
    expect(see(novel, channels, found(false))).toEqual({ raises: false, clears: true, level: 1 })
    expect(see(novel, channels, sight(1))).toBeUndefined()
    expect(see(novel, channels, { ...sight(1), body: undefined })).toBeUndefined()
  })

  it('of a channel: limits count as inside, and it clears inside the dead band only', () => {
    const both = rule({ x: { watch: 'range', channel: 'b', min: 10, max: 20, deadband: 2 } }, 'x')
    const seen = (value: number) => {
      const { raises, clears } = see(both, channels, sight(1, {}, [0, value])) ?? {}
      return raises ? 'raises' : clears ? 'clears' : 'nothing'
    }
    expect([9.9, 10, 11.9, 12, 18, 18.1, 20, 20.1].map(seen)).toEqual([
      ...['raises', 'nothing', 'nothing', 'clears', 'clears', 'nothing', 'nothing', 'raises'],
    ])
    const above = rule({ x: { watch: 'range', channel: 'b', max: 20 } }, 'x')
    expect(see(above, channels, sight(2, {}, [99, -1e9]))).toEqual({ raises: false, clears: true, level: 2 })
    expect(see(above, channels, sight(2, {}, [0, 21]))).toEqual({ raises: true, clears: false, level: 2 })
    expect(see(above, channels, sight(2, {}, []))).toBeUndefined()
    const below = rule({ x: { watch: 'range', channel: 'b', min: 10 } }, 'x')
    expect([9, 1e9].map((value) => see(below, channels, sight(0, {}, [0, value]))?.raises)).toEqual([true, false])
    const plausible = rule({ x: { watch: 'range', channel: 'b' } }, 'x')
    expect(see(plausible, channels, sight(1, {}, [0, 0], ['b']))).toEqual({ raises: true, clears: false, level: 1 })
    expect(see(plausible, channels, sight(1, {}, [0, 0], ['a']))).toEqual({ raises: false, clears: true, level: 1 })
  })

  it('of silence, accuracy and drift: nothing, for they are no part of a sample', () => {
    for (const watch of ['stale', 'drift'] as const) {
      expect(see(rule({ x: { watch, after: 5 } }, 'x'), channels, sight(2))).toBeUndefined()
    }
    expect(see(rule({}, 'accuracy'), channels, sight(2))).toBeUndefined()
  })
})

describe('rules that make no sense', () => {
  const steps = (...after: number[]) => after.map((seconds) => ({ after: seconds, tell: ['lead'] }))

  it.each<[string, Record<string, AlarmSetting>]>([
    ['alarms.level.watch', { level: { watch: 'likely' } }],
    ['alarms.stale.after', { stale: { after: 5 } }],
    ['alarms.accuracy.clearAfter', { accuracy: { clearAfter: 5 } }],
    ['alarms.x.watch', { x: {} }],
    ['alarms.x.level', { x: { watch: 'likely' } }],
    ['alarms.x.level', { x: { watch: 'safe-side', level: 0 } }],
    ['alarms.x.level', { x: { watch: 'likely', level: 3 } }],
    ['alarms.x.clearBelow', { x: { watch: 'likely', level: 2, clearBelow: 0 } }],
    ['alarms.x.clearBelow', { x: { watch: 'likely', level: 2, clearBelow: -1 } }],
    ['alarms.x.clearBelow', { x: { watch: 'likely', level: 1, clearBelow: 2 } }],
    ['alarms.x.level', { x: { watch: 'drift', level: 1 } }],
    ['alarms.x.deadband', { x: { watch: 'likely', level: 1, deadband: 2 } }],
    ['alarms.x.after', { x: { watch: 'novel', after: 2 } }],
    ['alarms.x.raiseAfter', { x: { watch: 'stale', after: 5, raiseAfter: 2 } }],
    ['alarms.x.clearAfter', { x: { watch: 'drift', clearAfter: 2 } }],
    ['alarms.x.channel', { x: { watch: 'range' } }],
    ['alarms.x.channel', { x: { watch: 'range', channel: 'c' } }],
    ['alarms.x.min', { x: { watch: 'range', channel: 'a', min: 3, max: 2 } }],
    ['alarms.x.after', { x: { watch: 'stale' } }],
    ['alarms.x.escalation[2].after', { x: { watch: 'drift', escalation: steps(1, 5, 5) } }],
    ['alarms.x.escalation[1].after', { x: { watch: 'drift', escalation: steps(4, 3, 9) } }],
    ['alarms.x.suppressedBy', { x: { watch: 'drift', suppressedBy: ['y'] } }],
    ['alarms.x.suppressedBy', { x: { watch: 'drift', suppressedBy: ['x'] } }],
    [
      'alarms.x.suppressedBy',
      {
        x: { watch: 'drift', suppressedBy: ['z', 'y'] },
        y: { watch: 'drift', suppressedBy: ['z', 'stale'] },
        z: { watch: 'drift', suppressedBy: ['level'] },
        level: { suppressedBy: ['x'] },
      },
    ],
    // Two rules suppress each other, and a third one that stands before them is not part of it.
    [
      'alarms.y.suppressedBy',
      {
        x: { watch: 'drift', suppressedBy: ['y'] },
        y: { watch: 'drift', suppressedBy: ['z'] },
        z: { watch: 'drift', suppressedBy: ['y'] },
      },
    ],
  ])('are refused by name: %s %j', (name, alarms) => {
    expect(() => checkRules(withRules(alarms))).toThrow(`option ${name} `)
  })

  it('are refused with the levels that would do', () => {
    const high = withRules({ x: { watch: 'likely', level: 3 } })
    expect(() => checkRules(high)).toThrow('must be one of odd, unsafe, or an integer in [1, 2]')
  })

  it('are refused where the system lacks what they watch', () => {
    const { promises: _, novelty: __, ...old } = CONFIGURATION
    const careful = { x: { watch: 'safe-side', level: 1 } } as const
    const novel = { x: { watch: 'novel' } } as const
    expect(() => checkRules({ ...old, alarms: careful })).toThrow('created before promises were kept')
    expect(() => checkRules({ ...old, alarms: novel })).toThrow('does not look for novel samples')
    for (const alarms of [careful, novel]) checkRules(withRules(alarms))
    checkRules(old)
  })

  it('are told apart from those that do', () => {
    checkRules(
      withRules({
        level: { suppressedBy: ['stale', 'x'], escalation: steps(1, 2, 3), priority: 'low', latch: true },
        x: { watch: 'likely', level: 2, clearBelow: 2, raiseAfter: 1, clearAfter: 1, suppressedBy: ['y'] },
        y: { watch: 'safe-side', level: 1, clearBelow: 1, suppressedBy: ['stale'] },
        hot: { watch: 'range', channel: 'a', min: 2, max: 2, deadband: 0, suppressedBy: ['y', 'x'] },
        dead: { watch: 'stale', after: 5 },
      }),
    )
  })
})

describe('a rule in words', () => {
  it.each<[AlarmSetting, string]>([
    [{ watch: 'likely', level: 1 }, 'odd or worse'],
    [{ watch: 'likely', level: 2, raiseAfter: 2 }, 'unsafe for 2 s'],
    [{ watch: 'safe-side', level: 1, raiseAfter: 119.96 }, 'safe-side level odd or worse for 120 s'],
    [{ watch: 'novel', raiseAfter: 120 }, 'none of the known levels for 2 min'],
    [{ watch: 'range', channel: 'a', raiseAfter: 3_600 }, 'a missing or outside its plausible range for 1 h'],
    [{ watch: 'range', channel: 'a', min: 2, raiseAfter: 5_400 }, 'a below 2 bar for 1.5 h'],
    [{ watch: 'range', channel: 'b', max: 2, raiseAfter: 1_800 }, 'b above 2 for 30 min'],
    [{ watch: 'range', channel: 'b', min: 1, max: 2, raiseAfter: 121 }, 'b below 1 or above 2 for 121 s'],
    [{ watch: 'range', channel: 'a', max: 2, raiseAfter: 3_660 }, 'a above 2 bar for 61 min'],
    [{ watch: 'range', channel: 'a', max: 2, raiseAfter: 60 }, 'a above 2 bar for 60 s'],
    [{ watch: 'stale', after: 7.25 }, 'no sample for 7.3 s'],
    [{ watch: 'drift' }, 'a drift was signalled'],
  ])('%j', (setting, words) => {
    expect(ruleInWords(rule({ x: setting }, 'x'), CONFIGURATION, 30)).toBe(words)
  })

  it('says of silence and accuracy what is known', () => {
    const words = (name: string, staleAfter: number | null, more: Partial<Configuration> = {}) =>
      ruleInWords(rule({}, name, more), { ...CONFIGURATION, ...more }, staleAfter)
    expect([words('stale', null), words('stale', 30)]).toEqual(['no sample for three intervals', 'no sample for 30 s'])
    const target = (share?: number) => ({ promises: { ...CONFIGURATION.promises, target: share } }) as never
    expect(words('accuracy', null, target(0.945))).toBe('accuracy below 94.5 %')
    expect(words('accuracy', null, target())).toBe('accuracy has fallen')
    const accuracy = rule({}, 'accuracy')
    expect(ruleInWords(accuracy, { ...CONFIGURATION, promises: undefined }, 1)).toBe('accuracy has fallen')
    expect(ruleInWords({ ...accuracy, watch: 'likely', setting: {} }, CONFIGURATION, 1)).toBe('odd or worse')
    const bare = { ...CONFIGURATION, units: undefined }
    expect(ruleInWords(rule({ x: { watch: 'range', channel: 'a', max: 2 } }, 'x'), bare, 1)).toBe('a above 2')
    expect(ruleInWords({ ...accuracy, watch: 'range', setting: {} }, CONFIGURATION, 1)).toMatch(/^ missing or/)
  })
})

describe('the book of alarms', () => {
  const names = (changes: readonly { about?: string; status: string }[]) =>
    changes.map(({ about = 'level', status }) => `${about}: ${status}`)

  it('takes a sample to every rule: levels and channels raise and clear, silence only ends, drift only begins', () => {
    const hot = { watch: 'range', channel: 'a', max: 5 } as const
    const book = new AlarmBook(withRules({ hot, change: { watch: 'drift' } }))
    expect(names(book.sample(sight(0, {}, [9, 0]), true, at(1_000)))).toEqual(['hot: active', 'change: active'])
    // A second drift says nothing new while the first waits for a person.
    expect(book.sample(sight(0, {}, [9, 0]), true, at(2_000))).toEqual([])
    const [due] = book.due(2_000, true).filter(({ silence }) => silence)
    expect(due).toBeUndefined()
    expect(names(book.sample(sight(0, {}, [1, 0]), false, at(3_000)))).toEqual(['hot: returned'])
    expect(book.acknowledge({ about: 'change', number: 1, by: 'eva' }, at(3_500)).status).toBe('normal')
    expect(names(book.sample(sight(0), true, at(4_000)))).toEqual(['change: active'])
    expect(book.find('nothing')).toBeUndefined()
    expect(book.all.map(({ rule: { name }, alarm }) => [name, alarm.number])).toEqual([
      ...[
        ['level', 0],
        ['stale', 0],
        ['accuracy', 0],
        ['hot', 1],
        ['change', 2],
      ],
    ])
  })

  it('knows what time alone will bring: silence, what lasts long enough, and what comes later', () => {
    const dead = { watch: 'stale', after: 60 } as const
    const hot = { watch: 'range', channel: 'a', max: 5, raiseAfter: 4 } as const
    const book = new AlarmBook(withRules({ dead, hot }, { stale: { after: 5 } }))
    expect(book.due(null, true)).toEqual([])
    book.sample(sight(2, {}, [9, 0]), false, at(1_000))
    expect(book.due(1_000, true)).toEqual([
      { alarm: 'level', at: 4_000, silence: false },
      { alarm: 'stale', at: 6_000, silence: true },
      { alarm: 'dead', at: 61_000, silence: true },
      { alarm: 'hot', at: 5_000, silence: false },
    ])
    // Before the system is trained a level is no finding; a channel is one.
    expect(book.due(1_000, false).map(({ alarm }) => alarm)).toEqual(['stale', 'dead', 'hot'])
    book.act({ about: 'hot', action: 'shelve', seconds: 9, by: 'eva' }, at(2_000))
    expect(book.due(1_000, true).at(-1)).toEqual({ alarm: 'hot/later', at: 11_000, silence: false })
    const due = book.due(1_000, true)
    expect(names(book.tick(due.slice(1, 3), sight(2, {}, [9, 0]), at(61_000)))).toEqual([
      ...['stale: active', 'dead: active'],
    ])
    expect([book.state('stale').staleAfter, book.state('dead').staleAfter]).toEqual([5, 60])
    expect(book.state('dead').level).toBe(2)
    expect(names(book.tick(due.slice(0, 1), sight(2), at(61_000)))).toEqual(['level: active'])
    expect(book.tick(due.slice(-1), sight(2), at(61_000))).toMatchObject([{ about: 'hot', cause: 'shelf ended' }])
    expect(book.tick(due.slice(-1), sight(2), at(61_000))).toEqual([])
    // What is raised is not due any more.
    expect(book.due(1_000, true).map(({ alarm }) => alarm)).toEqual(['hot'])
    expect(names(book.sample(sight(0, {}, [1, 0]), false, at(62_000)))).toEqual([
      ...['level: returned', 'stale: returned', 'dead: returned'],
    ])
    // A level that is no finding any more raises nothing.
    expect(book.tick(due.slice(0, 1), sight(2, { trained: false }), at(63_000))).toEqual([])
  })

  it('tells of a fall of accuracy once, until a person has seen it', () => {
    const book = new AlarmBook(withRules({}))
    expect(book.fall(1, 0.9, at(1))).toMatchObject([
      { about: 'accuracy', number: 1, status: 'active', level: 1, keptAccuracy: 0.9 },
    ])
    expect(book.fall(2, 0.8, at(2))).toEqual([])
    expect(book.state('accuracy').keptAccuracy).toBe(0.9)
    book.acknowledge({ about: 'accuracy', number: 1, by: 'eva' }, at(3))
    expect(book.fall(2, 0.8, at(4))).toMatchObject([{ number: 2, keptAccuracy: 0.8, level: 2 }])
    const { promises: _, ...old } = CONFIGURATION
    const without = new AlarmBook(old)
    expect(without.fall(1, 0.9, at(1))).toEqual([])
    expect(() => without.acknowledge({ about: 'accuracy', number: 1, by: 'eva' }, at(1))).toThrow(
      'created before promises were kept',
    )
  })

  it('goes on with other rules: what is gone ends, what stays goes on, what is new begins', () => {
    const [hot, cold] = [9, -9].map((max): AlarmSetting => ({ watch: 'range', channel: 'a', max }))
    const book = new AlarmBook(withRules({ hot, cold, idle: { watch: 'drift' } }))
    book.sample(sight(0, {}, [10, 0]), false, at(1))
    const next = withRules({ hot, change: { watch: 'drift' } }, { stale: { after: 9 } })
    expect(book.reconfigure(next, at(2))).toMatchObject([
      { about: 'cold', number: 1, status: 'normal', cause: 'rule removed' },
    ])
    expect(book.all.map(({ rule: { name }, alarm }) => `${name} ${alarm.status}`)).toEqual([
      ...['level normal', 'stale normal', 'accuracy normal', 'hot active', 'change normal'],
    ])
    expect([book.find('cold'), book.find('change')?.number, book.staleAfter]).toEqual([undefined, 0, 9])
    expect(() => book.act({ about: 'cold', action: 'reset', by: 'eva' }, at(3))).toThrow(
      'there is no rule cold; the rules of this system are level, stale, accuracy, hot, change',
    )
  })

  it('learns the rate of the stream where silence is watched, or was', () => {
    const { stale: _, ...silent } = CONFIGURATION
    const [watching, not] = [new AlarmBook(withRules({}, { stale: {} })), new AlarmBook(silent)]
    for (let i = 0; i <= 10; i++) for (const book of [watching, not]) book.sample(sight(0), false, at(i * 4_000))
    expect([watching.rate.intervals, not.rate.intervals]).toEqual([10, 0])
    expect([watching.staleAfter, not.staleAfter]).toEqual([12, null])
    expect([watching.watchesSilence, not.watchesSilence]).toEqual([true, false])
    watching.tick(watching.due(40_000, true), sight(0), at(60_000))
    watching.reconfigure(silent, at(60_000))
    expect([watching.watchesSilence, watching.staleAfter]).toEqual([true, null])
  })

  it('lets an alarm that lasts suppress others, by design, and no longer than it lasts', () => {
    const hot = { watch: 'range', channel: 'a', max: 5 } as const
    const two: AlarmSetting = { watch: 'range', channel: 'b', max: 5, suppressedBy: ['nothing', 'hot', 'level'] }
    const book = new AlarmBook(withRules({ hot, two }))
    const settled = (values: number[], time: number) =>
      book
        .settled(book.sample(sight(0, {}, values), false, at(time)), at(time))
        .map(({ about, status, cause = '' }) => `${about} ${status} ${cause}`.trim())
    expect(settled([0, 9], 1)).toEqual(['two active'])
    expect(settled([9, 9], 2)).toEqual(['hot active', 'two active suppressed'])
    expect(book.state('two').suppressed).toBe('hot')
    expect(settled([9, 9], 3)).toEqual([])
    expect(settled([0, 9], 4)).toEqual(['hot returned', 'two active no longer suppressed'])
    book.settled(book.sample(sight(0, {}, [9, 9]), false, at(5)), at(5))
    // Without the rule it is suppressed no more.
    const gone = book.settled(book.reconfigure(withRules({ hot, two: { ...two, suppressedBy: [] } }), at(6)), at(6))
    expect(gone).toMatchObject([{ about: 'two', cause: 'no longer suppressed' }])
  })

  it('does with an alarm what a person says, that about the level unless another is named', () => {
    const hot = { watch: 'range', channel: 'a', max: 5, latch: true } as const
    const book = new AlarmBook(withRules({ hot }))
    book.sample(sight(2, {}, [9, 0]), false, at(0))
    book.sample(sight(2, {}, [9, 0]), false, at(3_000))
    const act = (action: Parameters<AlarmBook['act']>[0]['action'], about?: string, more = {}) =>
      book.act({ action, by: 'eva', comment: action, ...(about && { about }), ...more }, at(4_000))
    expect(act('shelve', undefined, { seconds: 60, oneShot: true })).toMatchObject({
      ...{ number: 1, comment: 'shelve', cause: 'shelved' },
      shelved: { until: 64_000, oneShot: true, by: 'eva' },
    })
    expect(act('unshelve')).toMatchObject({ cause: 'unshelved', comment: 'unshelve' })
    expect(act('out-of-service', 'hot')).toMatchObject({ about: 'hot', outOfService: 'eva', comment: 'out-of-service' })
    expect(act('in-service', 'hot')).toMatchObject({ about: 'hot', cause: 'in service', comment: 'in-service' })
    book.sample(sight(2, {}, [1, 0]), false, at(5_000))
    expect(book.acknowledge({ about: 'hot', number: 1, by: 'eva' }, at(6_000)).status).toBe('latched')
    expect(act('reset', 'hot')).toMatchObject({ about: 'hot', status: 'normal', comment: 'reset' })
    expect(book.acknowledge({ number: 1, by: 'eva', comment: 'seen' }, at(7_000))).toMatchObject({
      ...{ status: 'acknowledged', acknowledgedBy: 'eva', comment: 'seen' },
    })
  })
})

describe('alarms in a snapshot', () => {
  it('come back as they were, each with all that is known of it', () => {
    const steps = [{ after: 1, tell: ['lead'] }]
    const hot: AlarmSetting = { watch: 'range', channel: 'a', max: 5, suppressedBy: ['cold'], realarmAfter: 99 }
    const cold: AlarmSetting = { watch: 'range', channel: 'b', max: 5, escalation: steps, raiseAfter: 1 }
    const configuration = withRules({ hot, cold, level: { escalation: steps } }, { stale: {} })
    const book = new AlarmBook(configuration)
    const check = () => {
      const again = new AlarmBook(configuration)
      restoreAlarms(again, JSON.parse(JSON.stringify(savedAlarms(book))))
      expect(again.all).toEqual(book.all)
      expect(again.rate).toEqual(book.rate)
    }
    const see = (time: number, ...values: number[]) => {
      book.settled(book.sample(sight(2, {}, values), false, at(time)), at(time))
      check()
    }
    check()
    see(1_000, 9, 0)
    see(4_000, 9, 9)
    see(8_000, 9, 9)
    book.tick(book.due(8_000, true), sight(2, {}, [9, 9]), at(9_500))
    check()
    book.acknowledge({ about: 'hot', number: 1, by: 'eva', comment: 'seen' }, at(9_600))
    book.acknowledge({ number: 1, by: 'eva' }, at(9_600))
    book.fall(1, 0.9, at(9_700))
    check()
    book.act({ about: 'accuracy', action: 'shelve', seconds: 5, oneShot: true, by: 'eva' }, at(9_800))
    book.act({ about: 'cold', action: 'out-of-service', by: 'ada' }, at(9_800))
    book.acknowledge({ about: 'accuracy', number: 1, by: 'eva' }, at(9_900))
    check()
    for (let i = 1; i < 12; i++) see(10_000 + i * 2_000, 0, 0)
    book.tick(book.due(32_000, true), sight(2), at(99_000))
    expect([book.state('stale').staleAfter, book.state('stale').status]).toEqual([12, 'active'])
    book.acknowledge({ about: 'stale', number: 1, by: 'max' }, at(99_500))
    check()
  })

  it('take no room where there is nothing to say', () => {
    const { stale: _, promises: __, ...silent } = CONFIGURATION
    expect(savedAlarms(new AlarmBook(silent))).toEqual({
      alarm: { status: 'normal', number: 0, level: 0, since: 0, above: null, below: null },
      ...{ accuracyAlarm: undefined, stale: undefined, alarms: undefined },
    })
    expect(Object.keys(savedAlarms(new AlarmBook(silent)).alarm)).not.toContain('acknowledgedBy')
    const watching = savedAlarms(new AlarmBook(CONFIGURATION))
    expect([watching.accuracyAlarm?.about, watching.stale?.alarm.about, watching.alarms]).toEqual([
      ...['accuracy', 'stale', undefined],
    ])
    restoreAlarms(new AlarmBook(silent), watching)
    const own = savedAlarms(new AlarmBook(withRules({ hot: { watch: 'drift' } })))
    expect(own.alarms).toEqual({ hot: { number: 0, status: 'normal', level: 0, since: 0, above: null, below: null } })
  })
})
