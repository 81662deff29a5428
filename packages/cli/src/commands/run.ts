import { type BoundResult, type ExperimentResult, mean, type RunResult, runExperiments, sampleStd } from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, number, STREAM_ARGUMENT, type StreamWords, setting, streamOptions } from '../arguments.ts'
import { print, streamChoices, warn } from '../experiments.ts'
import { onInterrupt } from '../interrupt.ts'
import { type PeopleOptions, peopleOf, peopleOptions } from '../people.ts'
import { Progress } from '../progress.ts'
import { count, counted, decimals, textTable } from '../text-table.ts'

interface RunOptions extends PeopleOptions, StreamWords {
  method: string
  rho: number
  seed: number
  repeats: number
  set?: Record<string, unknown>
  json?: boolean
}

/** `pb-oel run <stream>`: one method over one stream, repeated. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('run one method over a stream, answered by simulated reviewers')
    .argument('<stream>', STREAM_ARGUMENT)
    .option('--method <name>', 'a method, or the path of a module; `pb-oel methods` lists them', 'pb-oel')
    .option('--rho <share>', 'share of samples with a full label; the others get right or wrong', number(0, 1), 0.05)
    .option('--seed <n>', 'seed of the method and of the reviewers; repeats count up from it', integer(0, 2 ** 52), 1)
    .option('--repeats <n>', 'number of runs, each with its own seed', integer(1, 10_000), 1)
    .option(
      '--set <name=value>',
      'an option of the method, such as c=0.5; `pb-oel methods <name>` lists them; may be given several times',
      setting,
    )
    .option('--json', 'print one JSON document on stdout')
  for (const option of [...peopleOptions(), ...streamOptions()]) command.addOption(option)
  return command.action(run).addHelpText(
    'after',
    `
Examples:
  $ pb-oel run dive                                  PB-OEL on the simulated dive, 5 % full labels
  $ pb-oel run dive --rho 0 --repeats 3              right or wrong only, three seeds
  $ pb-oel run dive:seed=7,samples=60000 --json      another and longer dive, for scripts
  $ pb-oel run plant.csv.gz --label state --missing last --method rvfl-hddm-np
  $ pb-oel run plant.tsv --time stamp --drop operator --levels safe,degraded,unsafe
  $ zcat history.ndjson.gz | pb-oel run -            standard input
  $ pb-oel run dive --set c=0.5 --set alpha=0.9      another exploration rate and restart interval
  $ pb-oel run ./waves.ts:seed=3 --method ./mine.ts  a stream and a method of your own`,
  )
}

async function run(address: string, options: RunOptions): Promise<void> {
  const { method, rho, seed, repeats, set } = options
  const people = peopleOf(options)
  const signal = onInterrupt()
  const progress = new Progress()
  const results: ExperimentResult[] = []
  const experiment = {
    streams: streamChoices([address], options),
    methods: [{ method, ...(set && { options: set }) }],
    rho: [rho],
    seed,
    repeats,
    ...(people && { people }),
  }
  let stopped: unknown
  try {
    await runExperiments([experiment], {
      // In this thread and without a store: a run is also a measurement of speed.
      workers: 0,
      store: false,
      signal,
      onWarning: warn,
      onResult: (result) => results.push(result),
      onRun: ({ done, total, accuracy }) => {
        const note = `${method} accuracy ${accuracy.toFixed(4)}`
        progress.update(results.length * total + done, repeats * total, note)
      },
    })
  } catch (error) {
    if (!signal.aborted) throw error
    stopped = error
  } finally {
    progress.end()
  }
  if (results.length > 0) {
    const summary = summaryOf(results, address)
    print(options.json, summary, () => report(summary))
  }
  if (stopped !== undefined) {
    process.stderr.write(`stopped after ${results.length} of ${counted(repeats, 'run')}\n`)
    throw stopped
  }
}

interface Summary {
  stream: string
  method: string
  rho: number
  samples: number
  runs: RunResult[]
  mean: number
  std: number
}

function summaryOf(results: readonly ExperimentResult[], stream: string): Summary {
  const [{ job, samples }] = results
  const runs = results.map(({ result }) => result)
  const accuracies = runs.map(({ accuracy }) => accuracy)
  const { method, rho } = job
  return { stream, method, rho, samples, runs, mean: mean(accuracies), std: sampleStd(accuracies) }
}

function report({ stream, method, rho, samples, runs, mean, std }: Summary): string[] {
  const rows = runs.map((run) => [
    String(run.seed),
    decimals(run.accuracy),
    decimals(run.macroF1),
    decimals(run.kappa),
    decimals(run.kappaTemporal),
    count(run.misses),
    count(run.falseAlarms),
    count(run.labels),
    count(run.drifts),
    decimals(run.bound.value),
    count(run.samplesPerSecond),
  ])
  const header = ['seed', 'accuracy', 'macro-F1', 'κ', 'κ-temporal', 'misses', 'false alarms', 'labels', 'drifts']
  const table = textTable([...header, 'bound', 'samples/s'], rows)
  const [{ bound, noChange, accuracy }] = runs
  return [
    `${method} on ${stream}: ${counted(samples, 'sample')}, ρ = ${rho}`,
    '',
    table,
    '',
    `accuracy ${decimals(mean)} ± ${decimals(std)} over ${counted(runs.length, 'run')}`,
    `no-change baseline (previous true level) ${decimals(noChange)}: ${accuracy > noChange ? 'beaten' : 'not beaten'}`,
    bound.applies
      ? `guarantee: expected accuracy ≥ ${decimals(bound.value)}; best expert per batch ${decimals(bound.ultimate)}, regret ${decimals(bound.regret)}`
      : `guarantee does not apply: ${bound.reason}`,
    ...termLines(bound.terms),
    ...regretLines(bound),
    ...adaptationLines(runs[0]),
    ...reviewerLines(runs[0]),
  ]
}

/** How fast each known change of the stream was followed. */
function adaptationLines({ adaptation = [] }: RunResult): string[] {
  return adaptation.map(
    ({ at, samples }) =>
      `change at sample ${count(at)}: 0.95 of the later accuracy reached after ${counted(samples, 'sample')}`,
  )
}

function termLines(terms: Readonly<Record<string, number>> | undefined): string[] {
  if (!terms) return []
  return [`  made of: ${listed(Object.entries(terms).map(([name, value]) => [name, value.toFixed(5)]))}`]
}

/** Promise B: it holds whatever the delays, also where the guarantee does not apply. */
function regretLines({ regretWithConfidence }: BoundResult): string[] {
  if (!regretWithConfidence) return []
  const { value, confidence, terms } = regretWithConfidence
  const better =
    value >= 0
      ? `no expert was better by more than ${value.toFixed(5)} per sample`
      : `every expert was worse by at least ${(-value).toFixed(5)} per sample`
  const parts = Object.entries(terms).map(([name, term]) => [TERM_NAMES[name] ?? name, term.toFixed(5)] as const)
  return [
    `promise: ${better}, with ${100 * confidence} % confidence, whatever the delays`,
    `  made of: ${listed(parts)}`,
  ]
}

const TERM_NAMES: Readonly<Record<string, string>> = { inFavour: 'in favour' }

function reviewerLines({ answers, cost, escalated, accuracyKept }: RunResult): string[] {
  const found: [string, string][] = []
  if (answers !== undefined) found.push(['answers', count(answers)])
  if (cost !== undefined) found.push(['mean cost', cost.toFixed(4)])
  if (escalated !== undefined) found.push(['passed on', decimals(escalated)])
  if (accuracyKept !== undefined) found.push(['accuracy of the rest', decimals(accuracyKept)])
  return found.length > 0 ? [`reviewers: ${listed(found)}`] : []
}

const listed = (pairs: readonly (readonly [string, string])[]): string => pairs.map((pair) => pair.join(' ')).join(', ')
