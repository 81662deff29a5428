/**
 * The public API of @pb-oel/lab: streams from files and generators, simulated runs, their figures.
 *
 * @packageDocumentation
 */

export { DataError } from './errors.ts'
export { csvLines } from './export-csv.ts'
export { firstOfEachLevel, runOnce } from './run.ts'
export type { BoundResult, RunProgress, RunResult, RunSettings, RunWatch } from './run.ts'
export { SimulatedExpert } from './simulated-expert.ts'
export { mean, sampleStd } from './statistics.ts'
export { describeStream } from './stream-info.ts'
export type { StreamInfo } from './stream-info.ts'
export { GENERATORS, openStream } from './streams/open-stream.ts'
export type { Generator, OpenOptions } from './streams/open-stream.ts'
export type { MissingRule, TableOptions } from './streams/table-stream.ts'
