import { argmax } from '../learners/learner.ts'
import { Random } from '../math/random.ts'
import { flag, integerIn, numberIn, oneOf, positive } from '../options/checks.ts'
import { Scaler } from '../rvfl/scaler.ts'
import { openSnapshot } from '../state/snapshot.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions } from './base/epsilon-greedy.ts'
import { type BaseLearner, type EnsembleCompat, WatchedEnsemble } from './base/watched-ensemble.ts'

/** Options of {@link ObAdwin}. */
export interface ObAdwinOptions extends EpsilonGreedyOptions {
  /** Number of members, 1 … 1000. Default 10. */
  members?: number
  /** What the members are. Default `nearest-neighbours`, as in the implementation the paper compared with. */
  base?: BaseLearner
  /** Mean λ of the Poisson number of times a member learns a sample, 0 … 100. Default 1. */
  lambda?: number
  /** Significance of the members' ADWIN, in (0, 1]. Default 0.002. */
  delta?: number
  /** Standardise channels by mean and deviation of the labelled samples so far. Default false: raw, as the reference. */
  standardize?: boolean
  /**
   * `skm` follows scikit-multiflow: detectors are fed 1 for a *correct* answer given *after* training, so that the best
   * member is replaced when accuracy rises; the warm-up is learned by each member as a whole, k times, k one Poisson
   * draw; there are at least K members. Default `canonical`.
   */
  compat?: EnsembleCompat
}

/**
 * OB-ADWIN: online bagging whose members are watched by ADWIN.
 *
 * A member learns each sample k times, k ~ Poisson(1); the prediction is the mean of the members'. When a member's error
 * rises, the member with the largest error starts afresh; at most one per sample.
 *
 * N. C. Oza, S. Russell, "Online bagging and boosting", AISTATS 2001; A. Bifet et al., "New ensemble methods for evolving
 * data streams", KDD 2009.
 *
 * @example
 * import { ObAdwin } from '@pb-oel/core'
 * const assessor = new ObAdwin({ channels: 2, levels: 3, base: 'naive-bayes' })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4), 'full')
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class ObAdwin extends EpsilonGreedyAssessor {
  private readonly members: number
  private readonly lambda: number
  private readonly skm: boolean
  private readonly ensemble: WatchedEnsemble
  private readonly bagging: Random
  private readonly scaler: Scaler
  private readonly scaled: Float64Array

  constructor(options: ObAdwinOptions) {
    const compat = oneOf('compat', options.compat ?? 'canonical', ['canonical', 'skm'])
    const asked = integerIn('members', options.members ?? 10, 1, 1000)
    const members = compat === 'skm' ? Math.max(asked, options.levels) : asked
    super('ob-adwin', options, ['members', 'base', 'lambda', 'delta', 'standardize', 'compat'], members)
    const { channels, levels } = this
    this.members = members
    this.lambda = numberIn('lambda', options.lambda ?? 1, 0, 100)
    this.skm = compat === 'skm'
    const base = options.base ?? 'nearest-neighbours'
    const delta = positive('delta', options.delta ?? 0.002, 1)
    this.ensemble = new WatchedEnsemble({ channels, levels, members, base, delta, compat })
    this.bagging = new Random(this.seed, 'bagging')
    this.scaler = new Scaler(channels, flag('standardize', options.standardize ?? false) ? 'running' : 'none')
    this.scaled = new Float64Array(channels)
    if (this.skm) this.warmUpByMember()
    else this.warmUp()
  }

  /** Continues from a snapshot. */
  static restore(bytes: Uint8Array): ObAdwin {
    const snapshot = openSnapshot(bytes, 'ob-adwin')
    return snapshot.into(new ObAdwin(snapshot.options))
  }

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    const { members, ensemble, scaled, levels } = this
    this.scaler.scale(x, scaled)
    out.fill(0)
    for (let member = 0; member < members; member++) {
      const answer = ensemble.ask(member, scaled)
      votes[member] = argmax(answer)
      for (let level = 0; level < levels; level++) out[level] += answer[level] / members
    }
  }

  protected teach(x: Float64Array, level: number): void {
    const { members, ensemble, scaled, skm } = this
    this.scaler.feed(x, true)
    this.scaler.scale(x, scaled)
    for (let member = 0; member < members; member++) {
      const error = skm ? 0 : ensemble.error(member, scaled, level)
      ensemble.train(member, scaled, level, this.bagging.poisson(this.lambda))
      ensemble.watch(member, skm ? 1 - ensemble.error(member, scaled, level) : error)
    }
    this.settle()
  }

  protected transferModel(io: StateIo): void {
    this.bagging.position = io.number(this.bagging.position)
    this.scaler.transfer(io)
    this.ensemble.transfer(io)
  }

  private settle(): void {
    const replaced = this.ensemble.settle()
    if (replaced >= 0) this.drifts[replaced] = 1
  }

  /** scikit-multiflow: one Poisson draw decides for a member about the whole set. */
  private warmUpByMember(): void {
    const { ensemble, scaled } = this
    this.warmUp((x) => this.scaler.feed(x, true))
    for (let member = 0; member < this.members; member++) {
      for (let times = this.bagging.poisson(this.lambda); times > 0; times--) {
        this.warmUp((x, level) => {
          this.scaler.scale(x, scaled)
          ensemble.train(member, scaled, level, 1)
        })
      }
      this.warmUp((x, level) => {
        this.scaler.scale(x, scaled)
        ensemble.watch(member, 1 - ensemble.error(member, scaled, level))
      })
    }
    ensemble.settle()
  }
}
