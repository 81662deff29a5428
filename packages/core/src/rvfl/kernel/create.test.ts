import { afterEach, expect, it, vi } from 'vitest'
import { OptionError } from '../../errors.ts'
import { createKernel } from './create.ts'
import { DOUBLE_RELAXED_WASM } from './double-relaxed.wasm.ts'
import { fusedWorks } from './fused.ts'
import type { Precision } from './kernel.ts'
import { choosePrecision } from './known-precisions.ts'
import { LaneKernel } from './lane-kernel.ts'
import type { Arithmetic } from './options.ts'
import { fma, fmaSingle } from './testing/fma.ts'
import { shapeOf } from './testing/random-kernel.ts'
import { TwinKernel } from './twin.ts'
import { prepareKernel, WasmKernel, wasmWorks } from './wasm.ts'
import { fromHex } from './web-assembly.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Goes on in an engine that is this one but for some parts, and has compiled nothing yet. Notes what it compiles. */
function enterEngine(parts: object = {}): { compiled: string[]; warned: unknown[] } {
  const compiled: string[] = []
  class Module extends WebAssembly.Module {
    constructor(bytes: Uint8Array<ArrayBuffer>) {
      compiled.push('at once')
      super(bytes)
    }
  }
  const { compile } = WebAssembly
  const engine = Object.assign(Object.create(WebAssembly), {
    Module,
    compile: (bytes: Uint8Array<ArrayBuffer>) => {
      compiled.push('ahead')
      return compile(bytes)
    },
    ...parts,
  })
  vi.stubGlobal('WebAssembly', engine)
  return { compiled, warned: vi.spyOn(console, 'warn').mockImplementation(() => {}).mock.calls }
}

function refuse(): never {
  throw new Error('refused')
}

it('takes WebAssembly where it can, and TypeScript or relaxed arithmetic when asked', () => {
  expect(createKernel(shapeOf({}))).toBeInstanceOf(WasmKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'simd' })).toBeInstanceOf(WasmKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'typescript' })).toBeInstanceOf(TwinKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'relaxed' }).arithmetic).toBe('relaxed')
  for (const word of ['auto', 'simd', 'typescript'] as const) {
    expect(createKernel(shapeOf({}), { arithmetic: word }).arithmetic).toBe('exact')
  }
  const fused = () => createKernel(shapeOf({}), { arithmetic: 'fused' }).arithmetic
  if (wasmWorks('fused')) expect(fused()).toBe('fused')
  else expect(fused).toThrow('no fused multiply–add')
  expect(createKernel(shapeOf({})).precision).toBe('double')
  expect(createKernel(shapeOf({}), { precision: 'single' })).toBeInstanceOf(WasmKernel)
  expect(createKernel(shapeOf({}), { precision: 'single', arithmetic: 'typescript' })).toBeInstanceOf(LaneKernel)
  expect(createKernel(shapeOf({}), { precision: 'single' }).precision).toBe('single')
  expect(() => createKernel(shapeOf({}), { precision: 'half' as Precision })).toThrow(OptionError)
  expect(() => createKernel(shapeOf({}), { arithmetic: 'fast' as Arithmetic })).toThrow(OptionError)
  expect(() => choosePrecision('half' as Precision)).toThrow('this bundle holds no other')
})

it('reads bytes in hexadecimal', () => {
  expect([fromHex('00ff1a'), fromHex('')]).toEqual([Uint8Array.of(0, 255, 26), new Uint8Array()])
})

it.each([
  ['there is no WebAssembly', undefined],
  ['compiling is forbidden', { Module: refuse, compile: refuse }],
  ['the engine lacks SIMD', { Module: refuse, validate: () => false }],
])('falls back to TypeScript where %s', async (reason, parts) => {
  const { warned, compiled } = enterEngine(parts)
  if (parts === undefined) vi.stubGlobal('WebAssembly', undefined)
  const forbidden = reason.includes('forbidden')
  await prepareKernel()
  expect(warned.length).toBe(Number(forbidden))
  expect(createKernel(shapeOf({}))).toBeInstanceOf(TwinKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'relaxed' }).arithmetic).toBe('relaxed')
  expect(createKernel(shapeOf({}), { precision: 'single' })).toBeInstanceOf(LaneKernel)
  for (const arithmetic of ['simd', 'fused'] as const) {
    expect(() => createKernel(shapeOf({}), { arithmetic })).toThrow('option arithmetic')
  }
  expect([compiled, fusedWorks()]).toEqual([[], false])
  // Only who forbids it can change it.
  expect(warned.map(String)).toEqual(forbidden ? [expect.stringContaining('wasm-unsafe-eval')] : [])
})

it('says that it falls back without being prepared, unless there is nowhere to say it', () => {
  const { warned } = enterEngine({ Module: refuse })
  createKernel(shapeOf({}))
  expect(warned.length).toBe(1)
  enterEngine({ Module: refuse })
  vi.stubGlobal('console', undefined)
  expect(createKernel(shapeOf({}))).toBeInstanceOf(TwinKernel)
})

it('compiles each kernel once, at once or ahead', async () => {
  const { compiled } = enterEngine()
  for (let n = 0; n < 2; n++)
    for (const word of ['auto', 'simd'] as const) createKernel(shapeOf({}), { arithmetic: word })
  expect(compiled).toEqual(['at once'])
  await prepareKernel()
  expect(compiled).toHaveLength(1)
  for (let n = 0; n < 2; n++) await prepareKernel('relaxed')
  createKernel(shapeOf({}), { arithmetic: 'relaxed' })
  for (let n = 0; n < 2; n++) await prepareKernel('exact', 'single')
  createKernel(shapeOf({}), { precision: 'single' })
  expect(compiled).toEqual(['at once', 'ahead', 'ahead'])
})

it('computes exactly where relaxed arithmetic is asked for and the engine has none', () => {
  const isRelaxed = (bytes: Uint8Array) => bytes.length === DOUBLE_RELAXED_WASM.length / 2
  class Module extends WebAssembly.Module {
    constructor(bytes: Uint8Array<ArrayBuffer>) {
      super(isRelaxed(bytes) ? refuse() : bytes)
    }
  }
  const { validate } = WebAssembly
  const { warned } = enterEngine({
    validate: (bytes: Uint8Array<ArrayBuffer>) => !isRelaxed(bytes) && validate(bytes),
    Module,
  })
  const kernel = createKernel(shapeOf({ ridge: 1 }), { arithmetic: 'relaxed' })
  expect(kernel).toBeInstanceOf(WasmKernel)
  kernel.forward(Float64Array.of(1))
  kernel.update(Float64Array.of(1))
  expect(kernel.outputWeights(0)[0]).toBe(0.5)
  expect([warned, wasmWorks('fused'), wasmWorks('relaxed')]).toEqual([[], false, true])
})

it('runs fused arithmetic only where multiply–add is fused in all four forms', () => {
  const fused = {
    multiplyAdd: fma,
    subtractProduct: (a: number, b: number, c: number) => fma(-a, b, c),
    multiplyAddSingle: fmaSingle,
    subtractProductSingle: (a: number, b: number, c: number) => fmaSingle(-a, b, c),
  }
  // As on a processor without FMA.
  const rounded = {
    multiplyAdd: (a: number, b: number, c: number) => a * b + c,
    subtractProduct: (a: number, b: number, c: number) => c - a * b,
    multiplyAddSingle: (a: number, b: number, c: number) => Math.fround(Math.fround(a * b) + c),
    subtractProductSingle: (a: number, b: number, c: number) => Math.fround(c - Math.fround(a * b)),
  }
  const worksWith = (exports: object) => {
    enterEngine({
      Instance: function Instance() {
        return { exports }
      },
    })
    return fusedWorks()
  }
  expect(worksWith(fused)).toBe(true)
  for (const [name, form] of Object.entries(rounded)) {
    expect([name, worksWith({ ...fused, [name]: form })]).toEqual([name, false])
  }
  expect(() => createKernel(shapeOf({}), { arithmetic: 'fused' })).toThrow('no fused multiply–add')
})

it('refuses more networks than WebAssembly has memory for', () => {
  // 4.7 GiB in single precision.
  const huge = shapeOf({ experts: 10_000, channels: 400, nodes: 100 })
  expect(() => new WasmKernel(huge, 'exact', 'single')).toThrow('option networks')
})
