import { log } from '../../math/elementary.ts'
import { quickLog } from '../../math/quick.ts'

/** x ln x, with 0 ln 0 = 0. */
export function xLogX(x: number): number {
  return x > 0 ? x * quickLog(x) : 0
}

/** Entropy in bits of `count` class weights from `from`; 0 when they are all 0. */
export function entropy(weights: Float64Array, from = 0, count = weights.length): number {
  let sum = 0
  let terms = 0
  for (let i = from; i < from + count; i++) {
    sum += weights[i]
    terms += xLogX(weights[i])
  }
  return sum > 0 ? (xLogX(sum) - terms) / (sum * Math.LN2) : 0
}

/** Gini impurity 1 − Σ p² of `count` class weights from `from`; 0 when they are all 0. */
export function gini(weights: Float64Array, from = 0, count = weights.length): number {
  let sum = 0
  let squares = 0
  for (let i = from; i < from + count; i++) {
    sum += weights[i]
    squares += weights[i] * weights[i]
  }
  return sum > 0 ? 1 - squares / (sum * sum) : 0
}

/**
 * Hoeffding's bound ε = √(R² ln(1/δ) / (2n)): the mean of n values of range R is this close to the truth, with
 * probability 1 − δ.
 *
 * @param range R
 * @param confidence δ
 * @param n how many values
 */
export function hoeffdingBound(range: number, confidence: number, n: number): number {
  return Math.sqrt((range * range * log(1 / confidence)) / (2 * n))
}
