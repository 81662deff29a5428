import { createKernel, Random, type RvflShape } from '@pb-oel/core'
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

/** Features and one update of all networks, in every arithmetic, D = 124, 224, 524 and N = 1, 10, 50. */
export const kernelBench: Benchmark = {
  name: 'kernel',
  summary: 'one sample through N networks of size D: textbook, TypeScript, WebAssembly SIMD, relaxed',
  run({ seconds }) {
    const results: Result[] = []
    const times: { size: number; experts: number; low: number }[] = []
    for (const size of SIZES) {
      for (const experts of EXPERTS) {
        const label = `D=${size} N=${experts} `
        const shape = { experts, channels: CHANNELS, nodes: size - CHANNELS, levels: 3, ridge: 0.1, forgetting: 1 }
        const timings = interleave(kernelVariants(shape), seconds, turn(shape))
        const [plain, typescript, simd, relaxed] = timings
        const rows = timeResults('kernel', timings, label)
        results.push(...rows)
        results.push(ratioResult('kernel', simd, plain, label), ratioResult('kernel', simd, typescript, label))
        results.push(ratioResult('kernel', relaxed, simd, label))
        times.push({ size, experts, low: rows[2].low })
      }
    }
    const overSizes = times.filter(({ experts }) => experts === 10).map(({ size, low }) => [size, low] as const)
    const overExperts = times.filter(({ size }) => size === 124).map(({ experts, low }) => [experts, low] as const)
    results.push(exponent('simd over D, N=10', overSizes), exponent('simd over N, D=124', overExperts))
    return results
  },
}

/** Milliseconds per turn: ten per megabyte of triangles, so that they fill the shared cache before time is taken. */
function turn({ experts, channels, nodes }: RvflShape): number {
  const megabytes = (experts * (channels + nodes) ** 2 * 4) / 1e6
  return Math.min(200, Math.max(10, 10 * megabytes))
}

/** One sample per run through each kernel, all with the same networks and samples. */
export function kernelVariants(shape: RvflShape): Variant[] {
  const kernels: [string, Kernel][] = [
    ['plain', new PlainKernel(shape)],
    ['typescript', createKernel(shape, 'typescript')],
    ['simd', createKernel(shape, 'simd')],
    ['relaxed', createKernel(shape, 'relaxed')],
  ]
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
