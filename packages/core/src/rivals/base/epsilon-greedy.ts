import type { Assessment, AssessmentId, Assessor, Feedback, FeedbackMode } from '../../assessor.ts'
import { argmax } from '../../learners/learner.ts'
import { Random } from '../../math/random.ts'
import type { Method } from '../../method.ts'
import { option } from '../../options/option.ts'
import { type OptionsOf, readOptions } from '../../options/option-table.ts'
import { TASK_OPTIONS } from '../../options/task-options.ts'
import { checkFeedback, checkMode, checkSample, PendingAssessments } from '../../pending.ts'
import { writeSnapshot } from '../../state/snapshot.ts'
import type { Stateful, StateIo } from '../../state/state-io.ts'
import { checkWarmUp } from '../../warm-up.ts'

/** The options that every rival and every baseline has. */
export const RIVAL_OPTIONS = {
  ...TASK_OPTIONS,
  epsilon: option.number({
    from: 0,
    to: 1,
    default: 0.005,
    about: 'Share of assessments drawn uniformly over the levels.',
  }),
}

/** Options that every rival and every baseline has, as {@link RIVAL_OPTIONS} declares them. */
export type EpsilonGreedyOptions = OptionsOf<typeof RIVAL_OPTIONS>

/**
 * The paper's way to run a method that needs labels under mixed feedback (Section IV-D): it learns when the label is
 * known (given, or confirmed), is told nothing otherwise, and acts ε-greedily so that it cannot lock itself into one
 * level. As in the paper it explores whatever answer is promised; `epsilon: 0` shows the method itself.
 */
export abstract class EpsilonGreedyAssessor implements Assessor, Stateful {
  readonly channels: number
  readonly levels: number
  /** Seed of all randomness of this assessor. */
  protected readonly seed: number
  /** Set by a subclass when it rebuilds expert n because of drift; shown with the next assessment. */
  protected readonly drifts: Uint8Array
  private readonly method: string
  private readonly options: EpsilonGreedyOptions
  private readonly epsilon: number
  private readonly actions: Random
  private readonly pending: PendingAssessments
  private readonly sample: Float64Array
  private readonly prediction: Float64Array
  private readonly result: Writable<Assessment>

  /**
   * @param method entry whose name snapshots carry, and whose table the options are checked against
   * @param options what the caller gave
   * @param members number of members whose votes are shown
   */
  constructor(method: Pick<Method, 'name' | 'options'>, options: EpsilonGreedyOptions, members = 1) {
    const settings = readOptions(method.options as typeof RIVAL_OPTIONS, options)
    const { channels, levels } = settings
    this.method = method.name
    this.channels = channels
    this.levels = levels
    this.seed = settings.seed
    this.epsilon = settings.epsilon
    this.options = { ...options }
    if (options.warmUp) this.options.warmUp = checkWarmUp(options.warmUp, channels, levels)
    this.actions = new Random(this.seed, 'actions')
    this.pending = new PendingAssessments(settings.pending, this.channels + 1)
    this.sample = new Float64Array(this.channels)
    this.prediction = new Float64Array(this.levels)
    this.drifts = new Uint8Array(members)
    this.result = {
      id: -1,
      level: 0,
      probabilities: new Float64Array(this.levels),
      confidence: 0,
      experts: new Int32Array(members),
      drifts: new Uint8Array(members),
    }
  }

  /**
   * Writes the class distribution for `x` of assessment `id` into `out` and the members' votes into `votes`. Learns
   * nothing.
   */
  protected abstract predict(x: Float64Array, out: Float64Array, votes: Int32Array, id: AssessmentId): void
  /** Learns that `x` of assessment `id` has `level`. */
  protected abstract teach(x: Float64Array, level: number, id: AssessmentId): void
  /** Learns that `x` of assessment `id` does not have `level`. Most methods cannot use this. */
  protected refute(_x: Float64Array, _level: number, _id: AssessmentId): void {}
  /** Saves or loads what the subclass has learned. */
  protected abstract transferModel(io: StateIo): void

  /**
   * Learns the samples of option `warmUp`, in order. A subclass calls this at the end of its constructor, when its own
   * fields exist; one that treats the first samples in its own way passes that way as `learn`. Their id is −1.
   */
  protected warmUp(learn: (x: Float64Array, level: number) => void = (x, level) => this.teach(x, level, -1)): void {
    for (const { x, level } of this.options.warmUp ?? []) {
      this.sample.set(x)
      learn(this.sample, level)
    }
    this.drifts.fill(0)
  }

  assess(x: Float64Array, mode: FeedbackMode = 'unknown'): Assessment {
    checkSample(x, this.channels)
    checkMode(mode)
    const { prediction, result, levels, pending, epsilon } = this
    this.predict(x, prediction, result.experts, pending.count)
    const greedy = argmax(prediction)
    result.probabilities.fill(epsilon / levels)
    result.probabilities[greedy] += 1 - epsilon
    // One draw decides both whether and where to explore, so every assessment consumes exactly one number.
    const u = this.actions.uniform()
    result.level = u < epsilon ? Math.min(levels - 1, Math.floor((u / epsilon) * levels)) : greedy
    result.confidence = prediction[result.level]
    result.drifts.set(this.drifts)
    this.drifts.fill(0)
    result.id = pending.open()
    const offset = pending.offset(result.id)
    pending.data.set(x, offset)
    pending.data[offset + this.channels] = result.level
    return result
  }

  learn(id: AssessmentId, feedback: Feedback): void {
    checkFeedback(feedback, this.levels)
    const { pending, sample, channels } = this
    pending.check(id, feedback)
    const offset = pending.offset(id)
    for (let i = 0; i < channels; i++) sample[i] = pending.data[offset + i]
    const assessed = pending.data[offset + channels]
    if (feedback.kind === 'reject') this.refute(sample, assessed, id)
    else this.teach(sample, feedback.kind === 'label' ? feedback.level : assessed, id)
    pending.close(id)
  }

  snapshot(): Uint8Array {
    return writeSnapshot(this.method, this.options, this)
  }

  transfer(io: StateIo): void {
    this.actions.position = io.number(this.actions.position)
    this.pending.transfer(io)
    io.fill(this.drifts)
    this.transferModel(io)
  }
}

/** An object whose fields the owner may write. */
type Writable<T> = { -readonly [K in keyof T]: T[K] }
