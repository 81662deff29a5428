import { OptionError } from '../../errors.ts'
import { type Arena, ArenaKernel } from './arena-kernel.ts'
import { DOUBLE_WASM } from './double.wasm.ts'
import { DOUBLE_RELAXED_WASM } from './double-relaxed.wasm.ts'
import { fusedWorks } from './fused.ts'
import type { KernelArithmetic, Precision, RvflShape } from './kernel.ts'
import { SINGLE_WASM } from './single.wasm.ts'
import { SINGLE_RELAXED_WASM } from './single-relaxed.wasm.ts'
import { fromBase64, type WasmModule, webAssembly } from './web-assembly.ts'

/** What packages/core/kernel/double.ts and single.ts export. */
interface KernelExports {
  configure(...sizes: number[]): void
  forward(first: number, last: number): void
  update(first: number, last: number): void
}

/** The same module serves `fused` and `relaxed`; what its multiply–add does is up to the processor. */
type Build = 'exact' | 'relaxed'

const SOURCES: Record<Precision, Record<Build, string>> = {
  double: { exact: DOUBLE_WASM, relaxed: DOUBLE_RELAXED_WASM },
  single: { exact: SINGLE_WASM, relaxed: SINGLE_RELAXED_WASM },
}
const modules = new Map<string, WasmModule>()

/**
 * The kernel in WebAssembly SIMD. In `exact` arithmetic it gives the bits of the TypeScript kernels, several times as
 * fast. In `fused` arithmetic it is faster still, with bits of its own, and runs only where multiply–add is fused. In
 * `relaxed` arithmetic it takes relaxed SIMD where the engine has it, and the last bits depend on engine and processor.
 *
 * Compiled at the first construction, which takes about a millisecond, and never again.
 */
export class WasmKernel extends ArenaKernel {
  private readonly exports: KernelExports

  /** Throws an {@link OptionError} where the engine cannot run it; see {@link wasmWorks}. */
  constructor(shape: RvflShape, arithmetic: KernelArithmetic = 'exact', precision: Precision = 'double') {
    const module = moduleFor(arithmetic, precision)
    if (webAssembly === undefined || module === undefined) {
      throw new OptionError('arithmetic', arithmetic, 'possible here: this engine lacks the WebAssembly SIMD it needs')
    }
    const { Memory, Instance } = webAssembly
    const bytes = precision === 'double' ? 8 : 4
    let memory: unknown
    super(shape, arithmetic, precision, (length): Arena => {
      const pages = Math.ceil((length * bytes) / PAGE)
      if (pages > MAX_PAGES) throw new OptionError('experts', shape.experts, 'possible: the networks exceed 4 GiB')
      const created = new Memory({ initial: pages, maximum: pages })
      memory = created
      return precision === 'double' ? new Float64Array(created.buffer) : new Float32Array(created.buffer)
    })
    this.exports = new Instance(module, { env: { memory } }).exports as unknown as KernelExports
    const { layout } = this
    this.exports.configure(
      shape.channels,
      layout.channelRows,
      layout.nodePanels,
      layout.size,
      layout.width,
      shape.levels,
      layout.sample * bytes,
      layout.outputs * bytes,
      layout.targets * bytes,
      layout.experts * bytes,
      layout.stride * bytes,
      layout.inputWeights * bytes,
      layout.features * bytes,
      layout.gain * bytes,
      layout.diagonal * bytes,
      layout.outputWeights * bytes,
      layout.factor * bytes,
      shape.forgetting,
      this.diagonalLimit,
    )
  }

  forward(z: Float64Array, first = 0, last = this.shape.experts): void {
    this.setSample(z)
    this.exports.forward(first, last)
    this.takeOutputs(first, last)
  }

  update(targets: Float64Array, first = 0, last = this.shape.experts): void {
    const { levels } = this.shape
    for (let i = first * levels; i < last * levels; i++) this.arena[this.layout.targets + i] = targets[i]
    this.exports.update(first, last)
  }
}

/** Bytes in a page of WebAssembly memory, and how many pages there can be. */
const PAGE = 65536
const MAX_PAGES = 65536

/** Whether this engine can run the WebAssembly kernel in `arithmetic`. */
export function wasmWorks(arithmetic: KernelArithmetic, precision: Precision = 'double'): boolean {
  return moduleFor(arithmetic, precision) !== undefined
}

/**
 * Compiles the kernel in the background. Optional: without it the first kernel compiles on the spot, which takes about a
 * millisecond, and where an engine refuses that, the slower TypeScript kernel steps in, with the same bits.
 *
 * @example
 * import { prepareKernel } from '@pb-oel/core'
 * await prepareKernel()
 */
export async function prepareKernel(
  arithmetic: KernelArithmetic = 'exact',
  precision: Precision = 'double',
): Promise<void> {
  const build = buildOf(arithmetic)
  const key = `${precision} ${build}`
  if (modules.has(key) || webAssembly === undefined) return
  const bytes = fromBase64(SOURCES[precision][build])
  if (webAssembly.validate(bytes)) modules.set(key, await webAssembly.compile(bytes))
}

function buildOf(arithmetic: KernelArithmetic): Build {
  return arithmetic === 'exact' ? 'exact' : 'relaxed'
}

/** The module that computes in `arithmetic`, or `undefined` where the engine cannot. */
function moduleFor(arithmetic: KernelArithmetic, precision: Precision): WasmModule | undefined {
  if (arithmetic === 'fused' && !fusedWorks()) return undefined
  const module = compiled(precision, buildOf(arithmetic))
  return arithmetic === 'relaxed' ? (module ?? compiled(precision, 'exact')) : module
}

/** The compiled module, or `undefined` where the engine lacks an instruction or forbids compiling. */
function compiled(precision: Precision, build: Build): WasmModule | undefined {
  const key = `${precision} ${build}`
  const known = modules.get(key)
  if (known !== undefined || webAssembly === undefined) return known
  try {
    const module = new webAssembly.Module(fromBase64(SOURCES[precision][build]))
    modules.set(key, module)
    return module
  } catch {
    return undefined
  }
}
