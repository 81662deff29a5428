/**
 * Prints the tables of docs/method-plus.md as Markdown. Its first table is that of `pb-oel table dive`.
 *
 *   node packages/lab/scripts/method-plus.ts streams dive skab.csv.gz …   PB-OEL and PB-OEL+ on streams of your own
 *   node packages/lab/scripts/method-plus.ts ablations dive …             each part of the method changed or left out
 *   node packages/lab/scripts/method-plus.ts parts dive …                 each expert and each guard left out
 *   node packages/lab/scripts/method-plus.ts late dive skab.csv.gz …      answers 20 and 200 samples late
 *   node packages/lab/scripts/method-plus.ts rare ai4i.csv.gz …           mistakes about rare levels that count more
 *   node packages/lab/scripts/method-plus.ts delay | wrong | budget       how answers come, and which are asked for
 *   node packages/lab/scripts/method-plus.ts asking dive skab.csv.gz      5 % of the samples asked, ten seeds each
 *   node packages/lab/scripts/method-plus.ts people | costs               fatigue, easy questions, costs, escalation
 *
 * REPEATS=1 in the environment runs one seed instead of three, SAMPLES=5000 cuts every stream, EDITION=1 takes PB-OEL+
 * as it was first, STORE=file.json also writes the tables there, and FIGURES=folder draws delay, wrong and budget.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orderedCosts } from '@pb-oel/core'
import { type Job, mean, type People, type RunResult, runJob, sampleStd } from '@pb-oel/lab'
import { accuracyOver, type SettingsLine } from '@pb-oel/lab/report'
import { storeResult } from './store-result.ts'

type Settings = Partial<Omit<Job, 'stream'>>
type Variant = Settings & Pick<Job, 'method'>

/** Runs of each combination, with seeds 1, 2, … */
const REPEATS = Number(process.env.REPEATS ?? 3)
/** Samples of each stream at most. */
const SAMPLES = process.env.SAMPLES === undefined ? undefined : Number(process.env.SAMPLES)
/** Edition of PB-OEL+, where it is not the present one. */
const EDITION = process.env.EDITION === undefined ? {} : { edition: Number(process.env.EDITION) }
/** What is stored: a row for each stream and variant, a figure for each setting. */
const STORED: Record<string, string | number>[] = []

const PLUS: Variant = { method: 'pb-oel-plus' }
const WITHOUT_PERSISTENCE: Variant = { method: 'pb-oel-plus', options: { members: [] } }
const PAPER: Variant = { method: 'pb-oel' }

async function repeat(address: string, variant: Variant, repeats: number): Promise<RunResult[]> {
  const runs: RunResult[] = []
  for (let seed = 1; seed <= repeats; seed++) {
    const stream = { address, ...(SAMPLES !== undefined && { samples: SAMPLES }) }
    const edition = variant.method === 'pb-oel-plus' ? EDITION : {}
    const options = { ...edition, ...variant.options }
    const { result } = await runJob({ stream, rho: 0, seed, ...variant, options })
    runs.push(result)
  }
  return runs
}

const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

function head(cells: readonly (string | number)[]): void {
  row(cells)
  row(cells.map(() => '---'))
}

/** One row per variant, one column per setting: mean accuracy. Returns the rows as lines of a chart. */
async function grid(
  stream: string,
  name: string,
  rows: Record<string, Variant>,
  columns: Record<string, Settings>,
  stored = nameOf(stream),
): Promise<SettingsLine[]> {
  const lines: SettingsLine[] = []
  head([name, ...Object.keys(columns)])
  for (const [label, variant] of Object.entries(rows)) {
    const cells: { mean: number; std: number }[] = []
    for (const settings of Object.values(columns)) {
      const options = { ...variant.options, ...settings.options }
      const people = bothPeople(variant.people, settings.people)
      const runs = await repeat(stream, { ...variant, ...settings, options, people }, REPEATS)
      const accuracies = runs.map((run) => run.accuracy)
      cells.push({ mean: mean(accuracies), std: sampleStd(accuracies) })
    }
    const figures = cells.map(({ mean }) => Number(mean.toFixed(4)))
    row([label, ...figures.map((figure) => figure.toFixed(4))])
    const named = Object.keys(columns).map((column, i) => [column, figures[i]])
    STORED.push({ stream: stored, variant: label, ...Object.fromEntries(named) })
    lines.push({ label, cells })
  }
  console.log()
  return lines
}

function bothPeople(row: People = {}, column: People = {}): People {
  return { ...row, ...column, ...((row.ask || column.ask) && { ask: { ...row.ask, ...column.ask } }) }
}

/** The name of a stream: of a file without its folder and its end, of a generator without its settings. */
const nameOf = (address: string) => address.split('/').at(-1)?.split(/[.:]/)[0] ?? address

/** Draws what {@link grid} returned, where a folder for figures is given. */
function figure(file: string, title: string, xLabel: string, settings: readonly string[], lines: SettingsLine[]): void {
  const folder = process.env.FIGURES
  if (folder) writeFileSync(join(folder, `${file}.svg`), accuracyOver(lines, { title, xLabel, settings }))
}

const overRho = (shares: readonly number[]) => Object.fromEntries(shares.map((rho) => [`ρ = ${rho}`, { rho }]))

const COMPARED: Record<string, Variant> = {
  'PB-OEL': PAPER,
  'PB-OEL+': PLUS,
  'PB-OEL+ without persistence': WITHOUT_PERSISTENCE,
}

const PERSISTENCE = [{ kind: 'persistence' }, { kind: 'persistence', patience: 2 }]
const SEARCHING = PERSISTENCE.map((member) => ({ ...member, search: true }))
const PATCHES = { kind: 'forest', subspace: 0.6, features: 'all', driftDelta: 1e-5, warningDelta: 1e-4, memory: 8 }
const BAYES = { kind: 'naive-bayes' }
const FORGETFUL = { kind: 'nearest-neighbours', scaling: 'robust' }
const NEIGHBOURS = { ...FORGETFUL, rejections: 500 }

/** The parts of the wide pool, each left out once. */
const PARTS: Record<string, Variant> = {
  'PB-OEL+': PLUS,
  'without forest': { ...PLUS, options: { members: [...SEARCHING, BAYES, NEIGHBOURS] } },
  'without nearest neighbours': { ...PLUS, options: { members: [...SEARCHING, PATCHES, BAYES] } },
  'nearest neighbours forget rejections': {
    ...PLUS,
    options: { members: [...SEARCHING, PATCHES, BAYES, FORGETFUL] },
  },
  'without naive Bayes': { ...PLUS, options: { members: [...SEARCHING, PATCHES, NEIGHBOURS] } },
  'without persistence': { ...PLUS, options: { members: [PATCHES, BAYES, NEIGHBOURS] } },
  'without networks': { ...PLUS, options: { networks: 0 } },
  'without blend': { ...PLUS, options: { blend: false } },
  'without drawing outlying values in': { ...PLUS, options: { guard: false } },
  'monitors deaf to rejections': { ...PLUS, options: { hearsRejections: false } },
  'scales of the warm-up': { ...PLUS, options: { scaling: 'warm-up' } },
}

const NARROW: Variant = { ...PLUS, options: { members: PERSISTENCE, blend: false } }

const ABLATIONS: Record<string, Variant> = {
  ...COMPARED,
  'rejections only (λ = 0)': { ...PLUS, options: { lambda: 0 } },
  'confirmations only (λ = 1)': { ...PLUS, options: { lambda: 1 } },
  'fixed rate η = 1': { ...PLUS, options: { rate: 1 } },
  'no sharing (σ = 0)': { ...PLUS, options: { share: 0 } },
  'implicit exploration 0.005': { ...PLUS, options: { implicit: 0.005 } },
  'PB-OEL with the persistence experts': {
    ...PAPER,
    options: { members: PERSISTENCE },
  },
}

/** Prints one grid per stream, with the accuracy of repeating the previous true level in its head. */
async function eachStream(
  addresses: readonly string[],
  rows: Record<string, Variant>,
  shares: readonly number[],
): Promise<void> {
  for (const address of addresses) {
    const [{ noChange }] = await repeat(address, { method: 'no-change' }, 1)
    await grid(address, `${nameOf(address)} (no-change ${noChange.toFixed(4)})`, rows, overRho(shares))
  }
}

const streams = (addresses: readonly string[]) => eachStream(addresses, COMPARED, [0, 0.1])
const parts = (addresses: readonly string[]) => eachStream(addresses, PARTS, [0, 1])
const ablations = (addresses: readonly string[]) => eachStream(addresses, ABLATIONS, [0])

/** Answers 0, 20 and 200 samples late: the whole pool, and networks with persistence alone. */
async function late(addresses: readonly string[]): Promise<void> {
  const delays = [0, 20, 200]
  const columns = Object.fromEntries(delays.map((delay) => [`${delay} late`, { people: { answers: { delay } } }]))
  for (const address of addresses) {
    await grid(
      address,
      `${nameOf(address)}, ρ = 0`,
      { 'PB-OEL': PAPER, 'PB-OEL+': PLUS, 'networks and persistence': NARROW },
      columns,
    )
  }
}

/** Accuracy, G-mean, misses and false alarms with every label, over how far mistakes about rare levels count more. */
async function rare(addresses: readonly string[]): Promise<void> {
  head(['ρ = 1', 'β', 'accuracy', 'G-mean', 'misses', 'false alarms'])
  for (const address of addresses) {
    for (const balance of [0, 0.5, 1]) {
      const runs = await repeat(address, { ...PLUS, rho: 1, options: { balance } }, REPEATS)
      const of = (figure: 'accuracy' | 'gMean' | 'misses' | 'falseAlarms', digits: number) =>
        Number(mean(runs.map((run) => run[figure])).toFixed(digits))
      const figures = {
        ...{ accuracy: of('accuracy', 4), 'G-mean': of('gMean', 3) },
        ...{ misses: of('misses', 0), 'false alarms': of('falseAlarms', 0) },
      }
      row([nameOf(address), balance, ...Object.values(figures)])
      STORED.push({ stream: nameOf(address), variant: `β = ${balance}`, ...figures })
    }
  }
}

async function delay(): Promise<void> {
  const means = [0, 1, 10, 100, 300, 1000]
  for (const law of ['fixed', 'heavy'] as const) {
    const columns = Object.fromEntries(
      means.map((mean) => [`${mean} late`, { people: { answers: { delay: { law, mean } } } }]),
    )
    const rows = { 'PB-OEL': PAPER, 'PB-OEL+': PLUS }
    const lines = await grid('dive', `dive, ρ = 0, ${law} delay`, rows, columns, `${law} delay`)
    figure(`delay-${law}`, `Accuracy over ${law} delay`, 'mean delay in samples', means.map(String), lines)
  }
}

async function wrong(): Promise<void> {
  const shares = [0, 0.05, 0.1, 0.2, 0.3]
  const columns = Object.fromEntries(shares.map((wrong) => [`${100 * wrong} %`, { people: { answers: { wrong } } }]))
  const known = Object.fromEntries(
    shares.map((wrong) => [`${100 * wrong} %`, { people: { answers: { wrong } }, options: { noise: wrong } }]),
  )
  const estimated: Variant = { ...PLUS, options: { noise: 'estimated' } }
  const lines = [
    ...(await grid('dive', 'dive, ρ = 0', { 'PB-OEL': PAPER, 'PB-OEL+': PLUS, 'rate estimated': estimated }, columns)),
    ...(await grid('dive', 'dive, ρ = 0', { 'rate known': PLUS }, known)),
  ]
  figure('wrong', 'Accuracy over wrong answers', 'share of wrong answers', Object.keys(columns), lines)
}

const STRATEGIES = ['random', 'margin', 'disagreement', 'weight-change', 'drift'] as const

async function budget(): Promise<void> {
  const columns = Object.fromEntries(
    [1, 3, 10, 50, 200, 1000].map((perThousand) => [`${perThousand / 10} %`, { people: { ask: { perThousand } } }]),
  )
  const rows = Object.fromEntries(STRATEGIES.map((strategy) => [strategy, { ...PLUS, people: { ask: { strategy } } }]))
  const lines = await grid('dive', 'dive, share asked', rows, columns)
  figure('budget', 'Accuracy of PB-OEL+ over the budget', 'share of samples asked about', Object.keys(columns), lines)
}

async function asking(addresses: readonly string[]): Promise<void> {
  head(['5 % asked, ten seeds', 'strategy', 'mean', 'std', 'smallest', 'largest', 'questions'])
  for (const address of addresses) {
    for (const strategy of STRATEGIES) {
      const runs = await repeat(address, { ...PLUS, people: { ask: { strategy, perThousand: 50 } } }, 10)
      const accuracies = runs.map((run) => run.accuracy)
      const numbers = [mean(accuracies), sampleStd(accuracies), Math.min(...accuracies), Math.max(...accuracies)]
      const [middle, std, smallest, largest] = numbers.map((value) => Number(value.toFixed(4)))
      const questions = Math.round(mean(runs.map((run) => run.answers ?? 0)))
      const figures = { mean: middle, std, smallest, largest, questions }
      row([nameOf(address), strategy, ...Object.values(figures)])
      STORED.push({ stream: nameOf(address), variant: strategy, ...figures })
    }
  }
}

async function people(): Promise<void> {
  const columns = {
    'all answer': {},
    'half missing': { people: { answers: { missing: 0.5 } } },
    'tired: half after 5,000': { people: { answers: { halfLife: 5_000 } } },
    'easy only: confidence ≥ 0.8': { people: { answers: { easyAbove: 0.8 } } },
  }
  await grid('dive', 'dive, ρ = 0', { 'PB-OEL': PAPER, 'PB-OEL+': PLUS }, columns)
}

async function costs(): Promise<void> {
  const people: People = { costs: orderedCosts(3, 10), escalateAbove: 0.3 }
  head(['dive, ρ = 0', 'accuracy', 'misses', 'false alarms', 'mean cost', 'escalated', 'accuracy of the rest'])
  const variants: Record<string, Variant> = {
    'networks alone, all mistakes alike': {
      ...PLUS,
      options: { members: [], costs: undefined },
      people,
    },
    'networks alone, a miss costs ten false alarms': { ...WITHOUT_PERSISTENCE, people },
    'PB-OEL+, all mistakes alike': { ...PLUS, options: { costs: undefined }, people },
    'PB-OEL+, a miss costs ten false alarms': { ...PLUS, people },
  }
  for (const [label, variant] of Object.entries(variants)) {
    const runs = await repeat('dive', variant, REPEATS)
    const of = (pick: (run: RunResult) => number | undefined, digits: number) =>
      Number(mean(runs.map((run) => pick(run) ?? Number.NaN)).toFixed(digits))
    const figures = {
      accuracy: of((run) => run.accuracy, 4),
      misses: of((run) => run.misses, 0),
      'false alarms': of((run) => run.falseAlarms, 0),
      'mean cost': of((run) => run.cost, 4),
      escalated: of((run) => run.escalated, 4),
      'accuracy of the rest': of((run) => run.accuracyKept, 4),
    }
    row([label, ...Object.values(figures)])
    STORED.push({ stream: 'dive', variant: label, ...figures })
  }
}

const SECTIONS: Record<string, (addresses: readonly string[]) => Promise<void>> = {
  streams,
  ablations,
  parts,
  late,
  rare,
  delay,
  wrong,
  budget,
  asking,
  people,
  costs,
}
const [section = '', ...addresses] = process.argv.slice(2)
if (!Object.hasOwn(SECTIONS, section)) {
  console.error(`say which table: ${Object.keys(SECTIONS).join(', ')}`)
  process.exitCode = 2
} else {
  await SECTIONS[section](addresses)
  storeResult(STORED)
}
