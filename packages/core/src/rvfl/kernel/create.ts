import { option } from '../../options/option.ts'
import type { RvflKernel, RvflShape } from './kernel.ts'
import { TwinKernel } from './twin.ts'
import { WasmKernel, wasmWorks } from './wasm.ts'

/**
 * Which kernel computes:
 *
 * - `auto`: WebAssembly SIMD where the engine has it, else TypeScript; the same bits either way;
 * - `typescript`, `simd`: that one, or an error where it cannot run;
 * - `relaxed`: WebAssembly with fused multiply-add where engine and processor have it, else as `auto`. The fastest, but
 *   its last bits differ from machine to machine, so a log replayed elsewhere need not give the same assessments.
 */
export type Arithmetic = (typeof WORDS)[number]

const WORDS = ['auto', 'typescript', 'simd', 'relaxed'] as const

/** The option for it. */
export const ARITHMETIC = option.choice(WORDS, {
  default: 'auto',
  about:
    'Which kernel computes: `auto` gives the same bits everywhere and is fast where it can be; `typescript` and `simd` ' +
    'give them too; `relaxed` is the fastest, but its last bits differ from machine to machine.',
})

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
export function createKernel(shape: RvflShape, arithmetic: Arithmetic = 'auto'): RvflKernel {
  switch (ARITHMETIC.check('arithmetic', arithmetic)) {
    case 'typescript':
      return new TwinKernel(shape)
    case 'simd':
      return new WasmKernel(shape)
    case 'relaxed':
      return wasmWorks('exact') ? new WasmKernel(shape, 'relaxed') : new TwinKernel(shape, 'relaxed')
    default:
      return wasmWorks('exact') ? new WasmKernel(shape) : new TwinKernel(shape)
  }
}
