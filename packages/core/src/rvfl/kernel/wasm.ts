import { OptionError } from '../../errors.ts'
import { type Arena, ArenaKernel } from './arena-kernel.ts'
import { fusedWorks } from './fused.ts'
import { instantiate, type KernelExports } from './instance.ts'
import type { KernelArithmetic, Precision, RvflShape } from './kernel.ts'
import { choosePrecision, type PrecisionEntry } from './known-precisions.ts'
import { warnOfRefusal } from './refusal.ts'
import { nodeThreads, startThreads } from './threads.ts'
import { type Turns, takeTurn } from './turns.ts'
import { fromHex, type WasmMemory, type WasmModule, type WasmNamespace, webAssembly } from './web-assembly.ts'

type Build = keyof PrecisionEntry['modules']

/** What each engine has compiled; there is one but in tests. */
const compiledBy = new WeakMap<WasmNamespace, Map<string, WasmModule>>()

/**
 * The kernel in WebAssembly SIMD. In `exact` arithmetic it gives the bits of the TypeScript kernels, several times as
 * fast. In `fused` arithmetic it is faster still, with bits of its own, and runs only where multiply–add is fused. In
 * `relaxed` arithmetic it takes relaxed SIMD where the engine has it, and the last bits depend on engine and processor.
 *
 * Compiled at the first construction, which takes about a millisecond, and never again.
 */
export class WasmKernel extends ArenaKernel {
  private readonly exports: KernelExports
  /** Where other threads join, or `undefined`: there is no other thread. */
  private readonly turns: Turns | undefined

  /**
   * Throws an {@link OptionError} where the engine cannot run it; see {@link wasmWorks}.
   *
   * @param threads how many threads update networks, this one included; where the engine has no others, this one alone
   */
  constructor(
    shape: RvflShape,
    arithmetic: KernelArithmetic = 'exact',
    precision: Precision = 'double',
    threads: number = 1,
  ) {
    const others = nodeThreads() === undefined ? 0 : Math.min(threads, shape.experts) - 1
    const engine = webAssembly()
    const module = moduleFor(arithmetic, precision, others > 0)
    if (engine === undefined || module === undefined) {
      throw new OptionError(
        'arithmetic',
        arithmetic,
        'auto or typescript: this engine lacks the WebAssembly SIMD that it needs',
      )
    }
    const { Memory } = engine
    const bytes = precision === 'double' ? 8 : 4
    let memory: WasmMemory | undefined
    super(shape, arithmetic, precision, (length): Arena => {
      const pages = Math.ceil((length * bytes) / PAGE)
      try {
        memory = new Memory({ initial: pages, maximum: pages, shared: others > 0 })
      } catch {
        throw new OptionError('networks', shape.experts, 'few enough for the memory of WebAssembly, at most 4 GiB')
      }
      return precision === 'double' ? new Float64Array(memory.buffer) : new Float32Array(memory.buffer)
    })
    const arena = memory as unknown as WasmMemory
    const sizes = this.sizes(bytes)
    this.exports = instantiate(module, arena, sizes)
    this.turns = others > 0 ? startThreads(this, others, { module, memory: arena, sizes }) : undefined
  }

  forward(z: Float64Array, first = 0, last = this.shape.experts): void {
    this.setSample(z)
    this.exports.forward(first, last)
    this.takeOutputs(first, last)
  }

  update(targets: Float64Array, first = 0, last = this.shape.experts): void {
    const { levels } = this.shape
    for (let i = first * levels; i < last * levels; i++) this.arena[this.layout.targets + i] = targets[i]
    if (this.turns === undefined || last - first === 1) this.exports.update(first, last)
    else takeTurn(this.turns, first, last, this.exports.update)
  }

  /** What the module's `configure` takes: numbers, then offsets in bytes. */
  private sizes(bytes: number): number[] {
    const { layout, shape } = this
    const counts = [shape.channels, layout.channelRows, layout.nodePanels, layout.size, layout.width, shape.levels]
    const offsets = [
      layout.sample,
      layout.outputs,
      layout.targets,
      layout.experts,
      layout.stride,
      layout.inputWeights,
      layout.features,
      layout.gain,
      layout.diagonal,
      layout.outputWeights,
      layout.factor,
    ]
    return [...counts, ...offsets.map((offset) => offset * bytes), shape.forgetting, this.diagonalLimit]
  }
}

/** Bytes in a page of WebAssembly memory. */
const PAGE = 65536

/** Whether this engine can run the WebAssembly kernel in `arithmetic`. */
export function wasmWorks(arithmetic: KernelArithmetic, precision: Precision = 'double'): boolean {
  return moduleFor(arithmetic, precision, false) !== undefined
}

/**
 * Compiles the kernel in the background. Optional: without it the first kernel compiles on the spot, which takes about
 * a millisecond. Where an engine or a page's policy refuses that, the slower TypeScript kernel steps in, with the same
 * bits, and a warning says so.
 *
 * @example
 * import { prepareKernel } from '@pb-oel/core'
 * await prepareKernel()
 */
export async function prepareKernel(
  arithmetic: KernelArithmetic = 'exact',
  precision: Precision = 'double',
): Promise<void> {
  const engine = webAssembly()
  const build = buildOf(arithmetic)
  const key = keyOf(precision, build, false)
  if (engine === undefined || modulesOf(engine).has(key)) return
  const bytes = fromHex(choosePrecision(precision).modules[build])
  if (!engine.validate(bytes)) return
  try {
    modulesOf(engine).set(key, await engine.compile(bytes))
  } catch {
    warnOfRefusal(engine)
  }
}

function modulesOf(engine: WasmNamespace): Map<string, WasmModule> {
  const modules = compiledBy.get(engine) ?? new Map<string, WasmModule>()
  compiledBy.set(engine, modules)
  return modules
}

function buildOf(arithmetic: KernelArithmetic): Build {
  return arithmetic === 'exact' ? 'exact' : 'relaxed'
}

function keyOf(precision: Precision, build: Build, shared: boolean): string {
  return `${precision} ${build}${shared ? ' shared' : ''}`
}

/** The module that computes in `arithmetic`, or `undefined` where the engine cannot. */
function moduleFor(arithmetic: KernelArithmetic, precision: Precision, shared: boolean): WasmModule | undefined {
  if (arithmetic === 'fused' && !fusedWorks()) return undefined
  const module = compiled(precision, buildOf(arithmetic), shared)
  return arithmetic === 'relaxed' ? (module ?? compiled(precision, 'exact', shared)) : module
}

/** The compiled module, or `undefined` where the engine lacks an instruction or forbids compiling. */
function compiled(precision: Precision, build: Build, shared: boolean): WasmModule | undefined {
  const engine = webAssembly()
  if (engine === undefined) return undefined
  const modules = modulesOf(engine)
  const key = keyOf(precision, build, shared)
  const known = modules.get(key)
  if (known !== undefined) return known
  const bytes = fromHex(choosePrecision(precision).modules[build])
  try {
    const module = new engine.Module(shared ? forSharedMemory(bytes) : bytes)
    modules.set(key, module)
    return module
  } catch {
    if (engine.validate(bytes)) warnOfRefusal(engine)
    return undefined
  }
}

/** The import of the memory: its name, its kind (2), and flags that say it has a maximum (1). */
const MEMORY_IMPORT = [...'memory'].map((character) => character.charCodeAt(0)).concat(2, 1)

/** The same module for memory that threads share. Only the flags of the imported memory differ (1 | shared = 3). */
export function forSharedMemory(bytes: Uint8Array): Uint8Array {
  const at = bytes.findIndex((_, start) => MEMORY_IMPORT.every((byte, i) => bytes[start + i] === byte))
  const copy = bytes.slice()
  copy[at + MEMORY_IMPORT.length - 1] = 3
  return copy
}
