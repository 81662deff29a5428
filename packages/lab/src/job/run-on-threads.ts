import { Tinypool } from 'tinypool'
import { ownModule } from '../own-module.ts'
import type { Job } from './job.ts'
import type { JobResult } from './run-job.ts'

/** Threads that run jobs; they load the code once and keep the streams they opened. */
export function jobThreads(threads: number): Tinypool {
  const filename = ownModule('./job/worker').href
  return new Tinypool({ filename, minThreads: threads, maxThreads: threads, isolateWorkers: false })
}

/** Runs jobs on threads of this process and calls back for each result. The first job that fails stops the others. */
export async function runOnThreads(
  jobs: ReadonlyMap<string, Job>,
  threads: number,
  signal: AbortSignal | undefined,
  onResult: (key: string, result: JobResult) => void,
): Promise<void> {
  if (jobs.size === 0) return
  signal?.throwIfAborted()
  const pool = jobThreads(threads)
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  try {
    await Promise.all([...jobs].map(async ([key, job]) => onResult(key, await pool.run(job, { signal: stop }))))
  } catch (error) {
    failed.abort()
    throw signal?.aborted ? signal.reason : error
  } finally {
    await pool.destroy()
  }
}
