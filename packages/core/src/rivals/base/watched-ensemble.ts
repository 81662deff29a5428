import { Adwin } from '../../drift/adwin.ts'
import { HoeffdingTree } from '../../learners/hoeffding-tree/hoeffding-tree.ts'
import { argmax, type Learner } from '../../learners/learner.ts'
import { NaiveBayes } from '../../learners/naive-bayes.ts'
import { NearestNeighbours } from '../../learners/nearest-neighbours.ts'
import { option } from '../../options/option.ts'
import type { SettingsOf } from '../../options/option-table.ts'
import type { Stateful, StateIo } from '../../state/state-io.ts'
import { RIVAL_OPTIONS } from './epsilon-greedy.ts'

/** Options of the rivals that are built on a {@link WatchedEnsemble}. */
export const WATCHED_OPTIONS = {
  ...RIVAL_OPTIONS,
  members: option.integer({ from: 1, to: 1000, default: 10, about: 'Number of members.' }),
  base: option.choice(['nearest-neighbours', 'hoeffding-tree', 'naive-bayes'], {
    default: 'nearest-neighbours',
    about: 'The learner that the members are; the default is that of the implementation the paper compared with.',
  }),
  delta: option.number({ above: 0, to: 1, default: 0.002, about: 'Significance of the members’ ADWIN.' }),
  standardize: option.flag({
    default: false,
    about: 'Standardises channels by mean and deviation of the labelled samples so far; the reference does not.',
  }),
}

/** The learners an ensemble can be made of. */
type BaseLearner = SettingsOf<typeof WATCHED_OPTIONS>['base']

/** How an ensemble deviates from its paper to match scikit-multiflow. */
type EnsembleCompat = 'canonical' | 'skm'

/** What a {@link WatchedEnsemble} is made from; every field is checked by the rival that owns it. */
export interface WatchedEnsembleSettings {
  readonly channels: number
  readonly levels: number
  readonly members: number
  readonly base: BaseLearner
  readonly delta: number
  readonly compat: EnsembleCompat
}

/**
 * Learners, each watched by an ADWIN. When one of these sees its mean rise, the member with the largest mean starts
 * afresh.
 */
export class WatchedEnsemble implements Stateful {
  private readonly options: WatchedEnsembleSettings
  private readonly learners: Learner[] = []
  private readonly detectors: Adwin[] = []
  private alarm = false
  // The latest question and the answers to it, because testing and then training asks twice; not part of the state.
  private readonly question: Float64Array
  private readonly answers: Float64Array[] = []
  private readonly answered: Uint8Array

  constructor(options: WatchedEnsembleSettings) {
    this.options = options
    this.question = new Float64Array(options.channels)
    this.answered = new Uint8Array(options.members)
    for (let member = 0; member < options.members; member++) {
      this.answers.push(new Float64Array(options.levels))
      this.replace(member)
    }
  }

  /** The distribution a member gives for `x`; overwritten by the next call for that member. */
  ask(member: number, x: Float64Array): Float64Array {
    const { question, answered } = this
    for (let i = 0; i < question.length; i++) {
      if (question[i] === x[i]) continue
      question.set(x)
      answered.fill(0)
      break
    }
    if (answered[member] === 0) {
      this.learners[member].predict(x, this.answers[member])
      answered[member] = 1
    }
    return this.answers[member]
  }

  /** 1 when the member's most likely level is not `level`, else 0. */
  error(member: number, x: Float64Array, level: number): number {
    return argmax(this.ask(member, x)) === level ? 0 : 1
  }

  /** Trains a member with `weight` copies of a sample. */
  train(member: number, x: Float64Array, level: number, weight: number): void {
    if (weight === 0) return
    this.learners[member].learn(x, level, weight)
    this.answered[member] = 0
  }

  /** Feeds the member's detector: canonically its error. */
  watch(member: number, value: number): void {
    const detector = this.detectors[member]
    const before = detector.mean
    if (detector.update(value) === 'drift' && detector.mean > before) this.alarm = true
  }

  /** Ends the round. After an alarm, replaces the member with the largest mean and returns its number; otherwise −1. */
  settle(): number {
    if (!this.alarm) return -1
    this.alarm = false
    let worst = -1
    let largest = 0
    for (let member = 0; member < this.detectors.length; member++) {
      if (this.detectors[member].mean > largest) {
        largest = this.detectors[member].mean
        worst = member
      }
    }
    if (worst >= 0) this.replace(worst)
    return worst
  }

  transfer(io: StateIo): void {
    for (const learner of this.learners) learner.transfer(io)
    for (const detector of this.detectors) detector.transfer(io)
    this.answered.fill(0)
  }

  private replace(member: number): void {
    const { delta, compat } = this.options
    this.learners[member] = createBase(this.options)
    this.detectors[member] = new Adwin({ delta, compat })
    this.answered[member] = 0
  }
}

function createBase({ base, channels, levels, compat }: WatchedEnsembleSettings): Learner {
  if (base === 'hoeffding-tree') return new HoeffdingTree({ channels, levels, compat })
  if (base === 'naive-bayes') return new NaiveBayes({ channels, levels, compat })
  return new NearestNeighbours({ channels, levels, compat })
}
