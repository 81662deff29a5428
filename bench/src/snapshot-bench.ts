import { createAssessor, restoreAssessor } from '@pb-oel/core'
import type { Benchmark } from './benchmark.ts'
import { interleave, timeResults } from './measure.ts'

/** Saving and restoring PB-OEL at the paper's defaults. */
export const snapshotBench: Benchmark = {
  name: 'snapshot',
  summary: 'snapshot and restore of PB-OEL at the paper’s defaults, and the size of a snapshot',
  run({ seconds }) {
    const assessor = createAssessor('pb-oel', { channels: 24, levels: 3, seed: 1 })
    const x = new Float64Array(24).fill(0.5)
    for (let n = 0; n < 2000; n++) assessor.learn(assessor.assess(x).id, { kind: 'label', level: n % 3 })
    const bytes = assessor.snapshot()
    const variants = [
      { name: 'snapshot', run: () => void assessor.snapshot() },
      { name: 'restore', run: () => void restoreAssessor(bytes) },
    ]
    const size = bytes.length / 1000
    return [
      ...timeResults('snapshot', interleave(variants, seconds)),
      { benchmark: 'snapshot', variant: 'size', median: size, low: size, high: size, unit: 'kB' },
    ]
  },
}
