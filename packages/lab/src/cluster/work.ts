import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Tinypool } from 'tinypool'
import { jobKey } from '../job/fingerprint.ts'
import type { JobResult } from '../job/run-job.ts'
import { jobThreads } from '../job/run-on-threads.ts'
import type { JobQueue, TakenJob } from './job-queue.ts'

/** How a worker of the laboratory works. */
export interface WorkOptions {
  /** Jobs at once, one thread each. Default: one per core. */
  threads?: number
  /** Ends the work: jobs under way are given back. */
  signal: AbortSignal
  /** Called for every job that is done. */
  onJob?: (key: string, seconds: number) => void
  /** Called when a job cannot be done here; it is given back. */
  onTrouble?: (error: Error) => void
}

/** Milliseconds between signs that a job is still being worked on. */
const SIGN_EVERY = 2_000

/**
 * Takes jobs from the queue, one per thread, until the signal. A job is gone from the queue only when its result is
 * kept, so a worker that dies costs its current jobs, which go to others.
 */
export async function work(queue: JobQueue, options: WorkOptions): Promise<void> {
  const { threads = availableParallelism(), signal } = options
  if (threads === 0) return
  const pool = jobThreads(threads)
  const one = async () => {
    while (!signal.aborted) {
      try {
        const taken = await queue.take(signal)
        if (taken) await doJob(queue, pool, taken, options)
      } catch (error) {
        if (signal.aborted) return
        options.onTrouble?.(error as Error)
        await setTimeout(1_000)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: threads }, one))
  } finally {
    await pool.destroy()
  }
}

async function doJob(queue: JobQueue, pool: Tinypool, taken: TakenJob, options: WorkOptions): Promise<void> {
  const { key, job } = taken
  const start = performance.now()
  const sign = setInterval(() => taken.working(), SIGN_EVERY)
  try {
    // A file that differs here, or is missing here, would give another result.
    if (jobKey(job) !== key) throw new Error(`job ${key} needs files that are not the same on this machine`)
    if (!(await queue.result(key))) {
      const result: JobResult = await pool.run(job, { signal: options.signal })
      await queue.keep(key, result)
    }
    await taken.done()
    options.onJob?.(key, (performance.now() - start) / 1000)
  } catch (error) {
    taken.giveBack()
    throw error
  } finally {
    clearInterval(sign)
  }
}
