/**
 * The part of the WebAssembly and base64 interfaces the kernel uses: every engine has them, but the language's own
 * type library does not list them, and core asks for no other.
 */

/** A compiled module. */
export interface WasmModule {
  readonly compiled?: never
}

/** Linear memory. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike
}

interface WasmNamespace {
  validate(bytes: Uint8Array): boolean
  compile(bytes: Uint8Array): Promise<WasmModule>
  Module: new (bytes: Uint8Array) => WasmModule
  Memory: new (limits: { initial: number; maximum: number; shared?: boolean }) => WasmMemory
  Instance: new (
    module: WasmModule,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Record<string, unknown> }
}

interface Engine {
  WebAssembly?: WasmNamespace
  atob(text: string): string
}

/** WebAssembly, or `undefined` in an engine without it. */
export const webAssembly: WasmNamespace | undefined = (globalThis as unknown as Engine).WebAssembly

/** The bytes that `text` stands for in base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from((globalThis as unknown as Engine).atob(text), (character) => character.charCodeAt(0))
}
