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
import type { Extensions, Method } from '../method.ts'
import { BrokenLaw, holds, isDistribution, type Law, same } from './law.ts'
import { CHANNELS, draw, LEVELS, MAX_DELAY, playRounds } from './task.ts'

/** Names of the laws of assessors. */
export type AssessorLaw = keyof typeof LAWS

/**
 * An assessor under test: how to make it, how to restore it, and which laws it is excused from, each with the reason.
 */
export interface AssessorSubject {
  /** Makes an assessor for {@link CHANNELS} channels that keeps more than {@link MAX_DELAY} pending assessments. */
  create(seed: number): Assessor
  /** Makes it from its snapshot. */
  restore(bytes: Uint8Array): Assessor
  readonly exceptions?: Partial<Record<AssessorLaw, string>>
}

const LAWS = {
  'same seed and events give the same bits': sameBits,
  'snapshot and restore change nothing that follows': snapshotsKeepEverything,
  'assess does not learn': assessLearnsNothing,
  'probabilities are a distribution': probabilitiesSumToOne,
  'confirm teaches the same label as label': confirmIsALabel,
  'wrong input gives a named error and leaves the state untouched': wrongInputChangesNothing,
  'memory is bounded': memoryIsBounded,
}

/**
 * The laws that every assessor keeps.
 *
 * @example
 * import { findMethod } from '@pb-oel/core'
 * import { laws, subjectOf } from '@pb-oel/core/laws'
 * const suite = laws(subjectOf(findMethod('no-change')))
 * for (const law of suite) law.check()
 * suite.length // 7
 */
export function laws(subject: AssessorSubject): Law[] {
  return (Object.keys(LAWS) as AssessorLaw[]).map((name) => {
    const excused = subject.exceptions?.[name]
    return {
      name: excused === undefined ? name : `${name} (excused: ${excused})`,
      ...(excused !== undefined && { excused }),
      check: () => {
        if (excused === undefined) LAWS[name](subject)
      },
    }
  })
}

/** A method as a subject of the laws. `options` make it small, so that the laws are checked in seconds. */
export function subjectOf(
  method: Method,
  options: Readonly<Record<string, unknown>> = {},
  extensions?: Extensions,
): AssessorSubject {
  const levels = method.levels ?? LEVELS
  const pending = Object.hasOwn(method.options, 'pending') ? { pending: MAX_DELAY + 28 } : {}
  return {
    create: (seed) => method.create({ channels: CHANNELS, levels, seed }, { ...pending, ...options }, extensions),
    restore: (bytes) => method.restore(bytes, extensions),
  }
}

function sameBits({ create }: AssessorSubject): void {
  const first = create(5)
  const second = create(5)
  sameAssessments(playRounds(first, 400, 1), playRounds(second, 400, 1))
  holds(same(first.snapshot(), second.snapshot()), 'the same calls give different states')
}

/** Answers that come behind a snapshot, to assessments from before it. */
const UNDER_WAY: readonly Feedback[] = [
  { kind: 'confirm' },
  { kind: 'reject' },
  { kind: 'label', level: 1 },
  { kind: 'label', level: 0 },
]

function snapshotsKeepEverything({ create, restore }: AssessorSubject): void {
  const random = new Random(1, 'snapshots')
  for (let trial = 0; trial < 12; trial++) {
    const at = trial === 0 ? 0 : random.integer(301)
    const assessor = create(random.integer(1001))
    playRounds(assessor, at, 1)
    const open = UNDER_WAY.map(() => assessor.assess(draw(random, assessor.levels).x).id)
    const before = assessor.snapshot()
    const restored = restore(before)
    holds(same(restored.snapshot(), before), `restored after ${at} rounds, the snapshot differs`)
    for (const [i, id] of open.entries()) for (const one of [restored, assessor]) one.learn(id, UNDER_WAY[i])
    const next = at + open.length
    sameAssessments(playRounds(restored, 120, 2, next), playRounds(assessor, 120, 2, next))
    holds(same(restored.snapshot(), assessor.snapshot()), `restored after ${at} rounds, it learns something else`)
  }
}

function assessLearnsNothing({ create, restore }: AssessorSubject): void {
  const quiet = create(5)
  playRounds(quiet, 150, 1)
  const busy = restore(quiet.snapshot())
  const random = new Random(9, 'extra')
  for (let i = 0; i < 200; i++) busy.assess(draw(random).x, 'full')
  const probe = new Random(10, 'probe')
  for (let i = 0; i < 30; i++) {
    const { x } = draw(probe)
    const expected = copyAssessment(quiet.assess(x, 'full'))
    const found = busy.assess(x, 'full')
    holds(same(found.probabilities, expected.probabilities), 'probabilities depend on samples without answers')
    holds(same(found.experts, expected.experts), 'votes depend on samples without answers')
  }
}

function probabilitiesSumToOne({ create }: AssessorSubject): void {
  const assessor = create(5)
  const random = new Random(3, 'samples')
  for (let t = 0; t < 300; t++) {
    const { x, level } = draw(random, assessor.levels)
    const assessment = assessor.assess(x, (['full', 'partial', 'unknown'] as const)[t % 3])
    const { probabilities, confidence } = assessment
    holds(isDistribution(probabilities), `assessment ${t}: probabilities ${probabilities.join(', ')}`)
    holds(probabilities[assessment.level] > 0, `assessment ${t}: the assessed level has probability 0`)
    holds(confidence >= 0 && confidence <= 1 + 1e-12, `assessment ${t}: confidence ${confidence}`)
    if (t > 20) assessor.learn(assessment.id, { kind: 'label', level })
  }
}

function confirmIsALabel({ create, restore }: AssessorSubject): void {
  const a = create(5)
  playRounds(a, 150, 1)
  const b = restore(a.snapshot())
  const random = new Random(4, 'samples')
  for (let t = 0; t < 60; t++) {
    const { x } = draw(random)
    const first = copyAssessment(a.assess(x, 'full'))
    const second = b.assess(x, 'full')
    holds(
      same(second.experts, first.experts),
      `after ${t} answers, confirmed and labelled, the experts vote differently`,
    )
    a.learn(first.id, { kind: 'confirm' })
    b.learn(first.id, { kind: 'label', level: first.level })
    // From here the two may draw differently (their ensemble weights may differ), so teach both the same.
    if (second.level !== first.level) break
  }
}

function wrongInputChangesNothing({ create, restore }: AssessorSubject): void {
  const assessor = create(5)
  playRounds(assessor, 60, 1)
  const open = copyAssessment(assessor.assess(draw(new Random(1, 'open')).x)).id
  const before = assessor.snapshot()
  const refused = (error: new (...args: never[]) => PbOelError, what: string, call: () => unknown) => {
    holds(throws(error, call), `${what} is not refused with a ${error.name}`)
    holds(same(assessor.snapshot(), before), `${what} changes the state`)
  }
  for (const x of wrongSamples()) refused(SampleError, 'a wrong sample', () => assessor.assess(x as Float64Array))
  for (const feedback of wrongFeedback(assessor.levels)) {
    refused(FeedbackError, `the feedback ${JSON.stringify(feedback)}`, () => assessor.learn(open, feedback as Feedback))
  }
  for (const id of [open + 1, open + 1e9, -1, 0.5, Number.NaN, Infinity, '0', null, undefined]) {
    refused(UnknownAssessmentError, `the id ${id}`, () => assessor.learn(id as number, { kind: 'confirm' }))
  }
  const mode = 'sometimes' as FeedbackMode
  refused(FeedbackError, 'a mode that does not exist', () => assessor.assess(new Float64Array(CHANNELS), mode))
  refused(RepeatedFeedbackError, 'a second answer', () => assessor.learn(open - 1, { kind: 'label', level: 0 }))
  refused(SnapshotError, 'a short snapshot', () => restore(before.slice(0, -1)))
  const middle = before.length >> 1
  const damaged = before.map((byte, i) => (i === middle ? byte ^ 1 : byte))
  refused(SnapshotError, 'a damaged snapshot', () => restore(damaged))
  assessor.learn(open, { kind: 'label', level: 1 })
  assessor.learn(open, { kind: 'label', level: 0, correction: true })
}

function memoryIsBounded({ create }: AssessorSubject): void {
  const assessor = create(5)
  playRounds(assessor, 6_000, 1)
  const middle = assessor.snapshot().length
  playRounds(assessor, 6_000, 2, 6_000)
  const end = assessor.snapshot().length
  // Trees may still grow on a noisy stream, but not in proportion to its length.
  holds(end < middle * 1.6 + 4096, `the state grows from ${middle} to ${end} bytes in 6,000 rounds`)
}

function sameAssessments(found: readonly Assessment[], expected: readonly Assessment[]): void {
  found.forEach((one, t) => {
    const other = expected[t]
    const alike =
      one.id === other.id &&
      one.level === other.level &&
      Object.is(one.confidence, other.confidence) &&
      same(one.probabilities, other.probabilities) &&
      same(one.experts, other.experts) &&
      same(one.drifts, other.drifts)
    holds(alike, `assessment ${one.id} differs`)
  })
}

function throws(error: new (...args: never[]) => PbOelError, call: () => unknown): boolean {
  try {
    call()
  } catch (thrown) {
    if (thrown instanceof BrokenLaw) throw thrown
    return thrown instanceof error
  }
  return false
}

/** Samples of a wrong length, of a wrong type, and with a number that is not finite or too large at each place. */
function wrongSamples(): unknown[] {
  const wrong: unknown[] = [undefined, null, [0, 0, 0, 0], new Float32Array(CHANNELS), 'x', { length: CHANNELS }]
  for (let length = 0; length < 10; length++) if (length !== CHANNELS) wrong.push(new Float64Array(length))
  for (let i = 0; i < CHANNELS; i++) {
    for (const value of [Number.NaN, Infinity, -Infinity, 1e101, -1e300]) {
      const x = new Float64Array(CHANNELS)
      x[i] = value
      wrong.push(x)
    }
  }
  return wrong
}

function wrongFeedback(levels: number): unknown[] {
  const labels = [-1, levels, levels + 1, 1e9, -(2 ** 31), 0.5, Number.NaN, '1', null]
  const wrong: unknown[] = [undefined, null, {}, 'confirm', { kind: 'maybe' }, { kind: 'label' }]
  for (const level of labels) wrong.push({ kind: 'label', level })
  for (const asked of [0, -1, 2, Number.NaN, '1']) wrong.push({ kind: 'confirm', asked })
  return wrong
}
