/** What a fleet needs; see HELP below and docs/scale.md. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { numberArgument } from '../number-argument.ts'
import { simulateCell } from './cell.ts'
import { CHECKED, COSTS, FITTED, MACHINE, type MeasuredCell } from './measured.ts'
import { type FleetPlan, limitsOfOne, planFleet } from './plan.ts'

const HELP = `Simulates a cluster and says what a fleet needs, what breaks first and what it costs.

  node bench/plan/main.ts --systems 10000 --rate 1       one fleet
  node bench/plan/main.ts --systems 10000 --rate 0.1 --keepDays 7 --serverDisk 8
  node bench/plan/main.ts --check                        the simulation beside what was measured
  node bench/plan/main.ts --all --save docs/measured/plan.json     everything that docs/scale.md shows

  --systems n        systems like the simulated dive (default 10000)
  --rate n           samples per second of each system (default 1)
  --serverCores n    cores of each NATS server (default 8)
  --serverDisk n     TB of each NATS server (default 4)
  --workerMemory n   GB of each worker, which has one core (default 4)
  --link n           milliseconds between two machines (default 0.25)
  --bandwidth n      Gbit/s of each machine (default 10)
  --shards n         shards of each cluster (default 512)
  --leaseSeconds n   seconds until a silent worker is struck off (default 5)
  --snapshotEvery n  records between two saved states (default 2000)
  --keepDays n       days that the log stays in NATS (default 1)
  --reserve n        share of everything that stays free (default 0.33)
  --coreHour n       price of a core for an hour (default 0.04)
  --terabyteMonth n  price of a TB of disk for a month (default 80)
  --json             one JSON document`

const DEFAULTS: FleetPlan = {
  ...{ systems: 10_000, rate: 1, serverCores: 8, serverDisk: 4, workerMemory: 4, link: 0.25, bandwidth: 10 },
  ...{ shards: 512, leaseSeconds: 5, snapshotEvery: 2_000, keepDays: 1, reserve: 0.33 },
  ...{ coreHour: 0.04, terabyteMonth: 80 },
}
/** Sizes of fleets that docs/scale.md shows. */
const SIZES = [100, 1_000, 10_000, 100_000, 1_000_000]
/** Samples per second and system, for one worker with a machine to itself. */
const RATES = [1, 2, 4, 8, 16, 24, 32, 40, 48]

const names = Object.keys(DEFAULTS) as (keyof FleetPlan)[]
const { values } = parseArgs({
  options: {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string', default: String(DEFAULTS[name]) } as const])),
    ...{ json: { type: 'boolean' }, check: { type: 'boolean' }, all: { type: 'boolean' }, help: { type: 'boolean' } },
    save: { type: 'string' },
  },
}) as { values: Record<string, string | boolean | undefined> }

/** The simulation beside what was measured. */
function check({ name, command, cell, ...measured }: MeasuredCell) {
  const found = simulateCell(cell, COSTS)
  const simulated = {
    ...{ samplesPerSecond: Math.round(found.samplesPerSecond), samplesPerMessage: rounded(found.samplesPerMessage) },
    latency: rounded(found.latency.median),
    processor: { workers: rounded(found.processor.workers, 3), servers: rounded(found.processor.servers, 3) },
  }
  return { name, command, measured, simulated }
}

/** What one worker does with 200 systems and a machine to itself, the servers on others. */
function oneWorker(rate: number) {
  const cores = { clients: 1_000, workers: 1, servers: 3 * DEFAULTS.serverCores }
  const { samplesPerSecond, latency, busy, keepsUp } = simulateCell(
    { workers: 1, systems: 200, rate, cores, link: DEFAULTS.link, uneven: true },
    COSTS,
  )
  return {
    ...{ offered: 200 * rate, samplesPerSecond: Math.round(samplesPerSecond), keepsUp },
    ...{ latency: rounded(latency.median), p99: rounded(latency.p99), busy: rounded(busy.worker) },
  }
}

function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}

/** Every number with three digits. */
function readable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, entry) => (typeof entry === 'number' ? Number(entry.toPrecision(3)) : entry)),
  )
}

function everything(fleet: FleetPlan) {
  return {
    ...{ command: 'node bench/plan/main.ts --all --json', measuredOn: MACHINE, costs: COSTS, fleet },
    ...{ fitted: FITTED.map(check), checked: CHECKED.map(check), oneWorker: RATES.map(oneWorker) },
    fleets: SIZES.map((systems) => readable(planFleet({ ...fleet, systems }))),
    oneCluster: readable(limitsOfOne(fleet)),
  }
}

if (values.help) process.stdout.write(`${HELP}\n`)
else {
  const least = (name: keyof FleetPlan) =>
    ['systems', 'shards', 'serverCores', 'snapshotEvery'].includes(name) ? 1 : 0
  const fleet = Object.fromEntries(
    names.map((name) => [name, numberArgument(values as never, name as never, least(name))]),
  ) as unknown as FleetPlan
  if (fleet.rate <= 0 || fleet.reserve >= 1) {
    process.stderr.write('--rate must be above 0, and --reserve below 1\n')
    process.exit(2)
  }
  const found = values.all
    ? everything(fleet)
    : values.check
      ? { fitted: FITTED.map(check), checked: CHECKED.map(check) }
      : { fleet, need: readable(planFleet(fleet)), oneCluster: readable(limitsOfOne(fleet)) }
  process.stdout.write(`${JSON.stringify(found, null, values.json ? 0 : 2)}\n`)
  if (typeof values.save === 'string') writeFileSync(values.save, `${JSON.stringify(found, null, 2)}\n`)
}
