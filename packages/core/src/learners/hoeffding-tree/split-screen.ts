import { normalCdf } from '../../math/erf.ts'
import { quickLog } from '../../math/quick.ts'
import type { LeafPool } from './leaf-pool.ts'
import { entropy } from './merit.ts'
import type { SplitCandidates } from './split-candidates.ts'

/**
 * Proves quickly, for most leaves that will not be split yet, that they will not.
 *
 * The information gain of a binary split S about the level C is I(S;C) = h(P(S)) − Σ P(c) h(P(S|c)), h the entropy of
 * a coin. With normal distributions P(S|c) = Φ(z), so both Φ and h∘Φ can be read from a table over z. Interpolation
 * errs by less than 3.4e-4 bits, which is far below any bound the gains are compared with; where it could matter the
 * screen says "perhaps" and the exact search decides.
 */

const STEPS_PER_UNIT = 32
const LIMIT = 8.5
const LAST = 2 * LIMIT * STEPS_PER_UNIT
/** Φ, its increment to the next node, h∘Φ and its increment. */
const table = new Float32Array(4 * (LAST + 1))
const COIN_STEPS = 1024
/** h at k / 1024 and its increment. */
const coin = new Float32Array(2 * (COIN_STEPS + 1))

/** Twice the error of a gain, in bits, with room to spare. */
const MARGIN = 2e-3

function coinEntropy(p: number): number {
  return p > 0 && p < 1 ? -(p * quickLog(p) + (1 - p) * quickLog(1 - p)) / Math.LN2 : 0
}

for (let node = 0; node <= LAST; node++) {
  const p = normalCdf(node / STEPS_PER_UNIT - LIMIT)
  const next = normalCdf((node + 1) / STEPS_PER_UNIT - LIMIT)
  table.set([p, next - p, coinEntropy(p), coinEntropy(next) - coinEntropy(p)], 4 * node)
}
for (let k = 0; k <= COIN_STEPS; k++) {
  coin[2 * k] = coinEntropy(k / COIN_STEPS)
  coin[2 * k + 1] = coinEntropy(Math.min(1, (k + 1) / COIN_STEPS)) - coin[2 * k]
}

/**
 * Whether a leaf could be split already: whether its best feature may be ahead of the second best by more than a bound.
 */
export class SplitScreen {
  private readonly candidates: SplitCandidates
  private readonly minShare: number
  /**
   * For each threshold of a feature: the weight at or below it, and Σ weight · h(share at or below it) over the levels.
   */
  private readonly left: Float64Array
  private readonly given: Float64Array

  /** @param minShare what each side of a split must exceed */
  constructor(candidates: SplitCandidates, minShare: number) {
    this.candidates = candidates
    this.minShare = minShare
    this.left = new Float64Array(candidates.count + 1)
    this.given = new Float64Array(candidates.count + 1)
  }

  /**
   * Whether one feature may lead by more than `bound` bits. False is certain. The observed levels must be collected.
   */
  mayLead(pool: LeafPool, leaf: number, bound: number): boolean {
    const { candidates } = this
    // h grows without limit in slope towards 0 and 1; the error bound holds from half of the default share upwards.
    if (this.minShare < 0.005) return true
    // No feature can tell more than there is to know. Once two are this good, none can be far enough ahead of both.
    const enough = entropy(candidates.weights, 0, candidates.classes) - bound + MARGIN
    let best = -Infinity
    let second = -Infinity
    for (let f = 0; f < pool.features; f++) {
      if (!candidates.load(pool, leaf, f)) continue
      this.estimate()
      const gain = this.bestGain()
      if (Number.isNaN(gain)) return true
      if (gain > best) {
        second = best
        best = gain
      } else if (gain > second) second = gain
      if (second >= enough && second > -Infinity) return false
    }
    // −∞ for second: the first split that can be thought of at all wins at once.
    return second === -Infinity || best - second > bound - MARGIN
  }

  /** Fills `left` and `given` for the feature loaded. */
  private estimate(): void {
    const { left, given, candidates } = this
    const { classes, weights, means, inverses, lows, highs, low, step, count } = candidates
    left.fill(0)
    given.fill(0)
    for (let k = 0; k < classes; k++) {
      const weight = weights[k]
      const inverse = inverses[k]
      const offset = LIMIT - means[k] * inverse
      let i = 1
      while (i <= count && low + step * i < lows[k]) i++
      for (; i <= count; i++) {
        const t = low + step * i
        if (t >= highs[k]) break
        const scaled = (t * inverse + offset) * STEPS_PER_UNIT
        if (scaled >= 0 && scaled < LAST && inverse > 0) {
          const node = scaled | 0
          const part = scaled - node
          left[i] += weight * (table[4 * node] + part * table[4 * node + 1])
          given[i] += weight * (table[4 * node + 2] + part * table[4 * node + 3])
        } else if (scaled >= LAST) left[i] += weight
      }
      for (; i <= count; i++) left[i] += weight
    }
  }

  /** The gain of the best threshold in bits, ± 3.4e-4; −∞ when all are too uneven, NaN when in doubt. */
  private bestGain(): number {
    const { left, given, minShare } = this
    const { low, high, step, count, total } = this.candidates
    const scale = 1 / total
    let best = -Infinity
    let doubtful = -Infinity
    for (let i = 1; i <= count; i++) {
      const t = low + step * i
      if (!(t > low && t < high)) continue
      const share = left[i] * scale
      const smaller = share < 0.5 ? share : 1 - share
      if (!(smaller >= minShare - 1e-4)) continue
      const scaled = share * COIN_STEPS
      const node = scaled | 0
      const gain = coin[2 * node] + (scaled - node) * coin[2 * node + 1] - given[i] * scale
      if (smaller < minShare + 1e-4) {
        if (gain > doubtful) doubtful = gain
      } else if (gain > best) best = gain
    }
    return doubtful > best - MARGIN ? Number.NaN : best
  }
}
