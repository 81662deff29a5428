import { SnapshotError } from '../../errors.ts'
import type { StateIo } from '../../state/state-io.ts'
import type { KernelArithmetic, Precision, RvflKernel, RvflShape } from './kernel.ts'
import { type ArenaLayout, arenaLayout, factorIndex } from './layout.ts'

/** Channels beyond ±LIMIT count as ±LIMIT, so that no square of a feature can overflow. */
const LIMIT = 1e8

/**
 * Forgetting without excitation doubles P again and again (wind-up). With forgetting, no D_j exceeds WIND_UP times its
 * first value 1/λ; without it D_j only falls, and never reaches that.
 */
const WIND_UP = 2 ** 20

/**
 * In single precision the rounding of φ looks like excitation once D_j is large, and U and W then walk away without
 * end. So with forgetting no D_j exceeds this, or 1/λ where that is more.
 */
const WIND_UP_SINGLE = 2 ** 10

/** Memory of a kernel in double or in single precision. */
export type Arena = Float64Array | Float32Array

/** What the TypeScript and the WebAssembly kernels share: everything but the arithmetic. */
export abstract class ArenaKernel<A extends Arena = Arena> implements RvflKernel {
  readonly shape: RvflShape
  readonly outputs: Float64Array
  readonly arithmetic: KernelArithmetic
  readonly precision: Precision
  protected readonly layout: ArenaLayout
  protected readonly arena: A
  /** Upper limit of D_j. */
  protected readonly diagonalLimit: number

  /** @param allocate gives the arena: at least as many zeros as asked for */
  constructor(shape: RvflShape, arithmetic: KernelArithmetic, precision: Precision, allocate: (length: number) => A) {
    const layout = arenaLayout(shape, precision)
    this.shape = shape
    this.arithmetic = arithmetic
    this.precision = precision
    this.layout = layout
    this.arena = allocate(layout.length)
    const { arena } = this
    const count = shape.experts * shape.levels
    this.outputs =
      arena instanceof Float64Array ? arena.subarray(layout.outputs, layout.outputs + count) : new Float64Array(count)
    this.diagonalLimit = windUpLimit(shape.ridge, precision)
    for (let expert = 0; expert < shape.experts; expert++) this.reset(expert)
  }

  abstract forward(z: Float64Array, first?: number, last?: number): void
  abstract update(targets: Float64Array, first?: number, last?: number): void

  setInputWeights(expert: number, weights: Float64Array, biases: Float64Array): void {
    const { channels, nodes } = this.shape
    const { inputWeights, channelRows, line } = this.layout
    const at = this.start(expert) + inputWeights
    for (let node = 0; node < nodes; node++) {
      const place = node % line
      const column = at + (node - place) * (channelRows + 1) + place
      this.arena[column] = biases[node]
      for (let c = 0; c < channels; c++) this.arena[column + line * (c + 1)] = weights[c * nodes + node]
    }
  }

  reset(expert: number): void {
    const { size, width, lanes, stateLength, diagonal, factor } = this.layout
    const at = this.start(expert)
    this.arena.fill(0, at + diagonal, at + diagonal + stateLength)
    this.arena.fill(1 / this.shape.ridge, at + diagonal, at + diagonal + size)
    for (let j = 0; j < width; j++) this.arena[at + factor + factorIndex(j, j, lanes)] = 1
  }

  covariance(expert: number): Float64Array {
    const { size, lanes, diagonal, factor } = this.layout
    const at = this.start(expert)
    const u = (i: number, j: number) => this.arena[at + factor + factorIndex(i, j, lanes)]
    const p = new Float64Array(size * size)
    for (let i = 0; i < size; i++) {
      for (let j = i; j < size; j++) {
        let sum = 0
        for (let m = j; m < size; m++) sum += u(i, m) * this.arena[at + diagonal + m] * u(j, m)
        p[i * size + j] = p[j * size + i] = sum
      }
    }
    return p
  }

  outputWeights(expert: number): Float64Array {
    const { size, width, outputWeights } = this.layout
    const { levels } = this.shape
    const at = this.start(expert) + outputWeights
    const w = new Float64Array(size * levels)
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < levels; k++) w[i * levels + k] = this.arena[at + k * width + i]
    }
    return w
  }

  transfer(io: StateIo): void {
    const own = this.precision === 'double' ? this.arithmetic : `${this.arithmetic} ${this.precision}`
    const stored = io.text(own)
    if (stored !== own) throw new SnapshotError(`state computed in ${stored} arithmetic; this kernel is ${own}`)
    const { diagonal, outputWeights, factor, width, line, stride } = this.layout
    const { experts, levels } = this.shape
    for (let expert = 0; expert < experts; expert++) {
      const at = this.start(expert)
      io.fill(this.arena.subarray(at + diagonal, at + outputWeights))
      io.perLevel(this.arena.subarray(at + outputWeights, at + factor), levels, width, line)
      io.fill(this.arena.subarray(at + factor, at + stride))
    }
  }

  /** Puts the sample into the arena. */
  protected setSample(z: Float64Array): void {
    const { sample } = this.layout
    for (let i = 0; i < this.shape.channels; i++) {
      const value = z[i]
      this.arena[sample + i] = value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value
    }
  }

  /**
   * Takes the outputs of networks `first` … `last` − 1 out of the arena; in double precision they are read in place.
   */
  protected takeOutputs(first: number, last: number): void {
    if (this.precision === 'double') return
    const { levels } = this.shape
    for (let i = first * levels; i < last * levels; i++) this.outputs[i] = this.arena[this.layout.outputs + i]
  }

  /** Where network `expert` begins. */
  protected start(expert: number): number {
    return this.layout.experts + expert * this.layout.stride
  }
}

function windUpLimit(ridge: number, precision: Precision): number {
  return precision === 'double' ? WIND_UP / ridge : Math.fround(Math.max(1 / ridge, WIND_UP_SINGLE))
}
