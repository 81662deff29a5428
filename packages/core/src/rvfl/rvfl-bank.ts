import type { LabelledSample } from '../assessor.ts'
import type { DriftDetector } from '../drift/detector.ts'
import { argmax } from '../learners/learner.ts'
import { Random } from '../math/random.ts'
import { RobustScaler } from '../scaling/robust-scaler.ts'
import { type SampleScaler, Scaler, type Scaling } from '../scaling/scaler.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { type ConfidenceRule, normaliseOutputs } from './confidence.ts'
import { drawInputWeights } from './features.ts'
import { createKernel } from './kernel/create.ts'
import type { Precision, RvflKernel } from './kernel/kernel.ts'
import type { Arithmetic } from './kernel/options.ts'
import type { Monitoring } from './monitoring.ts'
import { labelTargets, penaltyTargets } from './targets.ts'

/** What a bank is made from; every field is checked by the assessor that owns it. */
export interface RvflBankSettings {
  /** Number of networks N. */
  networks: number
  channels: number
  levels: number
  seed: number
  groups: number
  nodes: number
  ridge: number
  forgetting: number
  confidence: ConfidenceRule
  scaling: Scaling
  warmUp: readonly LabelledSample[]
  /** How many recent labelled samples a network is refitted on after drift. */
  buffer: number
  /** How each network is watched for drift; undefined: not at all, so that none is ever refitted. */
  monitor: Monitoring | undefined
  /** Whether monitors hear rejections too, and the buffer of a refit holds them. */
  hearsRejections?: boolean
  /** Target ζ of a rejected level, or `false`: rejections teach nothing. */
  penalty: number | false
  arithmetic: Arithmetic
  precision: Precision
  threads: number
}

/**
 * The base classifiers, all side by side: RVFL networks with recursive least squares, penalty targets and a drift
 * monitor each (the paper's Section III-B and lines 12–20 of Algorithm 1).
 */
export class RvflBank implements Stateful {
  /** ξ of the latest `predict`: each network's confidences, N × K. */
  readonly confidences: Float64Array
  /** Each network's level of the latest `predict`. */
  readonly votes: Int32Array
  /** 1 for each network that was refitted since the owner last cleared it. */
  readonly drifts: Uint8Array
  private readonly settings: RvflBankSettings
  private readonly kernel: RvflKernel
  private readonly scaler: SampleScaler
  private readonly monitors: DriftDetector[]
  private readonly binary: boolean
  private readonly z: Float64Array
  private readonly targets: Float64Array
  private readonly practice: Float64Array
  private readonly practised: Float64Array
  private readonly recent: Float64Array
  private readonly recentLevels: Int32Array
  private labelled = 0
  private current = -1

  constructor(settings: RvflBankSettings) {
    const { networks, channels, levels, seed, groups, nodes, ridge, forgetting, monitor, buffer } = settings
    this.settings = settings
    this.kernel = createKernel(
      { experts: networks, channels, nodes: groups * nodes, levels, ridge, forgetting },
      { arithmetic: settings.arithmetic, precision: settings.precision, threads: settings.threads },
    )
    const random = new Random(seed, 'weights')
    for (let n = 0; n < networks; n++) {
      const { weights, biases } = drawInputWeights(random, channels, groups, nodes)
      this.kernel.setInputWeights(n, weights, biases)
    }
    const { scaling } = settings
    this.scaler =
      scaling === 'robust' || scaling === 'relative'
        ? new RobustScaler(channels, scaling === 'robust' ? 'absolute' : 'relative')
        : new Scaler(channels, scaling)
    this.monitors = monitor ? Array.from({ length: networks }, () => monitor.create()) : []
    this.binary = monitor?.binary === true
    this.confidences = new Float64Array(networks * levels)
    this.votes = new Int32Array(networks)
    this.drifts = new Uint8Array(networks)
    this.z = new Float64Array(channels)
    this.targets = new Float64Array(networks * levels)
    this.practice = new Float64Array(networks * levels)
    this.practised = new Float64Array(networks * levels)
    this.recent = new Float64Array(buffer * channels)
    this.recentLevels = new Int32Array(buffer)
    for (const { x } of settings.warmUp) this.scaler.feed(Float64Array.from(x), true)
    for (const { x, level } of settings.warmUp) {
      const sample = Float64Array.from(x)
      this.remember(sample, level)
      this.forward(sample, 0, networks)
      labelTargets(this.targets, levels, level)
      this.kernel.update(this.targets, 0, networks)
    }
  }

  /** Fills `confidences` and `votes` for assessment `id` of sample `x`. */
  predict(x: Float64Array, id: number): void {
    const { networks, levels, confidence } = this.settings
    this.forward(x, 0, networks)
    const { outputs } = this.kernel
    for (let n = 0; n < networks; n++) {
      normaliseOutputs(outputs, this.confidences, n * levels, levels, confidence)
      this.votes[n] = argmax(outputs, n * levels, levels)
    }
    this.current = id
  }

  /** Learns that the sample `x` of assessment `id` has `level`; refits the networks whose confidence has drifted. */
  teach(x: Float64Array, id: number, level: number): void {
    const { levels } = this.settings
    if (this.current !== id) this.predict(x, id)
    this.remember(x, level)
    labelTargets(this.targets, levels, level)
    this.learn(level)
    this.scaler.feed(x, false)
    this.current = -1
  }

  /** Learns that the sample `x` of assessment `id` does not have `level`. */
  refute(x: Float64Array, id: number, level: number): void {
    const { levels, penalty, hearsRejections, networks } = this.settings
    if (penalty === false) return
    if (this.current !== id) this.predict(x, id)
    penaltyTargets(this.targets, this.confidences, levels, level, penalty)
    if (hearsRejections) {
      this.remember(x, -1 - level)
      this.learn(-1 - level)
    } else this.kernel.update(this.targets, 0, networks)
    this.current = -1
  }

  /**
   * Updates every network on the sample in hand: `level` is the true one, or −1 − a rejected one. Networks that drift
   * are refitted on the buffer, which holds the sample too.
   */
  private learn(level: number): void {
    this.kernel.update(this.targets, 0, this.settings.networks)
    for (let n = 0; n < this.monitors.length; n++) {
      if (this.monitors[n].update(this.loss(n, level)) === 'drift') this.refit(n)
    }
  }

  /** Trains network n on row `at` of the buffer. */
  private practise(n: number, at: number): void {
    const { channels, levels, confidence, penalty } = this.settings
    const { practised, practice } = this
    const level = this.recentLevels[at]
    this.forward(this.recent.subarray(at * channels, (at + 1) * channels), n, n + 1)
    normaliseOutputs(this.kernel.outputs, practised, n * levels, levels, confidence)
    if (level >= 0) labelTargets(practice, levels, level)
    else penaltyTargets(practice, practised, levels, -1 - level, Number(penalty))
    this.kernel.update(practice, n, n + 1)
  }

  transfer(io: StateIo): void {
    this.kernel.transfer(io)
    this.scaler.transfer(io)
    for (const monitor of this.monitors) monitor.transfer(io)
    this.labelled = io.number(this.labelled)
    io.fill(this.recent)
    io.fill(this.recentLevels)
    io.fill(this.drifts)
    this.current = -1
  }

  /** Ridge regression of network n on the buffer: from P = I/λ, one update for each row gives exactly that. */
  private refit(n: number): void {
    const { buffer } = this.settings
    this.kernel.reset(n)
    for (let i = Math.max(0, this.labelled - buffer); i < this.labelled; i++) this.practise(n, i % buffer)
    this.drifts[n] = 1
  }

  /**
   * What the monitor of network n is told of the sample in hand: 1 − the confidence in the true level. After a
   * rejection of a it is not known which that is; each other one has (1 − ξ_a)/(K − 1) on average.
   */
  private loss(n: number, level: number): number {
    const { levels } = this.settings
    if (this.binary) return (level >= 0 ? this.votes[n] === level : this.votes[n] !== -1 - level) ? 0 : 1
    if (level >= 0) return 1 - this.confidences[n * levels + level]
    return 1 - (1 - this.confidences[n * levels - 1 - level]) / (levels - 1)
  }

  private forward(x: Float64Array, first: number, last: number): void {
    this.scaler.scale(x, this.z)
    this.kernel.forward(this.z, first, last)
  }

  private remember(x: Float64Array, level: number): void {
    const at = this.labelled % this.settings.buffer
    this.recent.set(x, at * this.settings.channels)
    this.recentLevels[at] = level
    this.labelled++
  }
}
