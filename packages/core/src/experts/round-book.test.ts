import { describe, expect, it } from 'vitest'
import type { Feedback, FeedbackMode, RegretWithConfidence } from '../assessor.ts'
import { FeedbackError, UnknownAssessmentError } from '../errors.ts'
import { FeedbackModel } from '../feedback/feedback-model.ts'
import { copyState } from '../laws/law.ts'
import { Random } from '../math/random.ts'
import { PbOelPlus } from '../pb-oel-plus/pb-oel-plus.ts'
import { PendingAssessments } from '../pending.ts'
import { dive } from '../streams/dive.ts'
import { RoundBook } from './round-book.ts'

/** What each look at a run saw: the bound, and the true regret per sample since the latest refit. */
interface Look {
  bound: RegretWithConfidence
  samples: number
  regret: number
}

/** Follows a dive whose answers come `delay` samples late, and looks at the bound every ten samples. */
function follow(delay: number): { looks: Look[]; refits: number; restored: boolean } {
  const stream = dive({ samples: 1500 })
  let assessor = new PbOelPlus({ channels: 24, levels: 3, seed: 2, regretWindow: 200 })
  const reviewers = new FeedbackModel({ levels: 3, delay, seed: 2 })
  const looks: Look[] = []
  let [refits, samples, wrong, restored] = [0, 0, 0, true]
  let lost: number[] = []
  for (const { x, level: truth } of stream) {
    const assessment = assessor.assess(x, 'partial')
    if (assessment.drifts.includes(1)) {
      refits++
      ;[samples, wrong, lost] = [0, 0, []]
    }
    samples++
    if (assessment.level !== truth) wrong++
    lost = Array.from(assessment.experts, (level, n) => (lost[n] ?? 0) + (level === truth ? 0 : 1))
    reviewers.ask(assessment, truth, 'verdict')
    for (const { id, feedback } of reviewers.arrived()) assessor.learn(id, feedback)
    if (assessment.id % 10 === 9) {
      const bound = assessor.guarantee().regretWithConfidence as RegretWithConfidence
      looks.push({ bound, samples, regret: (wrong - Math.min(...lost)) / samples })
    }
    if (assessment.id === 700) {
      const before = assessor.guarantee()
      assessor = PbOelPlus.restore(assessor.snapshot())
      restored = JSON.stringify(assessor.guarantee()) === JSON.stringify(before)
    }
  }
  return { looks, refits, restored }
}

describe('the regret since the latest refit', () => {
  it.each([0, 40])('is bounded for the samples since then, answers %i late', (delay) => {
    const { looks, refits, restored } = follow(delay)
    expect(refits).toBeGreaterThan(1)
    expect(restored).toBe(true)
    for (const { bound, samples, regret } of looks) {
      if (!bound.sinceRefit) continue
      expect(bound.sinceRefit.samples).toBe(samples)
      expect(bound.sinceRefit.value).toBeGreaterThanOrEqual(regret - 1e-12)
      // An answer to a sample from before the refit would take away what was never open since.
      expect(bound.sinceRefit.terms.open).toBeGreaterThanOrEqual(0)
    }
    expect(looks.at(-1)?.bound.sinceRefit?.refits).toBe(refits)
    expect(looks[0].bound.sinceRefit).toBeUndefined()
  })
})

/** A book of two experts, with the rows that an ensemble would keep. */
function bookOf({ levels = 3, window = 1000, capacity = 64, confidence = 0.95 } = {}) {
  // A row begins with a number that is not the book's.
  const pending = new PendingAssessments(capacity, 2 * levels + 2 + RoundBook.WIDTH)
  const places = { advice: 1, assessed: 2 * levels + 1, notes: 2 * levels + 2 }
  const make = () => new RoundBook(pending, { experts: 2, levels, window, confidence, ...places })
  const one = { book: make(), pending, enter, tell, copy }
  function enter(votes: readonly number[], level: number, mode: FeedbackMode = 'partial', refitted = false): number {
    const id = pending.open()
    const row = pending.data.subarray(pending.offset(id) + 1, pending.offset(id) + 2 * levels + 2).fill(0)
    for (const [n, vote] of votes.entries()) row[n * levels + vote] = 1
    row[2 * levels] = level
    one.book.open(id, mode, refitted)
    return id
  }
  function tell(id: number, feedback: Feedback, correction = false): void {
    one.book.settle(id, feedback, correction)
    pending.close(id)
  }
  /** Goes on with a copy of the book. */
  function copy(): void {
    one.book = copyState(one.book, make())
  }
  return one
}

const CONFIRM = { kind: 'confirm' } as const
const REJECT = { kind: 'reject' } as const
const label = (level: number) => ({ kind: 'label', level }) as const
const counted = ({ samples, terms: { against, inFavour, open } }: RegretWithConfidence['window']) => ({
  ...{ samples, against, inFavour, open },
})

describe('a round book', () => {
  it.each<[string, Feedback[], { against: number; inFavour: number; open: number }]>([
    ['is open', [], { against: 0, inFavour: 0, open: 1 }],
    ['was wrong where the expert was right', [label(1)], { against: 1, inFavour: 0, open: 0 }],
    ['was wrong, who knows where', [REJECT], { against: 1, inFavour: 0, open: 0 }],
    ['was wrong at first, then right', [REJECT, CONFIRM], { against: 0, inFavour: 0, open: 0 }],
    ['was right at first, then wrong', [CONFIRM, label(1)], { against: 1, inFavour: 0, open: 0 }],
    ['was wrong, as the expert', [label(2)], { against: 0, inFavour: 0, open: 0 }],
  ])('counts a disagreement that %s', (_, answers, expected) => {
    const { book, enter, tell } = bookOf()
    const id = enter([0, 1], 0)
    for (const [i, answer] of answers.entries()) tell(id, answer, i > 0)
    expect(book.regret().terms).toMatchObject(expected)
  })

  it('with two levels takes a rejection for a label of the other one', () => {
    const { book, enter, tell } = bookOf({ levels: 2 })
    tell(enter([1, 1], 0), REJECT)
    tell(enter([0, 1], 1), REJECT)
    tell(enter([0, 1], 0), REJECT)
    // Expert 0 was right twice where the assessment was wrong, and wrong with it once.
    expect(book.regret().terms).toMatchObject({ against: 2 / 3, inFavour: 0, open: 0 })
    expect(book.brokenPromise()).toBeUndefined()
    tell(enter([0, 1], 0, 'full'), REJECT)
    tell(enter([0, 1], 0), label(1))
    expect(book.brokenPromise()).toBeUndefined()
  })

  it('after a rejection an expert that named any other level may have been right', () => {
    for (const vote of [1, 2]) {
      const { book, enter, tell } = bookOf()
      tell(enter([0, vote], 0), REJECT)
      expect(book.regret().terms).toMatchObject({ against: 1, inFavour: 0, open: 0 })
    }
  })

  it('shares its doubt among refits: the k-th has 1/(k(k + 1)) of it', () => {
    const fill = (one: ReturnType<typeof bookOf>, refits: number) => {
      for (let t = 0; t < refits; t++) one.enter([0, 1], 0, 'partial', true)
      for (let t = 0; t < 200; t++) {
        const id = one.enter([0, 1], 0)
        one.book.toss(id, { probability: 0.5, asked: t % 2 === 0 })
        if (t % 2 === 0) one.tell(id, label(t % 4 === 0 ? 1 : 2))
      }
      return one.book.regret()
    }
    for (const k of [1, 2, 3]) {
      const { sinceRefit } = fill(bookOf(), k)
      const alone = fill(bookOf({ confidence: 1 - 0.05 / (k * (k + 1)) }), k)
      expect(sinceRefit).toMatchObject({ refits: k, samples: 201, confidence: 0.95 })
      expect(sinceRefit?.terms.chance).toBeCloseTo((alone.terms.chance * alone.samples) / 201, 9)
      expect(sinceRefit?.terms.chance).toBeGreaterThan(0)
    }
  })

  it('says of a window, and of the time since a refit, what a book that began then says', () => {
    const whole = bookOf({ window: 10 })
    const random = new Random(4, 'book')
    const rounds: { votes: number[]; level: number; coin?: { probability: number; asked: boolean } }[] = []
    const told: [id: number, answer: Feedback, correction: boolean][] = []
    let [refit, refits] = [-1, 0]
    const since = (start: number) => {
      const fresh = bookOf()
      for (const { votes, level, coin } of rounds.slice(start)) {
        const id = fresh.enter(votes, level)
        if (coin) fresh.book.toss(id, coin)
      }
      for (const [id, answer, correction] of told) if (id >= start) fresh.tell(id - start, answer, correction)
      return counted(fresh.book.regret())
    }
    for (let t = 0; t < 60; t++) {
      const [votes, level] = [[random.integer(3), random.integer(3)], random.integer(3)]
      const refitted = t % 13 === 12
      if (refitted) [refit, refits] = [t, refits + 1]
      whole.enter(votes, level, 'partial', refitted)
      rounds.push({ votes, level })
      const late = t - random.integer(9)
      if (late >= 0 && late % 4 === 1 && rounds[late].coin === undefined && told.every(([id]) => id !== late)) {
        rounds[late].coin = { probability: 0.5, asked: random.uniform() < 0.5 }
        whole.book.toss(late, rounds[late].coin)
      }
      const id = t - random.integer(12)
      if (id >= 0) {
        const correction = told.some(([earlier]) => earlier === id)
        const answer = [CONFIRM, REJECT, label(random.integer(3))][random.integer(3)]
        told.push([id, answer, correction])
        whole.tell(id, answer, correction)
      }
      if (t === 31) whole.copy()
      if (t % 4 !== 3) continue
      const { window, sinceRefit } = whole.book.regret()
      const start = Math.max(0, 5 * Math.floor(t / 5) - 5)
      for (const [found, from] of [[window, start] as const, ...(sinceRefit ? [[sinceRefit, refit] as const] : [])]) {
        const expected = since(from)
        for (const [name, value] of Object.entries(counted(found))) {
          expect([t, name, value]).toEqual([t, name, expect.closeTo(expected[name as 'open'], 9)])
        }
      }
      expect(sinceRefit?.refits).toBe(refits === 0 ? undefined : refits)
    }
    expect(refits).toBe(4)
  })

  it('leaves out what the coin passed over, also where somebody answers all the same', () => {
    const { book, enter, tell } = bookOf()
    const [asked, passed, certain, rare] = [0, 1, 2, 3].map(() => enter([0, 1], 0))
    book.toss(asked, { probability: 0.5, asked: true })
    book.toss(passed, { probability: 0.5, asked: false })
    expect(book.passedOver).toBe(1)
    for (const [id, probability] of [
      [certain, 1],
      [rare, 1e-5],
    ]) {
      book.toss(id, { probability, asked: false })
    }
    expect([book.passedOver, book.regret().terms.open]).toEqual([1, 2 / 4])
    const before = book.regret()
    tell(passed, label(1))
    expect([book.passedOver, book.regret()]).toEqual([0, before])
    tell(passed, label(0), true)
    expect([book.passedOver, book.regret()]).toEqual([0, before])
    // What the coin chose is weighed by chance, not counted as it is.
    tell(asked, label(1))
    expect(book.regret().terms.against).toBe(0)
    expect(book.regret().value).toBeGreaterThanOrEqual(before.value)
  })

  it('takes the coin once, before the answer, of an assessment that it keeps', () => {
    const { book, enter, tell } = bookOf({ capacity: 4 })
    for (let t = 0; t < 6; t++) enter([0, 1], 0)
    for (const probability of [-0.1, 1.1, Number.NaN]) {
      expect(() => book.toss(5, { probability, asked: true })).toThrow(FeedbackError)
    }
    for (const probability of [0, 1]) expect(() => book.toss(5, { probability, asked: true })).not.toThrow()
    const coin = { probability: 0.5, asked: true }
    for (const id of [-1, 1, 6, 2.5]) expect(() => book.toss(id, coin)).toThrow('never made, or no longer kept')
    book.toss(2, coin)
    expect(() => book.toss(2, coin)).toThrow(UnknownAssessmentError)
    tell(3, CONFIRM)
    expect(() => book.toss(3, coin)).toThrow('once, before the answer')
    const young = bookOf({ capacity: 4 })
    young.enter([0, 1], 0)
    expect(() => young.book.toss(-1, coin)).toThrow('never made')
  })

  it('says which promises of labels were not kept', () => {
    const volunteered = bookOf()
    volunteered.tell(volunteered.enter([0, 1], 0, 'full'), label(0))
    expect([volunteered.book.promised(0), volunteered.book.brokenPromise()]).toEqual([true, undefined])
    volunteered.tell(volunteered.enter([0, 1], 0), label(0))
    expect([volunteered.book.promised(1), volunteered.book.brokenPromise()]).toEqual([false, undefined])
    volunteered.tell(volunteered.enter([0, 1], 0), CONFIRM)
    expect(volunteered.book.brokenPromise()).toMatch(/^1 label had not been promised/)
    volunteered.tell(volunteered.enter([0, 1], 0), label(0))
    volunteered.tell(3, label(1), true)
    volunteered.copy()
    expect(volunteered.book.brokenPromise()).toMatch(/^2 labels had not been promised/)
    const withheld = bookOf()
    for (const start of ['1 label had been promised', '2 labels had been promised']) {
      withheld.tell(withheld.enter([0, 1], 0, 'full'), REJECT)
      withheld.copy()
      expect(withheld.book.brokenPromise()).toContain(start)
    }
  })
})
