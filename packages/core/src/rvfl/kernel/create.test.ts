import { afterEach, expect, it, vi } from 'vitest'
import { OptionError } from '../../errors.ts'
import { createKernel } from './create.ts'
import type { Precision } from './kernel.ts'
import { LaneKernel } from './lane-kernel.ts'
import type { Arithmetic } from './options.ts'
import { shapeOf } from './testing/random-kernel.ts'
import { TwinKernel } from './twin.ts'
import { WasmKernel } from './wasm.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('takes WebAssembly where it can, and TypeScript or relaxed arithmetic when asked', () => {
  expect(createKernel(shapeOf({}))).toBeInstanceOf(WasmKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'simd' })).toBeInstanceOf(WasmKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'typescript' })).toBeInstanceOf(TwinKernel)
  expect(createKernel(shapeOf({}), { arithmetic: 'relaxed' }).arithmetic).toBe('relaxed')
  for (const word of ['auto', 'simd', 'typescript'] as const) {
    expect(createKernel(shapeOf({}), { arithmetic: word }).arithmetic).toBe('exact')
  }
  expect(createKernel(shapeOf({})).precision).toBe('double')
  expect(createKernel(shapeOf({}), { precision: 'single' })).toBeInstanceOf(WasmKernel)
  expect(createKernel(shapeOf({}), { precision: 'single', arithmetic: 'typescript' })).toBeInstanceOf(LaneKernel)
  expect(createKernel(shapeOf({}), { precision: 'single' }).precision).toBe('single')
  expect(() => createKernel(shapeOf({}), { precision: 'half' as Precision })).toThrow(OptionError)
  expect(() => createKernel(shapeOf({}), { arithmetic: 'fast' as Arithmetic })).toThrow(OptionError)
})

it.each([
  ['there is no WebAssembly', undefined],
  ['compiling is forbidden', { ...WebAssembly, Module: refuse, validate: () => true }],
])('falls back to TypeScript where %s', async (_reason, namespace) => {
  vi.stubGlobal('WebAssembly', namespace)
  vi.resetModules()
  const fresh = await import('./create.ts')
  await import('./testing/random-kernel.ts')
  expect(fresh.createKernel(shapeOf({})).constructor.name).toBe('TwinKernel')
  expect(fresh.createKernel(shapeOf({}), { arithmetic: 'relaxed' }).arithmetic).toBe('relaxed')
  expect(fresh.createKernel(shapeOf({}), { precision: 'single' }).constructor.name).toBe('LaneKernel')
  for (const arithmetic of ['simd', 'fused'] as const) {
    expect(() => fresh.createKernel(shapeOf({}), { arithmetic })).toThrow('option arithmetic')
  }
})

it('runs fused arithmetic only where multiply–add is fused', async () => {
  // An engine whose relaxed multiply–add rounds twice, as on a processor without FMA.
  class Unfused {
    exports = Object.fromEntries(
      ['multiplyAdd', 'subtractProduct', 'multiplyAddSingle', 'subtractProductSingle'].map((name) => [name, () => 0]),
    )
  }
  vi.stubGlobal('WebAssembly', { ...WebAssembly, Module: WebAssembly.Module, Instance: Unfused })
  vi.resetModules()
  const fresh = await import('./create.ts')
  expect(() => fresh.createKernel(shapeOf({}), { arithmetic: 'fused' })).toThrow('no fused multiply–add')
})

function refuse(): never {
  throw new Error('refused')
}
