import { quickExp, quickLog } from '../math/quick.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'

/** Confidences below this count as this: no expert rules a level out for the others. */
const FLOOR = 0.01
/** Step size: the first step of a coefficient changes it by so much. */
const STEP = 0.05
/** What is left of the sum of squared gradients after an answer: steps answer to the last thousand or so. */
const FADE = 0.999

/**
 * An expert that blends the others: p_k ∝ Π_n ξ_n^k to the power of a coefficient β_n (a logarithmic opinion pool),
 * with coefficients that follow the gradient of −ln p_y after a known level y, and of −ln(1 − p_a) after the rejection
 * of a: the likelihood of exactly what was told. Steps are AdaGrad's with a fading memory.
 *
 * G. E. Hinton, "Products of experts", ICANN 1999; J. Duchi, E. Hazan and Y. Singer, "Adaptive subgradient methods",
 * JMLR 12, 2011.
 */
export class Blend implements Stateful {
  private readonly experts: number
  private readonly levels: number
  /** β_n. */
  private readonly coefficients: Float64Array
  private readonly squares: Float64Array
  private readonly logs: Float64Array
  private readonly p: Float64Array

  /**
   * @param experts number of experts blended
   * @param levels number of levels K
   */
  constructor(experts: number, levels: number) {
    this.experts = experts
    this.levels = levels
    this.coefficients = new Float64Array(experts).fill(2 / experts)
    this.squares = new Float64Array(experts)
    this.logs = new Float64Array(experts * levels)
    this.p = new Float64Array(levels)
  }

  /** Writes the blend of `confidences` (N × K) into `out`. */
  predict(confidences: Float64Array, out: Float64Array): void {
    const { experts, levels, logs, coefficients } = this
    out.fill(0)
    for (let n = 0, at = 0; n < experts; n++) {
      for (let k = 0; k < levels; k++, at++) {
        logs[at] = quickLog(confidences[at] > FLOOR ? confidences[at] : FLOOR)
        out[k] += coefficients[n] * logs[at]
      }
    }
    let highest = out[0]
    for (let k = 1; k < levels; k++) if (out[k] > highest) highest = out[k]
    let sum = 0
    for (let k = 0; k < levels; k++) {
      out[k] = quickExp(out[k] - highest)
      sum += out[k]
    }
    for (let k = 0; k < levels; k++) out[k] /= sum
    this.p.set(out)
  }

  /** Learns that the sample of the latest `predict` has `level`. */
  teach(level: number): void {
    this.step(level, -1)
  }

  /** Learns that the sample of the latest `predict` does not have `level`. */
  refute(level: number): void {
    const p = this.p[level]
    this.step(level, p / Math.max(1 - p, 0.05))
  }

  transfer(io: StateIo): void {
    io.fill(this.coefficients)
    io.fill(this.squares)
  }

  /** The gradient is `factor` · (ln ξ_n^level − Σ_k p_k ln ξ_n^k). */
  private step(level: number, factor: number): void {
    const { experts, levels, logs, p, coefficients, squares } = this
    for (let n = 0, at = 0; n < experts; n++, at += levels) {
      let mean = 0
      for (let k = 0; k < levels; k++) mean += p[k] * logs[at + k]
      const gradient = factor * (logs[at + level] - mean)
      squares[n] = FADE * squares[n] + gradient * gradient
      coefficients[n] -= (STEP * gradient) / Math.sqrt(1 + squares[n])
    }
  }
}
