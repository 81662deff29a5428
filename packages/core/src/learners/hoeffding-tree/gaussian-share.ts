import { normalCdf, normalPdf } from '../../math/erf.ts'

/**
 * Φ(z) by table, for the thousands of values that one look for a split needs: absolute error below 1e-15.
 * Each node z₀ of a grid has the Taylor polynomial Φ(z₀+h) = Φ(z₀) + φ(z₀) Σₙ (−1)ⁿ Heₙ(z₀) hⁿ⁺¹/(n+1)!.
 */

const STEPS_PER_UNIT = 8
const LIMIT = 8.5
const TERMS = 10
const NODES = 2 * LIMIT * STEPS_PER_UNIT + 1

const table = new Float64Array(NODES * TERMS)
for (let node = 0; node < NODES; node++) {
  const z = node / STEPS_PER_UNIT - LIMIT
  const at = node * TERMS
  table[at] = normalCdf(z)
  let hermite = 1
  let previous = 0
  let scale = normalPdf(z)
  for (let n = 0; n < TERMS - 1; n++) {
    scale /= n + 1
    table[at + n + 1] = scale * hermite
    scale = -scale
    const next = z * hermite - n * previous
    previous = hermite
    hermite = next
  }
}

/** The share of a standard normal at or below z: Φ(z). */
export function gaussianShare(z: number): number {
  if (z > LIMIT) return 1
  // Far below, the table would give 0 where a trace remains, and a trace decides whether a leaf is pure.
  if (!(z >= -LIMIT)) return normalCdf(z)
  const scaled = (z + LIMIT) * STEPS_PER_UNIT
  const node = Math.floor(scaled + 0.5)
  const h = (scaled - node) / STEPS_PER_UNIT
  const at = node * TERMS
  let p = table[at + 9]
  p = p * h + table[at + 8]
  p = p * h + table[at + 7]
  p = p * h + table[at + 6]
  p = p * h + table[at + 5]
  p = p * h + table[at + 4]
  p = p * h + table[at + 3]
  p = p * h + table[at + 2]
  p = p * h + table[at + 1]
  return p * h + table[at]
}
