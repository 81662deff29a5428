import { argmax } from '../learners/learner.ts'
import { drawPoisson } from '../math/draws.ts'
import { Random } from '../math/random.ts'
import { defineMethod, type Method } from '../method.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { Scaler } from '../scaling/scaler.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor } from './base/epsilon-greedy.ts'
import { WATCHED_OPTIONS, WatchedEnsemble } from './base/watched-ensemble.ts'

/** The options of {@link ObAdwin}. */
export const OB_ADWIN_OPTIONS = {
  ...WATCHED_OPTIONS,
  lambda: option.number({
    from: 0,
    to: 100,
    default: 1,
    about: 'Mean λ of the Poisson number of times a member learns a sample.',
  }),
  compat: option.choice(['canonical', 'skm'], {
    default: 'canonical',
    about:
      '`skm` follows scikit-multiflow: detectors are fed 1 for a *correct* answer given *after* training, so that ' +
      'the best member is replaced when accuracy rises; the warm-up is learned by each member as a whole, k times, ' +
      'k one Poisson draw; there are at least K members.',
  }),
}

/** Options of {@link ObAdwin}, as {@link OB_ADWIN_OPTIONS} declares them. */
export type ObAdwinOptions = OptionsOf<typeof OB_ADWIN_OPTIONS>

/**
 * OB-ADWIN: online bagging whose members are watched by ADWIN.
 *
 * A member learns each sample k times, k ~ Poisson(1); the prediction is the mean of the members'. When a member's
 * error rises, the member with the largest error starts afresh; at most one per sample.
 *
 * N. C. Oza, S. Russell, "Online bagging and boosting", AISTATS 2001; A. Bifet et al., "New ensemble methods for
 * evolving data streams", KDD 2009.
 *
 * @example
 * import { ObAdwin } from '@pb-oel/core/rivals'
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
    const settings = readOptions(OB_ADWIN_OPTIONS, options)
    const { lambda, base, delta, compat, standardize } = settings
    const members = compat === 'skm' ? Math.max(settings.members, settings.levels) : settings.members
    super(OB_ADWIN, options, members)
    const { channels, levels } = this
    this.members = members
    this.lambda = lambda
    this.skm = compat === 'skm'
    this.ensemble = new WatchedEnsemble({ channels, levels, members, base, delta, compat })
    this.bagging = new Random(this.seed, 'bagging')
    this.scaler = new Scaler(channels, standardize ? 'running' : 'none')
    this.scaled = new Float64Array(channels)
    if (this.skm) this.warmUpByMember()
    else this.warmUp()
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): ObAdwin {
    return OB_ADWIN.restore(bytes)
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
      ensemble.train(member, scaled, level, drawPoisson(this.bagging, this.lambda))
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
      for (let times = drawPoisson(this.bagging, this.lambda); times > 0; times--) {
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

/** The entry of {@link ObAdwin}. */
export const OB_ADWIN: Method<ObAdwin> = defineMethod({
  name: 'ob-adwin',
  title: 'OB-ADWIN',
  role: 'rival',
  summary: 'online bagging with ADWIN, ten 5-nearest-neighbour members',
  options: OB_ADWIN_OPTIONS,
  make: (options) => new ObAdwin(options),
})
