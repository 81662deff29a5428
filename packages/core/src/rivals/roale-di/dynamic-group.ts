import { argmax } from '../../learners/learner.ts'
import { NaiveBayes, type NaiveBayesOptions } from '../../learners/naive-bayes.ts'
import type { Stateful, StateIo } from '../../state/state-io.ts'

/**
 * The dynamic classifiers of ROALE-DI: a first one and up to D more, each with a weight and the level counts of the
 * samples it began with. Each newcomer damps the weights by 1 − 1/D; they are never normalised.
 */
export class DynamicGroup implements Stateful {
  private readonly size: number
  private readonly options: NaiveBayesOptions
  private readonly classifiers: NaiveBayes[]
  private readonly weights: Float64Array
  private readonly counts: Float64Array
  private readonly answer: Float64Array

  /** @param size the number D */
  constructor(size: number, options: NaiveBayesOptions) {
    this.size = size
    this.options = options
    this.classifiers = [new NaiveBayes(options)]
    this.weights = new Float64Array(size + 1)
    this.weights[0] = 1 / size
    this.counts = new Float64Array((size + 1) * options.levels)
    this.answer = new Float64Array(options.levels)
  }

  /** The weights, in the order of places. */
  get currentWeights(): Float64Array {
    return this.weights.slice(0, this.classifiers.length)
  }

  /** Begins the first classifier with a sample. */
  begin(x: Float64Array, level: number): void {
    this.classifiers[0].learn(x, level)
    this.counts[level]++
  }

  /** Every classifier learns a sample. */
  learn(x: Float64Array, level: number): void {
    for (let j = 0; j < this.classifiers.length; j++) this.classifiers[j].learn(x, level)
  }

  /** Adds the weighted distributions for `x` to `scores`, and puts the votes into `votes` after the first place. */
  addScores(x: Float64Array, scores: Float64Array, votes?: Int32Array): void {
    const { classifiers, weights, answer } = this
    for (let j = 0; j < classifiers.length; j++) {
      classifiers[j].predict(x, answer)
      for (let level = 0; level < scores.length; level++) scores[level] += weights[j] * answer[level]
      if (votes !== undefined) votes[j + 1] = argmax(answer)
    }
  }

  /** Raises the weights of the classifiers that recognise `x` as `level` and lowers the others'. */
  reinforce(x: Float64Array, level: number): void {
    const { classifiers, weights, answer, size } = this
    for (let j = 0; j < classifiers.length; j++) {
      classifiers[j].predict(x, answer)
      weights[j] *= argmax(answer) === level ? 1 + 1 / size : 1 - 1 / size
    }
  }

  /** Takes a newcomer in, in place of the classifier with the least weight when all D + 1 places are taken. */
  admit(newcomer: NaiveBayes, counts: Float64Array): void {
    const { classifiers, weights, size } = this
    const place = classifiers.length < weights.length ? classifiers.length : argmin(weights)
    for (let j = 0; j < classifiers.length; j++) weights[j] *= 1 - 1 / size
    classifiers[place] = newcomer
    weights[place] = 1 / size
    this.counts.set(counts, place * counts.length)
  }

  /**
   * Writes the weighted share of each level among the samples the classifiers began with; zeros when there are none.
   */
  shares(out: Float64Array): void {
    const { classifiers, weights, counts } = this
    const levels = out.length
    out.fill(0)
    let total = 0
    for (let j = 0; j < classifiers.length; j++) {
      for (let level = 0; level < levels; level++) {
        out[level] += weights[j] * counts[j * levels + level]
        total += weights[j] * counts[j * levels + level]
      }
    }
    if (total > 0) for (let level = 0; level < levels; level++) out[level] /= total
  }

  transfer(io: StateIo): void {
    const { classifiers, weights, counts } = this
    const members = io.number(classifiers.length)
    while (classifiers.length < members) classifiers.push(new NaiveBayes(this.options))
    classifiers.length = members
    for (const classifier of classifiers) classifier.transfer(io)
    io.fill(weights)
    io.fill(counts)
  }
}

function argmin(values: Float64Array): number {
  let least = 0
  for (let i = 1; i < values.length; i++) if (values[i] < values[least]) least = i
  return least
}
