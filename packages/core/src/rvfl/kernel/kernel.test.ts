import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OptionError, SnapshotError } from '../../errors.ts'
import { sigmoid } from '../../math/elementary.ts'
import { Random } from '../../math/random.ts'
import { StateReader, StateWriter } from '../../state/state-io.ts'
import { createKernel } from './create.ts'
import type { RvflKernel, RvflShape } from './kernel.ts'
import { LaneKernel, multiplyAddSingle } from './lane-kernel.ts'
import { drawWeights, shapeOf } from './testing/random-kernel.ts'
import { ridgeRegression } from './testing/ridge.ts'
import { TwinKernel } from './twin.ts'
import { WasmKernel, wasmWorks } from './wasm.ts'

const golden = JSON.parse(readFileSync(new URL('golden/rvfl.json', import.meta.url), 'utf8'))

/** Each kernel with the relative error that its rounding may cause in these tests. */
const kernels: [string, (shape: RvflShape) => RvflKernel, number][] = [
  ['typescript', (shape) => new TwinKernel(shape), 1e-9],
  ['simd', (shape) => new WasmKernel(shape), 1e-9],
  ['relaxed', (shape) => new WasmKernel(shape, 'relaxed'), 1e-9],
  ['fused', (shape) => new WasmKernel(shape, wasmWorks('fused') ? 'fused' : 'relaxed'), 1e-9],
  ['single typescript', (shape) => new LaneKernel(shape, 'exact', 'single', multiplyAddSingle), 1e-4],
  ['single simd', (shape) => new WasmKernel(shape, 'exact', 'single'), 1e-4],
  ['single relaxed', (shape) => new WasmKernel(shape, 'relaxed', 'single'), 1e-4],
]

describe.each(kernels)('%s kernel', (_name, create, tolerance) => {
  const expectClose = (actual: ArrayLike<number>, expected: readonly number[], factor = 1): void => {
    expect(actual.length).toBe(expected.length)
    const scale = Math.max(1, ...expected.map(Math.abs)) * factor
    for (let i = 0; i < expected.length; i++) {
      expect(Math.abs(actual[i] - expected[i])).toBeLessThan(tolerance * scale)
    }
  }

  it('agrees with an independent implementation, sample by sample', () => {
    const kernel = create(shapeOf({ channels: 4, nodes: 6, levels: 3, ridge: golden.lambda_ }))
    kernel.setInputWeights(0, Float64Array.from(golden.We.flat()), Float64Array.from(golden.be))
    golden.X.forEach((x: number[], i: number) => {
      kernel.forward(Float64Array.from(x))
      if (i === golden.warm) expectClose(kernel.outputWeights(0), golden.W0.flat())
      if (i >= golden.warm) expectClose(kernel.outputs, golden.steps[i - golden.warm].raw)
      kernel.update(Float64Array.from(golden.Y[i]))
    })
    expectClose(kernel.outputWeights(0), golden.W.flat())
    expectClose(kernel.covariance(0), golden.P.flat())
  })

  it('gives P = 1/2, 1/3 and W = 1/2, 2/3 for x = y = 1 twice with λ = 1', () => {
    const kernel = create(shapeOf({ ridge: 1 }))
    step(kernel, [1], [1])
    expect([kernel.covariance(0)[0], kernel.outputWeights(0)[0]]).toEqual([1 / 2, 1 / 2])
    step(kernel, [1], [1])
    expectClose(kernel.covariance(0), [1 / 3], 1e-3)
    expectClose(kernel.outputWeights(0), [2 / 3], 1e-3)
  })

  it('forgets: with f = 1/2 the weights of y₀, y₁ are 1/4 and 1/2', () => {
    // A = fλ + 1 = 2, then 2f + 1 = 2: W = (f·y₀ + y₁)/2.
    const kernel = create(shapeOf({ ridge: 2, forgetting: 0.5 }))
    step(kernel, [1], [3])
    step(kernel, [1], [7])
    expect(kernel.outputWeights(0)[0]).toBe(3 / 4 + 7 / 2)
    expect(kernel.covariance(0)[0]).toBe(1 / 2)
  })

  it.each([
    { channels: 16, nodes: 0, levels: 2, ridge: 1, forgetting: 1 },
    { channels: 3, nodes: 10, levels: 5, ridge: 0.1, forgetting: 1 },
    { channels: 24, nodes: 17, levels: 3, ridge: 1e-3, forgetting: 1 },
    { channels: 6, nodes: 10, levels: 2, ridge: 0.1, forgetting: 0.98 },
  ])('is ridge regression on all samples: %o', (fields) => {
    const { channels, nodes, levels, ridge, forgetting } = fields
    const random = new Random(7, 'samples')
    const weights = Float64Array.from({ length: channels * nodes }, () => random.between(-1, 1))
    const biases = Float64Array.from({ length: nodes }, () => random.between(-1, 1))
    const kernel = create(shapeOf(fields))
    kernel.setInputWeights(0, weights, biases)
    const count = 60
    const rows: number[][] = []
    const targets: number[][] = []
    for (let n = 0; n < count; n++) {
      const z = Array.from({ length: channels }, () => random.normal())
      const activations = Array.from(biases, (b, l) =>
        z.reduce((sum, value, c) => sum + value * weights[c * nodes + l], b),
      )
      rows.push([...z, ...activations.map(sigmoid)])
      targets.push(Array.from({ length: levels }, () => random.uniform()))
      step(kernel, z, targets[n])
    }
    const expected = ridgeRegression(
      rows,
      targets,
      ridge * forgetting ** count,
      rows.map((_, n) => forgetting ** (count - 1 - n)),
    )
    expectClose(kernel.outputWeights(0), expected.w)
    expectClose(kernel.covariance(0), expected.p)
  })

  it('treats every network as if it were alone', () => {
    const shape = shapeOf({ experts: 4, channels: 6, nodes: 10, levels: 2 })
    const together = drawWeights(create(shape))
    const apart = drawWeights(create(shape))
    const random = new Random(3, 'samples')
    const draw = () => Float64Array.from({ length: 6 }, () => random.normal())
    for (let n = 0; n < 15; n++) {
      const z = draw()
      const targets = Float64Array.from({ length: 8 }, () => random.uniform())
      together.forward(z)
      together.update(targets)
      for (const expert of [2, 0, 3, 1]) {
        apart.forward(z, expert, expert + 1)
        apart.update(targets, expert, expert + 1)
      }
      expect(apart.outputs).toEqual(together.outputs)
    }
    expect(bytesOf(apart)).toEqual(bytesOf(together))
    // What one of them sees between a forward pass and an update is nothing to the others.
    for (const kernel of [together, apart]) kernel.forward(Float64Array.of(1, 2, 3, 4, 5, 6))
    apart.forward(draw(), 0, 1)
    for (const kernel of [together, apart]) kernel.update(new Float64Array(8).fill(0.5), 1)
    expect(bytesOf(apart)).toEqual(bytesOf(together))
    const z = draw()
    together.forward(z)
    const [before, other] = [together.outputs.slice(), together.outputWeights(0)]
    expect(before.every(Number.isFinite)).toBe(true)
    together.reset(1)
    expect(together.outputWeights(0)).toEqual(other)
    expect(together.outputWeights(1).every((w) => w === 0)).toBe(true)
    expectClose(
      together.covariance(1),
      Array.from({ length: 256 }, (_, i) => (i % 17 === 0 ? 10 : 0)),
    )
    together.forward(z)
    expect([...together.outputs]).toEqual([...before.subarray(0, 2), 0, 0, ...before.subarray(4)])
  })

  it('does not learn in forward, and learns nothing from a sample of zeros', () => {
    const kernel = create(shapeOf({ channels: 3, levels: 2 }))
    step(kernel, [1, 2, 3], [1, 0])
    const before = bytesOf(kernel)
    kernel.forward(Float64Array.of(4, 5, 6))
    expect(bytesOf(kernel)).toEqual(before)
    step(kernel, [0, 0, 0], [1, 1])
    expect(bytesOf(kernel)).toEqual(before)
  })

  it('goes on from a loaded state as if nothing had happened', () => {
    const shape = shapeOf({ experts: 2, channels: 5, nodes: 8, levels: 3, forgetting: 0.999 })
    const kernel = drawWeights(create(shape))
    const random = new Random(5, 'samples')
    const next = () => [random.normal(), random.normal(), 1, random.normal(), random.normal()].map((value) => value * 2)
    for (let n = 0; n < 20; n++) step(kernel, next(), [1, 0, 0, 0, 1, 0])
    const copy = drawWeights(create(shape))
    copy.transfer(new StateReader(bytesOf(kernel)))
    for (let n = 0; n < 20; n++) {
      const z = next()
      step(kernel, z, [0, 1, 0, 0, 0, 1])
      step(copy, z, [0, 1, 0, 0, 0, 1])
      expect(copy.outputs).toEqual(kernel.outputs)
    }
    expect(bytesOf(copy)).toEqual(bytesOf(kernel))
  })

  it('stays finite for absurd samples: channels beyond ±1e8 count as ±1e8', () => {
    const shape = shapeOf({ channels: 2, nodes: 3, levels: 2, ridge: 1e-3 })
    const kernel = drawWeights(create(shape))
    const limited = drawWeights(create(shape))
    for (const value of [1e300, -1e300, 1, 1e200, -3]) {
      step(kernel, [value, 1], [1, 0])
      step(limited, [Math.max(-1e8, Math.min(1e8, value)), 1], [1, 0])
    }
    expect(kernel.outputWeights(0).every(Number.isFinite)).toBe(true)
    expect(bytesOf(kernel)).toEqual(bytesOf(limited))
  })

  it.each([2, 1e-4])('stops wind-up where nothing excites a channel, λ = %d', (ridge) => {
    const kernel = create(shapeOf({ channels: 2, ridge, forgetting: 0.5 }))
    for (let n = 0; n < 60; n++) step(kernel, [1, 0], [1])
    // 2^60/λ without a limit. In single precision 2^10, or 1/λ where that is more.
    const limit = kernel.precision === 'double' ? 2 ** 20 / ridge : Math.fround(Math.max(2 ** 10, 1 / ridge))
    expect(kernel.covariance(0)[3]).toBe(limit)
  })

  it('refuses a shape out of range', () => {
    for (const fields of [{ experts: 0 }, { channels: 1.5 }, { nodes: -1 }, { ridge: 0 }, { forgetting: 1.1 }]) {
      expect(() => create(shapeOf(fields))).toThrow(OptionError)
    }
  })
})

describe('a state', () => {
  const shape = shapeOf({ experts: 2, channels: 3, nodes: 2, levels: 2 })

  it.each(['double', 'single'] as const)('of %s precision goes between TypeScript and WebAssembly', (precision) => {
    const [simd, typescript] = (['simd', 'typescript'] as const).map((arithmetic) =>
      drawWeights(createKernel(shape, { arithmetic, precision })),
    )
    step(simd, [1, 2, 3], [1, 0, 0, 1])
    typescript.transfer(new StateReader(bytesOf(simd)))
    expect(bytesOf(typescript)).toEqual(bytesOf(simd))
  })

  it('of single precision takes half the bytes', () => {
    const paper = shapeOf({ channels: 24, nodes: 100, levels: 3 })
    const [double, single] = [new WasmKernel(paper), new WasmKernel(paper, 'exact', 'single')].map(bytesOf)
    expect(single.length / double.length).toBeCloseTo(0.5, 2)
  })

  it('is refused by a kernel of another arithmetic or precision, with both named', () => {
    const exact = bytesOf(new WasmKernel(shape))
    const relaxed = new WasmKernel(shape, 'relaxed')
    const single = new WasmKernel(shape, 'exact', 'single')
    expect(() => relaxed.transfer(new StateReader(exact))).toThrow(SnapshotError)
    expect(() => single.transfer(new StateReader(exact))).toThrow(
      'computed in exact arithmetic; this kernel is exact single',
    )
  })
})

function step(kernel: RvflKernel, z: readonly number[], targets: readonly number[]): void {
  kernel.forward(Float64Array.from(z))
  kernel.update(Float64Array.from(targets))
}

function bytesOf(kernel: RvflKernel): Uint8Array {
  const writer = new StateWriter()
  kernel.transfer(writer)
  return writer.finish()
}
