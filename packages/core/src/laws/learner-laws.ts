import type { Learner } from '../learners/learner.ts'
import { Random } from '../math/random.ts'
import { copyState, holds, isDistribution, type Law, same } from './law.ts'
import { CHANNELS, draw, LEVELS } from './task.ts'

/** A learner under test. */
export interface LearnerSubject {
  create(shape: { channels: number; levels: number }): Learner
}

const SHAPE = { channels: CHANNELS, levels: LEVELS }

/**
 * The laws that every learner keeps.
 *
 * @example
 * import { learnerLaws } from '@pb-oel/core/laws'
 * import { NaiveBayes } from '@pb-oel/core/learners'
 * for (const law of learnerLaws({ create: (shape) => new NaiveBayes(shape) })) law.check()
 */
export function learnerLaws(subject: LearnerSubject): Law[] {
  return [
    { name: 'the same samples give the same predictions', check: () => samePredictions(subject) },
    { name: 'predictions are a distribution, also before any training', check: () => predictsDistributions(subject) },
    { name: 'goes on from a saved state as if nothing had happened', check: () => stateIsComplete(subject) },
    { name: 'predict does not learn', check: () => predictLearnsNothing(subject) },
  ]
}

function samePredictions({ create }: LearnerSubject): void {
  const [one, other] = [create(SHAPE), create(SHAPE)]
  const random = new Random(1, 'learner law')
  for (let t = 0; t < 600; t++) {
    const { x, level } = draw(random)
    agree(one, other, x, `sample ${t}`)
    one.learn(x, level)
    other.learn(x, level)
  }
}

function predictsDistributions({ create }: LearnerSubject): void {
  const learner = create(SHAPE)
  const random = new Random(2, 'learner law')
  const out = new Float64Array(LEVELS)
  for (let t = 0; t < 600; t++) {
    const { x, level } = draw(random)
    learner.predict(x, out)
    holds(isDistribution(out), `sample ${t}: predicts ${out.join(', ')}`)
    learner.learn(x, level, 1 + (t % 3))
  }
}

function stateIsComplete({ create }: LearnerSubject): void {
  const original = create(SHAPE)
  const random = new Random(3, 'learner law')
  let copy: Learner | undefined
  for (let t = 0; t < 900; t++) {
    const { x, level } = draw(random)
    if (copy) agree(original, copy, x, `sample ${t}, the state saved before`)
    original.learn(x, level)
    copy?.learn(x, level)
    if (t % 300 === 299) copy = copyState(original, create(SHAPE))
  }
}

function predictLearnsNothing({ create }: LearnerSubject): void {
  const [quiet, busy] = [create(SHAPE), create(SHAPE)]
  const random = new Random(4, 'learner law')
  const out = new Float64Array(LEVELS)
  for (let t = 0; t < 300; t++) {
    const { x, level } = draw(random)
    for (let i = 0; i < 3; i++) busy.predict(draw(random).x, out)
    quiet.learn(x, level)
    busy.learn(x, level)
  }
  agree(quiet, busy, draw(random).x, 'after more predictions')
}

function agree(one: Learner, other: Learner, x: Float64Array, when: string): void {
  const [a, b] = [new Float64Array(LEVELS), new Float64Array(LEVELS)]
  one.predict(x, a)
  other.predict(x, b)
  holds(same(a, b), `${when}: predictions differ`)
}
