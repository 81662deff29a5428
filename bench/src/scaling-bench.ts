import { createAssessor, Random, type RvflShape } from '@pb-oel/core'
import type { Benchmark, Result } from './benchmark.ts'
import { fittedExponent, interleave, spread, type Variant } from './measure.ts'

/** The paper's setting; one of its numbers at a time is changed. */
const BASE: RvflShape = { experts: 10, channels: 24, nodes: 100, levels: 3, ridge: 0.1, forgetting: 1 }

/** What is changed: the field's letter and the values it takes. */
const SWEEPS: readonly {
  letter: string
  field: 'channels' | 'nodes' | 'experts' | 'levels'
  values: readonly number[]
}[] = [
  { letter: 'd', field: 'channels', values: [8, 24, 64, 128, 256] },
  { letter: 'L', field: 'nodes', values: [50, 100, 200, 400] },
  { letter: 'N', field: 'experts', values: [1, 3, 10, 30] },
  { letter: 'K', field: 'levels', values: [2, 3, 6, 12, 24] },
]

/** Lengths of the stream, in samples. */
const LENGTHS = [2_000, 8_000, 32_000]

/** Cost per sample of PB-OEL, assess and learn, over d, L, N, K and the length of the stream, with fitted exponents. */
export const scalingBench: Benchmark = {
  name: 'scaling',
  summary: 'cost per sample over channels d, nodes L, experts N, levels K and the length T of the stream',
  run({ seconds }) {
    const results: Result[] = []
    for (const { letter, field, values } of SWEEPS) {
      const variants = values.map((value) => ({
        ...sampleLoop({ ...BASE, [field]: value }),
        name: `${letter}=${value}`,
      }))
      const timings = interleave(variants, seconds)
      const points = timings.map(({ times }, i) => [values[i], spread(times)] as const)
      results.push(...growth(letter, points))
    }
    results.push(...growth('T', overLength(seconds)))
    return results
  },
}

interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** A row per point and one for the exponent b of cost ∝ x^b, fitted to the steadiest figures. */
function growth(letter: string, points: readonly (readonly [number, Spread])[]): Result[] {
  const exponent = fittedExponent(points.map(([value, { low }]) => [value, low] as const))
  return [
    ...points.map(([value, spread]) => ({
      benchmark: 'scaling',
      variant: `${letter}=${value}`,
      ...spread,
      unit: 'µs',
    })),
    {
      benchmark: 'scaling',
      variant: `growth over ${letter}`,
      median: exponent,
      low: exponent,
      high: exponent,
      unit: 'exponent',
    },
  ]
}

/** Time per sample of the last 500 samples of streams of each length: constant when nothing accumulates. */
function overLength(seconds: number): (readonly [number, Spread])[] {
  const repeats = seconds < 1 ? 1 : 3
  const warm = sampleLoop(BASE)
  for (let i = 0; i < LENGTHS[0]; i++) warm.run()
  const times = LENGTHS.map(() => [] as number[])
  for (let i = 0; i < repeats; i++) {
    const loop = sampleLoop(BASE)
    let done = 0
    for (const [at, length] of LENGTHS.entries()) {
      for (; done < length - 500; done++) loop.run()
      const start = performance.now()
      for (; done < length; done++) loop.run()
      times[at].push(((performance.now() - start) * 1000) / 500)
    }
  }
  return LENGTHS.map((length, at) => [length, spread(times[at])] as const)
}

/** Assess and learn with every twentieth label given, one sample per run; levels lie apart by the first channel. */
function sampleLoop({ experts, channels, nodes, levels }: RvflShape): Variant {
  const random = new Random(1, 'scaling bench')
  const samples = Array.from({ length: 256 }, (_, i) => {
    const level = i % levels
    const x = Float64Array.from({ length: channels }, () => random.between(-1, 1))
    x[0] = 2 * level
    return { x, level }
  })
  const assessor = createAssessor('pb-oel', { channels, levels }, { experts, groups: nodes / 10, nodes: 10 })
  let n = 0
  return {
    name: '',
    run() {
      const { x, level: truth } = samples[n % samples.length]
      const full = n++ % 20 === 0
      const { id, level } = assessor.assess(x, full ? 'full' : 'partial')
      if (full) assessor.learn(id, { kind: 'label', level: truth })
      else assessor.learn(id, { kind: level === truth ? 'confirm' : 'reject' })
    },
  }
}
