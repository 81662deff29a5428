import { OptionError } from '../../errors.ts'
import { argmax } from '../../learners/learner.ts'
import { drawPoisson } from '../../math/draws.ts'
import { Random } from '../../math/random.ts'
import { defineMethod, type Method } from '../../method.ts'
import { isList, option } from '../../options/option.ts'
import { type OptionsOf, readOptions } from '../../options/option-table.ts'
import { Scaler } from '../../scaling/scaler.ts'
import type { StateIo } from '../../state/state-io.ts'
import { EpsilonGreedyAssessor } from '../base/epsilon-greedy.ts'
import { WATCHED_OPTIONS, WatchedEnsemble } from '../base/watched-ensemble.ts'
import { BoostingSums } from './boosting-sums.ts'

/** The options of {@link Oadac2}. */
export const OADAC2_OPTIONS = {
  ...WATCHED_OPTIONS,
  costs: option.json('a list of numbers above 0', isList<number>, {
    otherwise:
      '1 for each; for two levels 0.1 and 1, which makes level 1 the "positive" one of the original: an error on ' +
      'level 0 costs a tenth, even where level 0 is the rare one',
    about: 'Cost of an error on each level.',
  }),
  compat: option.choice(['canonical', 'skm'], {
    default: 'canonical',
    about:
      '`skm` follows scikit-multiflow: detectors are fed 1 for a *correct* answer given *after* training; levels ' +
      'other than 0 and 1 change no vote; members that were never wrong have no vote; a replaced member keeps its ' +
      'sums.',
  }),
}

/** Options of {@link Oadac2}, as {@link OADAC2_OPTIONS} declares them. */
export type Oadac2Options = OptionsOf<typeof OADAC2_OPTIONS>

/**
 * OAdaC2: online cost-sensitive boosting, its members watched by ADWIN.
 *
 * A sample passes from member to member with a weight λ that falls when a member judges it right and rises when it is
 * wrong; a member learns it k ~ Poisson(λ) times. Members vote with the log-ratio of their cost-weighted rates of right
 * and wrong. λ is kept within 1e-6 … 1000, under `skm` too, where nothing else bounds it.
 *
 * The original knows two classes. Here a member is right or wrong about any level, and each level has its cost.
 *
 * B. Wang, J. Pineau, "Online bagging and boosting for imbalanced data streams", IEEE TKDE 28(12), 2016.
 *
 * @example
 * import { Oadac2 } from '@pb-oel/core/rivals'
 * const assessor = new Oadac2({ channels: 2, levels: 3, base: 'naive-bayes' })
 * const { id } = assessor.assess(Float64Array.of(0.2, 1.4), 'full')
 * assessor.learn(id, { kind: 'label', level: 1 })
 */
export class Oadac2 extends EpsilonGreedyAssessor {
  private readonly members: number
  private readonly costs: Float64Array
  private readonly skm: boolean
  private readonly sums: BoostingSums
  private readonly ensemble: WatchedEnsemble
  private readonly boosting: Random
  private readonly scaler: Scaler
  private readonly scaled: Float64Array

  constructor(options: Oadac2Options) {
    const settings = readOptions(OADAC2_OPTIONS, options)
    const { members, base, delta, compat, standardize } = settings
    super(OADAC2, options, members)
    const { channels, levels } = this
    this.members = members
    this.skm = compat === 'skm'
    this.costs = Float64Array.from(checkCosts(settings.costs ?? defaultCosts(levels, this.skm), levels))
    this.sums = new BoostingSums(members)
    this.ensemble = new WatchedEnsemble({ channels, levels, members, base, delta, compat })
    this.boosting = new Random(this.seed, 'boosting')
    this.scaler = new Scaler(channels, standardize ? 'running' : 'none')
    this.scaled = new Float64Array(channels)
    this.warmUp()
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Oadac2 {
    return OADAC2.restore(bytes)
  }

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    const { members, ensemble, scaled, levels, sums, skm } = this
    this.scaler.scale(x, scaled)
    out.fill(0)
    for (let member = 0; member < members; member++) {
      const answer = ensemble.ask(member, scaled)
      votes[member] = argmax(answer)
      const vote = skm ? sums.plainVote(member) : sums.vote(member)
      for (let level = 0; level < levels; level++) out[level] += vote * answer[level]
    }
    toDistribution(out)
  }

  protected teach(x: Float64Array, level: number): void {
    const { members, ensemble, scaled, sums, skm } = this
    this.scaler.feed(x, true)
    this.scaler.scale(x, scaled)
    let lambda = 1
    for (let member = 0; member < members; member++) {
      const error = skm ? 0 : ensemble.error(member, scaled, level)
      sums.meet(member, lambda)
      const times = drawPoisson(this.boosting, lambda)
      if (times > 0) {
        ensemble.train(member, scaled, level, times)
        const judged = argmax(ensemble.ask(member, scaled))
        if (!skm || (level < 2 && judged < 2)) lambda = sums.judge(member, lambda, this.costs[level], judged === level)
      }
      ensemble.watch(member, skm ? 1 - ensemble.error(member, scaled, level) : error)
    }
    const replaced = ensemble.settle()
    if (replaced < 0) return
    this.drifts[replaced] = 1
    if (!skm) sums.clear(replaced)
  }

  protected transferModel(io: StateIo): void {
    this.boosting.position = io.number(this.boosting.position)
    this.scaler.transfer(io)
    this.sums.transfer(io)
    this.ensemble.transfer(io)
  }
}

/** The entry of {@link Oadac2}. */
export const OADAC2: Method<Oadac2> = defineMethod({
  name: 'oadac2',
  title: 'OAdaC2',
  role: 'rival',
  summary: 'online AdaC2, cost-sensitive boosting',
  options: OADAC2_OPTIONS,
  make: (options) => new Oadac2(options),
})

function defaultCosts(levels: number, skm: boolean): number[] {
  const binary = levels === 2 || skm
  return Array.from({ length: levels }, (_, level) => (binary && level !== 1 ? 0.1 : 1))
}

const COST = option.number({ above: 0, to: 1e6, about: 'Cost of an error on one level.' })

function checkCosts(costs: readonly number[], levels: number): readonly number[] {
  if (costs.length !== levels) throw new OptionError('costs', costs, `a list of ${levels} numbers`)
  costs.forEach((cost, level) => {
    COST.check(`costs[${level}]`, cost)
  })
  return costs
}

/** Makes scores, negative ones too, a distribution with the same order; a uniform one when all are equal. */
function toDistribution(scores: Float64Array): void {
  let lowest = 0
  for (let i = 0; i < scores.length; i++) lowest = Math.min(lowest, scores[i])
  let sum = 0
  for (let i = 0; i < scores.length; i++) {
    scores[i] -= lowest
    sum += scores[i]
  }
  for (let i = 0; i < scores.length; i++) scores[i] = sum > 0 ? scores[i] / sum : 1 / scores.length
}
