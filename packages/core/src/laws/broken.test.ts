import { describe, expect, it } from 'vitest'
import type { Assessment, Assessor, Feedback } from '../assessor.ts'
import { Ddm } from '../drift/ddm.ts'
import type { DriftDetector } from '../drift/detector.ts'
import { RepeatedFeedbackError, SampleError } from '../errors.ts'
import type { Learner } from '../learners/learner.ts'
import { NaiveBayes } from '../learners/naive-bayes.ts'
import { findMethod } from '../methods.ts'
import { dive } from '../streams/dive.ts'
import type { Stream } from '../streams/stream.ts'
import { type AssessorLaw, type AssessorSubject, laws, subjectOf } from './assessor-laws.ts'
import { type DetectorSubject, detectorLaws } from './detector-laws.ts'
import { BrokenLaw, type Law } from './law.ts'
import { type LearnerSubject, learnerLaws } from './learner-laws.ts'
import { streamLaws } from './stream-laws.ts'
import { LEVELS } from './task.ts'

/** What a law says of a subject with a defect: a message, or undefined where it finds nothing. */
function finding(suite: readonly Law[], name: string): string | undefined {
  const law = suite.find((law) => law.name === name)
  if (!law) throw new Error(`there is no law "${name}"`)
  try {
    law.check()
  } catch (thrown) {
    if (thrown instanceof BrokenLaw) return thrown.message
    throw thrown
  }
  return undefined
}

const SOUND = subjectOf(findMethod('no-change'))

type Defect = (sound: Assessor) => Partial<Assessor>

/** A sound assessor, spoilt in one respect. */
function spoilt(defect: Defect, of = SOUND): AssessorSubject {
  const wrap = (sound: Assessor): Assessor => ({
    levels: sound.levels,
    channels: sound.channels,
    assess: (x, mode) => sound.assess(x, mode),
    learn: (id, feedback) => sound.learn(id, feedback),
    snapshot: () => sound.snapshot(),
    ...defect(sound),
  })
  return {
    create: (seed) => wrap(of.create(seed)),
    restore: (bytes) => wrap(of.restore(bytes)),
  }
}

/** Assessments that `change` spoils; it is told how many came before. */
function saying(change: (assessment: Assessment, count: number) => Partial<Assessment>): Defect {
  return (sound) => {
    let count = 0
    return {
      assess: (x, mode) => {
        const assessment = sound.assess(x, mode)
        return { ...assessment, ...change(assessment, count++) }
      },
    }
  }
}

/** A state that ends in a byte of its own. */
function withByte(bytes: Uint8Array, byte: number): Uint8Array {
  return Uint8Array.of(...bytes, byte)
}

/** Answers that are taken in another way. */
function hearing(learn: (sound: Assessor, id: number, feedback: Feedback) => void, of = SOUND): AssessorSubject {
  return spoilt((sound) => ({ learn: (id, feedback) => learn(sound, id, feedback) }), of)
}

/** Samples that are taken in another way. */
function seeing(assess: (sound: Assessor, x: Float64Array, mode: unknown) => Assessment): AssessorSubject {
  return spoilt((sound) => ({ assess: (x, mode) => assess(sound, x, mode) }))
}

/** Samples with what is not finite replaced. */
function mended(x: Float64Array): Float64Array {
  return x instanceof Float64Array ? x.map((value) => (Math.abs(value) <= 1e100 ? value : 0)) : x
}

/** Does what is asked and swallows what it is told is wrong. */
function swallowing(sound: Assessor, id: number, feedback: Feedback): void {
  try {
    sound.learn(id, feedback)
  } catch {}
}

let made = 0

const BITS = 'same seed and events give the same bits'
const RESTORED = 'snapshot and restore change nothing that follows'
const QUIET = 'assess does not learn'
const SHARES = 'probabilities are a distribution'
const CONFIRMED = 'confirm teaches the same label as label'
const REFUSED = 'wrong input gives a named error and leaves the state untouched'
const BOUNDED = 'memory is bounded'

describe('the laws of assessors find', () => {
  it.each<[defect: string, law: AssessorLaw, message: string, subject: AssessorSubject]>([
    [
      'assessments that depend on more than seed and events',
      BITS,
      'assessment 0 differs',
      spoilt((sound) => {
        const own = 1 / ++made
        return saying(() => ({ confidence: own }))(sound)
      }),
    ],
    [
      'a state that depends on more than seed and events',
      BITS,
      'the same calls give different states',
      spoilt((sound) => {
        const own = ++made % 256
        return { snapshot: () => withByte(sound.snapshot(), own) }
      }),
    ],
    [
      'a restored assessor that has forgotten everything',
      RESTORED,
      'the snapshot differs',
      { create: SOUND.create, restore: () => SOUND.create(1) },
    ],
    [
      'something that a snapshot leaves out',
      RESTORED,
      'differs',
      spoilt(saying((_, count) => ({ confidence: count / 1e6 }))),
    ],
    [
      'a snapshot that leaves out what waits for an answer',
      RESTORED,
      'differs',
      {
        create: SOUND.create,
        restore: (bytes) => {
          const sound = SOUND.restore(bytes)
          let first = Infinity
          return {
            levels: sound.levels,
            channels: sound.channels,
            assess: (x, mode) => {
              const assessment = sound.assess(x, mode)
              first = Math.min(first, assessment.id)
              return assessment
            },
            learn: (id, feedback) => {
              if (id >= first) sound.learn(id, feedback)
            },
            snapshot: () => sound.snapshot(),
          }
        },
      },
    ],
    [
      'a restored assessor that learns something else',
      RESTORED,
      'it learns something else',
      {
        create: SOUND.create,
        restore: (bytes) => {
          const sound = SOUND.restore(bytes)
          let learned = 0
          return {
            levels: sound.levels,
            channels: sound.channels,
            assess: (x, mode) => sound.assess(x, mode),
            learn: (id, feedback) => {
              learned++
              sound.learn(id, feedback)
            },
            snapshot: () => (learned === 0 ? sound.snapshot() : withByte(sound.snapshot(), 0)),
          }
        },
      },
    ],
    [
      'probabilities that move with every sample',
      QUIET,
      'probabilities depend on samples without answers',
      spoilt(saying((_, count) => ({ probabilities: Float64Array.of(1 / (count + 2), 1 - 1 / (count + 2), 0) }))),
    ],
    [
      'votes that move with every sample',
      QUIET,
      'votes depend on samples without answers',
      spoilt(saying((_, count) => ({ experts: Int32Array.of(count) }))),
    ],
    [
      'probabilities that sum to 1.001',
      SHARES,
      'probabilities',
      spoilt(saying(({ probabilities }) => ({ probabilities: probabilities.map((p) => p * 1.001) }))),
    ],
    [
      'a probability below 0',
      SHARES,
      'probabilities',
      spoilt(saying(() => ({ probabilities: Float64Array.of(1.5, -0.5, 0), level: 0 }))),
    ],
    [
      'probabilities that are no numbers before any training',
      SHARES,
      'assessment 0: probabilities',
      spoilt(saying((_, count) => (count === 0 ? { probabilities: new Float64Array(3).fill(Number.NaN) } : {}))),
    ],
    [
      'a level that has probability 0',
      SHARES,
      'the assessed level has probability 0',
      spoilt(saying(() => ({ probabilities: Float64Array.of(0, 1, 0), level: 0 }))),
    ],
    ['a confidence above 1', SHARES, 'confidence 1.5', spoilt(saying(() => ({ confidence: 1.5 })))],
    [
      'confirmations that teach nothing',
      CONFIRMED,
      'the experts vote differently',
      hearing(
        (sound, id, feedback) =>
          sound.learn(id, feedback.kind === 'confirm' ? { ...feedback, kind: 'reject' } : feedback),
        subjectOf(findMethod('rvfl'), { groups: 1, nodes: 2 }),
      ),
    ],
    ['a sample that is not finite, taken', REFUSED, 'a wrong sample', seeing((sound, x) => sound.assess(mended(x)))],
    [
      'a wrong sample that changes the state before it is refused',
      REFUSED,
      'a wrong sample changes the state',
      seeing((sound, x) => {
        if (!(x instanceof Float64Array) || x.some(Number.isNaN)) sound.assess(new Float64Array(4))
        return sound.assess(x)
      }),
    ],
    [
      'a wrong sample that is refused with an error without a name',
      REFUSED,
      'not refused with a SampleError',
      seeing((sound, x) => {
        try {
          return sound.assess(x)
        } catch (error) {
          throw error instanceof SampleError ? new TypeError(error.message) : error
        }
      }),
    ],
    ['a mode that does not exist, taken', REFUSED, 'a mode that does not exist', seeing((sound, x) => sound.assess(x))],
    ['unknown and repeated answers, passed over', REFUSED, 'is not refused', hearing(swallowing)],
    [
      'a level that does not exist, taken for the last',
      REFUSED,
      '"level":3',
      hearing((sound, id, feedback) =>
        sound.learn(id, feedback?.kind === 'label' && feedback.level >= 3 ? { ...feedback, level: 2 } : feedback),
      ),
    ],
    [
      'a probability of being asked that is none, taken for 1',
      REFUSED,
      '"asked":',
      hearing((sound, id, feedback) => sound.learn(id, feedback?.kind === 'confirm' ? { kind: 'confirm' } : feedback)),
    ],
    [
      'a second answer, taken for a correction',
      REFUSED,
      'a second answer is not refused',
      hearing((sound, id, feedback) => {
        try {
          sound.learn(id, feedback)
        } catch (error) {
          if (!(error instanceof RepeatedFeedbackError)) throw error
        }
      }),
    ],
    [
      'a damaged snapshot, taken for none',
      REFUSED,
      'snapshot is not refused',
      { create: SOUND.create, restore: () => SOUND.create(1) },
    ],
    [
      'a state that grows with every sample',
      BOUNDED,
      'the state grows',
      spoilt((sound) => {
        let count = 0
        return {
          assess: (x, mode) => {
            count++
            return sound.assess(x, mode)
          },
          snapshot: () => {
            const bytes = sound.snapshot()
            const grown = new Uint8Array(bytes.length + 8 * count)
            grown.set(bytes)
            return grown
          },
        }
      }),
    ],
  ])('%s', (_, law, message, subject) => {
    expect(finding(laws(subject), law)).toContain(message)
  })

  it('an assessor that cannot take one kind of answer', () => {
    for (const kind of ['label', 'confirm', 'reject']) {
      const deaf = hearing((sound, id, feedback) => {
        if (feedback.kind === kind) throw new Error(`cannot take ${kind}`)
        sound.learn(id, feedback)
      })
      expect(() => finding(laws(deaf), BITS)).toThrow(`cannot take ${kind}`)
    }
  })

  it('nothing where the subject is excused, and then say so', () => {
    const broken = spoilt(saying(() => ({ confidence: 1.5 })))
    const suite = laws({ ...broken, exceptions: { [SHARES]: 'it is bold' } })
    const law = suite.find(({ excused }) => excused === 'it is bold')
    expect(law?.name).toBe(`${SHARES} (excused: it is bold)`)
    expect(() => law?.check()).not.toThrow()
    expect(suite.filter(({ excused }) => excused !== undefined)).toHaveLength(1)
  })
})

/** Naive Bayes, spoilt in one respect. */
function bayes(defect: (sound: NaiveBayes) => Partial<Learner>): LearnerSubject {
  return {
    create: (shape) => {
      const sound = new NaiveBayes(shape)
      return {
        predict: (x, out) => sound.predict(x, out),
        learn: (x, level, weight) => sound.learn(x, level, weight),
        transfer: (io) => sound.transfer(io),
        ...defect(sound),
      }
    },
  }
}

describe('the laws of learners find', () => {
  it.each<[defect: string, law: string, message: string, subject: LearnerSubject]>([
    [
      'predictions that differ from learner to learner',
      'the same samples give the same predictions',
      'predictions differ',
      bayes(() => {
        const own = ++made % LEVELS
        return { predict: (_x, out) => out.fill(0).fill(1, own, own + 1) }
      }),
    ],
    [
      'a prediction that is no distribution before any training',
      'predictions are a distribution, also before any training',
      'sample 0: predicts 0, 0, 0',
      bayes((sound) => {
        let taught = false
        return {
          learn: (x, level, weight) => {
            taught = true
            sound.learn(x, level, weight)
          },
          predict: (x, out) => (taught ? sound.predict(x, out) : out.fill(0)),
        }
      }),
    ],
    [
      'a state that is left out',
      'goes on from a saved state as if nothing had happened',
      'the state saved before',
      bayes(() => ({ transfer() {} })),
    ],
    [
      'learning from predictions',
      'predict does not learn',
      'after more predictions',
      bayes((sound) => ({
        predict: (x, out) => {
          sound.predict(x, out)
          sound.learn(x, 0)
        },
      })),
    ],
  ])('%s', (_, law, message, subject) => {
    expect(finding(learnerLaws(subject), law)).toContain(message)
  })
})

/** DDM, spoilt in one respect. */
function ddm(defect: (sound: Ddm) => Partial<DriftDetector>): DetectorSubject {
  return {
    create: () => {
      const sound = new Ddm()
      return {
        update: (value) => sound.update(value),
        reset: () => sound.reset(),
        transfer: (io) => sound.transfer(io),
        ...defect(sound),
      }
    },
  }
}

describe('the laws of detectors find', () => {
  const seen = 'sees the changes of the error rate, and sees them again after a reset'

  it.each<[defect: string, law: string, message: string, subject: DetectorSubject]>([
    [
      'signals that differ from detector to detector',
      'the same values give the same signals',
      'signals differ at value 0',
      ddm(() => {
        const own = ++made % 2 === 0 ? 'drift' : 'none'
        return { update: () => own }
      }),
    ],
    [
      'a state that is left out',
      'goes on from a saved state as if nothing had happened',
      'signals differ',
      ddm(() => ({ transfer() {} })),
    ],
    ['a detector that never signals', seen, 'it never signals drift', ddm(() => ({ update: () => 'none' }))],
    [
      'one that is dead after a reset',
      seen,
      'it never signals drift after a reset',
      ddm((sound) => {
        let dead = false
        return {
          update: (value) => (dead ? 'none' : sound.update(value)),
          reset: () => {
            dead = true
          },
        }
      }),
    ],
    ['a reset that forgets nothing', seen, 'after a reset the signals differ', ddm(() => ({ reset() {} }))],
  ])('%s', (_, law, message, subject) => {
    expect(finding(detectorLaws(subject), law)).toContain(message)
  })
})

type Row = { x: Float64Array; level: number }

/** A short dive whose rows are read in another way. */
function stream(rows: (sound: Stream) => Iterator<Row>): { create(): Stream } {
  return {
    create: () => {
      const sound = dive({ samples: 40 })
      const { name, channels, levels, samples } = sound
      return { ...sound, name, channels, levels, samples, [Symbol.iterator]: () => rows(sound) } as Stream
    },
  }
}

/** The rows with one of them changed. */
function* changed(sound: Stream, at: number, change: (row: Row) => Row | undefined): Generator<Row> {
  let count = 0
  for (const row of sound) {
    const next = count++ === at ? change(row) : row
    if (next) yield next
  }
}

describe('the laws of streams find', () => {
  const whole = 'every reading is finite, every level exists, and the length is as promised'

  it.each<[defect: string, law: string, message: string, subject: { create(): Stream }]>([
    ['a sample too few', whole, '39 samples, 40 promised', stream((sound) => changed(sound, 7, () => undefined))],
    [
      'a reading that is not finite',
      whole,
      'sample 7: a reading is not finite',
      stream((sound) => changed(sound, 7, ({ x, level }) => ({ x: x.map(() => Infinity), level }))),
    ],
    [
      'a level that does not exist',
      whole,
      'sample 7: level 3',
      stream((sound) => changed(sound, 7, ({ x }) => ({ x, level: 3 }))),
    ],
    [
      'a channel too few',
      whole,
      'readings',
      stream((sound) => changed(sound, 7, ({ x, level }) => ({ x: x.slice(1), level }))),
    ],
    [
      'a second reading that differs',
      'reading it again, or making it again, gives the same samples',
      'the second reading differs',
      (() => {
        let reading = 0
        return stream((sound) => changed(sound, reading++, ({ x }) => ({ x, level: 2 })))
      })(),
    ],
    [
      'readings that share one place',
      'two readings at the same time do not disturb each other',
      'a second reading disturbs the first',
      (() => {
        const shared = new WeakMap<Stream, { rows: Row[]; at: number }>()
        return stream((sound) => {
          const place = shared.get(sound) ?? { rows: [...sound], at: 0 }
          if (place.at >= place.rows.length) place.at = 0
          shared.set(sound, place)
          return {
            next: () =>
              place.at < place.rows.length ? { value: place.rows[place.at++] } : { value: undefined, done: true },
          } as Iterator<Row>
        })
      })(),
    ],
  ])('%s', (_, law, message, subject) => {
    expect(finding(streamLaws(subject), law)).toContain(message)
  })
})
