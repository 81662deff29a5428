import type { AdaptiveTrees } from '../../learners/forest/adaptive-trees.ts'
import type { StateIo } from '../../state/state-io.ts'
import { EpsilonGreedyAssessor } from './epsilon-greedy.ts'

/** An assessor whose model is an ensemble of {@link AdaptiveTrees}. */
export abstract class TreesAssessor extends EpsilonGreedyAssessor {
  protected abstract readonly trees: AdaptiveTrees

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    this.trees.predict(x, out, votes)
  }

  protected teach(x: Float64Array, level: number): void {
    this.trees.learn(x, level, this.drifts)
  }

  protected transferModel(io: StateIo): void {
    this.trees.transfer(io)
  }
}
