import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Assessment, type Assessor, copyAssessment, type Feedback, type FeedbackMode } from '../assessor.ts'
import {
  FeedbackError,
  type PbOelError,
  RepeatedFeedbackError,
  SampleError,
  SnapshotError,
  UnknownAssessmentError,
} from '../errors.ts'
import { Random } from '../math/random.ts'
import { restoreAssessor } from '../methods.ts'

/** An assessor under test: how to make it, and which laws it is excused from, each with the reason. */
export interface Subject {
  name: string
  create(seed: number): Assessor
  exceptions?: Partial<Record<Law, string>>
}

/** Names of the laws. */
type Law =
  | 'same seed and events give the same bits'
  | 'snapshot and restore change nothing that follows'
  | 'assess does not learn'
  | 'probabilities are a distribution'
  | 'confirm teaches the same label as label'
  | 'wrong input gives a named error and leaves the state untouched'
  | 'memory is bounded'

/** Small task all subjects are made for. */
export const CHANNELS = 4
export const LEVELS = 3
/** Answers later than this many samples never come; subjects must keep at least as many pending assessments. */
const MAX_DELAY = 100

/** Runs every law over one subject. */
export function obeysTheLaws(subject: Subject): void {
  const law = (name: Law, check: () => void) => {
    const reason = subject.exceptions?.[name]
    it.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (excused: ${reason})`, check)
  }

  describe(subject.name, () => {
    law('same seed and events give the same bits', () => {
      const first = run(subject.create(5), 400, 1)
      const second = run(subject.create(5), 400, 1)
      expect(second).toEqual(first)
    })

    law('snapshot and restore change nothing that follows', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 1000 }), (at, seed) => {
          const assessor = subject.create(seed)
          run(assessor, at, 1)
          const before = assessor.snapshot()
          const restored = restoreAssessor(before)
          expect(sameBytes(restored.snapshot(), before)).toBe(true)
          expect(run(restored, 120, 2, at)).toEqual(run(assessor, 120, 2, at))
          expect(sameBytes(restored.snapshot(), assessor.snapshot())).toBe(true)
        }),
        { numRuns: 12 },
      )
    })

    law('assess does not learn', () => {
      const quiet = subject.create(5)
      run(quiet, 150, 1)
      const busy = restoreAssessor(quiet.snapshot())
      const random = new Random(9, 'extra')
      for (let i = 0; i < 200; i++) busy.assess(draw(random).x, 'full')
      const probe = new Random(10, 'probe')
      for (let i = 0; i < 30; i++) {
        const { x } = draw(probe)
        const expected = copyAssessment(quiet.assess(x, 'full'))
        const found = busy.assess(x, 'full')
        expect(found.probabilities).toEqual(expected.probabilities)
        expect(found.experts).toEqual(expected.experts)
      }
    })

    law('probabilities are a distribution', () => {
      const assessor = subject.create(5)
      const random = new Random(3, 'samples')
      for (let t = 0; t < 300; t++) {
        const { x, level } = draw(random, assessor.levels)
        const mode = (['full', 'partial', 'unknown'] as const)[t % 3]
        const assessment = assessor.assess(x, mode)
        const { probabilities, confidence } = assessment
        expect(probabilities.every((p) => p >= 0 && p <= 1 + 1e-12)).toBe(true)
        expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
        expect(probabilities[assessment.level]).toBeGreaterThan(0)
        expect(confidence >= 0 && confidence <= 1 + 1e-12).toBe(true)
        if (t > 20) assessor.learn(assessment.id, { kind: 'label', level })
      }
    })

    law('confirm teaches the same label as label', () => {
      const a = subject.create(5)
      run(a, 150, 1)
      const b = restoreAssessor(a.snapshot())
      const random = new Random(4, 'samples')
      for (let t = 0; t < 60; t++) {
        const { x } = draw(random)
        const first = copyAssessment(a.assess(x, 'full'))
        const second = b.assess(x, 'full')
        expect(second.experts).toEqual(first.experts)
        a.learn(first.id, { kind: 'confirm' })
        b.learn(first.id, { kind: 'label', level: first.level })
        // From here the two may draw differently (their ensemble weights may differ), so teach both the same.
        if (second.level !== first.level) break
      }
    })

    law('wrong input gives a named error and leaves the state untouched', () => {
      const assessor = subject.create(5)
      run(assessor, 60, 1)
      const open = copyAssessment(assessor.assess(draw(new Random(1, 'open')).x)).id
      const answered = open - 1
      const before = assessor.snapshot()
      const refused = (error: new (...args: never[]) => PbOelError, call: () => unknown) => {
        expect(call).toThrow(error)
        expect(sameBytes(assessor.snapshot(), before)).toBe(true)
      }
      fc.assert(
        fc.property(badSample, (x) => refused(SampleError, () => assessor.assess(x as Float64Array))),
        { numRuns: 60 },
      )
      fc.assert(
        fc.property(badFeedback, (feedback) =>
          refused(FeedbackError, () => assessor.learn(open, feedback as Feedback)),
        ),
        { numRuns: 60 },
      )
      fc.assert(
        fc.property(badId(open), (id) =>
          refused(UnknownAssessmentError, () => assessor.learn(id as number, { kind: 'confirm' })),
        ),
        { numRuns: 60 },
      )
      refused(FeedbackError, () => assessor.assess(new Float64Array(CHANNELS), 'sometimes' as FeedbackMode))
      refused(RepeatedFeedbackError, () => assessor.learn(answered, { kind: 'label', level: 0 }))
      refused(SnapshotError, () => restoreAssessor(before.slice(0, -1)))
      refused(SnapshotError, () =>
        restoreAssessor(before.map((byte, i) => (i === before.length >> 1 ? byte ^ 1 : byte))),
      )
      assessor.learn(open, { kind: 'label', level: 1 })
      assessor.learn(open, { kind: 'label', level: 0, correction: true })
    })

    law('memory is bounded', () => {
      const assessor = subject.create(5)
      run(assessor, 6_000, 1)
      const middle = assessor.snapshot().length
      run(assessor, 6_000, 2, 6_000)
      // Trees may still grow on a noisy stream, but not in proportion to its length.
      expect(assessor.snapshot().length).toBeLessThan(middle * 1.6 + 4096)
    })
  })
}

/** A noisy task with three overlapping levels. */
export function draw(random: Random, levels = LEVELS): { x: Float64Array; level: number } {
  const level = random.integer(levels)
  const x = Float64Array.from({ length: CHANNELS }, (_, i) => (i === level ? 1.5 : 0) + random.normal())
  return { x, level }
}

/**
 * Plays `rounds` rounds with late, missing and out-of-order feedback of every kind and returns what was assessed.
 *
 * @param first id of the first assessment of this call
 */
function run(assessor: Assessor, rounds: number, seed: number, first = 0): Assessment[] {
  const random = new Random(seed, `run ${first}`)
  const open: { id: number; level: number; truth: number }[] = []
  const said: Assessment[] = []
  for (let t = 0; t < rounds; t++) {
    const { x, level: truth } = draw(random, assessor.levels)
    const assessment = assessor.assess(x, (['full', 'partial', 'unknown'] as const)[random.integer(3)])
    said.push(copyAssessment(assessment))
    open.push({ id: assessment.id, level: assessment.level, truth })
    while (open[0].id < assessment.id - MAX_DELAY) open.shift()
    if (random.uniform() < 0.1) continue
    const [answer] = open.splice(random.uniform() < 0.8 ? open.length - 1 : random.integer(open.length), 1)
    const right = answer.level === answer.truth
    if (random.uniform() < 0.3) assessor.learn(answer.id, { kind: 'label', level: answer.truth })
    else assessor.learn(answer.id, right ? { kind: 'confirm' } : { kind: 'reject' })
  }
  return said
}

/** Byte by byte; `toEqual` on large arrays takes seconds. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

const badNumber = fc.constantFrom(Number.NaN, Infinity, -Infinity, 1e101, -1e300)
const badSample = fc.oneof(
  fc
    .integer({ min: 0, max: 9 })
    .filter((n) => n !== CHANNELS)
    .map((n) => new Float64Array(n)),
  fc.tuple(fc.integer({ min: 0, max: CHANNELS - 1 }), badNumber).map(([i, value]) => {
    const x = new Float64Array(CHANNELS)
    x[i] = value
    return x
  }),
  fc.constantFrom(undefined, null, [0, 0, 0, 0], new Float32Array(CHANNELS), 'x', { length: CHANNELS }),
)
const badFeedback = fc.oneof(
  fc.constantFrom(undefined, null, {}, 'confirm', { kind: 'maybe' }, { kind: 'label' }),
  fc
    .oneof(
      fc.integer().filter((n) => n < 0 || n >= LEVELS),
      fc.constantFrom(0.5, Number.NaN, '1', null),
    )
    .map((level) => ({ kind: 'label', level })),
)
const badId = (open: number) =>
  fc.oneof(
    fc.integer({ min: open + 1 }),
    fc.integer({ max: -1 }),
    fc.constantFrom(0.5, Number.NaN, Infinity, '0', null, undefined),
  )
