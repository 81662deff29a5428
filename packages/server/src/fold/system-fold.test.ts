import { createHash } from 'node:crypto'
import { ANSWERS_PER_LEVEL, type Feedback } from '@pb-oel/core'
import type { AlarmChange, AssessmentBody, SystemEvent, SystemRequest } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { configure } from './configure.ts'
import { decodeState } from './saved-state.ts'
import { coin } from './second-opinion.ts'
import { SystemFold } from './system-fold.ts'

const PLANT: SystemRequest = {
  channels: ['a', 'b'],
  levels: ['safe', 'odd', 'unsafe'],
  method: 'majority',
  stale: null,
}

/** A system with what tests do to it; time passes by a second with each event. */
class Plant {
  fold: SystemFold
  time = 1_000_000

  constructor(given: Partial<SystemRequest> = {}, old: object = {}) {
    this.fold = new SystemFold('plant', { ...configure('plant', { ...PLANT, ...given }), ...old }, 1, this.time)
  }

  apply(event: SystemEvent, shown?: AssessmentBody): SystemEvent[] {
    this.time += 1_000
    return this.fold.apply(event, this.time, shown)
  }

  sample(a = 0, b = 0, more: object = {}): AssessmentBody {
    return this.apply({ kind: 'sample', body: { values: [a, b], by: 'sensor', ...more } })[0].body as AssessmentBody
  }

  answer(assessment: number, kind: 'confirm' | 'reject' | 'label', level?: number, by = 'eva'): SystemEvent[] {
    return this.apply({ kind: 'feedback', body: { assessment, kind, by, ...(level !== undefined && { level }) } })
  }

  correct(assessment: number, level: number): SystemEvent[] {
    return this.apply({ kind: 'correction', body: { assessment, kind: 'label', level, by: 'max' } })
  }

  /** Samples that are each told their level at once. */
  train(level: number, times: number, value = level): void {
    for (let i = 0; i < times; i++) this.answer(this.sample(value, i % 3).assessment, 'label', level)
  }

  change(change: object): SystemEvent[] {
    return this.apply({ kind: 'configuration', body: { change, by: 'ada' } })
  }

  stretch(from: number, to: number, level: number): number {
    const body = { from, to, kind: 'label' as const, level, answered: 0, by: 'eva' }
    const sequence = this.fold.sequence + 1
    expect(this.apply({ kind: 'stretch', body } as SystemEvent)).toEqual([])
    return sequence
  }

  /** The state that was saved and loaded, which must be the same. */
  reload(): SystemFold {
    const loaded = SystemFold.load(this.fold.save())
    expect(loaded.stateHash()).toBe(this.fold.stateHash())
    return loaded
  }
}

const alarmsOf = (events: readonly SystemEvent[]) =>
  events.filter(({ kind }) => kind === 'alarm').map(({ body }) => body as AlarmChange)

describe('places and times', () => {
  it('an input takes the next place, and what follows from it those behind', () => {
    const plant = new Plant({ alarms: { hot: { watch: 'range', channel: 'a', max: 5 } } })
    expect([plant.fold.sequence, plant.fold.time, plant.fold.heard]).toEqual([1, 1_000_000, null])
    const events = plant.apply({ kind: 'sample', body: { values: [9, 0], by: 'sensor' } })
    expect(events.map(({ kind }) => kind)).toEqual(['assessment', 'alarm'])
    expect([plant.fold.sequence, plant.fold.time, plant.fold.heard]).toEqual([4, 1_001_000, 1_001_000])
    expect(plant.fold.recent.latest).toMatchObject({ sequence: 2, time: 1_001_000, assessment: 0 })
    plant.fold.skip(1_005_000)
    expect([plant.fold.sequence, plant.fold.time, plant.fold.steady]).toEqual([5, 1_005_000, 1_005_000])
    expect(() => plant.apply({ kind: 'compaction', body: {} } as never)).toThrow('a compaction record is no input')
  })

  it('steady time is that of the records without the jumps that they tell of', () => {
    const plant = new Plant()
    const clock = (time: number, until: number, pace: number) =>
      plant.fold.apply({ kind: 'clock', body: { jump: 0, followed: true, pace, ahead: 0, until } } as never, time)
    // The clock was put forward by an hour: until then 5 s had passed.
    expect(clock(4_605_000, 1_005_000, 1)).toEqual([])
    expect([plant.fold.time, plant.fold.steady]).toEqual([4_605_000, 1_005_000])
    expect(plant.fold.steadyAt(4_606_000)).toBe(1_006_000)
    // It was put back: times go at half the speed, and steady time does not.
    clock(4_607_000, 4_607_000, 2)
    expect([plant.fold.steady, plant.fold.pace, plant.fold.steadyAt(4_608_000)]).toEqual([1_007_000, 2, 1_009_000])
    plant.fold.skip(4_608_000)
    expect(plant.fold.steady).toBe(1_009_000)
    plant.time = 4_608_000
    plant.sample()
    expect(plant.fold.heard).toBe(1_011_000)
    const loaded = plant.reload()
    expect([loaded.steady, loaded.pace, loaded.heard]).toEqual([1_011_000, 2, 1_011_000])
  })

  it('a snapshot speaks of steady time only where it differs', () => {
    const plant = new Plant()
    const saved = () => decodeState(plant.fold.save()).steadiness
    expect(saved()).toBeUndefined()
    plant.sample()
    plant.answer(0, 'confirm')
    expect(saved()).toBeUndefined()
    expect(SystemFold.load(plant.fold.save()).heard).toBe(1_001_000)
    expect(SystemFold.load(new Plant().fold.save()).heard).toBeNull()
    plant.fold.heard = 5
    expect(saved()).toEqual({ steady: 1_002_000, pace: 1, heard: 5 })
    plant.fold.heard = 1_001_000
    plant.fold.pace = 2
    expect(saved()).toMatchObject({ pace: 2 })
    plant.fold.pace = 1
    plant.fold.steady--
    expect(saved()).toMatchObject({ steady: 1_001_999 })
  })

  it('keys are known by the place of their record', () => {
    const plant = new Plant()
    plant.sample(0, 0, { key: 'k' })
    plant.sample()
    plant.sample(0, 0, { key: 'l' })
    expect([plant.fold.keys.sequenceOf('k'), plant.fold.keys.sequenceOf('l'), plant.fold.keys.sequenceOf('m')]).toEqual(
      [...[2, 6, undefined]],
    )
    expect(plant.fold.keys.oldest).toBeUndefined()
    expect(plant.reload().keys.sequenceOf('l')).toBe(6)
    expect(plant.fold.stateHash()).toBe(createHash('sha256').update(plant.fold.save()).digest('hex'))
  })
})

describe('an assessment', () => {
  it('says what the model and the promises say, and nothing that is not so', () => {
    const plant = new Plant()
    expect(plant.sample(1, 2)).toEqual({
      ...{ assessment: 0, level: expect.any(Number), probabilities: [1, 0, 0].map(() => expect.any(Number)) },
      ...{ confidence: expect.any(Number), rawConfidence: expect.any(Number), safeSide: expect.any(Number) },
      ...{ trained: false, experts: [expect.any(Number)] },
    })
    expect(plant.fold.lastValues).toEqual([1, 2])
    expect(plant.fold.recent.latest).not.toHaveProperty('redrawn')
    const bare = new Plant({ stuck: false }, { promises: undefined })
    expect(Object.keys(bare.sample())).toEqual(['assessment', 'level', 'probabilities', 'confidence', 'experts'])
    const asking = new Plant({ ask: { perThousand: 1000 }, novelty: {} })
    expect(asking.sample()).toMatchObject({ asked: { kind: 'verdict', probability: 1 }, novelty: { novel: false } })
    const seldom = new Plant({ ask: { perThousand: 0.001 } })
    expect(seldom.sample().asked).toBe(false)
  })

  it('of a degraded sample is kept as such until the next one is whole', () => {
    const plant = new Plant()
    expect(plant.fold.degraded).toEqual([])
    plant.sample(1, 2, { degraded: ['b'] })
    expect([plant.fold.degraded, plant.fold.recent.latest?.degraded, plant.fold.tally.degraded]).toEqual([
      ...[['b'], ['b'], 1],
    ])
    expect(plant.reload().degraded).toEqual(['b'])
    expect(plant.reload().recent.latest?.degraded).toEqual(['b'])
    plant.sample(1, 2)
    expect([plant.fold.degraded, plant.fold.recent.latest?.degraded, plant.fold.tally.degraded]).toEqual([
      ...[[], undefined, 1],
    ])
  })

  it('is trained once the level that was told has been told often enough, and alarms wait for that', () => {
    const plant = new Plant({ alarm: { level: 2 } })
    const next = () => plant.apply({ kind: 'sample', body: { values: [2, 0], by: 'sensor' } })
    plant.train(2, ANSWERS_PER_LEVEL - 1)
    const [before, ...early] = next()
    expect([plant.fold.model.trained, alarmsOf(early)]).toEqual([false, []])
    expect(before.body).toMatchObject({ level: 2, trained: false })
    plant.answer((before.body as AssessmentBody).assessment, 'label', 2)
    expect([plant.fold.model.trained, plant.fold.promisesReport()?.trained]).toEqual([true, true])
    const [after, ...events] = next()
    expect(after.body).toMatchObject({ level: 2, trained: true })
    expect(alarmsOf(events)).toMatchObject([{ status: 'active', level: 2 }])
    expect(new Plant({}, { promises: undefined }).fold.model.trained).toBe(true)
  })

  it('with drifts counts them and raises the alarm about drift', () => {
    const plant = new Plant({ method: 'rvfl-hddm-np', alarms: { change: { watch: 'drift' } } })
    let found: SystemEvent[] = []
    for (let i = 0; i < 900 && plant.fold.tally.drifts === 0; i++) {
      found = plant.apply({ kind: 'sample', body: { values: [i % 7, 0], by: 'sensor' } })
      plant.answer(i, 'label', i < 200 ? 0 : i % 3)
    }
    expect(plant.fold.tally.drifts).toBe(1)
    expect((found[0].body as AssessmentBody).drifts).toEqual([0])
    expect(alarmsOf(found)).toMatchObject([{ about: 'change', status: 'active' }])
  })
})

describe('what is promised', () => {
  it('is reported with what it depends on', () => {
    const plant = new Plant({ promises: { window: 60, missTarget: 0.02 } })
    plant.train(1, 3)
    const report = plant.fold.promisesReport()
    expect(report).toMatchObject({
      ...{ answersPerLevel: [0, 3, 0], answersNeeded: ANSWERS_PER_LEVEL, window: 60, missTarget: 0.02 },
      ...{ estimated: false, keptAccuracy: null, trained: false },
    })
    expect(report?.levels.map(({ weight }) => weight).reduce((a, b) => a + b)).toBeCloseTo(3, 12)
    expect(report?.reliability.length).toBeGreaterThan(1)
    expect(new Plant({ ask: {} }).fold.promisesReport()?.estimated).toBe(true)
    expect(new Plant({}, { promises: undefined }).fold.promisesReport()).toBeUndefined()
    const kept = new Plant({ promises: { target: 0.9 } })
    expect(kept.fold.promisesReport()?.keptAccuracy).toBe(0.9)
  })

  it('is an accuracy weighted by how seldom people are asked, and unknown before any answer', () => {
    const plant = new Plant({ ask: { perThousand: 500 } })
    expect(plant.fold.accuracy).toBeNull()
    let [right, all] = [0, 0]
    const stands: number[] = []
    for (let i = 0; i < 60; i++) {
      const { asked, assessment, level } = plant.sample(i, 0)
      if (!asked) continue
      plant.answer(assessment, 'label', i % 3)
      stands.push(1 / asked.probability)
      all += 1 / asked.probability
      if (level === i % 3) right += 1 / asked.probability
    }
    expect(all).toBeGreaterThan(20)
    expect(plant.fold.accuracy).toBeCloseTo(right / all, 10)
    expect(plant.fold.tally.recentAccuracy).toBeCloseTo(right / all, 10)
    expect(plant.fold.tally.weights).toEqual(stands)
    // An answer that nobody asked for stands for no sample.
    const weights = plant.fold.tally.weights?.length as number
    const open = plant.fold.recent.list().find(({ asked, answer }) => asked === false && !answer)
    plant.answer(open?.assessment as number, 'confirm')
    expect(plant.fold.tally.weights?.slice(weights)).toEqual([0])
    const old = new Plant({ ask: { perThousand: 500 } }, { promises: undefined })
    expect(old.fold.accuracy).toBeNull()
    for (let i = 0; i < 20; i++) old.answer(old.sample().assessment, i < 5 ? 'reject' : 'confirm')
    expect([old.fold.accuracy, old.fold.tally.weights]).toEqual([0.75, undefined])
  })

  it('is not an accuracy of answers that nobody asked for', () => {
    const plant = new Plant({ ask: { perThousand: 0.001 } })
    expect(plant.sample().asked).toBe(false)
    plant.answer(0, 'confirm')
    expect([plant.fold.accuracy, plant.fold.tally.accuracy]).toEqual([null, 1])
  })

  it('is a confidence that follows the answers, beside that of the model', () => {
    const plant = new Plant({ method: 'no-change' })
    plant.train(0, 1)
    for (let i = 0; i < 10; i++) plant.answer(plant.sample().assessment, 'reject')
    const { confidence, rawConfidence } = plant.sample()
    expect(confidence).toBeLessThan((rawConfidence as number) / 2)
  })

  it('is a guarantee where the method has one, with the experts behind it', () => {
    const { fold } = new Plant({ method: 'pb-oel', options: { experts: 3 } })
    expect(fold.model.guarantee()).toHaveProperty('bestExpertAccuracy')
    expect(fold.model.weights()).toHaveLength(3)
    expect(fold.model.weights()?.reduce((sum, one) => sum + one)).toBeCloseTo(1, 12)
    expect(fold.model.restarts()).toBe(0)
    const plain = new Plant().fold
    expect([plain.model.guarantee(), plain.model.weights(), plain.model.restarts()]).toEqual([
      ...[{ applies: false, reason: 'method majority has no theorem' }, undefined, undefined],
    ])
  })

  it('raises an alarm when accuracy falls, by an answer or by a stretch', () => {
    for (const by of ['answers', 'stretch'] as const) {
      const plant = new Plant({ promises: { target: 0.9, falseAlarmEvery: 100 }, method: 'no-change' })
      plant.train(0, 150)
      const first = plant.fold.tally.samples
      for (let i = 0; i < 60; i++) plant.sample(i, 0)
      let events: SystemEvent[] = []
      if (by === 'stretch') {
        const body = { from: first, to: first + 59, kind: 'reject' as const, answered: 60, by: 'eva' }
        events = plant.apply({ kind: 'stretch', body } as SystemEvent)
      } else for (let i = 0; i < 60; i++) events.push(...plant.answer(first + i, 'reject'))
      expect(alarmsOf(events)).toMatchObject([{ about: 'accuracy', status: 'active', keptAccuracy: 0.9, level: 0 }])
      expect(plant.fold.promisesReport()?.falls).toBeGreaterThanOrEqual(1)
      plant.reload()
    }
  })

  it('raises it also with a sample, when an answer has been waited for long enough', () => {
    const rules = { promises: { target: 0.9, falseAlarmEvery: 100 }, method: 'no-change', options: { pending: 120 } }
    const plant = new Plant(rules)
    plant.train(0, 50)
    plant.sample()
    const events: SystemEvent[] = []
    for (let i = 1; i < 120; i++) events.push(...plant.answer(plant.sample().assessment, 'reject'))
    expect(alarmsOf(events)).toEqual([])
    expect(alarmsOf(plant.apply({ kind: 'sample', body: { values: [0, 0], by: 'sensor' } }))).toMatchObject([
      { about: 'accuracy', status: 'active', keptAccuracy: 0.9 },
    ])
  })
})

describe('answers', () => {
  it('are counted by kind, outcome and time, and a correction replaces', () => {
    const plant = new Plant()
    plant.train(1, 3)
    const { level, assessment } = plant.sample()
    expect(() => plant.answer(99, 'confirm')).toThrow('never made, or no longer kept')
    plant.answer(assessment, 'reject')
    expect(() => plant.answer(assessment, 'confirm')).toThrow('already')
    expect(plant.fold.recent.get(assessment)?.answer).toEqual({ kind: 'reject', by: 'eva', number: 3 })
    plant.correct(assessment, level)
    expect(plant.fold.recent.get(assessment)?.answer).toEqual({ kind: 'label', level, by: 'max', number: 3 })
    expect(plant.fold.tally).toMatchObject({ answers: 4, labels: 3, rejects: 1, corrections: 1 })
    expect(plant.fold.progress.points.map(({ sequence, time }) => [sequence, time])).toEqual([
      ...[
        [4, 1_002_000],
        [7, 1_004_000],
        [10, 1_006_000],
        [13, 1_008_000 + 1_000],
        [14, 1_011_000],
      ],
    ])
    plant.reload()
  })

  it('move the model, and a point of progress says where it is', () => {
    const plant = new Plant({ method: 'pb-oel', options: { experts: 3 } })
    plant.train(1, 1)
    const [point] = plant.fold.progress.points
    const { ultimate, bestExpertAccuracy, applies } = plant.fold.model.guarantee()
    expect(point).toMatchObject({ sequence: 4, time: 1_002_000, bestExpertAccuracy, applies, restarts: 0 })
    expect(point.ultimate).toBe(ultimate)
    expect(point.accuracy).toBe(plant.fold.accuracy)
    expect(point.recentAccuracy).toBe(plant.fold.tally.recentAccuracy)
    expect(point.certified).toBe(plant.fold.model.promises?.certify().certified)
    const exact = plant.fold.model.weights() as number[]
    point.weights?.forEach((weight, i) => {
      expect(Math.abs(weight - exact[i])).toBeLessThanOrEqual(5e-5)
      expect(weight * 1e4).toBeCloseTo(Math.round(weight * 1e4), 6)
    })
    plant.stretch(0, 0, 1)
    expect(plant.fold.progress.points).toHaveLength(2)
  })

  it('that a second person is asked about are chosen by the coin, not those that came with their sample', () => {
    const plant = new Plant({ review: { secondOpinion: 1 } })
    const { assessment } = plant.sample()
    plant.fold.apply({ kind: 'feedback', body: { assessment, kind: 'confirm', by: 'sensor' } }, plant.time)
    expect(plant.fold.recent.get(0)?.second).toBeUndefined()
    plant.sample()
    plant.answer(1, 'confirm')
    expect(plant.fold.recent.get(1)?.second).toBe('wanted')
    expect(plant.fold.recent.oldestOpen?.assessment).toBe(1)
    expect(plant.reload().recent.get(1)?.second).toBe('wanted')
    plant.sample()
    plant.fold.exclude({ from: 2, to: 2 })
    plant.answer(2, 'confirm')
    expect(plant.fold.recent.get(2)?.second).toBeUndefined()
    // Who has given one is not asked again when the first answer is corrected.
    const opinion = { assessment: 1, kind: 'confirm', of: 'eva', compared: 'verdict', agrees: true, by: 'max' }
    plant.apply({ kind: 'second-opinion', body: opinion } as never)
    plant.correct(1, 2)
    expect(plant.fold.recent.get(1)?.second).toEqual({ by: 'max' })
  })

  it('that a second person is asked about are as many as the system says', () => {
    const never = new Plant({ review: { secondOpinion: 0 } })
    never.train(0, 3)
    expect(never.fold.recent.list().some(({ second }) => second)).toBe(false)
    const some = new Plant({ review: { secondOpinion: 0.5 } })
    some.train(0, 100)
    const chosen = some.fold.recent.list().filter(({ second }) => second === 'wanted').length
    expect(chosen).toBeGreaterThan(30)
    expect(chosen).toBeLessThan(70)
  })

  it('of people who are often contradicted teach less, where the system looks at that', () => {
    const learned = (trust: boolean) => {
      const plant = new Plant({ review: { trust } })
      for (let i = 0; i < 200; i++) {
        const { assessment } = plant.sample()
        const opinion = { assessment, kind: 'label', level: 0, of: 'bob', compared: 'level', agrees: false, by: 'eva' }
        plant.apply({ kind: 'second-opinion', body: opinion } as never)
        const other = { ...opinion, of: 'ann', agrees: true }
        plant.apply({ kind: 'second-opinion', body: other } as never)
      }
      const before = plant.fold.model.assessor.snapshot()
      let taught = 0
      for (let i = 0; i < 30; i++) {
        const { assessment } = plant.sample()
        plant.answer(assessment, 'label', 2, 'bob')
        if (!plant.fold.recent.get(assessment)?.untold) taught++
      }
      expect(plant.fold.model.assessor.snapshot()).not.toEqual(before)
      expect(plant.fold.tally.secondOpinions).toBe(400)
      expect(plant.reload().reviewers.list()).toEqual(plant.fold.reviewers.list())
      expect(plant.fold.reviewers.list().map(({ a, b, agreed, differed }) => [a, b, agreed, differed])).toEqual([
        ['bob', 'eva', 0, 200],
        ['ann', 'eva', 200, 0],
      ])
      return taught
    }
    expect(learned(false)).toBe(30)
    expect(learned(true)).toBeLessThan(15)
  })

  it('teach by another coin than the one that asks for second opinions', () => {
    const plant = new Plant({ review: { trust: true, secondOpinion: 0.5 } })
    const opinion = { kind: 'label', level: 0, compared: 'level' }
    for (let i = 0; i < 40; i++) {
      const { assessment } = plant.sample()
      const said = i < 20 ? { of: 'ann', agrees: true } : { of: 'bob', agrees: i % 3 > 0 }
      plant.apply({ kind: 'second-opinion', body: { ...opinion, ...said, assessment, by: 'eva' } } as never)
    }
    const trust = plant.fold.reviewers.trustIn('bob', 3)
    expect(Math.abs(trust - 0.5)).toBeLessThan(0.25)
    const kinds = new Set<string>()
    for (let i = 0; i < 60; i++) {
      const { assessment } = plant.sample()
      plant.answer(assessment, 'label', 2, 'bob')
      const { untold, second } = plant.fold.recent.get(assessment) ?? {}
      expect(untold === undefined).toBe(coin(plant.fold.configuration.seed, 'trust', assessment) < trust)
      kinds.add(`${untold ? 'untold' : 'told'}, ${second ? 'asked again' : 'not asked again'}`)
    }
    expect([...kinds].sort()).toEqual([
      ...['told, asked again', 'told, not asked again', 'untold, asked again', 'untold, not asked again'],
    ])
  })

  it('of people of whom nothing is known all teach, one by one and as a stretch, also where no promises are kept', () => {
    const plant = new Plant({ review: { trust: true } }, { promises: undefined })
    for (let i = 0; i < 3; i++) plant.sample()
    expect(plant.answer(0, 'label', 1)).toEqual([])
    const sequence = plant.stretch(1, 1, 1)
    expect(plant.fold.recent.list().map(({ untold }) => untold)).toEqual([undefined, undefined, undefined])
    const other = new Plant({}, { promises: undefined })
    for (let i = 0; i < 3; i++) other.sample()
    for (let i = 0; i < 2; i++) other.answer(i, 'label', 1)
    expect(Buffer.from(plant.fold.model.assessor.snapshot())).toEqual(Buffer.from(other.fold.model.assessor.snapshot()))
    plant.apply({ kind: 'withdrawal', body: { stretch: sequence, answered: 1, by: 'eva' } } as SystemEvent)
    expect(plant.fold.recent.get(1)?.answer).toBeUndefined()
  })

  it('that confirm tell as much about novelty as a label', () => {
    const [plant, other] = [new Plant({ novelty: {} }), new Plant({ novelty: {} })]
    const { assessment, level } = plant.sample(1, 2)
    other.sample(1, 2)
    plant.answer(assessment, 'confirm')
    other.answer(assessment, 'label', level)
    const [mine, its] = [plant, other].map(({ fold }) => Buffer.from(fold.model.novelty?.snapshot() as Uint8Array))
    expect(mine).toEqual(its)
  })

  it('that were not told to the model are told as first ones when they are corrected', () => {
    const plant = new Plant({ method: 'no-change' })
    const other = new Plant({ method: 'no-change' })
    for (const one of [plant, other]) one.sample()
    const sequence = plant.fold.sequence + 1
    plant.fold.leaveOut(sequence)
    plant.stretch(0, 0, 1)
    expect(plant.fold.recent.get(0)).toMatchObject({ untold: true, answer: { stretch: sequence, level: 1 } })
    expect(Buffer.from(plant.fold.model.assessor.snapshot())).toEqual(Buffer.from(other.fold.model.assessor.snapshot()))
    expect(plant.reload().recent.get(0)?.untold).toBe(true)
    const told: Feedback[] = []
    const { assessor } = plant.fold.model
    const learn = assessor.learn.bind(assessor)
    assessor.learn = (id, feedback) => {
      told.push(feedback)
      learn(id, feedback)
    }
    plant.correct(0, 2)
    expect(told).toEqual([{ kind: 'label', level: 2, correction: false }])
    other.answer(0, 'label', 2)
    expect(plant.fold.recent.get(0)?.untold).toBeUndefined()
    expect(Buffer.from(plant.fold.model.assessor.snapshot())).toEqual(Buffer.from(other.fold.model.assessor.snapshot()))
  })
})

describe('what people say that teaches nothing', () => {
  it('is kept with the assessment or with the system, and survives a restart', () => {
    const plant = new Plant()
    for (let i = 0; i < 3; i++) plant.sample()
    const model = Buffer.from(plant.fold.model.assessor.snapshot())
    const say = (kind: string, body: object) => plant.apply({ kind, body: { by: 'eva', ...body } } as never)
    expect(say('abstention', { assessment: 0 })).toEqual([])
    say('abstention', { assessment: 0, by: 'max' })
    say('comment', { assessment: 77, text: 'odd noise' })
    say('assignment', { assessment: 1, to: 'max' })
    say('assignment', { assessment: 2, to: 'max' })
    say('assignment', { assessment: 2, to: null })
    say('assignment', { to: 'team' })
    say('second-opinion', { assessment: 1, kind: 'confirm', of: 'ada', compared: 'verdict', agrees: true })
    for (const fold of [plant.fold, plant.reload()]) {
      expect(fold.recent.get(0)?.abstained).toEqual(['eva', 'max'])
      expect([fold.recent.get(1)?.assignedTo, fold.recent.get(2)?.assignedTo, fold.assignedTo]).toEqual([
        ...['max', undefined, 'team'],
      ])
      expect(fold.recent.get(1)?.second).toEqual({ by: 'eva' })
      expect([fold.tally.abstentions, fold.tally.secondOpinions]).toEqual([2, 1])
      expect(fold.reviewers.list()).toEqual([{ a: 'ada', b: 'eva', compared: 'verdict', agreed: 1, differed: 0 }])
    }
    expect(Buffer.from(plant.fold.model.assessor.snapshot())).toEqual(model)
    say('assignment', { to: null })
    expect(plant.fold.assignedTo).toBeUndefined()
    for (const kind of ['abstention', 'assignment', 'second-opinion']) {
      expect(() => say(kind, { assessment: 77, to: 'max' })).toThrow('never made, or no longer kept')
    }
    const fresh = new Plant().fold
    expect([decodeState(fresh.save()).pairs, decodeState(fresh.save()).assignedTo]).toEqual([undefined, undefined])
  })
})

describe('a stretch', () => {
  it('that is taken back leaves counts and promises as they were, and its samples open', () => {
    const plant = new Plant()
    plant.train(0, 6)
    for (let i = 0; i < 10; i++) plant.sample()
    plant.answer(8, 'label', 1)
    const counts = () => {
      const { right, wrong, labels, misses, falseAlarms } = plant.fold.tally
      return { right, wrong, labels, misses, falseAlarms }
    }
    const before = [counts(), plant.fold.accuracy, plant.fold.recent.open, plant.fold.tally.recentAccuracy]
    const sequence = plant.stretch(6, 15, 2)
    expect(plant.fold.tally.labels).toBe(16)
    expect(plant.fold.recent.get(7)?.answer).toMatchObject({ kind: 'label', level: 2, by: 'eva', stretch: sequence })
    const points = plant.fold.progress.points.length
    const withdrawal = { kind: 'withdrawal', body: { stretch: sequence, answered: 9, by: 'eva' } } as SystemEvent
    expect(plant.apply(withdrawal)).toEqual([])
    expect([counts(), plant.fold.accuracy, plant.fold.recent.open, plant.fold.tally.recentAccuracy]).toEqual(before)
    expect(plant.fold.progress.points.length).toBe(points + 1)
    expect(plant.fold.recent.get(8)?.answer?.level).toBe(1)
    expect(plant.fold.recent.get(7)).toMatchObject({ withdrawn: true })
    expect(plant.reload().recent.get(7)).toMatchObject({ withdrawn: true })
    // The model is made anew. Then it can be answered again, and counts once.
    const anew = new Plant()
    anew.train(0, 6)
    for (let i = 0; i < 10; i++) anew.sample()
    plant.fold.model.assessor = anew.fold.model.assessor
    plant.answer(7, 'label', 0)
    expect(plant.fold.recent.get(7)?.withdrawn).toBeUndefined()
    expect(plant.fold.tally.labels).toBe(8)
    plant.reload()
  })
})

describe('what the model has forgotten', () => {
  it('is numbered on by people and not by the model', () => {
    const plant = new Plant({ method: 'no-change' })
    plant.train(0, 5)
    plant.fold.exclude({ from: 1, to: 2 })
    expect(plant.fold.model.forgotten).toBe(2)
    expect(plant.fold.recent.get(1)?.excluded).toBe(true)
    expect(plant.reload().model.forgotten).toBe(2)
    expect(plant.reload().recent.list()).toEqual(plant.fold.recent.list())
    // A run that never saw them.
    const other = new Plant({ method: 'no-change' })
    other.train(0, 3)
    plant.fold.adopt(other.fold)
    expect(plant.fold.model.assessor).toBe(other.fold.model.assessor)
    expect(plant.fold.recent).toBe(other.fold.recent)
    expect(plant.sample().assessment).toBe(5)
    plant.answer(5, 'label', 2)
    expect(plant.sample().probabilities[2]).toBeGreaterThan(0.9)
    const exclusion = { from: 0, to: 0, first: 2, why: 'test', by: 'ada' }
    expect(plant.apply({ kind: 'exclusion', body: exclusion } as SystemEvent)).toEqual([])
    expect(plant.fold.model.forgotten).toBe(3)
  })

  it('raises no alarm: what its last sample did to a channel stays undecided', () => {
    const hot = { watch: 'range', channel: 'a', max: 5, raiseAfter: 3 } as const
    const plant = new Plant({ alarms: { hot } })
    plant.sample(9, 0)
    plant.fold.exclude({ from: 0, to: 0 })
    plant.fold.adopt(new Plant().fold)
    const { due } = plant.fold
    expect(due).toHaveLength(1)
    plant.time += 9_000
    expect(plant.apply({ kind: 'tick', body: { due: ['hot'] } })).toEqual([])
    expect(plant.fold.due).toEqual(due)
  })

  it('is shown as it was when a log is run again, and the model sees only the rest', () => {
    const plant = new Plant({ method: 'majority', novelty: {} })
    const shown = { ...plant.sample(1, 1), level: 2 }
    const again = new Plant({ method: 'majority', novelty: {} })
    again.fold.exclude({ from: 1, to: 1 })
    const sample = (values: number[]): SystemEvent => ({ kind: 'sample', body: { values, by: 'sensor' } })
    expect(again.apply(sample([1, 1]), shown)[0].body).toMatchObject({ assessment: 0, level: 2 })
    expect(again.fold.recent.get(0)?.redrawn).toBe(plant.fold.recent.get(0)?.level === 2 ? undefined : 0)
    const before = Buffer.from(again.fold.model.assessor.snapshot())
    again.apply(sample([9, 9]), { ...shown, assessment: 1, novelty: { novel: true, score: 0.5 } as never })
    expect(again.fold.recent.get(1)).toMatchObject({ novelty: { novel: true } })
    expect(again.fold.recent.get(1)?.redrawn).toBeUndefined()
    // People are asked about it until the record that excludes it.
    expect(again.fold.recent.get(1)?.excluded).toBeUndefined()
    expect(Buffer.from(again.fold.model.assessor.snapshot())).toEqual(before)
    expect(again.fold.lastValues).toEqual([1, 1])
    expect(again.reload().recent.list()).toEqual(again.fold.recent.list())
    // Nor does its account of regret hear of it.
    const asking = new Plant({ method: 'pb-oel', options: { experts: 2 }, ask: { perThousand: 1000 } })
    asking.fold.exclude({ from: 0, to: 0 })
    asking.apply(sample([1, 1]), { ...shown, experts: [0, 0] })
    expect(asking.fold.lastValues).toBeUndefined()
    // Nothing is told of what was not seen, and it counts all the same.
    again.answer(1, 'label', 0)
    expect(Buffer.from(again.fold.model.assessor.snapshot())).toEqual(before)
    expect(again.fold.tally.labels).toBe(1)
    again.answer(0, 'confirm')
    expect(Buffer.from(again.fold.model.assessor.snapshot())).not.toEqual(before)
  })
})

describe('a change of the configuration', () => {
  it('of asking, promising, novelty or stuck channels takes effect, and what was learned stays', () => {
    const plant = new Plant({ novelty: { falseAlarmEvery: 100 } })
    plant.train(0, 8)
    const { novelty, promises, stuck } = plant.fold.model
    const told = plant.fold.promisesReport()?.answersPerLevel
    plant.change({ title: 'other' })
    const stays = [
      plant.fold.model.novelty === novelty,
      plant.fold.model.promises === promises,
      plant.fold.model.estimated,
    ]
    expect([...stays, plant.fold.model.stuck === stuck]).toEqual([true, true, false, true])
    plant.change({ ask: { perThousand: 10 } })
    expect(plant.fold.model.estimated).toBe(true)
    expect(plant.fold.model.promises === promises).toBe(false)
    expect(plant.fold.promisesReport()?.answersPerLevel).toEqual(told)
    plant.change({ ask: null })
    expect(plant.fold.model.estimated).toBe(false)
    const before = plant.fold.model.promises
    plant.change({ promises: { target: 0.9 } })
    expect(plant.fold.model.promises === before).toBe(false)
    expect(plant.fold.promisesReport()?.keptAccuracy).toBe(0.9)
    plant.change({ novelty: { falseAlarmEvery: 50 } })
    expect(plant.fold.model.novelty === novelty).toBe(false)
    expect(plant.sample(0, 1).novelty?.novel).toBe(false)
    plant.change({ novelty: null })
    expect([plant.fold.model.novelty, plant.sample().novelty]).toEqual([undefined, undefined])
    plant.change({ novelty: {} })
    expect(plant.fold.model.novelty).toBeDefined()
    expect(plant.fold.model.stuck).toBeDefined()
    plant.change({ stuck: false })
    expect(plant.fold.model.stuck).toBeUndefined()
    plant.reload()
    const old = new Plant({}, { promises: undefined })
    old.change({ ask: { perThousand: 500 } })
    expect(old.fold.model.promises).toBeUndefined()
    for (let i = 0; i < 5; i++) old.sample()
    const asker = () => Buffer.from(decodeState(old.fold.save()).asker as Uint8Array)
    const earlier = asker()
    old.change({ title: 'other' })
    expect(asker()).toEqual(earlier)
  })

  it('of the rules ends the alarms of those that are gone', () => {
    const hot = { watch: 'range', channel: 'a', max: 5 } as const
    const plant = new Plant({ alarms: { hot } })
    plant.sample(9, 0)
    expect(alarmsOf(plant.change({ alarms: { hot: null } }))).toMatchObject([{ about: 'hot', cause: 'rule removed' }])
  })
})

describe('a channel that is added', () => {
  it('makes model and promises anew, and keeps numbers, counts and the latest values', () => {
    const plant = new Plant({ alarms: { hot: { watch: 'range', channel: 'a', max: 5 } }, novelty: {} })
    plant.train(1, 6)
    plant.fold.exclude({ from: 0, to: 0 })
    const { stuck } = plant.fold.model
    const channel = { name: 'c', usual: 7, warmUp: [{ x: [1, 2, 7], level: 1 }], by: 'ada' }
    expect(plant.apply({ kind: 'channel', body: channel } as SystemEvent)).toEqual([])
    const { fold } = plant
    expect([fold.model.assessor.channels, fold.configuration.channels]).toEqual([3, ['a', 'b', 'c']])
    expect([fold.model.firstAssessment, fold.model.excluded, fold.recent.list(), fold.lastValues]).toEqual([
      6,
      [],
      [],
      [1, 2, 7],
    ])
    expect([fold.model.stuck === stuck, fold.tally.samples, fold.promisesReport()?.answersPerLevel]).toEqual([
      ...[false, 6, [0, 1, 0]],
    ])
    const next = plant.apply({ kind: 'sample', body: { values: [1, 2, 3], by: 'sensor' } })[0].body
    expect((next as AssessmentBody).assessment).toBe(6)
    plant.answer(6, 'confirm')
    expect(plant.reload().model.firstAssessment).toBe(6)
    // A stretch about the new model can be taken back, too.
    plant.apply({ kind: 'sample', body: { values: [1, 2, 3], by: 'sensor' } })
    const { accuracy } = fold
    const sequence = plant.stretch(7, 7, 2)
    expect(fold.accuracy).not.toBe(accuracy)
    plant.apply({ kind: 'withdrawal', body: { stretch: sequence, answered: 1, by: 'eva' } } as SystemEvent)
    expect(fold.accuracy).toBe(accuracy)
    expect(() => plant.answer(5, 'confirm')).toThrow('never made, or no longer kept')
    const hash = fold.stateHash()
    expect(() => plant.apply({ kind: 'channel', body: channel } as SystemEvent)).toThrow('no other channel')
    expect(fold.stateHash()).toBe(hash)
    const empty = new Plant({}, { promises: undefined })
    empty.apply({ kind: 'channel', body: channel } as SystemEvent)
    expect([empty.fold.lastValues, empty.fold.model.promises]).toEqual([undefined, undefined])
  })
})

describe('a level that is added', () => {
  it('leaves what was learned, asked and promised', () => {
    const plant = new Plant({ method: 'pb-oel', options: { experts: 2 }, novelty: {} })
    plant.train(1, 6)
    plant.sample()
    const told = plant.fold.promisesReport()?.answersPerLevel as number[]
    expect(plant.apply({ kind: 'level', body: { name: 'lost', by: 'ada' } })).toEqual([])
    expect([plant.fold.model.assessor.levels, plant.fold.configuration.levels.at(-1), plant.fold.recent.open]).toEqual([
      ...[4, 'lost', 1],
    ])
    expect(plant.fold.promisesReport()?.answersPerLevel).toEqual([...told, 0])
    plant.answer(6, 'label', 3)
    plant.sample(5, 5)
    plant.reload()
    const bare = new Plant({ method: 'pb-oel', options: { experts: 2 } }, { promises: undefined })
    bare.apply({ kind: 'level', body: { name: 'lost', by: 'ada' } })
    expect(bare.fold.model.promises).toBeUndefined()
  })
})

describe('alarms', () => {
  it('come by time where a record says so, no earlier and no others', () => {
    const hot = { watch: 'range', channel: 'a', max: 5, raiseAfter: 3 } as const
    const cold = { watch: 'range', channel: 'b', max: 5, raiseAfter: 3 } as const
    const plant = new Plant({ alarms: { hot, cold } })
    plant.sample(9, 9)
    const tick = (...due: string[]) => alarmsOf(plant.apply({ kind: 'tick', body: { due } }))
    expect(plant.fold.due.map(({ alarm, at }) => [alarm, at])).toEqual([
      ['hot', 1_004_000],
      ['cold', 1_004_000],
    ])
    expect(tick('hot')).toEqual([])
    plant.time += 1_000
    expect(tick('cold')).toMatchObject([{ about: 'cold', status: 'active', level: 0 }])
    expect(tick('hot')).toMatchObject([{ about: 'hot', status: 'active' }])
    expect(plant.fold.due).toEqual([])
  })

  it('are handled by people', () => {
    const plant = new Plant({ alarms: { hot: { watch: 'range', channel: 'a', max: 5 } } })
    plant.sample(9, 0)
    const shelve = { about: 'hot', action: 'shelve', seconds: 9, by: 'eva' } as const
    expect(alarmsOf(plant.apply({ kind: 'alarm-action', body: shelve }))).toMatchObject([{ cause: 'shelved' }])
    const seen = { about: 'hot', number: 1, by: 'eva' }
    expect(alarmsOf(plant.apply({ kind: 'acknowledgement', body: seen }))).toMatchObject([{ status: 'acknowledged' }])
    plant.reload()
  })

  it('before any sample see nothing, and after one the most probable level', () => {
    const plant = new Plant({ stale: { after: 5 }, alarm: { level: 2, raiseAfter: 1e6 } })
    expect(plant.fold.due).toEqual([])
    plant.train(2, 6)
    expect(plant.apply({ kind: 'tick', body: { due: ['stale'] } })).toEqual([])
    plant.time += 9_000
    expect(alarmsOf(plant.apply({ kind: 'tick', body: { due: ['stale'] } }))).toMatchObject([
      { about: 'stale', status: 'active', level: 2, staleAfter: 5 },
    ])
  })
})

describe('a clone', () => {
  it('knows what was learned, counted and promised, and has no questions, keys, alarms or latest sample', () => {
    const plant = new Plant({
      ...{ options: { pending: 16 }, ask: { perThousand: 900 }, novelty: {} },
      alarms: { hot: { watch: 'range', channel: 'a', max: 5 } },
    })
    plant.train(1, 8)
    plant.sample(9, 0, { key: 'k' })
    const body = { assessment: 8, kind: 'confirm', of: 'ada', compared: 'verdict', agrees: true, by: 'eva' }
    plant.apply({ kind: 'second-opinion', body } as never)
    plant.fold.exclude({ from: 0, to: 1 })
    plant.fold.model.firstAssessment = 3
    const clone = plant.fold.cloned('copy', plant.fold.configuration, 77)
    expect([clone.id, clone.sequence, clone.time, clone.model.firstAssessment]).toEqual(['copy', 1, 77, 3])
    expect([clone.model.excluded, clone.tally, clone.reviewers.list()]).toEqual([
      ...[[[0, 1]], plant.fold.tally, plant.fold.reviewers.list()],
    ])
    expect(clone.tally.recent).not.toBe(plant.fold.tally.recent)
    expect(clone.model.assessor).not.toBe(plant.fold.model.assessor)
    expect([clone.recent.list(), clone.keys.sequenceOf('k'), clone.lastValues]).toEqual([[], undefined, undefined])
    expect(clone.alarms.state('hot').number).toBe(0)
    const [mine, its] = [plant.fold, clone].map((fold) => decodeState(fold.save()))
    for (const part of ['asker', 'promises', 'novelty', 'assessor'] as const) {
      expect(Buffer.from(its[part] as Uint8Array)).toEqual(Buffer.from(mine[part] as Uint8Array))
    }
    const plain = new Plant({ stuck: false }, { promises: undefined })
    expect(plain.fold.cloned('copy', plain.fold.configuration, 1).tally.samples).toBe(0)
    // It may ask where its original does not, and the other way round.
    expect(plain.fold.cloned('copy', plant.fold.configuration, 1).model.estimated).toBe(true)
    expect(plant.fold.cloned('copy', plain.fold.configuration, 1).model.estimated).toBe(false)
  })
})

describe('a saved state', () => {
  it('brings back every part, and goes on alike', () => {
    const plant = new Plant({
      ...{ method: 'pb-oel', options: { experts: 2, pending: 32 }, ask: { perThousand: 900 }, novelty: {}, stale: {} },
      alarms: { hot: { watch: 'range', channel: 'a', max: 5, escalation: [{ after: 1, tell: ['lead'] }] } },
    })
    for (let i = 0; i < 20; i++) {
      const { assessment } = plant.sample(i % 9, i % 2, { key: `k${i}` })
      if (i % 2) plant.answer(assessment, 'label', i % 3)
    }
    plant.time += 5_000
    plant.apply({ kind: 'tick', body: { due: ['hot/later'] } })
    const loaded = plant.reload()
    const parts = (fold: SystemFold) => [
      ...[fold.id, fold.sequence, fold.time, fold.steady, fold.heard, fold.configuration, fold.lastValues],
      ...[fold.tally, fold.progress, fold.recent.list(), fold.recent.open, fold.alarms.all, fold.alarms.rate],
      ...[
        fold.accuracy,
        fold.model.trained,
        fold.model.guarantee(),
        fold.model.weights(),
        fold.due,
        fold.promisesReport(),
      ],
    ]
    expect(parts(loaded)).toEqual(parts(plant.fold))
    const next = (fold: SystemFold, i: number) =>
      fold.apply({ kind: 'sample', body: { values: [i, i % 4], by: 'sensor' } }, plant.time + 1_000 * i)
    for (let i = 1; i < 30; i++) expect(next(loaded, i)).toEqual(next(plant.fold, i))
    expect(loaded.stateHash()).toBe(plant.fold.stateHash())
    const plain = new Plant({ stuck: false }, { promises: undefined })
    const bare = decodeState(plain.fold.save())
    for (const part of ['asker', 'promises', 'novelty', 'stuck', 'excluded', 'firstAssessment'] as const) {
      expect(bare[part]).toBeUndefined()
    }
    plain.reload()
  })
})
