import { type WasmMemory, type WasmModule, type WasmNamespace, webAssembly } from './web-assembly.ts'

/** What assembly/double.ts and assembly/single.ts export. */
export interface KernelExports {
  configure(...sizes: number[]): void
  forward(first: number, last: number): void
  update(first: number, last: number): void
}

/** A kernel's module on the arena in `memory`, configured. */
export function instantiate(module: WasmModule, memory: WasmMemory, sizes: readonly number[]): KernelExports {
  const { Instance } = webAssembly() as WasmNamespace
  const exports = new Instance(module, { env: { memory } }).exports as unknown as KernelExports
  exports.configure(...sizes)
  return exports
}
