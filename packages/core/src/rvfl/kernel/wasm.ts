import { OptionError } from '../../errors.ts'
import { ArenaKernel } from './arena-kernel.ts'
import type { KernelArithmetic, RvflShape } from './kernel.ts'
import { RELAXED_WASM } from './relaxed.wasm.ts'
import { SIMD_WASM } from './simd.wasm.ts'
import { fromBase64, type WasmModule, webAssembly } from './web-assembly.ts'

/** What assembly/kernel.ts exports. */
interface KernelExports {
  configure(...sizes: number[]): void
  forward(first: number, last: number): void
  update(first: number, last: number): void
}

const SOURCES: Record<KernelArithmetic, string> = { exact: SIMD_WASM, relaxed: RELAXED_WASM }
const modules = new Map<KernelArithmetic, WasmModule>()

/**
 * The kernel in WebAssembly SIMD: the bits of `TwinKernel` in `exact` arithmetic, several times as fast. In `relaxed`
 * arithmetic faster still where the engine has relaxed SIMD, but the last bits depend on engine and processor.
 *
 * Compiled at the first construction, which takes about a millisecond, and never again.
 */
export class WasmKernel extends ArenaKernel {
  private readonly exports: KernelExports

  /** Throws an {@link OptionError} where the engine cannot run it; see {@link wasmWorks}. */
  constructor(shape: RvflShape, arithmetic: KernelArithmetic = 'exact') {
    const module = (arithmetic === 'relaxed' ? compiled('relaxed') : undefined) ?? compiled('exact')
    if (webAssembly === undefined || module === undefined) {
      throw new OptionError(
        'arithmetic',
        arithmetic,
        'auto or typescript: this engine lacks the WebAssembly SIMD that it needs',
      )
    }
    const { Memory, Instance } = webAssembly
    let memory: unknown
    super(shape, arithmetic, (length) => {
      const pages = Math.ceil(length / (PAGE / 8))
      if (pages > MAX_PAGES)
        throw new OptionError('networks', shape.experts, 'few enough for the 4 GiB that WebAssembly has')
      const created = new Memory({ initial: pages, maximum: pages })
      memory = created
      return new Float64Array(created.buffer)
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
      layout.sample * 8,
      layout.outputs * 8,
      layout.targets * 8,
      layout.experts * 8,
      layout.stride * 8,
      layout.inputWeights * 8,
      layout.features * 8,
      layout.gain * 8,
      layout.diagonal * 8,
      layout.outputWeights * 8,
      layout.factor * 8,
      shape.forgetting,
      this.diagonalLimit,
    )
  }

  forward(z: Float64Array, first = 0, last = this.shape.experts): void {
    this.setSample(z)
    this.exports.forward(first, last)
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
export function wasmWorks(arithmetic: KernelArithmetic): boolean {
  return compiled(arithmetic) !== undefined
}

/**
 * Compiles the kernel in the background. Optional: without it the first kernel compiles on the spot, which takes about
 * a millisecond. Where an engine refuses that, the slower TypeScript kernel steps in, with the same bits.
 *
 * @example
 * import { prepareKernel } from '@pb-oel/core'
 * await prepareKernel()
 */
export async function prepareKernel(arithmetic: KernelArithmetic = 'exact'): Promise<void> {
  if (modules.has(arithmetic) || webAssembly === undefined) return
  const bytes = fromBase64(SOURCES[arithmetic])
  if (webAssembly.validate(bytes)) modules.set(arithmetic, await webAssembly.compile(bytes))
}

/** The compiled module, or `undefined` where the engine lacks an instruction or forbids compiling. */
function compiled(arithmetic: KernelArithmetic): WasmModule | undefined {
  const known = modules.get(arithmetic)
  if (known !== undefined || webAssembly === undefined) return known
  try {
    const module = new webAssembly.Module(fromBase64(SOURCES[arithmetic]))
    modules.set(arithmetic, module)
    return module
  } catch {
    return undefined
  }
}
