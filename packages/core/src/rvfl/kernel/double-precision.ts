import { DOUBLE_WASM } from './double.wasm.ts'
import { DOUBLE_RELAXED_WASM } from './double-relaxed.wasm.ts'
import type { PrecisionEntry } from './known-precisions.ts'
import { TwinKernel } from './twin.ts'

/** Numbers of 64 bits. */
export const DOUBLE_PRECISION: PrecisionEntry = {
  name: 'double',
  modules: { exact: DOUBLE_WASM, relaxed: DOUBLE_RELAXED_WASM },
  typescriptKernel: (shape, arithmetic) => new TwinKernel(shape, arithmetic),
}
