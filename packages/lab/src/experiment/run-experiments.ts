import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findMethod } from '@pb-oel/core'
import { cacheFolder } from '../cache-folder.ts'
import { codeVersion, jobKey } from '../job/fingerprint.ts'
import type { Job } from '../job/job.ts'
import { jobModules } from '../job/job-modules.ts'
import type { RunProgress } from '../job/run.ts'
import { type JobResult, runJob, streamOf } from '../job/run-job.ts'
import { runOnThreads } from '../job/run-on-threads.ts'
import { loadExtensions } from '../modules/load-extensions.ts'
import { streamWarnings } from '../streams/table-stream.ts'
import { type Experiment, type PlannedJob, plan } from './experiment.ts'
import { type ExperimentProgress, ProgressMeter } from './progress-meter.ts'
import { ResultStore } from './result-store.ts'

/** A planned job with its result. */
export type ExperimentResult = PlannedJob & JobResult

/** How experiments are run. */
export interface ExperimentWatch {
  /**
   * Worker threads. Default: one per core. With 0 the jobs run one after the other in this thread, or, with `nats`, on
   * other machines only. The results do not depend on it.
   */
  workers?: number
  /** Addresses of NATS servers: the runs go to all workers of their queue, the threads of this process among them. */
  nats?: string
  /** Folder of the result store. Default: `results` in the cache folder. With `false` no result is read or kept. */
  store?: string | false
  /** Ends the work early, with the signal's reason as error; what is done stays in the store. */
  signal?: AbortSignal
  /** Called with what a user should know about a stream, such as a guessed order of levels. */
  onWarning?(warning: string): void
  /** Called when a job is done. */
  onProgress?(progress: ExperimentProgress): void
  /** Called with every new result, in the order in which they are found. */
  onResult?(result: ExperimentResult): void
  /** Called while a job runs in this thread. */
  onRun?(progress: RunProgress): void
}

/**
 * Runs experiments and returns their results, one list per experiment, in the order of the plan. Jobs whose result is
 * in the store are not run again, and a job that several experiments share is run once.
 */
export async function runExperiments(
  parts: readonly Experiment[],
  watch: ExperimentWatch = {},
): Promise<ExperimentResult[][]> {
  const plans = parts.map(plan)
  const jobs = new Map(plans.flat().map((planned) => [jobKey(planned.job), planned]))
  await tryOut([...jobs.values()], watch.onWarning)
  const store =
    watch.store === false ? undefined : new ResultStore(watch.store ?? join(cacheFolder(), 'results'), codeVersion())
  const threads = Math.max(1, Math.min(jobs.size, watch.workers ?? availableParallelism()))
  const meter = new ProgressMeter([...jobs.values()], threads)
  const found = new Map<string, JobResult>()
  for (const [key, planned] of jobs) {
    const stored = store?.get(key)
    if (!stored) continue
    found.set(key, stored)
    meter.add(planned, stored, true)
  }
  watch.onProgress?.(meter.report())
  const missing = new Map([...jobs].filter(([key]) => !found.has(key)).map(([key, { job }]) => [key, job]))
  await runMissing(missing, threads, watch, (key, result) => {
    const planned = jobs.get(key) as PlannedJob
    store?.put(key, result)
    found.set(key, result)
    meter.add(planned, result, false)
    watch.onResult?.({ ...planned, ...result })
    watch.onProgress?.(meter.report())
  })
  return plans.map((jobs) => jobs.map((planned) => ({ ...planned, ...(found.get(jobKey(planned.job)) as JobResult) })))
}

/** Runs jobs where `watch` says: in this thread, on threads of this process, or on every worker of a queue. */
async function runMissing(
  missing: ReadonlyMap<string, Job>,
  threads: number,
  watch: ExperimentWatch,
  onResult: (key: string, result: JobResult) => void,
): Promise<void> {
  const { nats, workers, signal, onRun } = watch
  if (nats !== undefined) {
    // Only here: runs on this machine alone need no NATS.
    const { runOverQueue } = await import('../cluster/run-over-queue.ts')
    await runOverQueue(nats, missing, workers ?? availableParallelism(), signal, onResult)
  } else if (workers === 0) {
    for (const [key, job] of missing) {
      signal?.throwIfAborted()
      onResult(key, await runJob(job, { signal, onProgress: onRun }))
    }
  } else await runOnThreads(missing, threads, signal, onResult)
}

/** Opens every stream and makes every method once, so that wrong input is refused here and by name, not in a worker. */
async function tryOut(jobs: readonly PlannedJob[], onWarning?: (warning: string) => void): Promise<void> {
  const tried = new Set<string>()
  const warnings = new Set<string>()
  for (const { job } of jobs) {
    const { stream, method, options, rho, seed } = job
    const key = JSON.stringify([stream, method, options])
    if (tried.has(key)) continue
    tried.add(key)
    const extensions = await loadExtensions(jobModules(job))
    const opened = streamOf(stream, extensions)
    for (const warning of streamWarnings(opened)) warnings.add(warning)
    const { channels, levels, samples } = opened
    const task = { channels: channels.length, levels: levels.length, seed, rho, horizon: samples }
    findMethod(method, extensions).create(task, options, extensions)
  }
  for (const warning of warnings) onWarning?.(warning)
}
