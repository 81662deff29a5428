import type { AssessmentId } from '../assessor.ts'
import type { Learner } from '../learners/learner.ts'
import type { StateIo } from '../state/state-io.ts'
import type { Expert } from './expert.ts'

/**
 * Makes any {@link Learner} an expert. It learns from known labels; "wrong" alone teaches only those that can use it.
 */
export class LearnerExpert implements Expert {
  private readonly learner: Learner

  constructor(learner: Learner) {
    this.learner = learner
  }

  predict(x: Float64Array, out: Float64Array): void {
    this.learner.predict(x, out)
  }

  teach(x: Float64Array, _id: AssessmentId, level: number): void {
    this.learner.learn(x, level)
  }

  refute(x: Float64Array, _id: AssessmentId, level: number): void {
    this.learner.refute?.(x, level)
  }

  transfer(io: StateIo): void {
    this.learner.transfer(io)
  }
}
