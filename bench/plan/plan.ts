import { type Cell, type CellReport, simulateCell } from './cell.ts'
import { COSTS, SYSTEM } from './measured.ts'

/** A fleet, and what it may use. */
export interface FleetPlan {
  systems: number
  /** Samples per second and system. */
  rate: number
  /** Cores of each NATS server, and its disk in TB. */
  serverCores: number
  serverDisk: number
  /** Memory of a worker, GB. */
  workerMemory: number
  /** Milliseconds between two machines, and Gbit/s of each. */
  link: number
  bandwidth: number
  /** Shards of each cluster. */
  shards: number
  leaseSeconds: number
  /** Records between two saved states of a system. */
  snapshotEvery: number
  /** Days that the log is kept in NATS. */
  keepDays: number
  /** Share of everything that stays free, for failures and bursts. */
  reserve: number
  /** Price of a core for an hour, and of a TB of disk for a month. */
  coreHour: number
  terabyteMonth: number
}

/** What a fleet needs. */
export interface FleetNeed {
  systems: number
  samplesPerSecond: number
  workers: number
  systemsPerWorker: number
  /** Clusters of three NATS servers. */
  clusters: number
  cores: { workers: number; servers: number }
  /** Milliseconds from when a sample is due to its answer, while nothing fails. */
  latency: { median: number; p99: number }
  /** GB of memory of a worker. */
  memoryPerWorker: number
  /** TB of disk on each server, and GB per day that each writes. */
  diskPerServer: number
  writtenPerDay: number
  /** Gbit/s in and out of each server. */
  networkPerServer: number
  /** Seconds without an answer when a worker dies: the lease, and what follows it. */
  takeover: { lease: number; after: number }
  /** Share of the servers' cores in use, and when one of the three is gone. */
  serversBusy: { all: number; oneGone: number }
  /** Price of a month. */
  price: number
  /** Which need decides the number of clusters. */
  bound: string
}

/** Samples per second of the cell that is simulated: larger ones cost less per sample. */
const SIMULATED_RATE = 4_000
/** Systems of it, at most. */
const MOST_SIMULATED = 40_000
/** Workers of a cluster: all of them ask the leader of one bucket for the leases, 14 times per second at 5 s. */
const MOST_WORKERS = 100
/** Systems that a worker takes over at once, and the round trips of one: fence, list, chunks of the state, its end. */
const AT_ONCE = 8
const ROUND_TRIPS = 14
/** Share of a server's work that it does for the streams it leads; the leader hears and sends, the others write. */
const LEADING = 0.5
const HOURS = 730

interface SizedCell {
  cell: Cell
  report: CellReport
}

const sized = new Map<string, SizedCell>()

/** A cell of this fleet with as many workers as it needs; each is simulated once. */
function cellOf({ systems, rate, serverCores, link, reserve }: FleetPlan): SizedCell {
  const part = { systems: Math.min(systems, MOST_SIMULATED), rate, serverCores, link, reserve }
  const key = JSON.stringify(part)
  const found = sized.get(key) ?? sizeCell(part)
  sized.set(key, found)
  return found
}

function sizeCell(fleet: Pick<FleetPlan, 'systems' | 'rate' | 'serverCores' | 'link' | 'reserve'>): SizedCell {
  const { systems: all, rate } = fleet
  // Systems share nothing: a part of a large fleet is like the whole.
  const systems = Math.max(1, Math.min(all, Math.round(SIMULATED_RATE / rate), MOST_SIMULATED))
  for (let workers = 1; ; workers++) {
    const cores = { clients: 1_000, workers, servers: 3 * fleet.serverCores }
    const cell: Cell = { workers, systems, rate, cores, link: fleet.link, uneven: true }
    const report = simulateCell(cell, COSTS, 2, 0.5)
    if (report.keepsUp && report.busy.worker <= 1 - fleet.reserve) return { cell, report }
  }
}

/** What a fleet needs, from a simulated cell and from sizes that were measured. */
export function planFleet(fleet: FleetPlan): FleetNeed {
  const { systems, rate, reserve, serverCores } = fleet
  const { cell, report } = cellOf(fleet)
  const samplesPerSecond = systems * rate
  const perCell = cell.systems * rate
  const byProcessor = Math.ceil((samplesPerSecond / perCell) * cell.workers)
  const byMemory = Math.ceil((systems * SYSTEM.bytesInMemory) / (fleet.workerMemory * 1e9 * (1 - reserve)))
  const workers = Math.max(2, byProcessor, byMemory)
  const serverWork = (samplesPerSecond * report.processor.servers) / 1000
  const bytes = bytesPerSecond(fleet)
  const disk = kept(fleet) / 1e12
  const needs = {
    processor: serverWork / (3 * serverCores * (1 - reserve)),
    network: ((5 / 3) * bytes * 8) / (fleet.bandwidth * 1e9 * (1 - reserve)),
    disk: disk / (fleet.serverDisk * (1 - reserve)),
    leases: workers / MOST_WORKERS,
  }
  const [[bound, most]] = Object.entries(needs).sort(([, a], [, b]) => b - a)
  const clusters = Math.max(1, Math.ceil(most))
  const busy = serverWork / (3 * serverCores * clusters)
  const cores = { workers, servers: 3 * serverCores * clusters }
  return {
    ...{ systems, samplesPerSecond, workers, clusters, cores, bound, latency: report.latency },
    systemsPerWorker: Math.ceil(systems / workers),
    memoryPerWorker: 0.15 + ((systems / workers) * SYSTEM.bytesInMemory) / 1e9,
    diskPerServer: disk / clusters,
    writtenPerDay: (bytes * 86_400) / 1e9 / clusters,
    networkPerServer: ((5 / 3) * bytes * 8) / 1e9 / clusters,
    takeover: takeoverOf(fleet, workers / clusters, systems / workers),
    serversBusy: { all: busy, oneGone: busy * (1 + LEADING / 2) },
    price: (cores.workers + cores.servers) * fleet.coreHour * HOURS + 3 * disk * fleet.terabyteMonth,
  }
}

/** The limit of one cluster of three servers: how many systems each resource allows, fewest first. */
export function limitsOfOne(fleet: FleetPlan): { resource: string; systems: number }[] {
  const { report, cell } = cellOf({ ...fleet, systems: 1e9 })
  const free = 1 - fleet.reserve
  const perSystem = { ...fleet, systems: 1 }
  const workersPerSystem = Math.max(
    cell.workers / cell.systems,
    SYSTEM.bytesInMemory / (fleet.workerMemory * 1e9 * free),
  )
  const limits = {
    [`disk of a server (${fleet.serverDisk} TB, kept for ${fleet.keepDays === 1 ? 'a day' : `${fleet.keepDays} days`})`]:
      (fleet.serverDisk * 1e12 * free) / kept(perSystem),
    [`processor of the servers (3 × ${fleet.serverCores} cores)`]:
      (3 * fleet.serverCores * free * 1000) / (fleet.rate * report.processor.servers),
    [`network of a server (${fleet.bandwidth} Gbit/s)`]:
      (fleet.bandwidth * 1e9 * free) / ((5 / 3) * 8 * bytesPerSecond(perSystem)),
    [`leases (${MOST_WORKERS} workers in one cluster)`]: MOST_WORKERS / workersPerSystem,
  }
  return Object.entries(limits)
    .map(([resource, systems]) => ({ resource, systems: Math.floor(systems) }))
    .sort((a, b) => a.systems - b.systems)
}

/** Bytes per second that each server of all clusters together writes: log and saved states. */
function bytesPerSecond({ systems, rate, snapshotEvery }: FleetPlan): number {
  const perSample = SYSTEM.bytesPerSample + (SYSTEM.bytesPerState * SYSTEM.recordsPerSample) / snapshotEvery
  return systems * rate * perSample
}

/** Bytes that are kept on each copy. */
function kept({ systems, rate, keepDays }: FleetPlan): number {
  return systems * (rate * SYSTEM.bytesPerSample * 86_400 * keepDays + SYSTEM.bytesPerState * SYSTEM.statesKept)
}

/**
 * Seconds when a worker dies. The others share its shards; each heir reads the states of its part, eight at a time,
 * makes models of them, and replays what came since: half of what lies between two saved states.
 */
function takeoverOf(
  { shards, leaseSeconds, snapshotEvery, link }: Pick<FleetPlan, 'shards' | 'leaseSeconds' | 'snapshotEvery' | 'link'>,
  workers: number,
  systemsPerWorker: number,
): FleetNeed['takeover'] {
  const heirs = Math.max(1, Math.min(workers - 1, shards / workers))
  const systems = systemsPerWorker / heirs
  const replay = (snapshotEvery / 2 / SYSTEM.recordsPerSample) * COSTS.worker.sample
  const read = (ROUND_TRIPS * (2 * link + COSTS.worker.turn + COSTS.servers.turn)) / AT_ONCE
  const each = SYSTEM.restore + replay + read
  // The silence is noticed within an eighth of a lease.
  return { lease: leaseSeconds, after: leaseSeconds / 8 + (systems * each) / 1000 }
}
