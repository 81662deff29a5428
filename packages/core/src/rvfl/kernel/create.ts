import { OptionError } from '../../errors.ts'
import { integerIn, oneOf, onlyKnown } from '../../options.ts'
import type { KernelArithmetic, Precision, RvflKernel, RvflShape } from './kernel.ts'
import { LaneKernel, multiplyAddSingle } from './lane-kernel.ts'
import { TwinKernel } from './twin.ts'
import { WasmKernel, wasmWorks } from './wasm.ts'

/** The words of {@link Arithmetic}. */
export const ARITHMETICS = ['auto', 'typescript', 'simd', 'fused', 'relaxed'] as const

/** The words of {@link Precision}. */
export const PRECISIONS = ['double', 'single'] as const

/**
 * Which kernel computes:
 *
 * - `auto`: WebAssembly SIMD where the engine has it, else TypeScript; the same bits either way;
 * - `typescript`, `simd`: that one, or an error where it cannot run;
 * - `fused`: WebAssembly with fused multiply–add, or an error where engine or processor lack it. Faster, and the same
 *   bits wherever it runs: every x86-64 processor with FMA (since 2013) and every ARM64 one, in engines with relaxed SIMD;
 * - `relaxed`: as `fused` where that runs, else as `auto`. Its last bits differ from machine to machine, so a log
 *   replayed elsewhere need not give the same assessments.
 */
export type Arithmetic = (typeof ARITHMETICS)[number]

/** How the networks are computed. */
export interface KernelOptions {
  /** Which kernel computes. Default `auto`. */
  arithmetic?: Arithmetic
  /** Numbers of 64 or of 32 bits. Default `double`. */
  precision?: Precision
  /**
   * How many threads update the networks, 1 … 64, with the same bits for any number. Worth it where an update takes a
   * millisecond or more. Needs Node and WebAssembly; elsewhere one thread computes. Default 1.
   */
  threads?: number
}

/**
 * The kernel for a bank of RVFL networks.
 *
 * @example
 * import { createKernel } from '@pb-oel/core'
 * const kernel = createKernel({ experts: 1, channels: 1, nodes: 0, levels: 1, ridge: 1, forgetting: 1 })
 * for (let i = 0; i < 2; i++) {
 *   kernel.forward(Float64Array.of(1))
 *   kernel.update(Float64Array.of(1))
 * }
 * kernel.outputWeights(0)[0] // 0.6667: ridge regression of two samples (1, 1) with λ = 1
 */
export function createKernel(shape: RvflShape, options: KernelOptions = {}): RvflKernel {
  onlyKnown(options, ['arithmetic', 'precision', 'threads'])
  const arithmetic = oneOf('arithmetic', options.arithmetic ?? 'auto', ARITHMETICS)
  const precision = oneOf('precision', options.precision ?? 'double', PRECISIONS)
  const threads = integerIn('threads', options.threads ?? 1, 1, 64)
  switch (arithmetic) {
    case 'typescript':
      return typescriptKernel(shape, 'exact', precision)
    case 'simd':
      return new WasmKernel(shape, 'exact', precision, threads)
    case 'fused':
      if (!wasmWorks('fused', precision)) {
        throw new OptionError(
          'arithmetic',
          arithmetic,
          'possible here: this engine or processor has no fused multiply–add; use auto',
        )
      }
      return new WasmKernel(shape, 'fused', precision, threads)
    default: {
      const rounding: KernelArithmetic = arithmetic === 'relaxed' ? 'relaxed' : 'exact'
      return wasmWorks('exact', precision)
        ? new WasmKernel(shape, rounding, precision, threads)
        : typescriptKernel(shape, rounding, precision)
    }
  }
}

function typescriptKernel(shape: RvflShape, arithmetic: KernelArithmetic, precision: Precision): RvflKernel {
  return precision === 'double'
    ? new TwinKernel(shape, arithmetic)
    : new LaneKernel(shape, arithmetic, precision, multiplyAddSingle)
}
