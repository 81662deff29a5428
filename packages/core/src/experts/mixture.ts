/** s_k = Σ q_n ξ_n^k: `shares` are the N weights q, `advice` is N × K, `out` has length K. */
export function mixAdvice(shares: Float64Array, advice: Float64Array, out: Float64Array): void {
  out.fill(0)
  for (let n = 0, i = 0; n < shares.length; n++) {
    for (let k = 0; k < out.length; k++, i++) out[k] += shares[n] * advice[i]
  }
}

/** Draws a level from `p` by inversion: the first k whose cumulative probability exceeds `u`, never one with p = 0. */
export function drawLevel(p: Float64Array, u: number): number {
  let cumulative = 0
  let last = 0
  for (let k = 0; k < p.length; k++) {
    cumulative += p[k]
    if (cumulative > u) return k
    if (p[k] > 0) last = k
  }
  return last
}
