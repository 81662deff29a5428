/**
 * The public API of @pb-oel/lab: streams from files and generators, simulated runs, experiments. Reports, which need the
 * charts, have their own entry, @pb-oel/lab/report.
 *
 * @packageDocumentation
 */

export type { AccuracyTable, Cell } from './analysis/accuracy-table.ts'
export { accuracyTables, tableJson } from './analysis/accuracy-table.ts'
export type { Curve, Quantity } from './analysis/curves.ts'
export { averageCurve } from './analysis/curves.ts'
export type { Landscape, LandscapePoint } from './analysis/landscape.ts'
export { bestPoint, landscapes, regions } from './analysis/landscape.ts'
export { PAPER } from './analysis/paper.ts'
export type { WorkerWatch } from './cluster/worker.ts'
export { runWorker } from './cluster/worker.ts'
export type { DataSet } from './data/data-sets.ts'
export { DATA_SETS, dataSetPath, findDataSet, localCopy } from './data/data-sets.ts'
export type { DownloadWatch } from './data/download.ts'
export type { LocalData } from './data/get-data.ts'
export { DownloadError, getData } from './data/get-data.ts'
export { DataError } from './errors.ts'
export {
  boundsExperiment,
  landscapeExperiment,
  quickReproduction,
  reproduction,
  tableExperiment,
  tableMethods,
} from './experiment/built-in.ts'
export type {
  Experiment,
  ExperimentSet,
  Job,
  MethodChoice,
  PlannedJob,
  Section,
  StreamChoice,
} from './experiment/experiment.ts'
export { streamLabel } from './experiment/experiment.ts'
export type { JobResult, Trace } from './experiment/job.ts'
export { loadExperiment } from './experiment/load-experiment.ts'
export type { ExperimentWatch, Outcome } from './experiment/run-experiments.ts'
export { runExperiments } from './experiment/run-experiments.ts'
export type { ExperimentProgress } from './experiment/tally.ts'
export { csvLines } from './export-csv.ts'
export type { PromiseRow, PromiseRun, PromiseSetting, PromiseTrialOptions } from './promises/promise-trial.ts'
export { PROMISE_SETTINGS, summarisePromises, tryPromises } from './promises/promise-trial.ts'
export { readChecks } from './promises/read-checks.ts'
export type { BoundResult, People, RunProgress, RunResult, RunSettings, RunWatch } from './run.ts'
export { firstOfEachLevel, runOnce } from './run.ts'
export { SimulatedExpert } from './simulated-expert.ts'
export type { FriedmanResult } from './statistics/friedman.ts'
export { friedman } from './statistics/friedman.ts'
export type { PairedTest } from './statistics/paired-test.ts'
export { holm, pairedTest } from './statistics/paired-test.ts'
export { mean, sampleStd } from './statistics/summary.ts'
export type { ChannelInfo, StreamInfo } from './stream-info.ts'
export { describeStream } from './stream-info.ts'
export type { DriftWrapper, Generator } from './streams/generators.ts'
export { DRIFTS, GENERATORS } from './streams/generators.ts'
export type { OpenOptions } from './streams/open-stream.ts'
export { openStream } from './streams/open-stream.ts'
export type { MissingRule, TableOptions } from './streams/table-stream.ts'
