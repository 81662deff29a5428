import { expReduced } from '../../math/elementary.ts'
import { ArenaKernel } from './arena-kernel.ts'
import type { KernelArithmetic, RvflShape } from './kernel.ts'

/**
 * The kernel in double precision in TypeScript: reference for the WebAssembly one, and its stand-in where WebAssembly
 * SIMD is missing.
 *
 * Both compute the same bits. So every sum is split here as there, into the partial sums of the lanes of a vector, and
 * added in the same order. A change of the order of operations in one file is a change in both.
 *
 * G. J. Bierman, "Factorization Methods for Discrete Sequential Estimation", Academic Press, 1977, chapter V.
 */
export class TwinKernel extends ArenaKernel<Float64Array> {
  /** φ, then γ, of the four columns in hand, and their λ. */
  private readonly scalars = new Float64Array(8)

  /** @param arithmetic what a state says it was computed in; the twin itself is always exact */
  constructor(shape: RvflShape, arithmetic: KernelArithmetic = 'exact') {
    super(shape, arithmetic, 'double', (length) => new Float64Array(length))
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
      for (let c = 0; c < layout.channelRows; c++, at += 8) {
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
   * Bierman's recursion over the columns j, from α = f: φⱼ = Uⱼᵀh, γⱼ = dⱼφⱼ, α' = α + φⱼγⱼ, dⱼ ← dⱼ·α/(α'f), then
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
    for (let row = 0; row < layout.width; row += 4) {
      columnProducts(arena, panel, h, row, scalars)
      for (let c = 0; c < 4; c++) {
        const j = d + row + c
        const f = scalars[c]
        const g = arena[j] * f
        const next = alpha + f * g
        const value = arena[j] * (alpha / (next * forgetting))
        arena[j] = diagonalLimit < value ? diagonalLimit : value
        scalars[c] = g
        scalars[4 + c] = -f / alpha
        alpha = next
      }
      columnUpdates(arena, panel, k, row + 4, scalars)
      panel += (row + 4) * 4
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

/**
 * φ of the four columns of a panel: Uⱼᵀh, the even and the odd rows apart. The diagonal block from `row` on comes
 * first, without its lower left quarter, which is zero.
 */
function columnProducts(arena: Float64Array, panel: number, h: number, row: number, out: Float64Array): void {
  const block = panel + row * 4
  let x = arena[h + row]
  let y = arena[h + row + 1]
  let even0 = arena[block] * x
  let even1 = arena[block + 2] * x
  let even2 = arena[block + 4] * x
  let even3 = arena[block + 6] * x
  let odd0 = arena[block + 1] * y
  let odd1 = arena[block + 3] * y
  let odd2 = arena[block + 5] * y
  let odd3 = arena[block + 7] * y
  x = arena[h + row + 2]
  y = arena[h + row + 3]
  even2 += arena[block + 12] * x
  even3 += arena[block + 14] * x
  odd2 += arena[block + 13] * y
  odd3 += arena[block + 15] * y
  for (let at = panel, i = h; at < block; at += 8, i += 2) {
    x = arena[i]
    y = arena[i + 1]
    even0 += arena[at] * x
    odd0 += arena[at + 1] * y
    even1 += arena[at + 2] * x
    odd1 += arena[at + 3] * y
    even2 += arena[at + 4] * x
    odd2 += arena[at + 5] * y
    even3 += arena[at + 6] * x
    odd3 += arena[at + 7] * y
  }
  out[0] = even0 + odd0
  out[1] = even1 + odd1
  out[2] = even2 + odd2
  out[3] = even3 + odd3
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
  const end = panel + rows * 4
  for (let at = panel, i = gain; at < end; at += 8, i += 2) {
    let even = arena[i]
    const u0 = arena[at]
    const u1 = arena[at + 2]
    const u2 = arena[at + 4]
    const u3 = arena[at + 6]
    arena[at] = u0 + l0 * even
    even += g0 * u0
    arena[at + 2] = u1 + l1 * even
    even += g1 * u1
    arena[at + 4] = u2 + l2 * even
    even += g2 * u2
    arena[at + 6] = u3 + l3 * even
    arena[i] = even + g3 * u3
    let odd = arena[i + 1]
    const v0 = arena[at + 1]
    const v1 = arena[at + 3]
    const v2 = arena[at + 5]
    const v3 = arena[at + 7]
    arena[at + 1] = v0 + l0 * odd
    odd += g0 * v0
    arena[at + 3] = v1 + l1 * odd
    odd += g1 * v1
    arena[at + 5] = v2 + l2 * odd
    odd += g2 * v2
    arena[at + 7] = v3 + l3 * odd
    arena[i + 1] = odd + g3 * v3
  }
}

const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
/** Adding and subtracting 1.5 · 2^52 rounds to the nearest integer. */
const ROUND = 6755399441055744

const power = new Float64Array(1)
const powerWords = new Uint32Array(power.buffer)

/**
 * 1 / (1 + e^−a) to 2 ulp, with the steps of `sigmoid` in math/elementary.ts, and its bits for |a| ≤ 700. Beyond that
 * a counts as ±700: 2^k stays a normal number, and the value differs from the true one by less than 1e-303.
 */
export function logistic(a: number): number {
  const x = a > 700 ? -700 : a < -700 ? 700 : -a
  const k = x * Math.LOG2E + ROUND - ROUND
  const r = x - k * LN2_HIGH - k * LN2_LOW
  powerWords[1] = (k + 1023) << 20
  return 1 / (1 + expReduced(r) * power[0])
}
