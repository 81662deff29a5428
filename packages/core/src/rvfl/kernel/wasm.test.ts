import { describe, expect, it } from 'vitest'
import { Random } from '../../math/random.ts'
import { StateWriter } from '../../state/state-io.ts'
import { DOUBLE_WASM } from './double.wasm.ts'
import { DOUBLE_RELAXED_WASM } from './double-relaxed.wasm.ts'
import type { RvflKernel, RvflShape } from './kernel.ts'
import { LaneKernel, multiplyAddSingle } from './lane-kernel.ts'
import { SINGLE_WASM } from './single.wasm.ts'
import { SINGLE_RELAXED_WASM } from './single-relaxed.wasm.ts'
import { fma, fmaSingle } from './testing/fma.ts'
import { drawWeights, shapeOf } from './testing/random-kernel.ts'
import { TwinKernel } from './twin.ts'
import { WasmKernel, wasmWorks } from './wasm.ts'

const shapes: [Partial<RvflShape>, number][] = [
  [{ experts: 10, channels: 24, nodes: 100, levels: 3 }, 100],
  [{ experts: 3, channels: 5, nodes: 12, levels: 5, ridge: 1e-3, forgetting: 0.995 }, 400],
  [{ experts: 1, channels: 7, nodes: 1, levels: 2, ridge: 1 }, 400],
  [{ experts: 3, channels: 2, nodes: 0, levels: 4, forgetting: 0.99 }, 400],
  [{ experts: 1, channels: 1, nodes: 8, levels: 2 }, 400],
  [{ experts: 2, channels: 13, nodes: 49, levels: 3, ridge: 10 }, 300],
]

/** A kernel in TypeScript and the WebAssembly kernel that must give its bits. */
type Pair = (shape: RvflShape) => [twin: RvflKernel, wasm: RvflKernel]

const pairs: [string, Pair][] = [
  ['exact double', (shape) => [new TwinKernel(shape), new WasmKernel(shape)]],
  [
    'exact single',
    (shape) => [new LaneKernel(shape, 'exact', 'single', multiplyAddSingle), new WasmKernel(shape, 'exact', 'single')],
  ],
  ['fused double', (shape) => [new LaneKernel(shape, 'fused', 'double', fma), new WasmKernel(shape, 'fused')]],
  [
    'fused single',
    (shape) => [new LaneKernel(shape, 'fused', 'single', fmaSingle), new WasmKernel(shape, 'fused', 'single')],
  ],
]

describe.each(pairs)('the WebAssembly kernel in %s arithmetic', (name, pair) => {
  const runs = name.startsWith('fused') && !wasmWorks('fused') ? it.skip : it

  runs.each(shapes)('has the bits of the TypeScript kernel: %o', (fields, count) => {
    const shape = shapeOf(fields)
    // LaneKernel is slow.
    const updates = name === 'exact double' ? count : count / 5
    const [twin, wasm] = pair(shape).map((kernel) => drawWeights(kernel))
    const random = new Random(11, 'samples')
    const z = new Float64Array(shape.channels)
    const targets = new Float64Array(shape.experts * shape.levels)
    for (let n = 0; n < updates; n++) {
      // Mostly mild; now and then so large that nodes saturate, or a channel falls silent.
      const scale = n % 50 === 49 ? 1000 : 1
      for (let c = 0; c < z.length; c++) z[c] = n % 7 === c ? 0 : random.normal() * scale
      for (let i = 0; i < targets.length; i++) targets[i] = random.integer(2)
      for (const kernel of [twin, wasm]) kernel.forward(z)
      expect(sameBits(twin.outputs, wasm.outputs)).toBe(true)
      for (const kernel of [twin, wasm]) kernel.update(targets)
      if (n % 200 === 50) for (const kernel of [twin, wasm]) kernel.reset(shape.experts - 1)
    }
    expect(sameBits(stateOf(twin), stateOf(wasm))).toBe(true)
  })

  runs('has the same logistic function over its whole range', () => {
    const [twin, wasm] = pair(shapeOf({ nodes: 1, ridge: 1 }))
    for (const kernel of [twin, wasm]) kernel.setInputWeights(0, Float64Array.of(1), Float64Array.of(0))
    const random = new Random(12, 'points')
    for (let i = 0; i < 1000; i++) {
      const z = Float64Array.of(random.between(-800, 800) * random.uniform() ** 3)
      for (const kernel of [twin, wasm]) {
        kernel.reset(0)
        kernel.forward(z)
        kernel.update(Float64Array.of(1))
      }
      expect(sameBits(stateOf(twin), stateOf(wasm))).toBe(true)
    }
  })
})

it('LaneKernel in exact double arithmetic has the bits of TwinKernel', () => {
  const shape = shapeOf({ experts: 2, channels: 5, nodes: 14, levels: 3, forgetting: 0.99 })
  const lanes = drawWeights(new LaneKernel(shape, 'exact', 'double', (a, b, c) => a * b + c))
  const twin = drawWeights(new TwinKernel(shape))
  const random = new Random(14, 'samples')
  for (let n = 0; n < 300; n++) {
    const z = Float64Array.from({ length: 5 }, () => random.normal())
    const targets = Float64Array.from({ length: 6 }, () => random.integer(2))
    for (const kernel of [lanes, twin]) {
      kernel.forward(z)
      kernel.update(targets)
    }
  }
  expect(sameBits(stateOf(lanes), stateOf(twin))).toBe(true)
})

describe('the WebAssembly kernel', () => {
  it('differs in relaxed arithmetic by rounding only', () => {
    const shape = shapeOf({ experts: 2, channels: 6, nodes: 20, levels: 3 })
    const exact = drawWeights(new WasmKernel(shape))
    const relaxed = drawWeights(new WasmKernel(shape, 'relaxed'))
    const random = new Random(13, 'samples')
    for (let n = 0; n < 1000; n++) {
      const z = Float64Array.from({ length: 6 }, () => random.normal())
      const targets = Float64Array.from({ length: 6 }, () => random.integer(2))
      for (const kernel of [exact, relaxed]) {
        kernel.forward(z)
        kernel.update(targets)
      }
      for (let i = 0; i < 6; i++) expect(Math.abs(exact.outputs[i] - relaxed.outputs[i])).toBeLessThan(1e-10)
    }
  })

  it('is small enough for browsers that compile only 4 kB at once on the main thread', () => {
    for (const source of [DOUBLE_WASM, DOUBLE_RELAXED_WASM, SINGLE_WASM, SINGLE_RELAXED_WASM]) {
      expect(source.length / 2).toBeLessThan(4096)
    }
  })

  it('can be made a thousand times', () => {
    const kernels = Array.from({ length: 1000 }, () => new WasmKernel(shapeOf({ channels: 2 })))
    kernels.forEach((kernel, i) => {
      kernel.forward(Float64Array.of(1, i))
      kernel.update(Float64Array.of(i))
    })
    expect(kernels[0].outputWeights(0)[0]).toBe(0)
    expect(kernels[1].outputWeights(0)[0]).not.toBe(0)
  })
})

function sameBits(a: Float64Array | Uint8Array, b: Float64Array | Uint8Array): boolean {
  const [x, y] = [a, b].map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return x.length === y.length && x.every((byte, i) => byte === y[i])
}

function stateOf(kernel: RvflKernel): Uint8Array {
  const writer = new StateWriter()
  kernel.transfer(writer)
  return writer.finish()
}
