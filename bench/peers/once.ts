import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, java, published, python } from './set-up.ts'
import type { Exported } from './streams.ts'
import { type Command, Worker } from './worker.ts'

/** A figure of a side: bytes of a model, seconds of a start, lines of a program. */
export interface Figure {
  readonly what: string
  readonly side: string
  readonly value: number
}

/** Models whose memory is compared, by worker. */
const MODELS: Record<string, readonly string[]> = {
  ours: ['pb-oel', 'pb-oel-plus', 'tree', 'arf/1', 'srp/1', 'arf/1024', 'srp/1024'],
  'numpy-plain': ['pb-oel'],
  'numpy-blas': ['pb-oel'],
  river: ['tree', 'arf', 'srp'],
  moa: ['tree', 'arf', 'srp'],
  vw: ['contextual bandit'],
}

/** Words after the request of a worker's memory. */
const EXTRA: Record<string, string> = { vw: ' raw --cb_explore_adf --regcb' }

/** Live bytes of each trained model, each worker in a process of its own. */
export async function memories(
  commands: ReadonlyMap<string, Command>,
  stream: Exported,
  samples: number,
  signal: AbortSignal,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, command] of commands) {
    for (const model of MODELS[name] ?? []) {
      signal.throwIfAborted()
      const { worker } = await Worker.start(name, command)
      const request = `memory ${model.split(' ')[0]} ${stream.path} ${samples} 1${EXTRA[name] ?? ''}`
      // The first request also loads and compiles; what it frees later would count against the model.
      await worker.ask(request)
      const { bytes = Number.NaN } = await worker.ask(request)
      worker.stop()
      figures.push({ what: model.replace(/\/1$/, '').replace('/', ', samples kept: '), side: name, value: bytes })
    }
  }
  return figures
}

/** The same small program in each library: which worker it needs, its file and how it is started. */
const EXAMPLES: readonly { what: string; side: string; file: string; start: typeof python }[] = [
  { what: 'right/wrong', side: 'ours', file: 'right-wrong.js', start: published },
  { what: 'right/wrong', side: 'vw', file: 'vw_right_wrong.py', start: python },
  { what: 'right/wrong', side: 'river', file: 'river_right_wrong.py', start: python },
  { what: 'forest', side: 'ours', file: 'labels.js', start: published },
  { what: 'forest', side: 'river', file: 'river_labels.py', start: python },
  { what: 'forest', side: 'moa', file: 'Labels.java', start: (_file, ...args) => java('Labels', ...args) },
]

/** Seconds from the start of a process to its first two predictions and its end, in turns. */
export async function coldStarts(
  sides: ReadonlySet<string>,
  two: string,
  levels: number,
  repeats: number,
  signal: AbortSignal,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (let round = 0; round < repeats; round++) {
    for (const { what, side, file, start } of EXAMPLES.filter(({ side }) => sides.has(side))) {
      signal.throwIfAborted()
      const began = performance.now()
      await finished(start(join('examples', file), two, String(levels)))
      figures.push({ what, side, value: (performance.now() - began) / 1000 })
    }
  }
  return figures
}

/** Lines of each program that are neither blank nor a comment; NumPy's is the method itself, which no library has. */
export function linesOfCode(): Figure[] {
  const count = (path: string) =>
    readFileSync(join(HERE, path), 'utf8')
      .replace(/"""[\s\S]*?"""/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s*(#|\/\/)/.test(line)).length
  return [
    ...EXAMPLES.map(({ what, side, file }) => ({ what, side, value: count(join('examples', file)) })),
    { what: 'right/wrong', side: 'numpy-plain', value: count('numpy_plain.py') },
  ]
}

function finished({ file, args }: Command): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}: ${errors.slice(-300)}`)),
    )
  })
}
