import { type Assessor, type BoundedAssessor, restoreAssessor, StuckChannels } from '@pb-oel/core'
import type { AssessmentBody, SystemEvent } from '@pb-oel/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeValues } from './complete-sample.ts'
import { configure } from './configure.ts'
import { Progress } from './progress.ts'
import { disagreement } from './recent-assessments.ts'
import { KEYS_KEPT } from './remembered-keys.ts'
import { SystemFold } from './system-fold.ts'
import { outcomeOf } from './tally.ts'

const small = {
  channels: ['a', 'b'],
  levels: ['ok', 'odd', 'bad'],
  method: 'pb-oel',
  options: { experts: 3, pending: 8 },
}
const newFold = () => new SystemFold('plant', configure('plant', { ...small, missing: 'hold' }))
const sample = (a: number, b: number, key?: string): SystemEvent => ({
  kind: 'sample',
  body: { values: [a, b], by: 'test', ...(key !== undefined && { key }) },
})

/** Commands that fit any state: samples, answers to one of the latest assessments, corrections, changes. */
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: -9, max: 9, noNaN: true })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      back: fc.integer({ min: 0, max: 10 }),
      kind: fc.constantFrom('confirm', 'reject', 'label'),
      level: fc.integer({ min: 0, max: 2 }),
      correction: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant('alarm') },
)

function run(
  fold: SystemFold,
  commands: readonly unknown[],
  onStep: (fold: SystemFold) => SystemFold = (same) => same,
): SystemFold {
  let current = fold
  commands.forEach((entry, i) => {
    let event: SystemEvent
    if (Array.isArray(entry)) event = sample(entry[0] + 0, entry[1] + 0, i % 3 === 0 ? `k${i}` : undefined)
    else if (entry === 'alarm')
      event = { kind: 'configuration', body: { change: { alarm: { level: 1, clearBelow: 1 } }, by: 'x' } }
    else {
      const { back, kind, level, correction } = entry as {
        back: number
        kind: 'label'
        level: number
        correction: boolean
      }
      const assessment = current.tally.samples - 1 - back
      const body = { assessment, kind, by: 'x', ...(kind === 'label' && { level }) }
      event = { kind: correction ? 'correction' : 'feedback', body }
    }
    const hash = current.stateHash()
    try {
      current.apply(event, 1000 * i)
    } catch {
      expect(current.stateHash()).toBe(hash)
    }
    current = onStep(current)
  })
  return current
}

describe('the fold of a system', () => {
  it('is the same after save and load at every step, and an event that fails changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const plain = run(newFold(), commands)
        const reloaded = run(newFold(), commands, (fold) => SystemFold.load(fold.save()))
        expect(reloaded.stateHash()).toBe(plain.stateHash())
      }),
      { numRuns: 25 },
    )
  })

  it('counts every answer once by its kind and once as right or wrong, and as open what a list would', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const fold = run(newFold(), commands)
        const { right, wrong, confirms, rejects, labels, answers } = fold.tally
        expect(right + wrong).toBe(answers)
        expect(confirms + rejects + labels).toBe(answers)
        const kept = fold.recent.list()
        expect(fold.recent.open).toBe(kept.filter(({ answer }) => !answer).length)
        expect(kept.length).toBe(Math.min(8, fold.tally.samples))
      }),
      { numRuns: 25 },
    )
  })

  it('corrects the recent accuracy too', () => {
    const fold = newFold()
    const [assessment] = fold.apply(sample(1, 2), 0)
    const { level } = assessment.body as { level: number }
    fold.apply({ kind: 'feedback', body: { assessment: 0, kind: 'confirm', by: 'x' } }, 1)
    expect(fold.tally.recentAccuracy).toBe(1)
    fold.apply({ kind: 'correction', body: { assessment: 0, kind: 'label', level: (level + 1) % 3, by: 'x' } }, 2)
    expect([fold.tally.recentAccuracy, fold.tally.accuracy, fold.tally.corrections]).toEqual([0, 0, 1])
  })

  it('remembers a bounded number of keys, the latest ones', () => {
    const fold = newFold()
    const use = (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        fold.apply({ kind: 'comment', body: { assessment: 0, text: 't', by: 'x', key: `k${i}` } as never }, i)
      }
    }
    use(0, KEYS_KEPT - 1)
    expect([fold.keys.oldest, fold.keys.behind(0).after]).toEqual([undefined, 0])
    use(KEYS_KEPT - 1, KEYS_KEPT)
    // The first record makes the system.
    expect([fold.keys.oldest, fold.keys.sequenceOf('k0')]).toEqual([2, 2])
    expect([fold.keys.behind(0).after, fold.keys.behind(0).keys.length]).toEqual([1, KEYS_KEPT])
    use(KEYS_KEPT, KEYS_KEPT + 5)
    expect(fold.keys.sequenceOf('k4')).toBeUndefined()
    expect([fold.keys.sequenceOf('k5'), fold.keys.oldest]).toEqual([7, 7])
    expect([fold.keys.behind(0).after, fold.keys.behind(0).keys[0]]).toEqual([6, ['k5', 7]])
    const { sequence } = fold
    expect(fold.keys.behind(sequence - 2)).toEqual({
      after: sequence - 2,
      keys: [
        [`k${KEYS_KEPT + 3}`, sequence - 1],
        [`k${KEYS_KEPT + 4}`, sequence],
      ],
    })
  })

  it('says that a method without theorems has no guarantee', () => {
    const fold = new SystemFold('x', configure('x', { channels: ['a'], levels: ['0', '1'], method: 'rvfl' }))
    expect(fold.model.guarantee()).toEqual({ applies: false, reason: 'method rvfl has no theorem' })
  })
})

describe('completeValues', () => {
  const { configuration } = newFold()

  it('takes numbers in order or by name, and never keeps a minus zero', () => {
    expect(completeValues(configuration, [1, -0], undefined)).toEqual({ values: [1, 0] })
    expect(completeValues(configuration, { b: 2, a: 1 }, undefined)).toEqual({ values: [1, 2] })
  })

  it('holds what is missing, says so, and never invents a zero', () => {
    expect(completeValues(configuration, { b: 2 }, [7, 8])).toEqual({ values: [7, 2], degraded: ['a'] })
    expect(completeValues(configuration, [null, 2], [7, 8])).toEqual({ values: [7, 2], degraded: ['a'] })
    expect(() => completeValues(configuration, { b: 2 }, undefined)).toThrow(
      'channel a has no value, and has no earlier value to hold',
    )
    expect(() => completeValues({ ...configuration, missing: 'reject' }, { b: 2 }, [7, 8])).toThrow(
      'refuses incomplete samples',
    )
    expect(() => completeValues(configuration, {}, [7, 8])).toThrow('no channel has a value')
    expect(() => completeValues(configuration, { a: 1, c: 2 }, undefined)).toThrow('there is no channel "c"')
    expect(() => completeValues(configuration, [1], undefined)).toThrow('expected 2 values, got 1')
    expect(() => completeValues(configuration, { ['__proto__']: 1 } as never, [1, 2])).toThrow()
    // The sample as a whole is at fault, not one of its channels.
    for (const given of [{}, { ['x'.repeat(70)]: 1 }, [1]]) {
      expect(() => completeValues(configuration, given, [7, 8])).toThrow(expect.objectContaining({ channel: -1 }))
    }
    const long = { ['x'.repeat(70)]: 1 }
    expect(() => completeValues(configuration, long, undefined)).toThrow(`there is no channel "${'x'.repeat(60)}"`)
  })

  it('refuses, cuts off or takes what is outside its range, as the range says, and limits are inside', () => {
    const ranges = { a: { min: 0, max: 10 }, b: { min: -5, max: 5, action: 'clip' as const } }
    const given = (values: number[], more: object = ranges) =>
      completeValues({ ...configuration, ranges: more as never }, values, undefined)
    for (const a of [0, 10]) expect(given([a, 5])).toEqual({ values: [a, 5] })
    expect(() => given([10.5, 0])).toThrow('sample: channel a is 10.5, outside its range of 0 to 10')
    expect(() => given([-0.5, 0])).toThrow('outside its range')
    expect(given([1, 9])).toEqual({ values: [1, 5], degraded: ['b'] })
    expect(given([1, -9])).toEqual({ values: [1, -5], degraded: ['b'] })
    expect(given([1, 9], { b: { max: 5, action: 'flag' } })).toEqual({ values: [1, 9], degraded: ['b'] })
    expect(given([1, -1e9], { b: { max: 5 } })).toEqual({ values: [1, -1e9] })
    expect(given([1, 1e9], { b: { min: 5 } })).toEqual({ values: [1, 1e9] })
    expect(given([-7, 1], { a: { min: -0, max: 0, action: 'clip' } })).toEqual({ values: [0, 1], degraded: ['a'] })
    // A channel may be called like something that every object has.
    const odd = { ...configuration, channels: ['constructor', 'b'], ranges: {} }
    expect(completeValues(odd, [1, 2], undefined)).toEqual({ values: [1, 2] })
    expect(() => completeValues(odd, { b: 2 }, undefined)).toThrow('channel constructor has no value')
  })

  it('names a channel that has stopped moving, once', () => {
    const stuck = new StuckChannels(2)
    for (let t = 0; t < 60; t++) stuck.feed([Math.cos(t), Math.sin(t)])
    for (let t = 60; t < 90; t++) stuck.feed([Math.cos(t), 7])
    expect(completeValues(configuration, [1, 7], undefined, stuck)).toEqual({ values: [1, 7], degraded: ['b'] })
    expect(completeValues(configuration, { a: 1 }, [1, 7], stuck)).toEqual({ values: [1, 7], degraded: ['b'] })
    expect(completeValues(configuration, [1, 8], undefined, stuck)).toEqual({ values: [1, 8] })
  })
})

describe('the review queue', () => {
  it('measures disagreement from none to an even spread', () => {
    expect(disagreement([1, 1, 1, 1], 3)).toBe(0)
    expect(disagreement([0, 1, 2], 3)).toBe(1)
    expect(disagreement([0, 0, 1, 1], 2)).toBe(1)
    // Three of four agree: the entropy of ¾ and ¼ in bits.
    expect(disagreement([0, 0, 0, 1], 2)).toBeCloseTo(0.75 * Math.log2(4 / 3) + 0.25 * 2, 12)
    expect(disagreement([2], 3)).toBe(0)
  })

  it('puts first what weighs most, and the weights decide what that is', () => {
    const { recent } = newFold()
    const base = { probabilities: [1, 0, 0], time: 0 }
    recent.add({
      ...base,
      probabilities: [0.5, 0.3, 0.2],
      assessment: 0,
      sequence: 2,
      level: 0,
      confidence: 0.1,
      experts: [0, 0, 0],
    })
    recent.add({ ...base, assessment: 1, sequence: 4, level: 0, confidence: 0.9, experts: [0, 1, 2] })
    recent.add({ ...base, assessment: 2, sequence: 6, level: 2, confidence: 0.9, experts: [2, 2, 2] })
    recent.add({ ...base, assessment: 3, sequence: 8, level: 0, confidence: 1, experts: [0, 0, 0] })
    const none = { uncertainty: 0, disagreement: 0, level: 0, freshness: 0 }
    const first = (weights: object) => recent.ranked({ ...none, ...weights }, 3)[0].recent.assessment
    expect(first({ uncertainty: 1 })).toBe(0)
    expect(first({ disagreement: 1 })).toBe(1)
    expect(first({ level: 1 })).toBe(2)
    expect(first({ freshness: 1 })).toBe(3)
    const [top] = recent.ranked({ uncertainty: 1, disagreement: 1, level: 0, freshness: 0 }, 3)
    expect(top.worth).toBeCloseTo((0 + 1) / 2, 12)
    recent.answer(top.recent, { kind: 'confirm', by: 'x', number: 0 })
    expect(recent.ranked(none, 3).map(({ recent }) => recent.assessment)).not.toContain(1)
    expect(recent.open).toBe(3)
  })
})

describe('a system that chooses what it asks', () => {
  const asking = () => new SystemFold('plant', configure('plant', { ...small, ask: { perThousand: 200 } }))

  it('learns with the recorded probability', () => {
    const fold = asking()
    const bytes = (assessor: Assessor) => Buffer.from(assessor.snapshot()).toString('base64')
    let answered = 0
    for (let t = 0; answered < 2; t++) {
      const copy = restoreAssessor(fold.model.assessor.snapshot()) as BoundedAssessor
      copy.assess(Float64Array.of(Math.sin(t), Math.cos(t)))
      const [{ body }] = fold.apply(sample(Math.sin(t), Math.cos(t)), t) as unknown as [{ body: AssessmentBody }]
      if (!body.asked) continue
      const { assessment, asked, level } = body
      // The account of regret knows with which probability it was asked.
      expect(bytes(copy)).not.toBe(bytes(fold.model.assessor))
      copy.noteCoin(assessment, { probability: asked.probability, asked: true })
      expect(bytes(copy)).toBe(bytes(fold.model.assessor))
      const after = (feedback: object) => {
        const copy = restoreAssessor(before)
        copy.learn(assessment, { kind: 'label', level, ...feedback })
        return bytes(copy)
      }
      const before = fold.model.assessor.snapshot()
      const [recorded, plain] = [after({ asked: asked.probability }), after({})]
      fold.apply({ kind: 'feedback', body: { assessment, kind: 'label', level, by: 'x' } }, t)
      expect(asked.probability).toBeLessThan(1)
      expect(bytes(fold.model.assessor)).toBe(recorded)
      expect(recorded).not.toBe(plain)
      answered++
    }
  })

  it('asks within its budget, and goes on the same from its saved state', () => {
    let fold = asking()
    let kept = 0
    for (let t = 0; t < 100; t++) {
      const [{ body }] = fold.apply(sample(Math.sin(t), Math.cos(t)), t) as unknown as [
        { body: { assessment: number; asked: unknown } },
      ]
      if (body.asked) {
        kept++
        const before = fold.stateHash()
        fold.apply({ kind: 'feedback', body: { assessment: body.assessment, kind: 'reject', by: 'x' } }, t)
        expect(fold.stateHash()).not.toBe(before)
      } else expect(body.asked).toBe(false)
      expect(fold.recent.open).toBe(0)
      const copy = SystemFold.load(fold.save())
      expect(copy.stateHash()).toBe(fold.stateHash())
      fold = copy
    }
    expect(kept).toBeGreaterThan(10)
    expect(kept).toBeLessThanOrEqual(21)
  })

  it('asks about everything again when told to, and refuses a rule that makes no sense unchanged', () => {
    const fold = asking()
    const change = (ask: object | null): SystemEvent => ({ kind: 'configuration', body: { change: { ask }, by: 'x' } })
    const before = fold.stateHash()
    expect(() => fold.apply(change({ perThousand: 0 }), 1)).toThrow('option perThousand')
    expect(fold.stateHash()).toBe(before)
    fold.apply(change(null), 1)
    expect(fold.configuration.ask).toBeUndefined()
    fold.apply(sample(1, 2), 2)
    expect(fold.recent.open).toBe(1)
  })
})

describe('the alarm of a system', () => {
  it('watches the most probable level, not the one drawn to learn', () => {
    const warmUp = Array.from({ length: 30 }, (_, i) => ({ x: [i % 3, i % 3], level: i % 3 }))
    // γ = 0.8: more than half of the assessed levels are drawn by chance.
    const options = { networks: 3, c: 1, horizon: 15, alpha: 1, restarts: false, rho: 0, warmUp }
    const given = { ...small, method: 'pb-oel', options, alarm: { level: 1, clearBelow: 1 } }
    const fold = new SystemFold('plant', configure('plant', given))
    const drawn: number[] = []
    const watch = (value: number, times: number) =>
      Array.from({ length: times }, (_, t) => fold.apply(sample(value, value), t)).flatMap((events) => {
        drawn.push((events[0].body as AssessmentBody).level)
        return events.filter(({ kind }) => kind === 'alarm')
      })
    expect(watch(0, 60)).toEqual([])
    expect(drawn.filter((level) => level > 0).length).toBeGreaterThan(10)
    expect(watch(2, 60)).toHaveLength(1)
    expect(drawn.slice(60).filter((level) => level === 0).length).toBeGreaterThan(5)
  })
})

describe('the progress of a system', () => {
  it('keeps every other point when there are more than 300, and takes half as many from then on', () => {
    const progress = new Progress()
    const observe = (from: number, to: number) => {
      for (let i = from; i < to; i++) progress.observe(() => ({ sequence: i }) as never)
    }
    observe(0, 300)
    expect([progress.points.length, progress.stride]).toEqual([300, 1])
    observe(300, 301)
    expect(progress.points.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 151 }, (_, i) => 2 * i))
    observe(301, 305)
    expect(progress.points.slice(151).map(({ sequence }) => sequence)).toEqual([302, 304])
  })

  it('covers its whole life with a bounded number of points, the first among them', () => {
    const fold = newFold()
    for (let t = 0; t < 1500; t++) {
      fold.apply(sample(t % 7, t % 3), t)
      fold.apply({ kind: 'feedback', body: { assessment: t, kind: 'label', level: t % 3, by: 'x' } }, t)
    }
    const { points } = fold.progress
    expect(points.length).toBeGreaterThan(150)
    expect(points.length).toBeLessThanOrEqual(300)
    expect(points[0].sequence).toBe(4)
    expect(new Set(points.slice(1).map(({ time }, i) => time - points[i].time))).toEqual(new Set([8]))
    const last = points[points.length - 1]
    expect(last.weights).toHaveLength(3)
    expect(last.accuracy).toBeGreaterThan(0)
    expect(last.ultimate).toBeGreaterThanOrEqual(last.bestExpertAccuracy as number)
  })
})

describe('outcomeOf', () => {
  it.each([
    ['confirm' as const, undefined, ['right', 'right', 'right']],
    ['reject' as const, undefined, ['miss', 'wrong', 'false alarm']],
    ['label' as const, 1, ['miss', 'right', 'false alarm']],
  ])('%s %s', (kind, level, outcomes) => {
    expect([0, 1, 2].map((assessed) => outcomeOf(assessed, 3, { kind, level }))).toEqual(outcomes)
  })

  it('counts follow a correction', () => {
    const fold = newFold()
    fold.apply(sample(1, 2), 1)
    const level = fold.recent.latest?.level as number
    const answer = (kind: 'feedback' | 'correction', named: number): SystemEvent => ({
      ...{ kind, body: { assessment: 0, kind: 'label', level: named, by: 'x' } },
    })
    fold.apply(answer('feedback', (level + 1) % 3), 2)
    expect(fold.tally.misses + fold.tally.falseAlarms).toBe(1)
    fold.apply(answer('correction', level), 3)
    expect([fold.tally.misses, fold.tally.falseAlarms, fold.tally.right]).toEqual([0, 0, 1])
  })
})
