import { argmax } from '../../learners/learner.ts'
import { NaiveBayes } from '../../learners/naive-bayes.ts'
import { drawSubset } from '../../math/draws.ts'
import { Random } from '../../math/random.ts'
import { defineMethod, type Method } from '../../method.ts'
import { option } from '../../options/option.ts'
import { type OptionsOf, readOptions } from '../../options/option-table.ts'
import type { StateIo } from '../../state/state-io.ts'
import { EpsilonGreedyAssessor, RIVAL_OPTIONS } from '../base/epsilon-greedy.ts'
import { SampleBlock } from '../base/sample-block.ts'
import { SampleStore } from '../base/sample-store.ts'
import { DynamicGroup } from './dynamic-group.ts'

/** The options of {@link RoaleDi}. */
export const ROALE_DI_OPTIONS = {
  ...RIVAL_OPTIONS,
  labelShare: option.number({
    above: 0,
    to: 1,
    default: 0.05,
    about: 'Share r of a block whose labels are bought at random at its end.',
  }),
  block: option.integer({ from: 2, to: 100_000, default: 150, about: 'Samples I of a block.' }),
  step: option.number({
    from: 0,
    to: 0.999,
    default: 0.01,
    about: 'Step s: each label shrinks the margin by the factor 1 − s.',
  }),
  threshold: option.number({
    above: 0,
    to: 1,
    default: 0.5,
    about: 'Threshold θ of the margin: labels are asked for below 2θ/K at the start of a block.',
  }),
  group: option.integer({
    from: 2,
    to: 100,
    default: 10,
    about: 'Number D of blocks before a dynamic classifier is replaced.',
  }),
  imbalance: option.number({
    from: 0,
    to: 1,
    default: 0.01,
    about: 'Least probability σ of asking for the label of a sample that seems certain.',
  }),
  query: option.choice(['own', 'every'], {
    default: 'own',
    about: '`own`: a known label counts only when the method asks for it; `every`: all known labels are learned.',
  }),
  compat: option.choice(['canonical', 'skm'], {
    default: 'canonical',
    about:
      '`skm` follows the published port on scikit-multiflow: the first margin is θ/2, the stable classifier learns ' +
      'the labels asked for because of imbalance too, and naive Bayes multiplies raw densities.',
  }),
}

/** Options of {@link RoaleDi}, as {@link ROALE_DI_OPTIONS} declares them. */
export type RoaleDiOptions = OptionsOf<typeof ROALE_DI_OPTIONS>

/**
 * ROALE-DI: an active learner with a stable classifier that never stops learning and a group of dynamic ones, each made
 * from one block of the stream; votes for rare levels are reinforced. All classifiers are naive Bayes.
 *
 * It chooses which labels to buy; nobody can sell it a label that is not known. So of the labels that become known
 * (given or confirmed) it learns those that its own rules ask for: small margin, rare level, or the random draw among
 * the known ones of a block. A rejected sample counts towards the block and costs nothing. Blocks count answered
 * samples, and θ shrinks only with labels that it received. `warmUp` stands for the first, fully labelled block.
 *
 * H. Zhang, W. Liu, Q. Liu, "Reinforcement online active learning ensemble for drifting imbalanced data streams",
 * IEEE TKDE 34(8), 2022.
 *
 * @example
 * import { RoaleDi } from '@pb-oel/core/rivals'
 * const assessor = new RoaleDi({ channels: 2, levels: 3 })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4), 'full')
 * assessor.learn(id, { kind: 'label', level: 1 })
 * assessor.bought // 1: it knows nothing yet, so every margin is small
 */
export class RoaleDi extends EpsilonGreedyAssessor {
  private readonly drawn: number
  private readonly perLevel: number
  private readonly shrink: number
  private readonly threshold: number
  private readonly imbalance: number
  private readonly every: boolean
  private readonly compat: 'canonical' | 'skm'
  private readonly random: Random
  private readonly stable: NaiveBayes
  private readonly dynamic: DynamicGroup
  /** Damped share of each level, and the probability of asking about a sample judged to have it. */
  private readonly shares: Float64Array
  private readonly asking: Float64Array
  private readonly store: SampleStore
  private readonly block: SampleBlock
  private readonly paid: Uint8Array
  private margin: number
  private labels = 0
  private readonly scores: Float64Array

  constructor(options: RoaleDiOptions) {
    const settings = readOptions(ROALE_DI_OPTIONS, options)
    const { group, labelShare: share, block: size } = settings
    super(ROALE_DI, options, group + 2)
    const { channels, levels } = this
    this.drawn = Math.floor(share * size)
    this.perLevel = (share * size) / levels
    this.shrink = 1 - settings.step
    this.threshold = settings.threshold
    this.imbalance = settings.imbalance
    this.every = settings.query === 'every'
    this.compat = settings.compat
    this.random = new Random(this.seed, 'queries')
    this.stable = this.classifier()
    this.dynamic = new DynamicGroup(group, { channels, levels, compat: this.compat })
    this.shares = new Float64Array(levels)
    this.asking = new Float64Array(levels)
    this.store = new SampleStore(levels, Math.floor(this.perLevel), channels)
    this.block = new SampleBlock(size, channels)
    this.paid = new Uint8Array(size)
    this.margin = this.compat === 'skm' ? this.threshold / 2 : (2 * this.threshold) / levels
    this.scores = new Float64Array(levels)
    this.warmUp((x, level) => {
      this.stable.learn(x, level)
      this.dynamic.begin(x, level)
      this.store.push(x, level)
    })
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): RoaleDi {
    return ROALE_DI.restore(bytes)
  }

  /** Number of labels bought so far, without the warm-up. */
  get bought(): number {
    return this.labels
  }

  /** Weights of the dynamic classifiers. */
  get weights(): Float64Array {
    return this.dynamic.currentWeights
  }

  /** A label is asked for when the two best scores differ by no more than this. */
  get marginThreshold(): number {
    return this.margin
  }

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    votes.fill(-1)
    this.score(x, out, votes)
    const best = argmax(out)
    let sum = 0
    for (let level = 0; level < out.length; level++) sum += out[level]
    for (let level = 0; level < out.length; level++) out[level] /= sum
    // Places not taken yet repeat the common vote.
    for (let j = 0; j < votes.length; j++) if (votes[j] < 0) votes[j] = best
  }

  protected teach(x: Float64Array, level: number): void {
    this.keep(x, level, this.ask(x, level))
  }

  protected override refute(x: Float64Array): void {
    this.keep(x, -1, false)
  }

  protected transferModel(io: StateIo): void {
    this.random.position = io.number(this.random.position)
    this.margin = io.number(this.margin)
    this.labels = io.number(this.labels)
    this.stable.transfer(io)
    this.dynamic.transfer(io)
    io.fill(this.shares)
    io.fill(this.asking)
    this.store.transfer(io)
    this.block.transfer(io)
    io.fill(this.paid.subarray(0, this.block.next))
  }

  private classifier(): NaiveBayes {
    return new NaiveBayes({ channels: this.channels, levels: this.levels, compat: this.compat })
  }

  /** Half the stable classifier's vote plus the weighted dynamic ones. Not normalised: the margin expects that. */
  private score(x: Float64Array, out: Float64Array, votes?: Int32Array): void {
    this.stable.predict(x, out)
    if (votes !== undefined) votes[0] = argmax(out)
    for (let level = 0; level < out.length; level++) out[level] *= 0.5
    this.dynamic.addScores(x, out, votes)
  }

  private judge(x: Float64Array): number {
    this.score(x, this.scores)
    return argmax(this.scores)
  }

  /** Decides whether to buy the label of a sample as it comes, and learns it if so. */
  private ask(x: Float64Array, level: number): boolean {
    const judged = this.judge(x)
    if (this.every || marginOf(this.scores) <= this.margin) {
      this.margin *= this.shrink
      this.buy(x, level, true)
      if (this.judge(x) === level) this.margin *= this.shrink
      return true
    }
    if (this.random.uniform() >= this.asking[judged]) return false
    this.buy(x, level, this.compat === 'skm')
    if (this.judge(x) !== level) this.reinforce(x, level)
    return true
  }

  private buy(x: Float64Array, level: number, stable: boolean): void {
    this.labels++
    this.store.push(x, level)
    if (stable) this.stable.learn(x, level)
    this.dynamic.learn(x, level)
  }

  private reinforce(x: Float64Array, level: number): void {
    if (this.shares[level] < 1 / this.levels) this.dynamic.reinforce(x, level)
  }

  private keep(x: Float64Array, level: number, paid: boolean): void {
    this.paid[this.block.next] = paid ? 1 : 0
    if (!this.block.add(x, level)) return
    this.margin = (2 * this.threshold) / this.levels
    this.endBlock()
  }

  /** Buys labels at random among the known ones of the block and makes a classifier of them. */
  private endBlock(): void {
    const { levels, block, store } = this
    const known = block.known()
    const drawn = new Int32Array(Math.min(this.drawn, known.length))
    if (drawn.length === 0) return
    drawSubset(this.random, known.length, drawn.length, drawn)
    for (let i = 0; i < drawn.length; i++) drawn[i] = known[drawn[i]]
    const newcomer = this.classifier()
    const counts = new Float64Array(levels)
    for (const at of drawn) {
      const x = block.row(at)
      const level = block.levels[at]
      if (this.paid[at] === 0) this.labels++
      counts[level]++
      if (this.judge(x) === level) this.margin *= this.shrink
      else this.reinforce(x, level)
      newcomer.learn(x, level)
    }
    for (let level = 0; level < levels; level++) {
      store.newest(level, Math.floor(this.perLevel - counts[level]), (x) => newcomer.learn(x, level))
    }
    for (const at of drawn) store.push(block.row(at), block.levels[at])
    this.dynamic.admit(newcomer, counts)
    this.dynamic.shares(this.shares)
    for (let level = 0; level < levels; level++) {
      this.asking[level] = askingProbability(this.shares[level], levels, this.imbalance)
    }
  }
}

/** The entry of {@link RoaleDi}. */
export const ROALE_DI: Method<RoaleDi> = defineMethod({
  name: 'roale-di',
  title: 'ROALE-DI',
  role: 'rival',
  summary: 'reinforcement online active learning ensemble',
  options: ROALE_DI_OPTIONS,
  make: (options) => new RoaleDi(options),
})

/** σ_c of a level with damped share `share`: certain for a level never seen, at least σ otherwise. */
export function askingProbability(share: number, levels: number, imbalance: number): number {
  return share === 0 ? 1 : Math.max(imbalance / (levels * share), imbalance)
}

/** The difference between the two largest scores. */
function marginOf(scores: Float64Array): number {
  let first = -Infinity
  let second = -Infinity
  for (let i = 0; i < scores.length; i++) {
    if (scores[i] > first) {
      second = first
      first = scores[i]
    } else if (scores[i] > second) second = scores[i]
  }
  return first - second
}
