import { exp } from './elementary.ts'

/** Above this product of the sample sizes the exact probability gives way to its limit. */
const EXACT_UP_TO = 4_000_000

/** Result of {@link kolmogorovSmirnov}. */
export interface KolmogorovSmirnov {
  /** Largest difference D between the two empirical distribution functions, 0 … 1. */
  readonly statistic: number
  /** Probability of a difference at least as large when both samples have one continuous distribution. */
  readonly probability: number
}

/**
 * Two-sample Kolmogorov–Smirnov test, two-sided; exact while n·m ≤ 4·10^6. Ties are allowed and make it conservative.
 *
 * J. L. Hodges, "The significance probability of the Smirnov two-sample test", Arkiv för Matematik 3, 1958.
 *
 * @example
 * import { kolmogorovSmirnov } from '@pb-oel/core'
 * kolmogorovSmirnov(Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6)) // { statistic: 1, probability: 0.1 }
 */
export function kolmogorovSmirnov(a: Float64Array, b: Float64Array): KolmogorovSmirnov {
  const gap = largestGap(a.slice().sort(), b.slice().sort())
  return { statistic: gap / (a.length * b.length), probability: gapProbability(gap, a.length, b.length) }
}

/** n·m·D for two sorted samples of sizes n and m: an integer, so that comparisons are exact. */
export function largestGap(a: Float64Array, b: Float64Array): number {
  const n = a.length
  const m = b.length
  let largest = 0
  for (let i = 0, j = 0; i < n && j < m; ) {
    const value = Math.min(a[i], b[j])
    while (i < n && a[i] === value) i++
    while (j < m && b[j] === value) j++
    largest = Math.max(largest, Math.abs(i * m - j * n))
  }
  return largest
}

/**
 * Probability that two samples of sizes n and m from one continuous distribution have n·m·D ≥ `gap`.
 *
 * Every order of the pooled values is a lattice path from (0, 0) to (n, m), all equally likely. Of the paths that end
 * in (i, j), the share that touched the forbidden region is the mean of the shares of the two points before it.
 */
export function gapProbability(gap: number, n: number, m: number): number {
  if (gap <= 0) return 1
  if (n * m > EXACT_UP_TO) return limitProbability(gap / (n * m), (n * m) / (n + m))
  const touched = new Float64Array(m + 1)
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= m; j++) {
      if (Math.abs(i * m - j * n) >= gap) touched[j] = 1
      else if (i + j > 0) touched[j] = (i * touched[j] + (j > 0 ? j * touched[j - 1] : 0)) / (i + j)
    }
  }
  return touched[m]
}

/** The limit for large samples, with Stephens' correction; `size` is n·m/(n+m). */
function limitProbability(statistic: number, size: number): number {
  const root = Math.sqrt(size)
  const lambda = (root + 0.12 + 0.11 / root) * statistic
  let sum = 0
  for (let j = 1; j <= 100; j++) sum += (j % 2 === 1 ? 2 : -2) * exp(-2 * j * j * lambda * lambda)
  return Math.min(1, Math.max(0, sum))
}
