import type { Experiment } from '../experiment/experiment.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { mean } from '../statistics/summary.ts'

/** A kind of awkward data, and the stream that has it. */
export interface Hardship {
  /** What is awkward, for people. */
  readonly title: string
  /** Settings of the stream `plant`. */
  readonly settings: string
}

/** Every hardship of the table, the plain one first. */
export const HARDSHIPS: readonly Hardship[] = [
  { title: 'plain: 20 channels, 3 levels', settings: '' },
  { title: 'scales that differ by 10^12', settings: 'spread=12' },
  { title: '5 constant channels', settings: 'constant=5' },
  { title: '5 channels die half-way', settings: 'dead=5' },
  { title: '30 % of the values missing, held', settings: 'held=0.3' },
  { title: 'highest level unseen for half of the stream', settings: 'late=0.5' },
  { title: '2 levels, one of them rare', settings: 'levels=2,rare=0.001' },
  { title: '1 channel', settings: 'channels=1' },
  { title: '100 channels', settings: 'channels=100' },
  { title: '500 channels', settings: 'channels=500' },
  { title: '2 levels', settings: 'levels=2' },
  { title: '20 levels', settings: 'levels=20' },
]

/** Methods of the table: ours, three rivals, and the two that learn nothing from the channels. */
export const ROBUSTNESS_METHODS: readonly string[] = [
  'pb-oel',
  'pb-oel-plus',
  'rvfl-hddm-np',
  'ob-adwin',
  'arf',
  'no-change',
  'majority',
]

/** Figures of one method on one kind of data, means over the seeds. */
export interface RobustnessCell {
  method: string
  accuracy: number
  /** Mean of the F1 scores of the levels: what accuracy hides where a level is rare. */
  macroF1: number
}

/** One row of the table. */
export interface RobustnessRow {
  title: string
  stream: string
  cells: RobustnessCell[]
}

/** Every hardship × methods. */
export function robustnessExperiment(
  choice: { methods?: readonly string[]; samples?: number; repeats?: number; seed?: number; rho?: number } = {},
): Experiment {
  const { methods = ROBUSTNESS_METHODS, samples = 5000, repeats = 3, seed = 1, rho = 0.1 } = choice
  return {
    title: 'Robustness',
    streams: HARDSHIPS.map(({ title, settings }) => ({ address: address(settings, samples), name: title })),
    methods,
    rho: [rho],
    repeats,
    seed,
  }
}

const address = (settings: string, samples: number): string =>
  `plant:${[`samples=${samples}`, settings].filter(Boolean).join(',')}`

/** The table of the results of {@link robustnessExperiment}. */
export function robustnessTable(results: readonly ExperimentResult[]): RobustnessRow[] {
  const byStream = Map.groupBy(results, ({ streamName }) => streamName)
  return [...byStream].map(([title, found]) => ({
    title,
    stream: found[0].job.stream.address,
    cells: [...Map.groupBy(found, ({ label }) => label)].map(([method, runs]) => ({
      method,
      accuracy: mean(runs.map(({ result }) => result.accuracy)),
      macroF1: mean(runs.map(({ result }) => result.macroF1)),
    })),
  }))
}
