/**
 * Our half of river_agreement.py: exports streams and runs our ADWIN, Hoeffding tree, ARF and SRP on them.
 *
 *     node bench/peers/river-agreement.ts <folder> <samples> <seeds> <stream> …
 *
 * Writes <folder>/<n>.csv (channels, level, whether our tree was wrong) for the n-th stream, and to standard output one
 * JSON document: what was run on each stream, with accuracy, samples per second and, of detectors, the places of drift.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Adwin } from '../../packages/core/src/drift/adwin.ts'
import type { DriftDetector } from '../../packages/core/src/drift/detector.ts'
import { HoeffdingTree } from '../../packages/core/src/learners/hoeffding-tree/hoeffding-tree.ts'
import type { HoeffdingTreeOptions } from '../../packages/core/src/learners/hoeffding-tree/options.ts'
import { argmax } from '../../packages/core/src/learners/learner.ts'
import { Arf } from '../../packages/core/src/rivals/arf.ts'
import { Srp } from '../../packages/core/src/rivals/srp/srp.ts'
import { openStream } from '../../packages/lab/src/index.ts'

interface Data {
  x: Float64Array[]
  y: number[]
  channels: number
  levels: number
}

interface Run {
  predictions: number[]
  accuracy: number
  samplesPerSecond: number
}

const COMPATS = ['river', 'canonical'] as const
type Compat = (typeof COMPATS)[number]

/** Detectors compared place by place; the names are known to river_agreement.py. */
const DETECTORS: Record<string, (compat: Compat) => DriftDetector> = {
  ADWIN: (compat) => new Adwin({ compat }),
  'ADWIN δ=0.01': (compat) => new Adwin({ compat, delta: 0.01 }),
  'ADWIN δ=1e-5': (compat) => new Adwin({ compat, delta: 1e-5 }),
  'ADWIN clock=1': (compat) => new Adwin({ compat, clock: 1 }),
}

/** Trees compared sample by sample; the names are known to river_agreement.py. */
const TREES: Record<string, Partial<HoeffdingTreeOptions>> = {
  HoeffdingTree: {},
  'HoeffdingTree mc': { leaf: 'mc' },
  'HoeffdingTree nb': { leaf: 'nb' },
  'HoeffdingTree gini': { criterion: 'gini' },
  'HoeffdingTree g=50 δ=0.01': { gracePeriod: 50, splitConfidence: 0.01 },
}

/** Ensembles of ten compared on average; the names are known to river_agreement.py. */
const ENSEMBLES = { ARF: Arf, SRP: Srp }

function read(address: string, samples: number): Data {
  const stream = openStream(address)
  const data: Data = { x: [], y: [], channels: stream.channels.length, levels: stream.levels.length }
  for (const { x, level } of stream) {
    if (data.y.length === samples) break
    data.x.push(x.slice())
    data.y.push(level)
  }
  return data
}

/** Runs test-then-train: predict, then learn the label. */
function prequential(
  data: Data,
  predict: (x: Float64Array) => number,
  learn: (x: Float64Array, y: number) => void,
): Run {
  const predictions: number[] = []
  let right = 0
  const start = process.hrtime.bigint()
  for (let i = 0; i < data.y.length; i++) {
    const level = predict(data.x[i])
    predictions.push(level)
    if (level === data.y[i]) right++
    learn(data.x[i], data.y[i])
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  return { predictions, accuracy: right / data.y.length, samplesPerSecond: data.y.length / seconds }
}

function runTree(data: Data, options: Partial<HoeffdingTreeOptions>): Run {
  const { channels, levels } = data
  const tree = new HoeffdingTree({ channels, levels, ...options })
  const shares = new Float64Array(levels)
  const predict = (x: Float64Array) => {
    tree.predict(x, shares)
    return argmax(shares)
  }
  return prequential(data, predict, (x, y) => tree.learn(x, y))
}

function runEnsemble(data: Data, name: keyof typeof ENSEMBLES, compat: Compat, seed: number): Run {
  const { channels, levels } = data
  const assessor = new ENSEMBLES[name]({ channels, levels, seed, compat, epsilon: 0 })
  let id = 0
  const predict = (x: Float64Array) => {
    const assessment = assessor.assess(x, 'full')
    id = assessment.id
    return assessment.level
  }
  return prequential(data, predict, (_, level) => assessor.learn(id, { kind: 'label', level }))
}

function driftsIn(values: number[], detector: DriftDetector): number[] {
  return values.flatMap((value, i) => (detector.update(value) === 'drift' ? [i] : []))
}

function brief({ accuracy, samplesPerSecond }: Run): Omit<Run, 'predictions'> {
  return { accuracy, samplesPerSecond }
}

const [folder, samples, seeds, ...addresses] = process.argv.slice(2)
const results = addresses.map((address, n) => {
  const data = read(address, Number(samples))
  const errors = runTree(data, {}).predictions.map((level, i) => (level === data.y[i] ? 0 : 1))
  const rows = data.y.map((level, i) => [...data.x[i], level, errors[i]].join(','))
  writeFileSync(join(folder, `${n}.csv`), `${rows.join('\n')}\n`)
  const ours: Record<string, unknown> = {}
  for (const compat of COMPATS) {
    for (const [name, make] of Object.entries(DETECTORS)) {
      ours[`${name} ${compat}`] = driftsIn(errors, make(compat))
    }
    for (const [name, options] of Object.entries(TREES)) {
      ours[`${name} ${compat}`] = runTree(data, { compat, ...options })
    }
    for (const name of Object.keys(ENSEMBLES) as (keyof typeof ENSEMBLES)[]) {
      const runs = Array.from({ length: Number(seeds) }, (_, seed) => brief(runEnsemble(data, name, compat, seed + 1)))
      ours[`${name} ${compat}`] = runs
    }
  }
  return { address, samples: data.y.length, ours }
})
process.stdout.write(JSON.stringify({ node: process.version, results }))
