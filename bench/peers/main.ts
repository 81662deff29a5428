/**
 * Measures ours beside NumPy, River, MOA and Vowpal Wabbit; see HELP below and docs/performance.md.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { coldStarts, linesOfCode, memories } from './once.ts'
import { feedbackPair, learnerPairs, methodPairs, titleOf } from './pairs.ts'
import { type Findings, figuresCsv, markdown, turnsCsv } from './report.ts'
import { measureScaling, type Scaling } from './scaling.ts'
import { HERE, java, node, PEERS, type Peer, python, setUp } from './set-up.ts'
import { type Exported, exportErrors, exportStreams, exportTwo } from './streams.ts'
import type { Compared } from './summary.ts'
import { type Pair, type Turn, takeTurns } from './turns.ts'
import { vwSettings } from './vw-settings.ts'
import { type Command, Worker } from './worker.ts'

const HELP = `Measures pb-oel beside other libraries on this machine.

  npm run bench:peers                        everything: sets up what is missing, takes about 45 minutes
  npm run bench:peers -- --quick             a few minutes, for a first look; figures are rough
  npm run bench:peers -- --only river,moa    beside these only (${PEERS.join(', ')})
  npm run bench:peers -- --file skab=s.csv   on this file too; the label is its last column; may be repeated
  npm run bench:peers -- --docs              also puts the tables and the chart into docs/performance.md

  --repeats n   rounds that every pair takes in turn (default 5, with --quick 1)
  --help        this text

Python packages go into bench/peers/.venv, MOA and exported streams into bench/peers/.cache; both may be deleted.
A library that cannot be set up is skipped with a line that says why. Results: bench/peers/results.`

/** Worker processes of each peer. */
const WORKERS: Record<Peer, Record<string, () => Command>> = {
  numpy: {
    'numpy-plain': () => python('numpy_worker.py', 'plain'),
    'numpy-batched': () => python('numpy_worker.py', 'batched'),
    'numpy-blas': () => python('numpy_worker.py', 'blas'),
  },
  river: { river: () => python('river_worker.py') },
  moa: { moa: () => java('MoaWorker') },
  vw: { vw: () => python('vw_worker.py') },
}

/** How much is measured. */
const FULL = { method: 10_000, learners: 10_000, feedback: Number.POSITIVE_INFINITY, memory: 5_000, seconds: 2 }
const QUICK = { method: 1_000, learners: 1_000, feedback: 3_000, memory: 500, seconds: 0.1 }

const RESULTS = join(HERE, 'results')
const DOCS = join(HERE, '../../docs')

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: PEERS.join(',') },
      repeats: { type: 'string' },
      docs: { type: 'boolean', default: false },
      file: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const chosen = values.only.split(',')
  const unknown = chosen.find((name) => !PEERS.some((peer) => peer === name))
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: expected ${PEERS.join(', ')}`)
  const repeats = Number(values.repeats ?? (values.quick ? 1 : 5))
  if (!(Number.isInteger(repeats) && repeats >= 1))
    throw new UsageError(`--repeats ${values.repeats}: expected 1, 2, …`)

  const interrupt = new AbortController()
  const workers = new Map<string, Worker>()
  process.once('SIGINT', () => {
    interrupt.abort(new Error('stopped by Ctrl-C'))
    for (const worker of workers.values()) worker.stop()
  })
  try {
    const peers = PEERS.filter((peer) => chosen.includes(peer))
    const sizes = values.quick ? QUICK : FULL
    const { quick, docs, file } = values
    await measure({ peers, sizes, repeats, quick, docs, files: filesOf(file) }, workers, interrupt.signal)
  } catch (error) {
    // Workers that were stopped report errors of their own.
    interrupt.signal.throwIfAborted()
    throw error
  } finally {
    for (const worker of workers.values()) worker.stop()
  }
}

/** Files by name, from `name=path`. */
function filesOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw new UsageError(`--file ${word}: expected name=path`)
      return [word.slice(0, at), word.slice(at + 1)]
    }),
  )
}

interface Settings {
  readonly peers: readonly Peer[]
  readonly sizes: typeof FULL
  readonly repeats: number
  readonly quick: boolean
  readonly docs: boolean
  readonly files: Readonly<Record<string, string>>
}

async function measure(settings: Settings, workers: Map<string, Worker>, signal: AbortSignal): Promise<void> {
  const { sizes, repeats, quick } = settings
  const skipped: string[] = []
  const skip = (line: string) => {
    skipped.push(line)
    say(line)
  }
  const commands = new Map<string, Command>([['ours', node('ours.ts')]])
  for (const peer of settings.peers) {
    say(`setting up ${peer}`)
    try {
      await setUp(peer, signal)
      for (const [name, command] of Object.entries(WORKERS[peer])) commands.set(name, command())
    } catch (error) {
      signal.throwIfAborted()
      skip(`${peer} skipped: ${(error as Error).message}`)
    }
  }
  say('exporting streams')
  const streams = exportStreams(settings.files, skip)
  const [dive] = streams
  const versions: Record<string, string> = {}
  for (const [name, command] of commands) {
    const started = await Worker.start(name, command)
    workers.set(name, started.worker)
    Object.assign(versions, started.versions)
  }
  const sides = new Set(commands.keys())
  const compared: Compared[] = []
  const searched: Turn[] = []
  const compare = async (pair: Pair) => {
    if (pair.sides.length < 2) return
    say(`${pair.task} on ${pair.stream}, ${pair.samples} samples`)
    const onTurn = ({ side, round, answer }: Compared['turns'][number]) =>
      say(`  ${round}/${repeats} ${side}: ${(answer.seconds ?? 0).toFixed(3)} s`)
    compared.push({ pair, turns: await takeTurns(pair, workers, repeats, { signal, onTurn }) })
  }
  for (const pair of methodPairs(dive, sides, sizes.method)) await compare(pair)
  for (const pair of learnerPairs(streams, exportErrors(), sides, sizes.learners)) await compare(pair)
  const vw = workers.get('vw')
  for (const stream of vw ? streams : []) {
    const samples = Math.min(sizes.feedback, stream.samples)
    const tried = await search(vw as Worker, stream, samples, quick, signal)
    searched.push(...tried)
    const best = tried.slice(0, 3).map(({ side }) => side)
    await compare(feedbackPair(stream, samples, best))
  }
  say('memory')
  const bytes = await memories(commands, dive, sizes.memory, signal)
  say('cold starts')
  const starts = await coldStarts(sides, exportTwo(dive), dive.levels, 2 * repeats + 1, signal)
  say('scaling')
  const scaling = await measureScaling(sizes.seconds, signal)

  const command = ['npm run bench:peers --', ...process.argv.slice(2)].join(' ').replace(/ --$/, '')
  const counted = { memories: bytes, starts, lines: linesOfCode() }
  publish({ command, versions, skipped, compared, searched, ...counted }, scaling, settings.docs)
}

/** Writes everything that was found to files, and prints it. */
function publish(findings: Findings, scaling: Scaling, docs: boolean): void {
  const text = `${markdown(findings)}\n\n${scaling.markdown}\n`
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(join(RESULTS, 'turns.csv'), turnsCsv(findings))
  writeFileSync(join(RESULTS, 'figures.csv'), figuresCsv(findings))
  writeFileSync(join(RESULTS, 'scaling.csv'), scaling.csv)
  writeFileSync(join(RESULTS, 'scaling.svg'), scaling.svg)
  writeFileSync(join(RESULTS, 'peers.md'), text)
  if (docs) intoDocs(text)
  console.log(text)
}

/** Vowpal Wabbit on a stream with every setting there is, seed 1. */
async function search(
  vw: Worker,
  stream: Exported,
  samples: number,
  quick: boolean,
  signal: AbortSignal,
): Promise<Turn[]> {
  const turns: Turn[] = []
  const all = vwSettings(quick)
  for (const settings of all) {
    signal.throwIfAborted()
    if (turns.length % 20 === 0) say(`${titleOf('vw')} on ${stream.name}: setting ${turns.length} of ${all.length}`)
    const answer = await vw.ask(`right-wrong ${stream.path} ${samples} 1 ${settings}`)
    turns.push({ task: 'right-wrong', stream: stream.name, side: settings, round: 0, answer })
  }
  return turns.sort((a, b) => (b.answer.accuracy ?? 0) - (a.answer.accuracy ?? 0))
}

/** Replaces what stands between the marks of docs/performance.md, and its chart. */
function intoDocs(text: string): void {
  const path = join(DOCS, 'performance.md')
  const page = readFileSync(path, 'utf8')
  const between = /(<!-- results: begin -->)[\s\S]*(<!-- results: end -->)/
  writeFileSync(
    path,
    page.replace(between, (_, begin, end) => `${begin}\n\n${text}\n${end}`),
  )
  copyFileSync(join(RESULTS, 'scaling.svg'), join(DOCS, 'scaling.svg'))
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

class UsageError extends Error {}

try {
  await main()
} catch (error) {
  const usage = error instanceof UsageError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  say(usage ? `${(error as Error).message}; --help shows examples` : (error as Error).message)
  process.exitCode = usage ? 2 : 1
}
