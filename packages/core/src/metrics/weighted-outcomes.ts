import type { Stateful, StateIo } from '../state/state-io.ts'

/** What an answer says of an assessment; `wrong` where the direction is not known. */
export type Outcome = 'right' | 'miss' | 'false alarm' | 'wrong'

/** The outcome of assessing `assessed` where the true level is `truth`. */
export function outcomeOf(assessed: number, truth: number): Outcome {
  if (assessed === truth) return 'right'
  return assessed < truth ? 'miss' : 'false alarm'
}

/**
 * Figures over all samples, estimated from the answers: each counts 1/π-fold, so that chosen questions bias nothing.
 */
export interface OutcomeShares {
  /** Σ 1/π of the answers: how many samples they stand for. */
  readonly weight: number
  readonly accuracy: number
  /** Shares of samples assessed safer and less safe than they were, and wrong without a known direction. */
  readonly misses: number
  readonly falseAlarms: number
  readonly wrong: number
}

/**
 * Outcomes of answered assessments by assessed level, weighted by 1/π (docs/promises.md). Where questions are chosen,
 * unweighted figures say how the system does on hard samples, not on all.
 *
 * @example
 * import { WeightedOutcomes } from '@pb-oel/core'
 * const outcomes = new WeightedOutcomes(2)
 * outcomes.add(0, 'miss', 1 / 0.9) // a hard sample, nearly always asked about
 * outcomes.add(0, 'right', 1 / 0.1) // an easy one that stands for ten
 * outcomes.shares().accuracy // 0.9
 */
export class WeightedOutcomes implements Stateful {
  private readonly weights: Float64Array

  /** @param levels number of levels K */
  constructor(levels: number) {
    this.weights = new Float64Array(levels * KINDS.length)
  }

  /**
   * Counts an answer, or takes one back with a negative weight.
   *
   * @param assessed the assessed level
   * @param weight 1/π
   */
  add(assessed: number, outcome: Outcome, weight = 1): void {
    this.weights[assessed * KINDS.length + KINDS.indexOf(outcome)] += weight
  }

  /** The figures over all samples, or over those assessed as `level`. */
  shares(level?: number): OutcomeShares {
    const sums = new Float64Array(KINDS.length)
    for (let i = 0; i < this.weights.length; i++) {
      const kind = i % KINDS.length
      if (level === undefined || (i - kind) / KINDS.length === level) sums[kind] += this.weights[i]
    }
    const weight = sums.reduce((a, b) => a + b)
    const [accuracy, misses, falseAlarms, wrong] = Array.from(sums, (sum) => (weight > 0 ? sum / weight : 0))
    return { weight, accuracy, misses, falseAlarms, wrong }
  }

  transfer(io: StateIo): void {
    io.perLevel(this.weights, this.weights.length / KINDS.length, KINDS.length)
  }
}

const KINDS: readonly Outcome[] = ['right', 'miss', 'false alarm', 'wrong']
