import { Random } from '@pb-oel/core'
import type { Answer } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { excludedBefore, isExcluded, withRange } from './excluded.ts'
import { bodyOf, disagreement, type RecentAssessment, RecentAssessments } from './recent-assessments.ts'
import { ReviewerBook } from './reviewer-book.ts'
import { coin, compare, isChosen } from './second-opinion.ts'
import { shownAssessment } from './shown-assessment.ts'
import { observeArrival, staleAfter, unknownRate } from './staleness.ts'
import { answeredBy, answerWithin } from './stretch.ts'
import { levelTold, Tally } from './tally.ts'
import { toldAnswer } from './told-answer.ts'

const recent = (assessment: number, more: Partial<RecentAssessment> = {}): RecentAssessment => ({
  ...{ assessment, sequence: 2 * assessment + 2, time: 1_000 * assessment, level: 0, probabilities: [0.6, 0.3, 0.1] },
  ...{ confidence: 0.6, experts: [0, 0, 1], ...more },
})

/** Some assessments in a ring of this capacity. */
function ring(capacity: number, count: number, more: (i: number) => Partial<RecentAssessment> = () => ({})) {
  const all = new RecentAssessments(capacity)
  for (let i = 0; i < count; i++) all.add(recent(i, more(i)))
  return all
}

describe('the recent assessments', () => {
  it('are the latest so many, in order, each found by its number', () => {
    const all = ring(4, 6)
    expect(all.list().map(({ assessment }) => assessment)).toEqual([2, 3, 4, 5])
    expect([all.get(1), all.get(2)?.assessment, all.get(6), all.latest?.assessment]).toEqual([
      undefined,
      2,
      undefined,
      5,
    ])
    expect(new RecentAssessments(4).latest).toBeUndefined()
    const between = (from: number, to: number) => all.between(from, to).map(({ assessment }) => assessment)
    expect([between(0, 9), between(3, 4), between(6, 9), between(-5, 2)]).toEqual([[2, 3, 4, 5], [3, 4], [], [2]])
    expect(ring(4, 2).between(0, 1).length).toBe(2)
    const later = new RecentAssessments(4)
    later.add(recent(10))
    expect(later.between(0, 20).map(({ assessment }) => assessment)).toEqual([10])
    const copy = new RecentAssessments(4)
    copy.load(all.list())
    expect([copy.list(), copy.open]).toEqual([all.list(), all.open])
  })

  it('are open until they are answered, excluded or dropped, where people are asked', () => {
    const all = ring(4, 4, (i) => (i === 3 ? { asked: false } : {}))
    expect([all.open, all.oldestOpen?.assessment]).toEqual([3, 0])
    const answer = { kind: 'confirm', by: 'eva', number: 0 } as const
    all.answer(all.get(0) as RecentAssessment, answer)
    expect(all.open).toBe(2)
    all.answer(all.get(0) as RecentAssessment, { ...answer, kind: 'reject' })
    all.answer(all.get(3) as RecentAssessment, answer)
    expect([all.open, all.get(0)?.answer?.kind]).toEqual([2, 'reject'])
    all.withdraw(all.get(0) as RecentAssessment)
    all.withdraw(all.get(3) as RecentAssessment)
    expect([all.open, all.get(0)?.withdrawn, all.get(0)?.answer]).toEqual([3, true, undefined])
    all.exclude(1, 1)
    all.exclude(1, 1)
    expect([all.open, all.get(1)?.excluded, all.get(0)?.excluded, all.get(2)?.excluded]).toEqual([
      ...[2, true, undefined, undefined],
    ])
    const before = all.open
    all.add(recent(4))
    expect(all.open).toBe(before)
    all.add(recent(5))
    expect(all.open).toBe(before + 1)
  })

  it('that want a second opinion are questions again, unless they are excluded', () => {
    const all = ring(4, 2)
    for (const one of all.list()) all.answer(one, { kind: 'confirm', by: 'eva', number: 0 })
    expect([all.oldestOpen, all.ranked(WEIGHTS, 3).length]).toEqual([undefined, 0])
    Object.assign(all.get(1) as object, { second: 'wanted' })
    expect([
      all.oldestOpen?.assessment,
      all.ranked(WEIGHTS, 3).map(({ recent: { assessment } }) => assessment),
    ]).toEqual([...[1, [1]]])
    Object.assign(all.get(0) as object, { second: { by: 'max' } })
    expect(all.oldestOpen?.assessment).toBe(1)
    all.exclude(0, 1)
    expect(all.oldestOpen).toBeUndefined()
    Object.assign(all.get(1) as object, { redrawn: 2 })
    all.exclude(1, 1)
    expect(all.get(1)).not.toHaveProperty('redrawn')
  })

  it('tell the time between samples', () => {
    expect([ring(4, 0).secondsPerSample, ring(4, 1).secondsPerSample]).toEqual([undefined, undefined])
    expect(ring(4, 2, () => ({ time: 5 })).secondsPerSample).toBeUndefined()
    expect(ring(4, 5, (i) => ({ time: 3_000 * i })).secondsPerSample).toBe(3)
  })

  it('are ranked by the weighted mean of the reasons; what is novel comes first, and of equals the latest', () => {
    const all = ring(4, 4, (i) => ({
      level: i % 3,
      experts: i === 2 ? [0, 1, 2] : [0, 0, 0],
      ...(i === 1 && { novelty: { novel: true } as never }),
    }))
    const ranked = all.ranked({ uncertainty: 0, disagreement: 1, level: 2, freshness: 1 }, 3)
    expect(ranked.map(({ recent: { assessment } }) => assessment)).toEqual([1, 2, 3, 0])
    expect(ranked[0].worth).toBe(1)
    // Level 2 of 0 … 2, votes spread evenly, one of four samples old.
    expect(ranked[1].reasons).toMatchObject({ level: 1, disagreement: expect.closeTo(1, 12), freshness: 0.75 })
    expect(ranked[1].worth).toBeCloseTo((1 + 2 + 0.75) / 4, 12)
    expect(ranked[3].reasons).toMatchObject({ level: 0, disagreement: 0, freshness: 0.25 })
    // Between the two most probable levels there are 0.6 and 0.3.
    expect(ranked[1].reasons.uncertainty).toBeCloseTo(1 - (0.6 - 0.3), 12)
    const none = all.ranked({ uncertainty: 0, disagreement: 0, level: 0, freshness: 0 }, 3)
    expect(none.slice(1).map(({ worth, recent: { assessment } }) => [worth, assessment])).toEqual([
      [0, 3],
      [0, 2],
      [0, 0],
    ])
    const even = all.ranked({ uncertainty: 1, disagreement: 0, level: 0, freshness: 0 }, 3)
    expect(even.at(-1)?.worth).toBeCloseTo(0.7, 12)
    // With more experts than levels, votes over all levels are still 1 at most.
    expect(disagreement([0, 1, 2, 0, 1, 2], 3)).toBeCloseTo(1, 12)
    expect(disagreement([0, 1], 3)).toBeCloseTo(1, 12)
  })

  it('are in the log as they were made, their fields in its order', () => {
    const bare = recent(3, { degraded: ['a'], answer: { kind: 'confirm', by: 'eva', number: 1 } })
    const fields = ['assessment', 'level', 'probabilities', 'confidence', 'experts']
    expect(Object.keys(bodyOf(bare))).toEqual(fields)
    const promised = { rawConfidence: 0.5, safeSide: 1, trained: true }
    const whole = recent(3, { ...promised, novelty: { novel: false } as never, drifts: [1], asked: false })
    expect(bodyOf(whole)).toEqual({
      ...{ assessment: 3, level: 0, probabilities: [0.6, 0.3, 0.1], confidence: 0.6, ...promised },
      ...{ novelty: { novel: false }, experts: [0, 0, 1], drifts: [1], asked: false },
    })
    expect(Object.keys(bodyOf(whole))).toEqual([
      ...[...fields.slice(0, 4), 'rawConfidence', 'safeSide', 'trained', 'novelty', 'experts', 'drifts', 'asked'],
    ])
    expect(shownAssessment(whole)).toEqual({
      ...{ id: 3, level: 0, confidence: 0.5, drifts: Uint8Array.of(0, 1, 0) },
      ...{ probabilities: Float64Array.of(0.6, 0.3, 0.1), experts: Int32Array.of(0, 0, 1) },
    })
    expect(shownAssessment(bare)).toMatchObject({ confidence: 0.6, drifts: Uint8Array.of(0, 0, 0) })
  })
})

const WEIGHTS = { uncertainty: 1, disagreement: 1, level: 1, freshness: 1 }

describe('what a stretch says', () => {
  it('is about the most probable level: right names it where another was drawn, wrong then says nothing', () => {
    const likely = recent(0)
    const drawn = recent(0, { level: 2 })
    expect(answerWithin(likely, { kind: 'confirm' })).toEqual({ kind: 'confirm' })
    expect(answerWithin(likely, { kind: 'reject' })).toEqual({ kind: 'reject' })
    expect(answerWithin(drawn, { kind: 'confirm' })).toEqual({ kind: 'label', level: 0 })
    expect(answerWithin(drawn, { kind: 'reject' })).toBeUndefined()
    expect(answerWithin(drawn, { kind: 'label', level: 1 })).toEqual({ kind: 'label', level: 1 })
  })

  it('leaves what was answered one by one, or excluded, alone', () => {
    const all = ring(9, 5, (i) => (i === 3 ? { level: 2 } : {}))
    all.answer(all.get(1) as RecentAssessment, { kind: 'confirm', by: 'eva', number: 0 })
    all.exclude(2, 2)
    const answered = (kind: 'confirm' | 'reject') =>
      answeredBy(all, { from: 0, to: 4, kind }).map(({ about: { assessment }, answer }) => [assessment, answer.kind])
    expect(answered('confirm')).toEqual([
      [0, 'confirm'],
      [3, 'label'],
      [4, 'confirm'],
    ])
    expect(answered('reject')).toEqual([
      [0, 'reject'],
      [4, 'reject'],
    ])
  })
})

describe('what the model is told', () => {
  it('is the answer, unless it has drawn another level since', () => {
    const confirm = { kind: 'confirm', asked: 0.5 } as const
    const reject = { kind: 'reject' } as const
    expect(toldAnswer(recent(0), confirm, 3)).toBe(confirm)
    const redrawn = recent(0, { level: 1, redrawn: 0 })
    expect(toldAnswer(redrawn, confirm, 3)).toEqual({ kind: 'label', level: 1, asked: 0.5 })
    expect(toldAnswer(redrawn, reject, 3)).toBeUndefined()
    // Of two levels, the rejected one leaves the other.
    expect(toldAnswer(recent(0, { level: 1, redrawn: 0 }), reject, 2)).toEqual({ kind: 'label', level: 0 })
    const label = { kind: 'label', level: 2 } as const
    expect(toldAnswer(redrawn, label, 3)).toBe(label)
    expect(() => toldAnswer(recent(0), { kind: 'label', level: 3 }, 3)).toThrow('level')
    const answered = recent(0, { answer: { kind: 'confirm', by: 'eva', number: 0 } })
    expect(() => toldAnswer(answered, confirm, 3)).toThrow('already')
    expect(toldAnswer(answered, { ...label, correction: true }, 3)).toMatchObject({ level: 2 })
  })

  it('is a level where the answer leaves one', () => {
    expect(levelTold(1, 3, { kind: 'label', level: 2 })).toBe(2)
    expect(levelTold(1, 3, { kind: 'confirm' })).toBe(1)
    expect([levelTold(1, 3, { kind: 'reject' }), levelTold(1, 2, { kind: 'reject' })]).toEqual([undefined, 0])
    expect(levelTold(0, 2, { kind: 'reject' })).toBe(1)
  })
})

describe('the tally', () => {
  it('counts kinds and outcomes, takes back, and corrects', () => {
    const tally = new Tally()
    expect([tally.accuracy, tally.recentAccuracy]).toEqual([null, null])
    const numbers = [
      ...[tally.answer('confirm', 'right'), tally.answer('reject', 'wrong'), tally.answer('label', 'miss')],
      tally.answer('label', 'false alarm'),
    ]
    expect(numbers).toEqual([0, 1, 2, 3])
    expect({ ...tally }).toMatchObject({
      ...{ confirms: 1, rejects: 1, labels: 2, right: 1, wrong: 3, misses: 1, falseAlarms: 1, answers: 4 },
    })
    expect([tally.accuracy, tally.recentAccuracy, tally.weights]).toEqual([0.25, 0.25, undefined])
    tally.correct(2, 'miss', 'right')
    expect([tally.right, tally.wrong, tally.misses, tally.corrections, tally.recentAccuracy]).toEqual([2, 2, 0, 1, 0.5])
    tally.correct(0, 'right', 'false alarm')
    expect([tally.right, tally.falseAlarms, tally.recentAccuracy]).toEqual([1, 2, 0.25])
    tally.withdraw(2, 'label', 'right')
    expect([tally.labels, tally.right, tally.accuracy, tally.recentAccuracy]).toEqual([1, 0, 0, 0])
    tally.withdraw(0, 'confirm', 'false alarm')
    tally.withdraw(1, 'reject', 'wrong')
    expect({ ...tally }).toMatchObject({ confirms: 0, rejects: 0, labels: 1, wrong: 1, falseAlarms: 1, misses: 0 })
    expect(tally.weights).toEqual([0, 0, 0, 1])
    tally.sample(2, true)
    tally.sample(0, false)
    expect([tally.samples, tally.drifts, tally.degraded]).toEqual([2, 2, 1])
  })

  it('keeps the accuracy of the latest 500 answers, each counted as often as it stands for', () => {
    const tally = new Tally()
    tally.answer('confirm', 'right')
    tally.answer('reject', 'wrong', 3)
    expect([tally.weights, tally.recentAccuracy]).toEqual([[1, 3], 0.25])
    tally.answer('confirm', 'right', 4)
    tally.answer('confirm', 'right')
    expect([tally.weights, tally.recentAccuracy]).toEqual([[1, 3, 4, 1], 6 / 9])
    for (let i = 4; i < 500; i++) tally.answer('reject', 'wrong', 0)
    expect(tally.recentAccuracy).toBeCloseTo(6 / 9, 12)
    // The next one takes the place of the first; what left changes the counts alone.
    tally.answer('reject', 'wrong')
    expect([tally.recentAccuracy, tally.recent.length]).toEqual([5 / 9, 500])
    tally.correct(0, 'right', 'wrong')
    expect([tally.recentAccuracy, tally.right]).toEqual([5 / 9, 2])
    tally.correct(0, 'wrong', 'right')
    expect([tally.recentAccuracy, tally.right]).toEqual([5 / 9, 3])
    tally.correct(0, 'right', 'wrong')
    tally.withdraw(0, 'confirm', 'wrong')
    expect(tally.recentAccuracy).toBe(5 / 9)
    tally.correct(1, 'wrong', 'right')
    expect(tally.recentAccuracy).toBe(8 / 9)
    const silent = new Tally()
    silent.answer('confirm', 'right', 0)
    expect([silent.recentAccuracy, silent.accuracy]).toEqual([null, 1])
    const plain = new Tally()
    for (let i = 0; i < 501; i++) plain.answer('confirm', 'right')
    plain.withdraw(0, 'confirm', 'right')
    expect(plain.weights).toBeUndefined()
    plain.withdraw(1, 'confirm', 'right')
    expect(plain.weights?.indexOf(0)).toBe(1)
  })
})

describe('ranges of forgotten samples', () => {
  it('join where they touch, stay in order, and count what is before', () => {
    const ranges = [
      [5, 6],
      [20, 30],
      [8, 9],
      [7, 7],
      [28, 40],
      [1, 2],
    ].reduce<readonly (readonly [number, number])[]>((all, [from, to]) => withRange(all, from, to), [])
    expect(ranges).toEqual([
      [1, 2],
      [5, 9],
      [20, 40],
    ])
    expect(withRange(ranges, 3, 25)).toEqual([[1, 40]])
    expect(withRange(ranges, 11, 18)).toEqual([
      [1, 2],
      [5, 9],
      [11, 18],
      [20, 40],
    ])
    expect([0, 1, 2, 3, 4, 5, 9, 10, 20, 40, 41].map((one) => isExcluded(ranges, one))).toEqual([
      ...[false, true, true, false, false, true, true, false, true, true, false],
    ])
    expect([0, 1, 2, 3, 5, 7, 10, 21, 99].map((one) => excludedBefore(ranges, one))).toEqual([
      0, 0, 1, 2, 2, 4, 7, 8, 28,
    ])
  })
})

describe('the rate of a stream', () => {
  it('is three times the longest of ten intervals, where samples within a second are one arrival', () => {
    const rate = unknownRate()
    let time = 50_000
    const arrive = (apart: number) => {
      time += apart
      observeArrival(rate, time)
    }
    for (const apart of [0, 999, 1_000, 2_000, 4_000]) arrive(apart)
    expect(rate).toEqual({ arrival: 57_999, intervals: 3, longest: 4_000 })
    expect(staleAfter({}, rate)).toBeNull()
    for (let i = 0; i < 7; i++) arrive(1_000)
    expect([rate.intervals, staleAfter({}, rate)]).toEqual([10, 12])
    observeArrival(rate, time + 99_000)
    expect(rate.longest).toBe(4_000)
    expect(staleAfter({}, { ...rate, longest: 1_000 })).toBe(5)
    expect([staleAfter(undefined, rate), staleAfter({ after: 2 }, rate), staleAfter({ rate: 0.1 }, rate)]).toEqual([
      ...[null, 2, 30],
    ])
    expect(staleAfter({ rate: 10 }, rate)).toBe(5)
  })
})

describe('second opinions', () => {
  it('compare levels where both name one, otherwise right and wrong', () => {
    const label = (level: number): Pick<Answer, 'kind' | 'level'> => ({ kind: 'label', level })
    expect(compare(1, label(2), label(2))).toEqual({ compared: 'level', agrees: true })
    expect(compare(1, label(2), label(0))).toEqual({ compared: 'level', agrees: false })
    expect(compare(1, { kind: 'confirm' }, label(1))).toEqual({ compared: 'verdict', agrees: true })
    expect(compare(1, label(1), { kind: 'confirm' })).toEqual({ compared: 'verdict', agrees: true })
    expect(compare(1, { kind: 'confirm' }, label(2))).toEqual({ compared: 'verdict', agrees: false })
    expect(compare(1, { kind: 'reject' }, label(2))).toEqual({ compared: 'verdict', agrees: true })
    expect(compare(1, { kind: 'reject' }, { kind: 'confirm' })).toEqual({ compared: 'verdict', agrees: false })
  })

  it('are wanted by a coin of the system, as often as it says', () => {
    const configured = (secondOpinion: number) => ({ seed: 3, review: { secondOpinion, trust: false } }) as never
    const wanted = (share: number) =>
      Array.from({ length: 1_000 }, (_, i) => isChosen(configured(share), i)).filter(Boolean)
    expect([wanted(0).length, wanted(1).length, isChosen({ seed: 3 } as never, 1)]).toEqual([0, 1_000, false])
    expect(Math.abs(wanted(0.3).length - 300)).toBeLessThan(60)
    // A log is replayed with the same coin: its name must not change.
    const tosses = Array.from({ length: 50 }, (_, i) => Object.assign(new Random(3, 'second opinion'), { position: i }))
    expect(tosses.map((_, i) => isChosen(configured(0.3), i))).toEqual(tosses.map((toss) => toss.uniform() < 0.3))
    expect([coin(1, 'x', 5), coin(1, 'x', 5) === coin(1, 'x', 6)]).toEqual([coin(1, 'x', 5), false])
  })

  it('make a reviewer less trusted who is often contradicted, and nobody for what is usual', () => {
    const book = new ReviewerBook()
    expect(book.trustIn('eva', 3)).toBe(1)
    const count = (by: string, of: string, agrees: boolean, times: number) => {
      for (let i = 0; i < times; i++) book.count({ by, of, compared: 'level', agrees })
    }
    count('eva', 'max', true, 60)
    count('max', 'bob', false, 40)
    count('bob', 'max', true, 5)
    count('eva', 'bob', false, 40)
    expect(book.list()).toEqual([
      { a: 'eva', b: 'max', compared: 'level', agreed: 60, differed: 0 },
      { a: 'bob', b: 'max', compared: 'level', agreed: 5, differed: 40 },
      { a: 'bob', b: 'eva', compared: 'level', agreed: 0, differed: 40 },
    ])
    expect(book.trustIn('eva', 3)).toBe(1)
    // As good as a guess between two, or worse.
    expect(book.trustIn('bob', 3)).toBe(0)
    const copy = new ReviewerBook()
    copy.load(book.list())
    expect(copy.list()).toEqual(book.list())
    expect(copy.list()[0]).not.toBe(book.list()[0])
    copy.count({ by: 'max', of: 'eva', compared: 'level', agrees: true })
    expect([copy.list()[0].agreed, copy.list().length]).toEqual([61, 3])
    // What was estimated is not kept beyond the next opinion, nor for other levels.
    const one = new ReviewerBook()
    for (let i = 0; i < 3; i++) one.count({ by: 'a', of: 'b', compared: 'level', agrees: false })
    const before = one.trustIn('a', 3)
    expect(before).toBeLessThan(1)
    expect(one.trustIn('a', 9)).not.toBe(before)
    expect(one.trustIn('a', 3)).toBe(before)
    one.count({ by: 'a', of: 'b', compared: 'level', agrees: false })
    expect(one.trustIn('a', 3)).toBeLessThan(before)
  })

  it('of too many pairs are not compared', () => {
    const book = new ReviewerBook()
    for (let i = 0; i < 2_001; i++) book.count({ by: 'eva', of: `r${i}`, compared: 'verdict', agrees: true })
    book.count({ by: 'eva', of: 'r0', compared: 'verdict', agrees: true })
    expect([book.list().length, book.list()[0].agreed]).toEqual([2_000, 2])
  })
})
