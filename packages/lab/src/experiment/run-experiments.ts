import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Tinypool } from 'tinypool'
import { cacheFolder } from '../cache-folder.ts'
import { ownModule } from '../own-module.ts'
import { type Experiment, type PlannedJob, plan } from './experiment.ts'
import { codeVersion, jobKey } from './fingerprint.ts'
import { type JobResult, streamOf } from './job.ts'
import { loadMethod } from './load-method.ts'
import { ResultStore } from './result-store.ts'
import { type ExperimentProgress, Tally } from './tally.ts'

/** A planned job with its result. */
export type Outcome = PlannedJob & JobResult

/** How experiments are run. */
export interface ExperimentWatch {
  /** Worker threads. Default: one a core. The results do not depend on it. */
  workers?: number
  /** Addresses of NATS servers: the runs go to all workers of their queue, the threads of this process among them. */
  nats?: string
  /** Folder of the result store. Default: `results` in the cache folder. */
  store?: string
  /** Ends the work early, with the signal's reason as error; what is done stays in the store. */
  signal?: AbortSignal
  onProgress?(progress: ExperimentProgress): void
}

/**
 * Runs experiments on worker threads and returns their outcomes, one list an experiment, in the order of the plan. Jobs
 * whose result is in the store are not run again, and a job that several experiments share is run once.
 */
export async function runExperiments(parts: readonly Experiment[], watch: ExperimentWatch = {}): Promise<Outcome[][]> {
  const plans = parts.map(plan)
  const jobs = new Map(plans.flat().map((job) => [jobKey(job), job]))
  await tryOut([...jobs.values()])
  const store = new ResultStore(watch.store ?? join(cacheFolder(), 'results'), codeVersion())
  const threads = Math.min(jobs.size, watch.workers ?? availableParallelism())
  const tally = new Tally([...jobs.values()], threads)
  const missing: [string, PlannedJob][] = []
  for (const [key, job] of jobs) {
    const found = store.get(key)
    if (found) tally.add(job, found, true)
    else missing.push([key, job])
  }
  watch.onProgress?.(tally.report())
  const onResult = (key: string, job: PlannedJob, found: JobResult) => {
    store.put(key, found)
    tally.add(job, found, false)
    watch.onProgress?.(tally.report())
  }
  if (watch.nats === undefined) await runMissing(missing, threads, watch.signal, onResult)
  else {
    // Only here: runs on this machine alone need no NATS.
    const { runOverQueue } = await import('../cluster/run-over-queue.ts')
    await runOverQueue(watch.nats, missing, watch.workers ?? availableParallelism(), watch.signal, onResult)
  }
  return plans.map((jobs) => jobs.map((job) => ({ ...job, ...(store.get(jobKey(job)) as JobResult) })))
}

async function runMissing(
  missing: readonly [string, PlannedJob][],
  threads: number,
  signal: AbortSignal | undefined,
  onResult: (key: string, job: PlannedJob, result: JobResult) => void,
): Promise<void> {
  if (missing.length === 0) return
  signal?.throwIfAborted()
  const filename = ownModule('./experiment/worker').href
  const pool = new Tinypool({ filename, minThreads: threads, maxThreads: threads, isolateWorkers: false })
  // Stops the other jobs when one fails.
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  try {
    await Promise.all(
      missing.map(async ([key, job]) => {
        const { stream, method, options, rho, seed, people } = job
        onResult(key, job, await pool.run({ stream, method, options, rho, seed, people }, { signal: stop }))
      }),
    )
  } catch (error) {
    failed.abort()
    throw signal?.aborted ? signal.reason : error
  } finally {
    await pool.destroy()
  }
}

/** Opens every stream and makes every method once, so that wrong input is refused here and by name, not in a worker. */
async function tryOut(jobs: readonly PlannedJob[]): Promise<void> {
  const tried = new Set<string>()
  for (const job of jobs) {
    const { stream, method, options, rho, seed } = job
    const key = JSON.stringify([stream, method, options])
    if (tried.has(key)) continue
    tried.add(key)
    const { channels, levels, samples } = streamOf(job)
    const task = { channels: channels.length, levels: levels.length, seed, rho, horizon: samples }
    ;(await loadMethod(method)).create(task, options)
  }
}
