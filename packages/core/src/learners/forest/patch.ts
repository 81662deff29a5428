import { Random } from '../../math/random.ts'
import type { Stateful, StateIo } from '../../state/state-io.ts'
import { HoeffdingTree } from '../hoeffding-tree/hoeffding-tree.ts'
import type { HoeffdingTreeOptions } from '../hoeffding-tree/options.ts'
import type { SplitSearch } from '../hoeffding-tree/split-search.ts'

/**
 * A Hoeffding tree and the channels it sees: all of them, or a subspace that the tree knows as 0, 1, 2, ….
 * The name "random patch" is for a model trained on a random part of both the samples and the channels.
 */
export class Patch implements Stateful {
  readonly tree: HoeffdingTree
  /** The channels seen, or none for all. */
  readonly subspace: Int32Array
  /** Which tree of its ensemble this is: names the random stream its leaves draw from. */
  readonly stream: string
  private readonly sample: Float64Array

  /**
   * @param options of the tree; its `channels` are replaced by the size of the subspace
   * @param search shared by all trees of the ensemble
   */
  constructor(options: HoeffdingTreeOptions, stream: string, seed: number, subspace: Int32Array, search: SplitSearch) {
    this.stream = stream
    this.subspace = subspace
    this.sample = new Float64Array(subspace.length)
    const channels = subspace.length || options.channels
    this.tree = new HoeffdingTree({ ...options, channels }, new Random(seed, stream), search)
  }

  /** Writes the distribution for `x` into `out`; false when the tree has nothing to say. */
  vote(x: Float64Array, out: Float64Array): boolean {
    return this.tree.vote(this.select(x), out)
  }

  /** Learns the sample that was voted on last, with nothing learned in between. */
  learnVoted(x: Float64Array, level: number, weight: number): void {
    this.tree.learnVoted(this.select(x), level, weight)
  }

  /** Learns any sample. */
  learn(x: Float64Array, level: number, weight: number): void {
    const sample = this.select(x)
    this.tree.locate(sample)
    this.tree.learnVoted(sample, level, weight)
  }

  transfer(io: StateIo): void {
    io.fill(this.subspace)
    this.tree.transfer(io)
  }

  private select(x: Float64Array): Float64Array {
    const { subspace, sample } = this
    if (subspace.length === 0) return x
    for (let i = 0; i < subspace.length; i++) sample[i] = x[subspace[i]]
    return sample
  }
}
