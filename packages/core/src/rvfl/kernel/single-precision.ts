import type { PrecisionEntry } from './known-precisions.ts'
import { LaneKernel, multiplyAddSingle } from './lane-kernel.ts'
import { SINGLE_WASM } from './single.wasm.ts'
import { SINGLE_RELAXED_WASM } from './single-relaxed.wasm.ts'

/** Numbers of 32 bits. */
export const SINGLE_PRECISION: PrecisionEntry = {
  name: 'single',
  modules: { exact: SINGLE_WASM, relaxed: SINGLE_RELAXED_WASM },
  typescriptKernel: (shape, arithmetic) => new LaneKernel(shape, arithmetic, 'single', multiplyAddSingle),
}
