import { createKernel, Random } from '@pb-oel/core'
import type { Benchmark } from './benchmark.ts'
import { interleave, timeResults, type Variant } from './measure.ts'

const BUFFER = 50
const SHAPE = { experts: 10, channels: 24, nodes: 100, levels: 3, ridge: 0.1, forgetting: 1 }

/** Refitting networks on the buffer of 50 labelled samples, as after drift. */
export const refitBench: Benchmark = {
  name: 'refit',
  summary: 'refit of one network and of ten on 50 buffered samples, D=124',
  run({ seconds }) {
    return timeResults('refit', interleave([refit(1), refit(10)], seconds), 'D=124 ')
  },
}

function refit(networks: number): Variant {
  const kernel = createKernel(SHAPE)
  const random = new Random(1, 'refit bench')
  const draw = (length: number) => Float64Array.from({ length }, () => random.between(-1, 1))
  for (let expert = 0; expert < SHAPE.experts; expert++) kernel.setInputWeights(expert, draw(2400), draw(100))
  const samples = Array.from({ length: BUFFER }, () => draw(SHAPE.channels))
  const targets = Float64Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 1 : 0))
  return {
    name: networks === 1 ? 'one network' : `${networks} networks`,
    run() {
      for (let expert = 0; expert < networks; expert++) {
        kernel.reset(expert)
        for (const z of samples) {
          kernel.forward(z, expert, expert + 1)
          kernel.update(targets, expert, expert + 1)
        }
      }
    },
  }
}
