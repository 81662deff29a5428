import { exp } from './elementary.ts'
import type { Random } from './random.ts'

/** Poisson with mean `lambda` ≥ 0, by inversion; large means are split into parts of at most 30, one uniform each. */
export function drawPoisson(random: Random, lambda: number): number {
  let count = 0
  for (let rest = lambda; rest > 0; rest -= 30) {
    const mean = Math.min(rest, 30)
    const u = random.uniform()
    let probability = exp(-mean)
    let cumulative = probability
    for (let k = 1; u >= cumulative && probability > 0; k++) {
      probability *= mean / k
      cumulative += probability
      count++
    }
  }
  return count
}

/** Puts `count` distinct integers of 0 … n − 1 into the front of `out`, in random order (partial Fisher–Yates). */
export function drawSubset(random: Random, n: number, count: number, out: Int32Array | number[]): void {
  const pool = Int32Array.from({ length: n }, (_, i) => i)
  for (let i = 0; i < count; i++) {
    const j = i + random.integer(n - i)
    out[i] = pool[j]
    pool[j] = pool[i]
  }
}
