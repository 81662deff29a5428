// Pictures of the docs that are drawn from stored results: `node scripts/pictures.ts` draws, `npm run check` compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { criticalDifferenceDiagram } from '../packages/lab/src/charts/critical-difference.ts'
import { lineChart } from '../packages/lab/src/charts/line-chart.ts'
import { linearAxis } from '../packages/lab/src/charts/linear-axis.ts'
import { looks } from '../packages/lab/src/charts/look.ts'

const ROOT = join(import.meta.dirname, '..')
const stored = (file: string) => JSON.parse(readFileSync(join(ROOT, 'docs/measured', file), 'utf8'))

/** File under docs/images → the drawing. */
const PICTURES: Readonly<Record<string, () => string>> = {
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
