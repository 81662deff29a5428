/**
 * Our worker: reads `<task> <csv> <samples> <seed> …` line by line and answers each with one line of JSON, as every
 * worker of this folder does. Models have their defaults.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  type Assessor,
  createAssessor,
  createKernel,
  type DriftDetector,
  FeedbackModel,
  type KernelOptions,
  Random,
} from '@pb-oel/core'
import { Adwin, HddmA, HddmW } from '@pb-oel/core/drift'
import { HoeffdingTree } from '@pb-oel/core/learners'

interface Data {
  readonly x: readonly Float64Array[]
  readonly y: readonly number[]
  readonly channels: number
  readonly levels: number
}

type Answer = Record<string, number>

const DETECTORS: Record<string, () => DriftDetector> = {
  adwin: () => new Adwin(),
  'hddm-a': () => new HddmA(),
  'hddm-w': () => new HddmW(),
}

/** Share of full labels in the loop compared with NumPy. */
const RHO = 0.05

const files = new Map<string, Data>()

/** The first samples of an exported stream: channels, then the level. */
function read(path: string, samples: number): Data {
  let data = files.get(path)
  if (!data) {
    const rows = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').map(Number))
    const y = rows.map((row) => row.at(-1) as number)
    const x = rows.map((row) => Float64Array.from(row.slice(0, -1)))
    data = { x, y, channels: x[0].length, levels: 1 + y.reduce((a, b) => Math.max(a, b)) }
    files.set(path, data)
  }
  return { ...data, x: data.x.slice(0, samples), y: data.y.slice(0, samples) }
}

function timed(samples: number, run: () => Answer): Answer {
  const start = performance.now()
  const answer = run()
  return { seconds: (performance.now() - start) / 1000, samples, ...answer }
}

/** Features and update of ten networks, D = channels + 100. */
function rvflStep(data: Data, seed: number, options: KernelOptions): Answer {
  const { y, channels, levels } = data
  const x = standardised(data)
  const kernel = createKernel({ experts: 10, channels, nodes: 100, levels, ridge: 0.1, forgetting: 1 }, options)
  const random = new Random(seed, 'peers')
  const draw = (length: number) => Float64Array.from({ length }, () => random.between(-1, 1))
  for (let n = 0; n < 10; n++) kernel.setInputWeights(n, draw(channels * 100), draw(100))
  const targets = Array.from({ length: levels }, (_, level) =>
    Float64Array.from({ length: 10 * levels }, (_, i) => (i % levels === level ? 1 : 0)),
  )
  return timed(y.length, () => {
    for (let i = 0; i < y.length; i++) {
      kernel.forward(x[i])
      kernel.update(targets[y[i]])
    }
    return {}
  })
}

/** Every channel with mean 0 and deviation 1. */
function standardised({ x, y, channels }: Data): Float64Array[] {
  const out = x.map((sample) => sample.slice())
  for (let c = 0; c < channels; c++) {
    const mean = x.reduce((sum, sample) => sum + sample[c], 0) / y.length
    const variance = x.reduce((sum, sample) => sum + (sample[c] - mean) ** 2, 0) / y.length
    for (const sample of out) sample[c] = (sample[c] - mean) / Math.sqrt(variance + 1e-12)
  }
  return out
}

function detect(name: string, { y }: Data): Answer {
  const detector = DETECTORS[name]()
  return timed(y.length, () => {
    let drifts = 0
    for (let i = 0; i < y.length; i++) if (detector.update(y[i]) === 'drift') drifts++
    return { drifts }
  })
}

function trainTree({ x, y, channels, levels }: Data): { tree: HoeffdingTree; right: number } {
  const tree = new HoeffdingTree({ channels, levels })
  const shares = new Float64Array(levels)
  let right = 0
  for (let i = 0; i < y.length; i++) {
    tree.predict(x[i], shares)
    let best = 0
    for (let k = 1; k < levels; k++) if (shares[k] > shares[best]) best = k
    if (best === y[i]) right++
    tree.learn(x[i], y[i])
  }
  return { tree, right }
}

function create(method: string, data: Data, seed: number, rho: number, options = {}): Assessor {
  const { x, y, channels, levels } = data
  // The first sample of each level, in the order of the stream, as in the lab.
  const first = Array.from({ length: levels }, (_, level) => y.indexOf(level)).filter((i) => i >= 0)
  const warmUp = first.sort((a, b) => a - b).map((i) => ({ x: [...x[i]], level: y[i] }))
  return createAssessor(method, { channels, levels, seed, rho, horizon: y.length, warmUp }, options)
}

/** The whole loop with a simulated reviewer; the number of right assessments. */
function assess(assessor: Assessor, { x, y, levels }: Data, seed: number, rho: number): number {
  const reviewer = new FeedbackModel({ levels, rho, seed })
  let right = 0
  for (let i = 0; i < y.length; i++) {
    const mode = reviewer.mode()
    const assessment = assessor.assess(x[i], mode)
    if (assessment.level === y[i]) right++
    reviewer.ask(assessment, y[i], mode === 'full' ? 'label' : 'verdict')
    for (const { id, feedback } of reviewer.arrived()) assessor.learn(id, feedback)
  }
  return right
}

function loop(method: string, data: Data, seed: number, rho: number, options = {}): Answer {
  const assessor = create(method, data, seed, rho, options)
  const count = data.y.length
  return timed(count, () => ({ accuracy: assess(assessor, data, seed, rho) / count }))
}

/** Live bytes of a trained model: V8's heap and what it holds outside, WebAssembly memories included. */
function memory(task: string, data: Data, seed: number): Answer {
  const train = () => {
    if (task === 'tree') return trainTree(data).tree
    const [method, kept] = task.split('/')
    // The forests of the others keep no earlier sample; ours keeps 1,024 for late answers unless told otherwise.
    const options = kept === undefined ? {} : { pending: Number(kept) }
    const assessor = create(method, data, seed, rhoOf(method), options)
    assess(assessor, data, seed, rhoOf(method))
    return assessor
  }
  train()
  const before = used()
  const kept = Array.from({ length: 5 }, train)
  return { bytes: (used() - before) / kept.length }
}

function used(): number {
  const { gc } = globalThis
  for (let i = 0; i < 3; i++) gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Rivals get every label, as in the other libraries. */
function rhoOf(task: string): number {
  return task === 'pb-oel' || task === 'pb-oel-plus' ? RHO : 1
}

function answer(task: string, words: readonly string[]): Answer {
  if (task === 'memory') return memory(words[0], read(words[1], Number(words[2])), Number(words[3]))
  const [path, samples, seed] = words
  const data = read(path, Number(samples))
  const optionsFrom = (first: number) => Object.fromEntries(words.slice(first).map((word) => word.split('=')))
  if (task === 'rvfl-step') return rvflStep(data, Number(seed), optionsFrom(3))
  if (Object.hasOwn(DETECTORS, task)) return detect(task, data)
  if (task === 'tree') return timed(data.y.length, () => ({ accuracy: trainTree(data).right / data.y.length }))
  if (task === 'right-wrong') return loop(words[3], data, Number(seed), 0, optionsFrom(4))
  // The peers' forests do not explore, so ours must not either.
  return loop(task, data, Number(seed), rhoOf(task), task === 'pb-oel' ? optionsFrom(3) : { epsilon: 0 })
}

console.log(JSON.stringify({ Node: process.versions.node, V8: process.versions.v8 }))
for await (const line of createInterface({ input: process.stdin })) {
  const [task, ...words] = line.split(' ')
  console.log(JSON.stringify(answer(task, words)))
}
