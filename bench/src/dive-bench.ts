import { dive } from '@pb-oel/core'
import type { Benchmark } from './benchmark.ts'
import { interleave, timeResults } from './measure.ts'

/** The dive generator, sample by sample. */
export const diveBench: Benchmark = {
  name: 'dive',
  summary: 'one sample of the dive generator',
  run({ seconds }) {
    const stream = dive()
    let samples = stream[Symbol.iterator]()
    const run = () => {
      if (samples.next().done) samples = stream[Symbol.iterator]()
    }
    return timeResults('dive', interleave([{ name: 'sample', run }], seconds))
  },
}
