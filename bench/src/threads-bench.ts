import { setTimeout } from 'node:timers/promises'
import { createKernel } from '@pb-oel/core'
import type { Benchmark, Result } from './benchmark.ts'
import { sampleVariants, turn } from './kernel-bench.ts'
import { interleave, ratioResult, timeResults } from './measure.ts'

/** Networks of a large bank, and of the paper's. */
const SHAPES = [
  { size: 524, experts: 50 },
  { size: 124, experts: 10 },
]
/** Milliseconds that new threads have to start in. */
const START = 1000

/** One sample through a bank on one thread and on two, in both precisions. */
export const threadsBench: Benchmark = {
  name: 'threads',
  summary: 'one sample through a bank of N networks of size D on one thread and on two, in both precisions',
  async run({ seconds }) {
    const results: Result[] = []
    for (const { size, experts } of SHAPES) {
      const shape = { experts, channels: 24, nodes: size - 24, levels: 3, ridge: 0.1, forgetting: 1 }
      for (const precision of ['double', 'single'] as const) {
        const variants = sampleVariants(shape, [
          [`${precision} on 1 thread`, createKernel(shape, { precision })],
          [`${precision} on 2 threads`, createKernel(shape, { precision, threads: 2 })],
        ])
        await setTimeout(START)
        const timings = interleave(variants, seconds, turn(shape))
        const label = `D=${size} N=${experts} `
        results.push(...timeResults('threads', timings, label), ratioResult('threads', timings[1], timings[0], label))
      }
    }
    return results
  },
}
