import { SnapshotError } from '../../errors.ts'
import type { StateIo } from '../../state/state-io.ts'
import type { KernelArithmetic, RvflKernel, RvflShape } from './kernel.ts'
import { type ArenaLayout, arenaLayout, factorIndex } from './layout.ts'

/** Channels beyond ±LIMIT count as ±LIMIT, so that no square of a feature can overflow. */
const LIMIT = 1e8

/**
 * Forgetting without excitation doubles P again and again (wind-up). With forgetting, no D_j exceeds WIND_UP times its
 * first value 1/λ; without it D_j only falls, and nothing is capped.
 */
const WIND_UP = 2 ** 20

/** What the TypeScript and the WebAssembly kernel share: everything but the arithmetic. */
export abstract class ArenaKernel implements RvflKernel {
  readonly shape: RvflShape
  readonly outputs: Float64Array
  readonly arithmetic: KernelArithmetic
  protected readonly layout: ArenaLayout
  protected readonly arena: Float64Array
  /** Upper limit of D_j. */
  protected readonly diagonalLimit: number

  /** @param allocate gives the arena: at least as many zeros as asked for */
  constructor(shape: RvflShape, arithmetic: KernelArithmetic, allocate: (length: number) => Float64Array) {
    const layout = arenaLayout(shape)
    this.shape = shape
    this.arithmetic = arithmetic
    this.layout = layout
    this.arena = allocate(layout.length)
    this.outputs = this.arena.subarray(layout.outputs, layout.outputs + shape.experts * shape.levels)
    this.diagonalLimit = shape.forgetting < 1 ? WIND_UP / shape.ridge : Infinity
    for (let expert = 0; expert < shape.experts; expert++) this.reset(expert)
  }

  abstract forward(z: Float64Array, first?: number, last?: number): void
  abstract update(targets: Float64Array, first?: number, last?: number): void

  setInputWeights(expert: number, weights: Float64Array, biases: Float64Array): void {
    const { channels, nodes } = this.shape
    const { inputWeights, channelRows } = this.layout
    const at = this.start(expert) + inputWeights
    for (let node = 0; node < nodes; node++) {
      const column = at + (node >> 3) * 8 * (channelRows + 1) + (node & 7)
      this.arena[column] = biases[node]
      for (let c = 0; c < channels; c++) this.arena[column + 8 * (c + 1)] = weights[c * nodes + node]
    }
  }

  reset(expert: number): void {
    const { size, width, stateLength, diagonal, factor } = this.layout
    const at = this.start(expert)
    this.arena.fill(0, at + diagonal, at + diagonal + stateLength)
    this.arena.fill(1 / this.shape.ridge, at + diagonal, at + diagonal + size)
    for (let j = 0; j < width; j++) this.arena[at + factor + factorIndex(j, j)] = 1
  }

  covariance(expert: number): Float64Array {
    const { size, diagonal, factor } = this.layout
    const at = this.start(expert)
    const u = (i: number, j: number) => this.arena[at + factor + factorIndex(i, j)]
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
    const arithmetic = io.text(this.arithmetic)
    if (arithmetic !== this.arithmetic) {
      throw new SnapshotError(`state computed in ${arithmetic} arithmetic; this kernel is ${this.arithmetic}`)
    }
    const { diagonal, stateLength } = this.layout
    for (let expert = 0; expert < this.shape.experts; expert++) {
      const at = this.start(expert) + diagonal
      io.fill(this.arena.subarray(at, at + stateLength))
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

  /** Where network `expert` begins. */
  protected start(expert: number): number {
    return this.layout.experts + expert * this.layout.stride
  }
}
