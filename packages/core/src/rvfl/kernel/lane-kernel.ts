import { ArenaKernel } from './arena-kernel.ts'
import type { KernelArithmetic, Precision, RvflShape } from './kernel.ts'

/** a·b + c with some rounding. */
export type MultiplyAdd = (a: number, b: number, c: number) => number

/** a·b + c in single precision, product and sum rounded. The product is exact in double, so it is rounded once. */
export function multiplyAddSingle(a: number, b: number, c: number): number {
  return Math.fround(Math.fround(a * b) + c)
}

/**
 * The kernel in TypeScript for any precision and any rounding of a·b + c: the stand-in of the WebAssembly kernel in
 * single precision, and in tests the reference of fused arithmetic. Its formulas are those of `TwinKernel`; it is
 * written number by number, and slower.
 *
 * A sum or a quotient of two floats, computed in double and rounded to single, is the one that single precision gives
 * (S. A. Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30(3), 1995).
 */
export class LaneKernel extends ArenaKernel {
  private readonly madd: MultiplyAdd
  private readonly round: (value: number) => number
  private readonly exponential: Exponential
  /** φ, γ and λ of the four columns in hand. */
  private readonly f = new Float64Array(4)
  private readonly g = new Float64Array(4)
  private readonly l = new Float64Array(4)
  /** α before the first of the four columns, and behind each. */
  private readonly alpha = new Float64Array(5)
  /** Partial sums, one for each lane. */
  private readonly sums = new Float64Array(4)

  constructor(shape: RvflShape, arithmetic: KernelArithmetic, precision: Precision, madd: MultiplyAdd) {
    super(shape, arithmetic, precision, (length) =>
      precision === 'double' ? new Float64Array(length) : new Float32Array(length),
    )
    this.madd = madd
    this.round = precision === 'double' ? (value) => value : Math.fround
    this.exponential = precision === 'double' ? EXPONENTIAL : EXPONENTIAL_SINGLE
  }

  forward(z: Float64Array, first = 0, last = this.shape.experts): void {
    this.setSample(z)
    for (let expert = first; expert < last; expert++) {
      this.nodes(expert)
      this.output(expert)
    }
    this.takeOutputs(first, last)
  }

  update(targets: Float64Array, first = 0, last = this.shape.experts): void {
    for (let expert = first; expert < last; expert++) this.learn(expert, this.factorUpdate(expert), targets)
  }

  private nodes(expert: number): void {
    const { arena, layout, madd } = this
    const { channels, nodes } = this.shape
    const { channelRows, line } = layout
    const h = this.start(expert) + layout.features
    const weights = this.start(expert) + layout.inputWeights
    for (let c = 0; c < channels; c++) arena[h + c] = arena[layout.sample + c]
    for (let node = 0; node < nodes; node++) {
      const place = node % line
      const column = weights + (node - place) * (channelRows + 1) + place
      let a = arena[column]
      for (let c = 0; c < channelRows; c++) a = madd(arena[layout.sample + c], arena[column + line * (c + 1)], a)
      arena[h + channels + node] = this.logistic(a)
    }
  }

  /** 1 / (1 + e^−a), where a beyond ±limit counts as ±limit. */
  private logistic(a: number): number {
    const { madd, round } = this
    const { limit, log2e, shift, ln2High, ln2Low, coefficients } = this.exponential
    const x = Math.min(Math.max(-a, -limit), limit)
    const k = round(madd(x, log2e, shift) - shift)
    const r = madd(-k, ln2Low, madd(-k, ln2High, x))
    let p = coefficients[0]
    for (let i = 1; i < coefficients.length; i++) p = madd(p, r, coefficients[i])
    powerWords[1] = (k + 1023) << 20
    return round(1 / madd(p, power[0], 1))
  }

  private output(expert: number): void {
    const { arena, layout, madd, round, sums } = this
    const { levels } = this.shape
    const h = this.start(expert) + layout.features
    for (let k = 0; k < levels; k++) {
      const w = this.start(expert) + layout.outputWeights + k * layout.width
      sums.fill(0)
      for (let i = 0; i < layout.width; i++) sums[i & 3] = madd(arena[h + i], arena[w + i], sums[i & 3])
      arena[layout.outputs + expert * levels + k] = round(round(sums[0] + sums[2]) + round(sums[1] + sums[3]))
    }
  }

  private factorUpdate(expert: number): number {
    const { layout, alpha } = this
    const start = this.start(expert)
    let panel = start + layout.factor
    this.arena.fill(0, start + layout.gain, start + layout.gain + layout.width)
    alpha[4] = this.round(this.shape.forgetting)
    for (let row = 0; row < layout.width; row += 4) {
      for (let c = 0; c < 4; c++) this.f[c] = this.product(panel, c, start + layout.features, row)
      this.scalars(start + layout.diagonal + row)
      this.columns(panel, start + layout.gain, row + 4)
      panel += (row + 4) * 4
    }
    return alpha[4]
  }

  /** φ of column c of a panel: the diagonal block first, where it is not zero, then the rows from the top. */
  private product(panel: number, c: number, h: number, row: number): number {
    const { arena, madd, round, sums } = this
    const { lanes } = this.layout
    const at = (i: number) => panel + i * 4 + c * lanes
    for (let lane = 0; lane < lanes; lane++) {
      let sum = round(arena[at(row) + lane] * arena[h + row + lane])
      if (lanes === 2 && c >= 2) sum = madd(arena[at(row + 2) + lane], arena[h + row + 2 + lane], sum)
      for (let i = 0; i < row; i += lanes) sum = madd(arena[at(i) + lane], arena[h + i + lane], sum)
      sums[lane] = sum
    }
    if (lanes === 2) return sums[0] + sums[1]
    return round(round(sums[0] + sums[2]) + round(sums[1] + sums[3]))
  }

  /** γ, λ, α and D of the four columns whose φ is known. */
  private scalars(d: number): void {
    const { arena, alpha, f, g, l, round, diagonalLimit } = this
    const forgetting = round(this.shape.forgetting)
    for (let c = 0; c < 4; c++) g[c] = round(arena[d + c] * f[c])
    this.addSquares()
    for (let c = 0; c < 4; c++) {
      const value = round(arena[d + c] * round(alpha[c] / round(alpha[c + 1] * forgetting)))
      arena[d + c] = diagonalLimit < value ? diagonalLimit : value
      l[c] = round(-f[c] / alpha[c])
    }
  }

  /** α behind each column: one after the other in double precision, as a tree over the four lanes in single. */
  private addSquares(): void {
    const { alpha, f, g, round } = this
    const squares = [0, 1, 2, 3].map((c) => round(f[c] * g[c]))
    alpha[0] = alpha[4]
    if (this.layout.lanes === 2) {
      for (let c = 0; c < 4; c++) alpha[c + 1] = alpha[c] + squares[c]
      return
    }
    const pairs = squares.map((square, c) => (c === 0 ? square : round(square + squares[c - 1])))
    for (let c = 0; c < 4; c++) alpha[c + 1] = round(alpha[0] + (c < 2 ? pairs[c] : round(pairs[c] + pairs[c - 2])))
  }

  /** The four columns of a panel and the gain, row by row. */
  private columns(panel: number, gain: number, rows: number): void {
    const { arena, g, l, madd } = this
    const { lanes } = this.layout
    for (let i = 0; i < rows; i++) {
      const lane = i % lanes
      let y = arena[gain + i]
      for (let c = 0; c < 4; c++) {
        const at = panel + (i - lane) * 4 + c * lanes + lane
        const u = arena[at]
        arena[at] = madd(l[c], y, u)
        y = madd(g[c], u, y)
      }
      arena[gain + i] = y
    }
  }

  private learn(expert: number, s: number, targets: Float64Array): void {
    const { arena, layout, madd, round } = this
    const { levels } = this.shape
    const gain = this.start(expert) + layout.gain
    for (let k = 0; k < levels; k++) {
      const w = this.start(expert) + layout.outputWeights + k * layout.width
      const n = expert * levels + k
      const step = round(round(round(targets[n]) - arena[layout.outputs + n]) / s)
      for (let i = 0; i < layout.width; i++) arena[w + i] = madd(arena[gain + i], step, arena[w + i])
    }
  }
}

/** How e^x is computed: k = x/ln 2 rounded to an integer, then a polynomial in r = x − k·ln 2, then 2^k. */
interface Exponential {
  /** x beyond ±limit counts as ±limit, so that 2^k stays a normal number. */
  readonly limit: number
  readonly log2e: number
  /** Adding and subtracting it rounds to an integer. */
  readonly shift: number
  /** ln 2 in two parts; k times the first is exact. */
  readonly ln2High: number
  readonly ln2Low: number
  /** Of the Taylor polynomial, highest power first. */
  readonly coefficients: readonly number[]
}

const EXPONENTIAL: Exponential = {
  limit: 700,
  log2e: Math.LOG2E,
  shift: 6755399441055744,
  ln2High: 0.6931471803691238,
  ln2Low: 1.9082149292705877e-10,
  coefficients: taylor(13, (value) => value),
}

const EXPONENTIAL_SINGLE: Exponential = {
  limit: 87,
  log2e: Math.fround(Math.LOG2E),
  shift: 12582912,
  ln2High: 0.693359375,
  ln2Low: Math.fround(-0.00021219444005469057),
  coefficients: taylor(7, Math.fround),
}

/** 1/n! … 1/1!, 1. */
function taylor(degree: number, round: (value: number) => number): number[] {
  const coefficients = [1]
  for (let n = 1, factorial = 1; n <= degree; n++, factorial *= n) coefficients.unshift(round(1 / factorial))
  return coefficients
}

const power = new Float64Array(1)
const powerWords = new Uint32Array(power.buffer)
