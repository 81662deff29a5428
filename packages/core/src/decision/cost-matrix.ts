import { OptionError } from '../errors.ts'
import { numberIn } from '../options/checks.ts'

/**
 * What mistakes cost: `costs[truth][assessed]`, at least 0, 0 on the diagonal. Levels are ordered, 0 the safest, so
 * misses stand below the diagonal and false alarms above it.
 */
export type CostMatrix = readonly (readonly number[])[]

/**
 * Costs that grow with the distance between levels: a false alarm costs 1 per level, a miss `miss` per level.
 *
 * @example
 * import { orderedCosts } from '@pb-oel/core'
 * orderedCosts(3, 10)[2][0] // 20: unsafe taken for safe
 * orderedCosts(3, 10)[0][1] // 1
 */
export function orderedCosts(levels: number, miss: number): number[][] {
  numberIn('miss', miss, 0, 1e6)
  return Array.from({ length: levels }, (_, truth) =>
    Array.from({ length: levels }, (_, level) => (level < truth ? (truth - level) * miss : level - truth)),
  )
}

/** The costs 1{k ≠ y}, row by row: every mistake alike. */
export function zeroOneCosts(levels: number): Float64Array {
  return Float64Array.from({ length: levels * levels }, (_, i) => (i % (levels + 1) === 0 ? 0 : 1))
}

/** Checks a cost matrix and returns it row by row, divided by its largest entry, so that costs are in 0 … 1. */
export function scaledCosts(costs: CostMatrix, levels: number): Float64Array {
  if (!Array.isArray(costs) || costs.length !== levels || costs.some((row) => row?.length !== levels)) {
    throw new OptionError('costs', costs, `a list of ${levels} lists of ${levels} numbers`)
  }
  const flat = Float64Array.from(costs.flat(), (cost, i) =>
    numberIn(`costs[${Math.floor(i / levels)}][${i % levels}]`, cost, 0, i % (levels + 1) === 0 ? 0 : Number.MAX_VALUE),
  )
  const highest = Math.max(...flat)
  if (highest === 0) throw new OptionError('costs', costs, 'above 0 in at least one place')
  return flat.map((cost) => cost / highest)
}

/**
 * The level of least expected cost Σ_j b_j c(j, k) for a belief b; the lowest wins ties.
 *
 * @param costs row by row
 * @param belief holds K probabilities from `from`
 */
export function cheapestLevel(costs: Float64Array, levels: number, belief: Float64Array, from = 0): number {
  let best = 0
  let least = Infinity
  for (let k = 0; k < levels; k++) {
    let expected = 0
    for (let j = 0; j < levels; j++) expected += belief[from + j] * costs[j * levels + k]
    if (expected < least) {
      least = expected
      best = k
    }
  }
  return best
}
