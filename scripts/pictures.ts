// Pictures of the docs that are drawn from stored results: `node scripts/pictures.ts` draws, `npm run check` compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { criticalDifferenceDiagram } from '../packages/lab/src/charts/critical-difference.ts'
import { lineChart } from '../packages/lab/src/charts/line-chart.ts'
import { linearAxis } from '../packages/lab/src/charts/linear-axis.ts'
import { looks } from '../packages/lab/src/charts/look.ts'
import type { ValueAxis } from '../packages/lab/src/charts/value-axis.ts'

const ROOT = join(import.meta.dirname, '..')
const stored = (file: string) => JSON.parse(readFileSync(join(ROOT, 'docs/measured', file), 'utf8'))

/** File under docs/images → the drawing. */
const PICTURES: Readonly<Record<string, () => string>> = {
  'plan-fleet.svg': coresOfFleets,
  'plan-worker.svg': latencyOfWorker,
  'scale.svg': throughput,
  'suite-ranks.svg': ranksOfSuite,
}

interface Throughput {
  readonly workers: number
  readonly samplesPerSecond: number
}

/** Samples per second over the number of workers, with and without a limit per worker. */
function throughput(): string {
  const { limited, unlimited } = stored('scale.json') as Record<string, Throughput[]>
  const lines = { 'a limit each': limited, 'no limit': unlimited }
  const look = looks(Object.keys(lines))
  const series = Object.entries(lines).map(([label, points]) => ({
    label,
    look: look(label),
    points: points.map(({ workers: x, samplesPerSecond: y }) => ({ x, y, low: y, high: y })),
  }))
  return lineChart(series, {
    title: 'Throughput of a cluster on one machine with two cores',
    xLabel: 'workers',
    yLabel: 'samples per second',
    width: 640,
    height: 320,
    xTicks: limited.map(({ workers }) => ({ at: workers, name: String(workers) })),
    dots: true,
    axis: (_, high) => linearAxis(0, high),
  })
}

interface Plan {
  readonly fleets: readonly { readonly systems: number; readonly cores: { workers: number; servers: number } }[]
  readonly oneWorker: readonly { readonly offered: number; readonly latency: number; readonly p99: number }[]
}

/** Cores that fleets need by the simulation, over their size; both axes by powers of ten. */
function coresOfFleets(): string {
  const { fleets } = stored('plan.json') as Plan
  const lines = { workers: 'workers', servers: 'NATS servers' } as const
  const look = looks(Object.values(lines))
  const series = Object.entries(lines).map(([side, label]) => ({
    label,
    look: look(label),
    points: fleets.map(({ systems, cores }) => pointAt(Math.log10(systems), cores[side as keyof typeof lines])),
  }))
  return lineChart(series, {
    title: 'Simulated: cores of a fleet, 1 sample per second and system',
    xLabel: 'systems',
    yLabel: 'cores',
    width: 640,
    height: 320,
    xTicks: fleets.map(({ systems }) => ({ at: Math.log10(systems), name: systems.toLocaleString('en') })),
    dots: true,
    axis: powersOfTen,
  })
}

/** Latency of one worker by the simulation, over the load on it. */
function latencyOfWorker(): string {
  const { oneWorker } = stored('plan.json') as Plan
  const lines = { latency: 'median', p99: '99th percentile' } as const
  const look = looks(Object.values(lines))
  const series = Object.entries(lines).map(([figure, label]) => ({
    label,
    look: look(label),
    points: oneWorker.map((load) => pointAt(load.offered, load[figure as keyof typeof lines])),
  }))
  return lineChart(series, {
    title: 'Simulated: latency of one worker with a core of its own, 200 systems',
    xLabel: 'samples per second',
    yLabel: 'milliseconds',
    width: 640,
    height: 320,
    xTicks: oneWorker
      .filter(({ offered }) => offered % 1_600 === 0)
      .map(({ offered: at }) => ({ at, name: String(at) })),
    dots: true,
    axis: powersOfTen,
  })
}

function pointAt(x: number, y: number) {
  return { x, y, low: y, high: y }
}

/** An axis of powers of ten. */
function powersOfTen(low: number, high: number): ValueAxis {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  return {
    domain: [first, last],
    ticks: Array.from({ length: last - first + 1 }, (_, i) => first + i),
    format: (place) => (10 ** place).toLocaleString('en'),
    place: Math.log10,
  }
}

interface Share {
  readonly rho: number
  readonly standings: readonly { readonly method: string; readonly rank: number }[]
  readonly criticalDifference: number
}

/** Mean ranks of the suite without any full label. */
function ranksOfSuite(): string {
  const { streams, shares } = stored('suite.json') as { streams: { stream: string }[]; shares: Share[] }
  const { standings, criticalDifference } = shares.find(({ rho }) => rho === 0) as Share
  return criticalDifferenceDiagram({
    criticalDifference,
    methods: standings.map(({ method }) => method),
    ranks: standings.map(({ rank }) => rank),
    streams: streams.map(({ stream }) => stream),
  })
}

const place = (name: string) => join(ROOT, 'docs/images', name)

/** One line for each picture that is not the one drawn from what is stored now. */
export function stalePictures(): string[] {
  return Object.entries(PICTURES)
    .filter(([name, draw]) => !existsSync(place(name)) || readFileSync(place(name), 'utf8') !== `${draw()}\n`)
    .map(([name]) => `docs/images/${name} is not what docs/measured holds; node scripts/pictures.ts draws it`)
}

if (import.meta.main) for (const [name, draw] of Object.entries(PICTURES)) writeFileSync(place(name), `${draw()}\n`)
