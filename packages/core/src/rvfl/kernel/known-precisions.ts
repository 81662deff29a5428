import { Catalogue } from '../../catalogue.ts'
import { OptionError } from '../../errors.ts'
import { DOUBLE_PRECISION } from './double-precision.ts'
import type { KernelArithmetic, Precision, RvflKernel, RvflShape } from './kernel.ts'

/** What computes in one precision. */
export interface PrecisionEntry {
  readonly name: Precision
  /** WebAssembly in hex. The relaxed module serves `fused` and `relaxed`: what it rounds is up to the processor. */
  readonly modules: Readonly<Record<'exact' | 'relaxed', string>>
  /** The kernel where WebAssembly cannot run. */
  typescriptKernel(shape: RvflShape, arithmetic: KernelArithmetic): RvflKernel
}

/** The precisions that options may name: both, where `methods.ts` is loaded. */
export const KNOWN_PRECISIONS: Catalogue<PrecisionEntry> = new Catalogue<PrecisionEntry>(DOUBLE_PRECISION)

/** The entry of a precision. Throws an {@link OptionError} where the bundle has left it out. */
export function choosePrecision(name: Precision): PrecisionEntry {
  const entry = KNOWN_PRECISIONS.find(name)
  if (entry !== undefined) return entry
  throw new OptionError('precision', name, 'double: this bundle holds no other; createAssessor brings single with it')
}
