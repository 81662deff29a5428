import type { Exported } from './streams.ts'
import type { Pair, Side } from './turns.ts'

/** How each worker is called in tables. */
const TITLES: Record<string, string> = {
  ours: 'pb-oel',
  'numpy-plain': 'NumPy, plain',
  'numpy-batched': 'NumPy, batched',
  'numpy-blas': 'NumPy + SciPy BLAS',
  river: 'River',
  moa: 'MOA',
  vw: 'Vowpal Wabbit',
}

export function titleOf(worker: string): string {
  return TITLES[worker]
}

const NUMPY = ['numpy-plain', 'numpy-batched', 'numpy-blas']

/** Pairs (a): the method itself beside NumPy. */
export function methodPairs(dive: Exported, workers: ReadonlySet<string>, samples: number): Pair[] {
  const tasks = ['rvfl-step', 'pb-oel']
  return [
    ...tasks.map((task) => pair(task, dive, samples, ['ours', ...NUMPY], workers)),
    ...tasks.map((task) => quickPair(task, pair(task, dive, samples, ['ours', 'numpy-blas'], workers))),
  ]
}

/** The same with our quickest arithmetic, which rounds to 24 bits; the others stay in double precision. */
function quickPair(task: string, { sides: [ours, ...others], ...rest }: Pair): Pair {
  const quick = {
    ...ours,
    name: `${ours.name}, single, fused`,
    request: `${ours.request} precision=single arithmetic=fused`,
  }
  return { ...rest, task: `${task}-quick`, sides: [quick, ...others] }
}

/** Pairs (b): trees, forests and detectors beside River and MOA. */
export function learnerPairs(
  streams: readonly Exported[],
  errors: Exported,
  workers: ReadonlySet<string>,
  samples: number,
): Pair[] {
  const sides = ['ours', 'river', 'moa']
  return [
    ...['tree', 'arf', 'srp'].flatMap((task) =>
      streams
        .filter(({ name }) => name === 'electricity' || name === 'dive')
        .map((stream) => pair(task, stream, samples, sides, workers)),
    ),
    ...['adwin', 'hddm-a', 'hddm-w'].map((task) => pair(task, errors, errors.samples, sides, workers)),
  ]
}

/** Pair (c) of one stream, once the settings of Vowpal Wabbit are chosen. */
export function feedbackPair(stream: Exported, samples: number, settings: readonly string[]): Pair {
  const side = (name: string, worker: string, words: string): Side => ({
    name,
    worker,
    request: `right-wrong ${stream.path} ${samples} {seed} ${words}`,
  })
  return {
    task: 'right-wrong',
    stream: stream.name,
    samples,
    sides: [
      side('pb-oel-plus', 'ours', 'pb-oel-plus'),
      side('pb-oel-plus, most probable level (no guarantee)', 'ours', 'pb-oel-plus advice=soft action=argmax'),
      side('pb-oel', 'ours', 'pb-oel'),
      ...settings.map((words) => side(`Vowpal Wabbit ${words}`, 'vw', words)),
    ],
  }
}

function pair(
  task: string,
  stream: Exported,
  most: number,
  sides: readonly string[],
  workers: ReadonlySet<string>,
): Pair {
  const samples = Math.min(most, stream.samples)
  return {
    task,
    stream: stream.name,
    samples,
    sides: sides
      .filter((worker) => workers.has(worker))
      .map((worker) => ({ name: titleOf(worker), worker, request: `${task} ${stream.path} ${samples} {seed}` })),
  }
}
