import { describe, expect, it } from 'vitest'
import { Random } from '../../math/random.ts'
import { drawWeights, shapeOf } from './testing/random-kernel.ts'
import { diagonalOf, INPUTS, measureSoundness } from './testing/soundness.ts'
import { WasmKernel } from './wasm.ts'

const UPDATES = 100_000

/**
 * P = U·D·Uᵀ is positive definite when every D_j is positive. The inputs are those that break other forms: nearly equal
 * channels, a constant one, one that is always zero, and one of 1e5, raw, beside the others.
 */
describe('P stays positive definite', () => {
  const cases = [1e-3, 0.1, 1].flatMap((ridge) => [0.99, 0.999, 1].map((forgetting) => ({ ridge, forgetting })))

  it.each(cases)(`over ${UPDATES} updates: %o`, ({ ridge, forgetting }) => {
    const shape = shapeOf({ channels: 6, nodes: 6, levels: 2, ridge, forgetting })
    const kernel = drawWeights(new WasmKernel(shape))
    const samples = hardSamples(1000)
    const targets = new Float64Array(2)
    let largest = 0
    for (let n = 0; n < UPDATES; n++) {
      kernel.forward(samples[n % samples.length])
      targets[n & 1] = 1
      targets[1 - (n & 1)] = 0
      kernel.update(targets)
      if (n % 1000 !== 0) continue
      for (const d of diagonalOf(kernel)) {
        if (!(d > 0)) throw new Error(`D_j = ${d} after ${n + 1} updates`)
        largest = Math.max(largest, d)
      }
    }
    // Without forgetting no direction is ever less certain than at the start; with it, 2^20 times at most.
    expect(largest).toBeLessThanOrEqual((forgetting < 1 ? 2 ** 20 : 1) / ridge)
    for (const value of [...kernel.outputs, ...kernel.outputWeights(0), ...kernel.covariance(0)]) {
      expect(Number.isFinite(value)).toBe(true)
    }
  })

  it('stops wind-up where nothing excites a channel, and recovers when something does', () => {
    const kernel = new WasmKernel(shapeOf({ channels: 2, ridge: 1, forgetting: 0.9 }))
    const learn = (a: number, b: number, y: number) => {
      kernel.forward(Float64Array.of(a, b))
      kernel.update(Float64Array.of(y))
    }
    // 0.9^−10000 would be 1e457.
    for (let n = 0; n < 10_000; n++) learn(1, 0, 2)
    expect(diagonalOf(kernel)[1]).toBe(2 ** 20)
    for (let n = 0; n < 200; n++) learn(1, n % 2, 2 + 3 * (n % 2))
    const [w0, w1] = kernel.outputWeights(0)
    expect(w0).toBeCloseTo(2, 6)
    expect(w1).toBeCloseTo(3, 6)
  })
})

/** The million updates are in testing/soundness-study.ts and docs/decisions/arithmetic.md. */
describe('single precision stays sound', () => {
  const cases = INPUTS.flatMap((inputs) =>
    [1e-3, 1].flatMap((ridge) => [0.99, 1].map((forgetting) => ({ inputs, ridge, forgetting }))),
  )

  it.each(cases)('over 30000 updates: %o', ({ inputs, ridge, forgetting }) => {
    const shape = shapeOf({ channels: 6, nodes: 10, levels: 3, ridge, forgetting })
    const { smallest, largest, finite, difference, error } = measureSoundness(shape, inputs, 30_000)
    expect(finite).toBe(true)
    expect(smallest).toBeGreaterThan(0)
    expect(largest).toBeLessThanOrEqual(forgetting === 1 ? 1 : Math.max(1, 2 ** 10 * ridge) * (1 + 2 ** -20))
    // A raw channel of 1e5 varies by a millionth; single precision resolves a sixteenth of a millionth.
    expect(difference).toBeLessThan(inputs === 'raw' ? 0.05 : 1e-4)
    expect(error.single - error.double).toBeLessThan(1e-3)
  })
})

function hardSamples(count: number): Float64Array[] {
  const random = new Random(17, 'samples')
  return Array.from({ length: count }, () => {
    const common = random.normal()
    const near = () => common + 1e-9 * random.normal()
    return Float64Array.of(near(), near(), near(), 1, 0, 1e5 * (1 + 1e-6 * random.normal()))
  })
}
