/**
 * The public API of @pb-oel/bench: how fast everything is, on this machine and beside a stored baseline.
 *
 * @packageDocumentation
 */

import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { OptionError } from '@pb-oel/core'
import type { Benchmark, Result } from './benchmark.ts'
import { csvBench } from './csv-bench.ts'
import { detectorBench } from './detector-bench.ts'
import { diveBench } from './dive-bench.ts'
import { kernelBench } from './kernel-bench.ts'
import { learnerBench } from './learner-bench.ts'
import { loopBench } from './loop-bench.ts'
import { promisesBench } from './promises-bench.ts'
import { refitBench } from './refit-bench.ts'
import { type BenchReport, compare, describe, readBaseline, reportText } from './report.ts'
import { scalingBench } from './scaling-bench.ts'
import { serverBench } from './server-bench.ts'
import { snapshotBench } from './snapshot-bench.ts'
import { threadsBench } from './threads-bench.ts'

export type { BenchContext, Benchmark, Result } from './benchmark.ts'
export type { BenchReport, ReportedResult } from './report.ts'

/** Every benchmark; a new one is one file and one entry here. */
export const BENCHMARKS: readonly Benchmark[] = [
  kernelBench,
  threadsBench,
  loopBench,
  promisesBench,
  refitBench,
  snapshotBench,
  diveBench,
  csvBench,
  learnerBench,
  detectorBench,
  scalingBench,
  serverBench,
]

/** How benchmarks are run. */
export interface BenchOptions {
  /** The output is one JSON document instead of a table. */
  json?: boolean
  /** Path of a stored baseline to compare with. */
  compare?: string
  /** Path to store this run at, as a baseline for later ones. */
  save?: string
  /** Seconds to spend on each comparison. Default 2. */
  seconds?: number
  /** Ends the run between two benchmarks, with the signal's reason as error. */
  signal?: AbortSignal
  /** Called before each benchmark. */
  onProgress?(done: number, total: number, name: string): void
}

/** What {@link runBench} found. */
export interface BenchRun {
  readonly report: BenchReport
  /** The report as text, or as JSON where asked for. */
  readonly output: string
  /** Whether anything is more than 10 % slower than the baseline. */
  readonly slower: boolean
}

/** Runs the named benchmarks, all when none is named. */
export async function runBench(names: readonly string[] = [], options: BenchOptions = {}): Promise<BenchRun> {
  const benchmarks = names.length === 0 ? BENCHMARKS : names.map(find)
  const baseline = options.compare === undefined ? undefined : readBaseline(options.compare)
  const results: Result[] = []
  for (const [done, benchmark] of benchmarks.entries()) {
    options.onProgress?.(done, benchmarks.length, benchmark.name)
    // Lets signals and output in between two long computations.
    await setImmediate()
    options.signal?.throwIfAborted()
    results.push(...(await benchmark.run({ seconds: options.seconds ?? 2 })))
  }
  const measured = describe(results)
  if (options.save !== undefined) writeFileSync(options.save, `${JSON.stringify(measured, null, 2)}\n`)
  const report = baseline === undefined ? measured : compare(measured, baseline)
  return {
    report,
    output: options.json ? JSON.stringify(report) : reportText(report, baseline),
    slower: report.results.some((result) => result.slower),
  }
}

function find(name: string): Benchmark {
  const benchmark = BENCHMARKS.find((benchmark) => benchmark.name === name)
  if (benchmark) return benchmark
  throw new OptionError('benchmark', name, `one of ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')}`)
}
