import { createKernel, OptionError, Random, type RvflShape } from '@pb-oel/core'
import type { Benchmark, Result } from './benchmark.ts'
import { fittedExponent, interleave, ratioResult, timeResults, type Variant } from './measure.ts'
import { PlainKernel } from './plain-kernel.ts'

const CHANNELS = 24
const SIZES = [124, 224, 524]
const EXPERTS = [1, 10, 50]

/** What a kernel does for one sample. */
interface Kernel {
  setInputWeights(expert: number, weights: Float64Array, biases: Float64Array): void
  forward(z: Float64Array): void
  update(targets: Float64Array): void
}

/** Features and one update of all networks: by each kernel, and in each arithmetic and precision. */
export const kernelBench: Benchmark = {
  name: 'kernel',
  summary:
    'one sample through N networks of size D: textbook, TypeScript, WebAssembly SIMD; double, fused and single arithmetic',
  run({ seconds }) {
    const results: Result[] = []
    const times: { size: number; experts: number; low: number }[] = []
    for (const size of SIZES) {
      for (const experts of EXPERTS) {
        const label = `D=${size} N=${experts} `
        const shape = { experts, channels: CHANNELS, nodes: size - CHANNELS, levels: 3, ridge: 0.1, forgetting: 1 }
        const timings = interleave(kernelVariants(shape), seconds, turn(shape))
        const [plain, typescript, simd] = timings
        const rows = timeResults('kernel', timings, label)
        results.push(...rows)
        results.push(ratioResult('kernel', simd, plain, label), ratioResult('kernel', simd, typescript, label))
        times.push({ size, experts, low: rows[2].low })
        if (experts > 1) results.push(...arithmeticResults(shape, label, seconds))
      }
    }
    const overSizes = times.filter(({ experts }) => experts === 10).map(({ size, low }) => [size, low] as const)
    const overExperts = times.filter(({ size }) => size === 124).map(({ experts, low }) => [experts, low] as const)
    results.push(exponent('simd over D, N=10', overSizes), exponent('simd over N, D=124', overExperts))
    return results
  },
}

/** The WebAssembly kernel in double, fused and single arithmetic, and how many times as fast as double each one is. */
function arithmeticResults(shape: RvflShape, label: string, seconds: number): Result[] {
  const timings = interleave(arithmeticVariants(shape), seconds, turn(shape))
  const [double, ...others] = timings
  return [
    ...timeResults('kernel', timings, label),
    ...others.map((timing) => ratioResult('kernel', timing, double, label)),
  ]
}

/**
 * Milliseconds of a turn: ten for a megabyte of triangles, so that the shared cache is theirs again before time is
 * taken.
 */
export function turn({ experts, channels, nodes }: RvflShape): number {
  const megabytes = (experts * (channels + nodes) ** 2 * 4) / 1e6
  return Math.min(200, Math.max(10, 10 * megabytes))
}

/** One sample per run through the textbook's kernel and through ours in TypeScript and in WebAssembly. */
export function kernelVariants(shape: RvflShape): Variant[] {
  return sampleVariants(shape, [
    ['plain', new PlainKernel(shape)],
    ['typescript', createKernel(shape, { arithmetic: 'typescript' })],
    ['simd', createKernel(shape, { arithmetic: 'simd' })],
  ])
}

/** One sample per run in each arithmetic and precision; fused only where the machine has it. */
export function arithmeticVariants(shape: RvflShape): Variant[] {
  const fused = (['double', 'single'] as const).flatMap((precision): [string, Kernel][] => {
    try {
      const kernel = createKernel(shape, { arithmetic: 'fused', precision })
      return [[precision === 'double' ? 'fused' : 'single fused', kernel]]
    } catch (error) {
      if (error instanceof OptionError) return []
      throw error
    }
  })
  return sampleVariants(shape, [
    ['double', createKernel(shape, { arithmetic: 'simd' })],
    ['single', createKernel(shape, { arithmetic: 'simd', precision: 'single' })],
    ...fused,
  ])
}

/** One sample per run through each kernel, all with the same networks and samples. */
export function sampleVariants(shape: RvflShape, kernels: readonly [string, Kernel][]): Variant[] {
  const random = new Random(1, 'kernel bench')
  const draw = (length: number) => Float64Array.from({ length }, () => random.between(-1, 1))
  for (let expert = 0; expert < shape.experts; expert++) {
    const weights = draw(shape.channels * shape.nodes)
    const biases = draw(shape.nodes)
    for (const [, kernel] of kernels) kernel.setInputWeights(expert, weights, biases)
  }
  const samples = Array.from({ length: 64 }, () => draw(shape.channels))
  const targets = Array.from({ length: 3 }, (_, level) =>
    Float64Array.from({ length: shape.experts * shape.levels }, (_, i) => (i % shape.levels === level ? 1 : 0)),
  )
  return kernels.map(([name, kernel]) => {
    let n = 0
    return {
      name,
      run() {
        kernel.forward(samples[n % 64])
        kernel.update(targets[n % 3])
        n++
      },
    }
  })
}

function exponent(name: string, points: (readonly [number, number])[]): Result {
  const value = fittedExponent(points)
  return { benchmark: 'kernel', variant: `growth of ${name}`, median: value, low: value, high: value, unit: 'exponent' }
}
