import { createAssessor, dive } from '@pb-oel/core'
import { HoeffdingTree } from '@pb-oel/core/learners'
import { firstOfEachLevel } from '@pb-oel/lab'
import type { Benchmark, Result } from './benchmark.ts'
import { interleave, spread, type Variant } from './measure.ts'

const STREAM = dive()
const SAMPLES = STREAM.samples

/** Methods and options compared; ten members each. */
const METHODS: readonly [name: string, method: string, options?: Record<string, unknown>][] = [
  ['arf', 'arf'],
  ['srp', 'srp'],
  ['ob-adwin, trees', 'ob-adwin', { base: 'hoeffding-tree' }],
  ['ob-adwin, naive Bayes', 'ob-adwin', { base: 'naive-bayes' }],
  ['ob-adwin, neighbours', 'ob-adwin'],
  ['oadac2, trees', 'oadac2', { base: 'hoeffding-tree' }],
  ['oadac2, naive Bayes', 'oadac2', { base: 'naive-bayes' }],
  ['roale-di', 'roale-di'],
  ['cpssds', 'cpssds'],
  ['rvfl', 'rvfl'],
  ['pb-oel', 'pb-oel'],
]

/** Predict and learn with every label given, on the simulated dive: the speed of the rivals, sample by sample. */
export const learnerBench: Benchmark = {
  name: 'learners',
  summary: 'assess and learn of every rival with all labels, on the simulated dive',
  run({ seconds }) {
    const samples = Array.from(STREAM, ({ x, level }) => ({ x: x.slice(), level }))
    const warmUp = firstOfEachLevel(STREAM)
    const task = {
      channels: STREAM.channels.length,
      levels: STREAM.levels.length,
      seed: 1,
      rho: 1,
      horizon: SAMPLES,
      warmUp,
    }
    const variants: Variant[] = METHODS.map(([name, method, options]) => {
      const assessor = createAssessor(method, task, options)
      let n = 0
      return {
        name,
        run() {
          const { x, level } = samples[n++ % SAMPLES]
          assessor.learn(assessor.assess(x, 'full').id, { kind: 'label', level })
        },
      }
    })
    const timings = interleave([treeAlone(samples), ...variants], seconds * 4)
    return timings.map(({ name, times }): Result => {
      const { median, low, high } = spread(times.map((time) => 1e6 / time))
      return { benchmark: 'learners', variant: name, median, low, high, unit: 'samples/s' }
    })
  },
}

/** A Hoeffding tree without the bookkeeping of an assessor. */
function treeAlone(samples: readonly { x: Float64Array; level: number }[]): Variant {
  const tree = new HoeffdingTree({ channels: STREAM.channels.length, levels: STREAM.levels.length })
  const out = new Float64Array(STREAM.levels.length)
  let n = 0
  return {
    name: 'hoeffding tree',
    run() {
      const { x, level } = samples[n++ % SAMPLES]
      tree.predict(x, out)
      tree.learn(x, level)
    },
  }
}
