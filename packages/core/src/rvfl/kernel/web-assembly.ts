/**
 * The part of the WebAssembly interface the kernel uses: every engine has it, but the language's own type library does
 * not list it, and core asks for no other.
 */

/** A compiled module. */
export interface WasmModule {
  readonly compiled?: never
}

/** Linear memory. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike
}

/** What an engine offers. */
export interface WasmNamespace {
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
}

/** WebAssembly, or `undefined` in an engine without it. */
export function webAssembly(): WasmNamespace | undefined {
  return (globalThis as unknown as Engine).WebAssembly
}

/**
 * The bytes that `text` stands for in hexadecimal. It is longer than base64 but compresses better: what modules have in
 * common is the same text in all of them.
 */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
