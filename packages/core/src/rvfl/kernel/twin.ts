import { expReduced } from '../../math/elementary.ts'
import { ArenaKernel } from './arena-kernel.ts'
import type { KernelArithmetic, RvflShape } from './kernel.ts'

/**
 * The kernel in TypeScript: reference for the WebAssembly one, and its stand-in where WebAssembly SIMD is missing.
 *
 * Both compute the same bits. So every sum is split here as there: two lanes of two accumulators each, four partial
 * sums over the indices ≡ 0, 1, 2, 3 (mod 4), added as (s₀ + s₂) + (s₁ + s₃). A change of the order of operations in
 * one file is a change in both.
 *
 * G. J. Bierman, "Factorization Methods for Discrete Sequential Estimation", Academic Press, 1977, chapter V.
 */
export class TwinKernel extends ArenaKernel {
  /** f, d·f and λ of the four columns in hand. */
  private readonly scalars = new Float64Array(8)

  /** @param arithmetic what a state says it was computed in; the twin itself is always exact */
  constructor(shape: RvflShape, arithmetic: KernelArithmetic = 'exact') {
    super(shape, arithmetic, (length) => new Float64Array(length))
  }

  forward(z: Float64Array, first = 0, last = this.shape.experts): void {
    this.setSample(z)
    for (let expert = first; expert < last; expert++) {
      this.nodes(expert)
      this.output(expert)
    }
  }

  update(targets: Float64Array, first = 0, last = this.shape.experts): void {
    for (let expert = first; expert < last; expert++) this.learn(expert, this.factorUpdate(expert), targets)
  }

  /** h = [z, σ(z·V + b), 0 …]. */
  private nodes(expert: number): void {
    const { arena, layout } = this
    const { channels } = this.shape
    const h = this.start(expert) + layout.features
    for (let c = 0; c < channels; c++) arena[h + c] = arena[layout.sample + c]
    let at = this.start(expert) + layout.inputWeights
    for (let panel = 0; panel < layout.nodePanels; panel++) {
      let a0 = arena[at]
      let a1 = arena[at + 1]
      let a2 = arena[at + 2]
      let a3 = arena[at + 3]
      let a4 = arena[at + 4]
      let a5 = arena[at + 5]
      let a6 = arena[at + 6]
      let a7 = arena[at + 7]
      at += 8
      for (let c = 0; c < channels; c++, at += 8) {
        const z = arena[layout.sample + c]
        a0 += z * arena[at]
        a1 += z * arena[at + 1]
        a2 += z * arena[at + 2]
        a3 += z * arena[at + 3]
        a4 += z * arena[at + 4]
        a5 += z * arena[at + 5]
        a6 += z * arena[at + 6]
        a7 += z * arena[at + 7]
      }
      const out = h + channels + panel * 8
      arena[out] = logistic(a0)
      arena[out + 1] = logistic(a1)
      arena[out + 2] = logistic(a2)
      arena[out + 3] = logistic(a3)
      arena[out + 4] = logistic(a4)
      arena[out + 5] = logistic(a5)
      arena[out + 6] = logistic(a6)
      arena[out + 7] = logistic(a7)
    }
    for (let i = layout.size; i < layout.width; i++) arena[h + i] = 0
  }

  /** ŷ = hᵀW. */
  private output(expert: number): void {
    const { arena, layout } = this
    const { levels } = this.shape
    const { width } = layout
    const h = this.start(expert) + layout.features
    let w = this.start(expert) + layout.outputWeights
    for (let k = 0; k < levels; k++, w += width) {
      let s0 = 0
      let s1 = 0
      let s2 = 0
      let s3 = 0
      for (let i = 0; i < width; i += 4) {
        s0 += arena[h + i] * arena[w + i]
        s1 += arena[h + i + 1] * arena[w + i + 1]
        s2 += arena[h + i + 2] * arena[w + i + 2]
        s3 += arena[h + i + 3] * arena[w + i + 3]
      }
      arena[layout.outputs + expert * levels + k] = s0 + s2 + (s1 + s3)
    }
  }

  /**
   * U and D of (P − k·kᵀ/s)/f, and k = P·h; returns s.
   *
   * Bierman's recursion over the columns j, from α = f: φⱼ = Uⱼᵀh, γⱼ = dⱼφⱼ, α' = α + φⱼγⱼ, dⱼ ← dⱼα/(α'f), then
   * with λ = −φⱼ/α: Uⱼ ← Uⱼ + λk, k ← k + γⱼUⱼ(old). At the end α = s.
   */
  private factorUpdate(expert: number): number {
    const { arena, layout, scalars, diagonalLimit } = this
    const { forgetting } = this.shape
    const start = this.start(expert)
    const h = start + layout.features
    const k = start + layout.gain
    const d = start + layout.diagonal
    let panel = start + layout.factor
    let alpha = forgetting
    arena.fill(0, k, k + layout.width)
    for (let rows = 4; rows <= layout.width; rows += 4) {
      columnProducts(arena, panel, h, rows, scalars)
      for (let c = 0; c < 4; c++) {
        const j = d + rows - 4 + c
        const f = scalars[c]
        const g = arena[j] * f
        const next = alpha + f * g
        const value = (arena[j] * alpha) / (next * forgetting)
        arena[j] = diagonalLimit < value ? diagonalLimit : value
        scalars[c] = g
        scalars[4 + c] = -f / alpha
        alpha = next
      }
      columnUpdates(arena, panel, k, rows, scalars)
      panel += rows * 4
    }
    return alpha
  }

  /** W ← W + k·((y* − ŷ)/s). */
  private learn(expert: number, s: number, targets: Float64Array): void {
    const { arena, layout } = this
    const { levels } = this.shape
    const { width } = layout
    const gain = this.start(expert) + layout.gain
    let w = this.start(expert) + layout.outputWeights
    for (let k = 0; k < levels; k++, w += width) {
      const step = (targets[expert * levels + k] - arena[layout.outputs + expert * levels + k]) / s
      for (let i = 0; i < width; i++) arena[w + i] += arena[gain + i] * step
    }
  }
}

/** φ of the four columns of a panel: Uⱼᵀh over its rows. */
function columnProducts(arena: Float64Array, panel: number, h: number, rows: number, out: Float64Array): void {
  for (let c = 0; c < 4; c++) {
    let s0 = 0
    let s1 = 0
    let s2 = 0
    let s3 = 0
    for (let i = 0, at = panel + c * 2; i < rows; i += 4, at += 16) {
      s0 += arena[at] * arena[h + i]
      s1 += arena[at + 1] * arena[h + i + 1]
      s2 += arena[at + 8] * arena[h + i + 2]
      s3 += arena[at + 9] * arena[h + i + 3]
    }
    out[c] = s0 + s2 + (s1 + s3)
  }
}

/** The four columns of a panel and the gain, row by row; `scalars` holds γ and λ of the columns. */
function columnUpdates(arena: Float64Array, panel: number, gain: number, rows: number, scalars: Float64Array): void {
  const g0 = scalars[0]
  const g1 = scalars[1]
  const g2 = scalars[2]
  const g3 = scalars[3]
  const l0 = scalars[4]
  const l1 = scalars[5]
  const l2 = scalars[6]
  const l3 = scalars[7]
  for (let i = 0; i < rows; i++) {
    const at = panel + (i >> 1) * 8 + (i & 1)
    let k = arena[gain + i]
    const u0 = arena[at]
    arena[at] = u0 + l0 * k
    k += g0 * u0
    const u1 = arena[at + 2]
    arena[at + 2] = u1 + l1 * k
    k += g1 * u1
    const u2 = arena[at + 4]
    arena[at + 4] = u2 + l2 * k
    k += g2 * u2
    const u3 = arena[at + 6]
    arena[at + 6] = u3 + l3 * k
    k += g3 * u3
    arena[gain + i] = k
  }
}

const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
/** Adding and subtracting 1.5 · 2^52 rounds to the nearest integer. */
const ROUND = 6755399441055744

const power = new Float64Array(1)
const powerWords = new Uint32Array(power.buffer)

/**
 * 1 / (1 + e^−a), with the steps of `sigmoid` in math/elementary.ts, and its bits for |a| ≤ 700. Beyond that a counts
 * as ±700: 2^k stays a normal number, and the value differs from the true one by less than 1e-303.
 */
export function logistic(a: number): number {
  const x = a > 700 ? -700 : a < -700 ? 700 : -a
  const k = x * Math.LOG2E + ROUND - ROUND
  const r = x - k * LN2_HIGH - k * LN2_LOW
  powerWords[1] = (k + 1023) << 20
  return 1 / (1 + expReduced(r) * power[0])
}
