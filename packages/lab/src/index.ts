/**
 * The public API of @pb-oel/lab: streams from files and generators, simulated runs, experiments. Reports, which need
 * the charts, have their own entry, @pb-oel/lab/report.
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
export type { Suite, SuiteShare, SuiteStanding } from './analysis/suite.ts'
export { compareSuite, suiteJson, twoLevelsWords } from './analysis/suite.ts'
export type { WorkerWatch } from './cluster/worker.ts'
export { runWorker } from './cluster/worker.ts'
export type { DownloadWatch } from './download/download.ts'
export type { LocalData } from './download/get-data.ts'
export { DownloadError, getData } from './download/get-data.ts'
export { DataError } from './errors.ts'
export {
  boundsExperiment,
  landscapeExperiment,
  quickReproduction,
  reproduction,
  suiteExperiment,
  suiteMethods,
  tableExperiment,
  tableMethods,
} from './experiment/built-in.ts'
export type {
  Experiment,
  ExperimentSet,
  ExperimentStream,
  MethodChoice,
  PlannedJob,
  Section,
} from './experiment/experiment.ts'
export { streamLabel } from './experiment/experiment.ts'
export { loadExperiment } from './experiment/load-experiment.ts'
export type { ExperimentProgress } from './experiment/progress-meter.ts'
export type { ExperimentResult, ExperimentWatch } from './experiment/run-experiments.ts'
export { runExperiments } from './experiment/run-experiments.ts'
export type { Adaptation } from './job/adaptation.ts'
export type { Job, StreamChoice } from './job/job.ts'
export type { People } from './job/people.ts'
export type { RunProgress, RunWatch } from './job/run.ts'
export { runOnce } from './job/run.ts'
export type { JobResult } from './job/run-job.ts'
export { runJob } from './job/run-job.ts'
export type { BoundResult, RunResult } from './job/run-result.ts'
export type { Trace } from './job/trace.ts'
export { firstOfEachLevel } from './job/warm-up.ts'
export type { Machine } from './machine.ts'
export { thisMachine } from './machine.ts'
export { moduleUrl } from './modules/import-module.ts'
export { loadExtensions } from './modules/load-extensions.ts'
export { isModule, modulesWithin, moduleTitle } from './modules/module-name.ts'
export type { PromiseCurve } from './promises/promise-curve.ts'
export type { PromiseRow } from './promises/promise-row.ts'
export { summarisePromises } from './promises/promise-row.ts'
export type { PromiseSetting } from './promises/promise-setting.ts'
export { PROMISE_SETTINGS, REPORT_SETTINGS, settingsNamed } from './promises/promise-setting.ts'
export type { PromiseStudy, PromiseStudyOptions } from './promises/promise-study.ts'
export { studyPromises } from './promises/promise-study.ts'
export type { PromiseRun, PromiseTrialOptions } from './promises/promise-trial.ts'
export { tryPromises } from './promises/promise-trial.ts'
export { readChecks } from './promises/read-checks.ts'
export type { Hardship, RobustnessCell, RobustnessRow } from './robustness/robustness.ts'
export { HARDSHIPS, ROBUSTNESS_METHODS, robustnessExperiment, robustnessTable } from './robustness/robustness.ts'
export type { FriedmanResult } from './statistics/friedman.ts'
export { friedman } from './statistics/friedman.ts'
export type { PairedTest } from './statistics/paired-test.ts'
export { holm, pairedTest } from './statistics/paired-test.ts'
export { mean, sampleStd } from './statistics/summary.ts'
export type { DataSet } from './streams/data-sets.ts'
export { DATA_SETS, dataSetPath, findDataSet, localCopy } from './streams/data-sets.ts'
export type { DriftWrapper } from './streams/drifts.ts'
export { DRIFTS } from './streams/drifts.ts'
export { csvLines } from './streams/export-csv.ts'
export { folderStreams } from './streams/folder-streams.ts'
export { hashFiles } from './streams/hash-files.ts'
export type { OpenOptions } from './streams/open-stream.ts'
export { loadStream, openFile, openStream } from './streams/open-stream.ts'
export { spooledInput } from './streams/spool.ts'
export { splitAddress, streamModules } from './streams/stream-address.ts'
export type { ChannelInfo, StreamInfo } from './streams/stream-info.ts'
export { describeStream } from './streams/stream-info.ts'
export type { MissingRule, TableOptions } from './streams/table-options.ts'
export type { TableSample, TableStream } from './streams/table-stream.ts'
export { streamWarnings } from './streams/table-stream.ts'
export { timeCell } from './streams/time-cell.ts'
