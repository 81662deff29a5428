import type { AssessmentId, Feedback } from '../../assessor.ts'
import { HoeffdingTree } from '../../learners/hoeffding-tree/hoeffding-tree.ts'
import { argmax, type Learner } from '../../learners/learner.ts'
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
import { splitChunk, splitChunkEarly } from './chunk-split.ts'
import { brokenLabel, ConformalPredictor, changed, onlyLevel } from './conformal.ts'

/** The options of {@link Cpssds}. */
export const CPSSDS_OPTIONS = {
  ...RIVAL_OPTIONS,
  chunk: option.integer({ from: 10, to: 10_000, default: 200, about: 'Samples of a chunk.' }),
  labelShare: option.number({
    above: 0,
    to: 1,
    default: 0.2,
    about: 'Share P of a chunk used as labelled at most; other known labels are not looked at.',
  }),
  calibrationShare: option.number({
    from: 0,
    to: 1,
    default: 0.3,
    about: 'Share of the labelled samples that calibrates instead of being learned.',
  }),
  inclusion: option.number({
    above: 0,
    to: 1,
    default: 1,
    about: 'A level is possible for a sample when its p-value is at least this.',
  }),
  drift: option.number({
    from: 0,
    to: 1,
    default: 0.05,
    about: 'Drift when the mean probability of the Kolmogorov–Smirnov tests falls below this.',
  }),
  base: option.choice(['naive-bayes', 'hoeffding-tree'], { default: 'naive-bayes', about: 'The classifier.' }),
  compat: option.choice(['canonical', 'skm', 'paper'], {
    default: 'canonical',
    about:
      '`paper` is the reading that fits the comparison of the PB-OEL paper: the first chunk of the stream is labelled, ' +
      'later a confirmed level is no label, and a chunk whose labels name one level only is not learned. `skm` follows the published port: slices that end one early, a test part left out, calibration without the ' +
      'true level, and pseudo-labels that are always level 0, for samples to which *every* level conforms.',
  }),
}

/** Options of {@link Cpssds}, as {@link CPSSDS_OPTIONS} declares them. */
export type CpssdsOptions = OptionsOf<typeof CPSSDS_OPTIONS>

/** Samples of a level kept for a classifier that has to start afresh without any of that level. */
const KEPT = 10

/**
 * CPSSDS: semi-supervised learning in chunks. Conformal prediction picks unlabelled samples that can have one level
 * only and learns them as if labelled; a change of the p-values from chunk to chunk is drift and starts the classifier
 * afresh.
 *
 * A chunk is made of answered samples. Those whose level became known (given or confirmed) are its labelled pool, of
 * which at most the share P is used, drawn at random; the others and the rejected ones are its unlabelled part. A chunk
 * without any known level changes neither classifier nor calibration. `warmUp` plays the role of the first chunk.
 *
 * The drift test averages over all levels, and a level without calibration samples has p-values of 0 before and after:
 * no change. So where levels last longer than a chunk, drift is hardly ever seen. That is the published method.
 *
 * J. Tanha et al., "CPSSDS: Conformal prediction for semi-supervised classification on data streams", Information
 * Sciences 584, 2022.
 *
 * @example
 * import { Cpssds } from '@pb-oel/core/rivals'
 * const assessor = new Cpssds({ channels: 2, levels: 3, labelShare: 0.5 })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4), 'full')
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class Cpssds extends EpsilonGreedyAssessor {
  private readonly wanted: number
  private readonly calibrationShare: number
  private readonly inclusion: number
  private readonly driftLevel: number
  private readonly base: 'naive-bayes' | 'hoeffding-tree'
  private readonly compat: 'canonical' | 'skm' | 'paper'
  private readonly random: Random
  private classifier: Learner
  private readonly chunk: SampleBlock
  // From the chunk before.
  private unlabelled = new Float64Array(0)
  private calibration = new Float64Array(0)
  private calibrationLevels = new Int32Array(0)
  private readonly store: SampleStore
  private labels = 0

  constructor(options: CpssdsOptions) {
    super(CPSSDS, options)
    const settings = readOptions(CPSSDS_OPTIONS, options)
    const { channels, levels } = this
    this.chunk = new SampleBlock(settings.chunk, channels)
    this.wanted = Math.round(settings.labelShare * settings.chunk)
    this.calibrationShare = settings.calibrationShare
    this.inclusion = settings.inclusion
    this.driftLevel = settings.drift
    this.base = settings.base
    this.compat = settings.compat
    this.random = new Random(this.seed, 'labels')
    this.classifier = this.fresh()
    this.store = new SampleStore(levels, KEPT, channels)
    this.learnFirst(options.warmUp?.length ?? 0)
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Cpssds {
    return CPSSDS.restore(bytes)
  }

  /** Number of labels used so far, without the warm-up. */
  get bought(): number {
    return this.labels
  }

  override learn(id: AssessmentId, feedback: Feedback): void {
    const verdict = this.compat === 'paper' && feedback.kind === 'confirm'
    // To CPSSDS a rejected sample is an unlabelled one.
    super.learn(id, verdict ? { ...feedback, kind: 'reject' } : feedback)
  }

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    this.classifier.predict(x, out)
    votes[0] = argmax(out)
  }

  protected teach(x: Float64Array, level: number): void {
    if (this.chunk.add(x, level)) this.endChunk()
  }

  protected override refute(x: Float64Array): void {
    if (this.chunk.add(x, -1)) this.endChunk()
  }

  protected transferModel(io: StateIo): void {
    this.random.position = io.number(this.random.position)
    this.labels = io.number(this.labels)
    this.classifier.transfer(io)
    this.unlabelled = io.array(this.unlabelled)
    this.calibration = io.array(this.calibration)
    this.calibrationLevels = io.array(this.calibrationLevels)
    this.store.transfer(io)
    this.chunk.transfer(io)
  }

  private fresh(): Learner {
    const { channels, levels } = this
    const compat = this.compat === 'skm' ? 'skm' : 'canonical'
    return this.base === 'naive-bayes'
      ? new NaiveBayes({ channels, levels, compat })
      : new HoeffdingTree({ channels, levels, compat })
  }

  /** The warm-up as first chunk: its first samples calibrate, the others are learned. */
  private learnFirst(count: number): void {
    const cut = Math.round(this.calibrationShare * count)
    this.calibration = new Float64Array(cut * this.channels)
    this.calibrationLevels = new Int32Array(cut)
    let at = 0
    this.warmUp((x, level) => {
      this.store.push(x, level)
      if (at < cut) {
        this.calibration.set(x, at * this.channels)
        this.calibrationLevels[at] = level
      } else this.classifier.learn(x, level)
      at++
    })
  }

  private endChunk(): void {
    const { chunk, store, wanted, calibrationShare } = this
    const known = chunk.known()
    if (this.compat === 'paper' && known.every((at) => chunk.levels[at] === chunk.levels[known[0]])) return
    const split =
      this.compat === 'skm'
        ? splitChunkEarly(chunk.size, known, wanted, calibrationShare)
        : splitChunk(chunk.size, this.draw(known), wanted, calibrationShare)
    const unlabelled = chunk.rows(split.unlabelled)
    if (split.learning.length > 0) {
      this.labels += split.learning.length + split.calibration.length
      this.adapt(split.learning, unlabelled)
      for (const at of [...split.calibration, ...split.learning]) store.push(chunk.row(at), chunk.levels[at])
      this.calibration = chunk.rows(split.calibration)
      this.calibrationLevels = Int32Array.from(split.calibration, (at) => chunk.levels[at])
    }
    this.unlabelled = unlabelled
  }

  /** Learns a chunk: afresh after drift, otherwise together with what is certain of the chunk before. */
  private adapt(learning: readonly number[], unlabelled: Float64Array): void {
    const { channels, levels, chunk } = this
    const careless = this.compat === 'skm'
    const predictor = new ConformalPredictor(levels)
    predictor.calibrateBy(this.classifier, this.calibration, this.calibrationLevels, careless)
    const before = predictor.pValues(this.classifier, this.unlabelled, channels)
    const drifted = changed(before, predictor.pValues(this.classifier, unlabelled, channels), this.driftLevel)
    if (drifted) {
      this.classifier = this.fresh()
      this.drifts[0] = 1
    }
    for (const at of learning) this.classifier.learn(chunk.row(at), chunk.levels[at])
    if (drifted) {
      if (!careless) this.recall(learning)
      return
    }
    for (let i = 0; i < before[0].length; i++) {
      const level = careless ? brokenLabel(before, i, this.inclusion) : onlyLevel(before, i, this.inclusion)
      if (level >= 0) this.classifier.learn(this.unlabelled.subarray(i * channels, (i + 1) * channels), level)
    }
  }

  /** Teaches a new classifier the kept samples of the levels it has not seen. */
  private recall(learning: readonly number[]): void {
    for (let level = 0; level < this.levels; level++) {
      if (learning.some((at) => this.chunk.levels[at] === level)) continue
      this.store.newest(level, KEPT, (x) => this.classifier.learn(x, level))
    }
  }

  /** The known positions to use, in random order. */
  private draw(known: readonly number[]): number[] {
    const chosen = new Int32Array(Math.min(this.wanted, known.length))
    drawSubset(this.random, known.length, chosen.length, chosen)
    return Array.from(chosen, (index) => known[index])
  }
}

/** The entry of {@link Cpssds}. */
export const CPSSDS: Method<Cpssds> = defineMethod({
  name: 'cpssds',
  title: 'CPSSDS',
  role: 'rival',
  summary: 'conformal prediction for semi-supervised streams',
  options: CPSSDS_OPTIONS,
  labelledFirst: ({ compat, chunk = CPSSDS_OPTIONS.chunk.default }) => (compat === 'paper' ? Number(chunk) : undefined),
  make: (options) => new Cpssds(options),
})
