import { createAssessor, dive, FeedbackModel, PrequentialMetrics } from '@pb-oel/core'
import { firstOfEachLevel } from '@pb-oel/lab'
import type { Benchmark, Result } from './benchmark.ts'
import { kernelVariants } from './kernel-bench.ts'
import { interleave, ratioResult, spread, type Timing, timeResults, type Variant } from './measure.ts'

const SAMPLES = 30_000
const SHAPE = { experts: 10, channels: 24, nodes: 100, levels: 3, ridge: 0.1, forgetting: 1 }

/** PB-OEL+ before it had a wide pool: what the pool costs is measured against it, and shall stay within 1.6 times. */
const NARROW = {
  ...{ networks: 10, scaling: 'warm-up', blend: false, guard: false, hearsRejections: false },
  members: [{ kind: 'persistence' }, { kind: 'persistence', patience: 2 }],
}

/**
 * PB-OEL at the paper's defaults, assess and learn with ρ = 0.05, beside its kernel alone and beside PB-OEL+; and early
 * beside late. With all labels the networks of both methods do the same work, with few they learn from different
 * levels.
 */
export const loopBench: Benchmark = {
  name: 'loop',
  summary:
    'assess and learn at the paper’s defaults, beside the kernel alone; early and late in a stream; bytes left to the garbage collector',
  run({ seconds }) {
    const kernel = kernelVariants(SHAPE).filter(({ name }) => name === 'simd')
    const methods = [methodLoop('pb-oel'), methodLoop('pb-oel-plus')]
    const labelled = [methodLoop('pb-oel', 1), methodLoop('pb-oel-plus', 1)]
    const narrow = { ...methodLoop('pb-oel-plus', 0.05, NARROW), name: 'pb-oel-plus, networks and persistence' }
    const timings = interleave([...kernel, ...methods, ...labelled, narrow], seconds * 4)
    const [simd, loop, plus, allLabels, plusAllLabels, plusNarrow] = timings
    const cost = (dear: Timing, cheap: Timing): Result => ({
      ...ratioResult('loop', cheap, dear),
      variant: `${dear.name} : ${cheap.name}`,
      unit: 'of its time',
    })
    return [
      ...timeResults('loop', timings),
      { ...ratioResult('loop', loop, simd), unit: 'of the kernel’s rate' },
      cost(plus, loop),
      cost(plus, plusNarrow),
      cost(plusAllLabels, allLabels),
      growth(),
      allocation(),
    ]
  },
}

/** One sample per run, from a dive that starts again at its end. */
function methodLoop(method: string, rho = 0.05, options = {}): Variant {
  const stream = dive({ samples: SAMPLES })
  const samples = Array.from(stream, ({ x, level }) => ({ x: x.slice(), level }))
  const task = { channels: 24, levels: 3, seed: 1, rho, horizon: SAMPLES, warmUp: firstOfEachLevel(stream) }
  const assessor = createAssessor(method, task, options)
  const reviewer = new FeedbackModel({ levels: 3, rho, seed: 1 })
  const metrics = new PrequentialMetrics({ levels: 3 })
  let n = 0
  return {
    name: rho === 1 ? `${method}, all labels` : method,
    run() {
      const { x, level: truth } = samples[n++ % SAMPLES]
      const mode = reviewer.mode()
      const assessment = assessor.assess(x, mode)
      metrics.add(truth, assessment.level)
      reviewer.ask(assessment, truth, mode === 'full' ? 'label' : 'verdict')
      for (const { id, feedback } of reviewer.arrived()) assessor.learn(id, feedback)
    },
  }
}

/** Time of the last third of a dive in terms of its first third: 1 when the cost does not grow with the stream. */
function growth(): Result {
  const shares = [0, 1, 2].map(() => {
    const loop = methodLoop('pb-oel')
    const third = () => {
      const start = performance.now()
      for (let n = 0; n < SAMPLES / 3; n++) loop.run()
      return performance.now() - start
    }
    const first = third()
    third()
    return third() / first
  })
  return { benchmark: 'loop', variant: 'last third of a dive : first third', ...spread(shares), unit: 'of its time' }
}

/** Heap that one sample leaves behind. */
function allocation(): Result {
  const loop = methodLoop('pb-oel')
  for (let n = 0; n < SAMPLES / 3; n++) loop.run()
  const burst = 200
  const bytes = Array.from({ length: 60 }, () => {
    const before = process.memoryUsage().heapUsed
    for (let n = 0; n < burst; n++) loop.run()
    return (process.memoryUsage().heapUsed - before) / burst
  })
  // A burst in which garbage was collected says nothing.
  return {
    benchmark: 'loop',
    variant: 'heap per sample',
    ...spread(bytes.filter((value) => value >= 0)),
    unit: 'bytes',
  }
}
