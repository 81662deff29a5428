import { studentTwoSided } from './special.ts'
import { mean, sampleStd } from './summary.ts'

/** What a paired test says. */
export interface PairedTest {
  /** Mean of first − second. */
  difference: number
  /** Number of pairs. */
  pairs: number
  t: number
  /** Two-sided p value; NaN for fewer than two pairs. */
  pValue: number
}

/**
 * Student's paired t test: does the first differ from the second over pairs made under the same conditions?
 *
 * @example
 * import { pairedTest } from '@pb-oel/lab'
 * pairedTest([0.97, 0.96, 0.98], [0.95, 0.93, 0.94]).pValue // 0.035
 */
export function pairedTest(first: readonly number[], second: readonly number[]): PairedTest {
  const differences = first.map((value, i) => value - second[i])
  const pairs = differences.length
  const difference = mean(differences)
  if (pairs < 2) return { difference, pairs, t: Number.NaN, pValue: Number.NaN }
  const error = sampleStd(differences) / Math.sqrt(pairs)
  // Differences without any spread: certain, either way.
  if (error < 1e-15)
    return { difference, pairs, t: Infinity * Math.sign(difference) || 0, pValue: difference === 0 ? 1 : 0 }
  const t = difference / error
  return { difference, pairs, t, pValue: studentTwoSided(t, pairs - 1) }
}

/** Holm's correction: p values made safe for having been asked together, in the order given. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  const corrected = new Array<number>(pValues.length)
  let running = 0
  order.forEach((index, place) => {
    running = Math.max(running, Math.min(1, (pValues.length - place) * pValues[index]))
    corrected[index] = running
  })
  return corrected
}
