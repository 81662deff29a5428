import { averageRanks } from './ranks.ts'
import { chiSquaredTail, fTail, studentizedRange } from './special.ts'

/** What the Friedman test and its Nemenyi follow-up say about methods compared over several blocks. */
export interface FriedmanResult {
  /** Mean rank of each method over the blocks; 1 is the best. */
  ranks: number[]
  /** Number of blocks, such as streams. */
  blocks: number
  /** Friedman's χ² and its p value. */
  chiSquared: number
  pValue: number
  /** The less conservative F of Iman and Davenport and its p value. */
  f: number
  fPValue: number
  /** Critical difference of Nemenyi at 5 %: mean ranks further apart differ. */
  criticalDifference: number
}

/**
 * Friedman test over a table with one row per block and one column per method, larger being better, with the critical
 * difference of Nemenyi (Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006).
 *
 * @example
 * import { friedman } from '@pb-oel/lab'
 * friedman([[0.9, 0.8, 0.7], [0.95, 0.8, 0.85], [0.7, 0.6, 0.5]]).ranks[0] // 1
 */
export function friedman(table: readonly (readonly number[])[]): FriedmanResult {
  const n = table.length
  const k = table[0].length
  const perBlock = table.map((row) => averageRanks(row))
  const ranks = table[0].map((_, j) => perBlock.reduce((sum, row) => sum + row[j], 0) / n)
  const squares = ranks.reduce((sum, rank) => sum + rank * rank, 0)
  const chiSquared = ((12 * n) / (k * (k + 1))) * (squares - (k * (k + 1) ** 2) / 4)
  const rest = n * (k - 1) - chiSquared
  const f = rest <= 1e-12 ? Infinity : ((n - 1) * chiSquared) / rest
  return {
    ranks,
    blocks: n,
    chiSquared,
    pValue: chiSquaredTail(chiSquared, k - 1),
    f,
    fPValue: f === Infinity ? 0 : fTail(f, k - 1, (k - 1) * (n - 1)),
    criticalDifference: (studentizedRange(k, 0.05) / Math.SQRT2) * Math.sqrt((k * (k + 1)) / (6 * n)),
  }
}
