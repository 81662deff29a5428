import { OptionError } from '../../errors.ts'
import { readOptions } from '../../options/option-table.ts'
import type { KernelArithmetic, RvflKernel, RvflShape } from './kernel.ts'
import { choosePrecision } from './known-precisions.ts'
import { KERNEL_OPTIONS, type KernelOptions } from './options.ts'
import { WasmKernel, wasmWorks } from './wasm.ts'

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
  const { arithmetic, precision, threads } = readOptions(KERNEL_OPTIONS, options)
  switch (arithmetic) {
    case 'typescript':
      return choosePrecision(precision).typescriptKernel(shape, 'exact')
    case 'simd':
      return new WasmKernel(shape, 'exact', precision, threads)
    case 'fused':
      if (!wasmWorks('fused', precision)) {
        throw new OptionError('arithmetic', arithmetic, 'another one here: there is no fused multiply–add; use auto')
      }
      return new WasmKernel(shape, 'fused', precision, threads)
    default: {
      const rounding: KernelArithmetic = arithmetic === 'relaxed' ? 'relaxed' : 'exact'
      return wasmWorks('exact', precision)
        ? new WasmKernel(shape, rounding, precision, threads)
        : choosePrecision(precision).typescriptKernel(shape, rounding)
    }
  }
}
