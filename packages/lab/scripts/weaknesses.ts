/**
 * Prints the weaknesses that the wide pool of PB-OEL+ was built against, before and after, as Markdown.
 *
 *   node packages/lab/scripts/weaknesses.ts [folder]     beside made-up streams, those of the folder that are known
 *
 * "Before" is the method with ten networks and persistence alone, as it was. REPEATS=1 in the environment runs one
 * seed instead of three; SAMPLES=3000 shortens every stream; STORE=file.json also writes the rows there.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createAssessor, Random, type Stream } from '@pb-oel/core'
import { firstOfEachLevel, mean, openStream, type RunResult, runOnce } from '@pb-oel/lab'
import { storeResult } from './store-result.ts'

const REPEATS = Number(process.env.REPEATS ?? 3)
const SAMPLES = Number(process.env.SAMPLES ?? 10_000)
const [, , folder] = process.argv

type Options = Readonly<Record<string, unknown>>

/** Units of channels, by name: what channel i is multiplied by. */
const UNITS: readonly (readonly [string, (channel: number) => number])[] = [
  ['1', () => 1],
  ['1e-4', () => 1e-4],
  ['1e-6 … 1e6', (i) => 10 ** ((i % 5) * 3 - 6)],
]

/** PB-OEL+ before it had a wide pool. */
const BEFORE: Options = {
  ...{ networks: 10, scaling: 'warm-up', blend: false, guard: false, hearsRejections: false, share: 1e-3 },
  members: [{ kind: 'persistence' }, { kind: 'persistence', patience: 2 }],
}

/** A stream of `samples` rows made by `draw`, which returns the channels and the level of row t. */
function made(
  name: string,
  channels: number,
  levels: number,
  samples: number,
  start: () => (t: number) => { x: number[]; level: number },
): Stream {
  return {
    name,
    channels: Array.from({ length: channels }, (_, i) => `x${i}`),
    levels: Array.from({ length: levels }, (_, i) => String(i)),
    samples,
    *[Symbol.iterator]() {
      const draw = start()
      for (let t = 0; t < samples; t++) {
        const { x, level } = draw(t)
        yield { x: Float64Array.from(x), level }
      }
    },
  }
}

/** `levels` levels of `each` clusters; at `change` samples all levels move on by one cluster. */
function clusters(name: string, levels: number, channels: number, spread: number, change: number, each = 1): Stream {
  return made(name, channels, levels, Math.min(SAMPLES, 5000), () => {
    const random = new Random(7, name)
    const count = levels * each
    const centres = Array.from({ length: count }, () => Array.from({ length: channels }, () => random.uniform()))
    return (t) => {
      const cluster = Math.floor(random.uniform() * count)
      const level = cluster % levels
      const centre = centres[(cluster + Math.floor(t / change)) % count]
      return { x: centre.map((value) => value + spread * random.normal()), level }
    }
  })
}

interface Tree {
  channel: number
  at: number
  level: number
  left?: Tree
  right?: Tree
}

function growTree(random: Random, depth: number): Tree {
  const node: Tree = {
    channel: Math.floor(random.uniform() * 10),
    at: 0.2 + 0.6 * random.uniform(),
    level: Math.floor(random.uniform() * 4),
  }
  if (depth === 0) return node
  return { ...node, left: growTree(random, depth - 1), right: growTree(random, depth - 1) }
}

/** Four levels that a random decision tree of depth 6 gives to ten uniform channels. */
function randomTree(): Stream {
  return made('random tree', 10, 4, SAMPLES, () => {
    const random = new Random(7, 'random tree')
    const root = growTree(random, 6)
    return () => {
      const x = Array.from({ length: 10 }, () => random.uniform())
      let node = root
      while (node.left && node.right) node = x[node.channel] < node.at ? node.left : node.right
      return { x, level: node.level }
    }
  })
}

/** Three levels, the last two of 2 % and 0.1 %. */
function rare(): Stream {
  return made('rare levels', 4, 3, SAMPLES, () => {
    const random = new Random(7, 'rare')
    return (t) => {
      const u = random.uniform()
      const level = t === 3 ? 1 : t === 5 ? 2 : u < 0.001 ? 2 : u < 0.02 ? 1 : 0
      const [a, b, c, d] = [0, 1, 2, 3].map(() => random.normal())
      return { x: [a + 2.5 * level, b - (level === 2 ? 2 : 0), c, d + (level === 1 ? 1.5 : 0)], level }
    }
  })
}

/** The stream with `change` made to every row. */
function changed(stream: Stream, change: (x: Float64Array, t: number) => void): Stream {
  return {
    ...stream,
    *[Symbol.iterator]() {
      let t = 0
      for (const sample of stream) {
        change(sample.x, t++)
        yield sample
      }
    },
  }
}

async function runs(stream: Stream, method: string, rho: number, options: Options): Promise<RunResult[]> {
  const results: RunResult[] = []
  for (let seed = 1; seed <= REPEATS; seed++) results.push(await runOnce(stream, { method, rho, seed, options }))
  return results
}

const STORED: object[] = []

/** Prints a line and keeps it for the stored result. */
function row(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
  const [weakness, stream, figure, before, after] = cells
  if (Number.isFinite(Number(after))) {
    STORED.push({ weakness, stream, figure, before: Number(before), after: Number(after) })
  }
}
const four = (values: readonly number[]) => mean(values).toFixed(4)

/** One line: a figure of PB-OEL+ before and after. */
async function compare(
  weakness: string,
  stream: Stream,
  rho: number,
  figure: keyof RunResult & ('accuracy' | 'gMean' | 'misses' | 'drifts') = 'accuracy',
): Promise<void> {
  const cells: string[] = []
  for (const options of [BEFORE, {}]) {
    const results = await runs(stream, 'pb-oel-plus', rho, options)
    cells.push(four(results.map((result) => result[figure])))
  }
  row([weakness, `${stream.name}, ρ = ${rho}`, figure, ...cells])
}

/** Accuracy of an assessor whose every answer is a label that nobody promised, as in a service. */
function labelledInService(stream: Stream, edition: 1 | 2): number {
  const task = { channels: stream.channels.length, levels: stream.levels.length, seed: 1 }
  const assessor = createAssessor('pb-oel', { ...task, warmUp: firstOfEachLevel(stream) }, { edition })
  let right = 0
  for (const { x, level } of stream) {
    const { id, level: assessed } = assessor.assess(x)
    if (assessed === level) right++
    assessor.learn(id, { kind: 'label', level })
  }
  return right / stream.samples
}

/** Share of right levels in the 100 answers after one labelled sample of 1e6 in every channel. */
function afterSpike(options: Options): number {
  const random = new Random(11, 'spike')
  const assessor = createAssessor('pb-oel-plus', { channels: 2, levels: 2, seed: 1 }, options)
  let right = 0
  for (let t = 0; t < 401; t++) {
    const truth = Math.floor(random.uniform() * 2)
    const spike = t === 300
    const x = spike ? Float64Array.of(1e6, 1e6) : Float64Array.of(truth + 0.2 * random.normal(), random.normal())
    const { id, level } = assessor.assess(x, 'full')
    if (t > 300 && level === truth) right++
    assessor.learn(id, { kind: 'label', level: truth })
  }
  return right / 100
}

function known(name: string): Stream[] {
  const path = folder === undefined ? '' : join(folder, `${name}.csv.gz`)
  return folder !== undefined && existsSync(path) ? [{ ...openStream(path, { samples: SAMPLES }), name }] : []
}

const dive = openStream('dive', { samples: SAMPLES })
const six = clusters('6 clusters', 6, 8, 0.3, 1e9)
const many = clusters('40 clusters', 40, 20, 0.25, 1e9)
const scattered = clusters('20 levels of 3 clusters', 20, 10, 0.08, 1e9, 3)
const turning = clusters('10 clusters that turn', 10, 32, 0.25, 1250)
const spikes: string[] = []
row(['weakness', 'stream', 'figure', 'before', 'after'])
row(['---', '---', '---', '---', '---'])
await compare('monitors are deaf to rejections', turning, 0)
await compare('monitors are deaf to rejections', turning, 0, 'drifts')
for (const stream of known('insects')) await compare('monitors are deaf to rejections', stream, 0)
for (const stream of [dive, ...known('insects'), ...known('tep5')]) {
  const [before, after] = [1, 2].map((edition) => labelledInService(stream, edition as 1 | 2).toFixed(4))
  row(['labels nobody promised raise γ (PB-OEL)', stream.name, 'accuracy', before, after])
}
const curved = [randomTree(), openStream('checkerboard', { samples: SAMPLES }), ...known('rbf5'), ...known('sine')]
for (const stream of curved) {
  await compare('smooth networks on curved boundaries', stream, 1)
}
await compare('a refit forgets 40 levels', many, 0.05)
for (const stream of [many, scattered]) await compare('many levels, no labels', stream, 0)
for (const [name, unit] of UNITS) {
  const scaled = changed(six, (x) => {
    for (let i = 0; i < x.length; i++) x[i] *= unit(i)
  })
  await compare('scales with a floor', { ...scaled, name: `6 clusters × ${name}` }, 0)
}
const spiked = changed(six, (x, t) => {
  if (t === 0) x.fill(1e6)
})
await compare('a spike in the warm-up', { ...spiked, name: '6 clusters, first row 1e6' }, 0)
for (const options of [{ ...BEFORE, scaling: 'running' }, {}]) spikes.push(afterSpike(options).toFixed(2))
row(['one labelled 1e6', 'two levels', 'accuracy of the next 100', ...spikes])
await compare('rare levels', rare(), 0, 'gMean')
await compare('rare levels', rare(), 1, 'gMean')
for (const stream of known('ai4i')) await compare('rare levels', stream, 1, 'misses')
storeResult(STORED)
