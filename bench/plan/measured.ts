import type { Cell, Costs, Side } from './cell.ts'

/** What was measured of one cell. */
export interface MeasuredCell {
  name: string
  /** The arguments of `node bench/cluster/main.ts`. */
  command: string
  cell: Cell
  samplesPerSecond?: number
  samplesPerMessage?: number
  /** Median, milliseconds. */
  latency?: number
  /** Milliseconds of processor time per sample. */
  processor: Partial<Record<Side, number>>
}

/** Where and when the cells were measured. */
export const MACHINE =
  '2 cores of an AMD EPYC, 24 GB, Debian 12, nats-server 2.15.2, Node 24.21, quiet; three servers, workers and clients ' +
  'share the cores; 16 November 2026'

const TWO_CORES = { workers: 1, cores: 2 }

/** The costs were fitted to these. */
export const FITTED: readonly MeasuredCell[] = [
  {
    ...{ name: '60 systems, lines, 90 per second', command: '--rate 90' },
    cell: { ...TWO_CORES, systems: 60, rate: 90 },
    ...{ samplesPerSecond: 5_405, samplesPerMessage: 1.89, latency: 96 },
    processor: { workers: 0.145, servers: 0.134, clients: 0.034 },
  },
  {
    ...{ name: '1,000 systems, lines, 2 per second', command: '--systems 1000 --rate 2' },
    cell: { ...TWO_CORES, systems: 1_000, rate: 2 },
    ...{ samplesPerSecond: 2_070, samplesPerMessage: 1, latency: 44 },
    processor: { workers: 0.325, servers: 0.397, clients: 0.066 },
  },
]

/** The simulation is checked against these. */
export const CHECKED: readonly MeasuredCell[] = [
  {
    ...{ name: '60 systems, single posts', command: '--rate 0' },
    cell: { ...TWO_CORES, systems: 60, rate: 0 },
    ...{ samplesPerSecond: 3_110, samplesPerMessage: 1, latency: 18.75 },
    processor: { workers: 0.267, servers: 0.248 },
  },
  {
    ...{ name: '60 systems, lines, 3 workers', command: '--rate 90 --workers 3' },
    cell: { workers: 3, cores: 2, systems: 60, rate: 90 },
    processor: { workers: 0.197 },
  },
]

/** Milliseconds of processor time, as `node bench/plan/fit.ts` found them. */
export const COSTS: Costs = {
  worker: { turn: 0.241, message: 0.086, sample: 0.087 },
  servers: { turn: 0.28, message: 0.151, sample: 0.056 },
  clients: { turn: 0.018, message: 0, sample: 0.018 },
  // A single server takes 16,982 lines or 6,772 requests per second with one core for it (docs/measured/server.json).
  request: 1_000 / 6_772 - 1_000 / 16_982,
}

/** Bytes, records and milliseconds of a system like the simulated dive: 24 channels, PB-OEL with its defaults. */
export const SYSTEM = {
  /** Of a sample with its assessment in the log, on one server (docs/scale.md). */
  bytesPerSample: 1_400,
  recordsPerSample: 2.1,
  /** Of a saved state, and how many are kept (docs/measured/bench.json, snapshot). */
  bytesPerState: 1_209_315,
  statesKept: 8,
  /** Of a model in memory (docs/performance.md). */
  bytesInMemory: 1_400_000,
  /** To make a model of a saved state (docs/measured/bench.json, snapshot). */
  restore: 4.8,
} as const
