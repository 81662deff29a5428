import type { Outcomes } from '@pb-oel/protocol'

/** Shares of samples by the direction of the mistake. */
export interface MistakeShares {
  readonly weight: number
  readonly accuracy: number
  readonly misses: number
  readonly falseAlarms: number
  /** Wrong in a direction that nobody told. */
  readonly untold: number
}

/**
 * The outcomes of one assessed level. "Wrong" tells the direction at both ends: nothing is safer than the first level,
 * nothing less safe than the last.
 */
export function mistakesOf(outcomes: Outcomes, level: number, levels: number): MistakeShares {
  const { weight, accuracy, misses, falseAlarms, wrong } = outcomes
  const first = level === 0
  const last = level === levels - 1
  return {
    weight,
    accuracy,
    misses: misses + (first ? wrong : 0),
    falseAlarms: falseAlarms + (last ? wrong : 0),
    untold: first || last ? 0 : wrong,
  }
}

/** The same over all levels, from the outcomes of each. */
export function mistakesOfAll(byLevel: readonly Outcomes[]): MistakeShares {
  const all = byLevel.map((outcomes, level) => mistakesOf(outcomes, level, byLevel.length))
  const weight = all.reduce((sum, one) => sum + one.weight, 0)
  const mean = (field: keyof MistakeShares) =>
    weight === 0 ? 0 : all.reduce((sum, one) => sum + one.weight * one[field], 0) / weight
  return {
    weight,
    accuracy: mean('accuracy'),
    misses: mean('misses'),
    falseAlarms: mean('falseAlarms'),
    untold: mean('untold'),
  }
}
