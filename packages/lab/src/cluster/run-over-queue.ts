import { setTimeout } from 'node:timers/promises'
import { codeVersion } from '../job/fingerprint.ts'
import type { Job } from '../job/job.ts'
import type { JobResult } from '../job/run-job.ts'
import { JobQueue } from './job-queue.ts'
import { work } from './work.ts'

/** Milliseconds between looks for results. */
const LOOK_EVERY = 500
/** Seconds after which jobs without a result are put into the queue again: they may have been lost with its servers. */
const PUT_AGAIN = 300

/**
 * Runs jobs on every worker of a queue, this process among them, and calls back for each result. What others have done
 * under the same version of the code is not done again.
 *
 * @param servers addresses of the NATS servers
 * @param threads of this process; 0 leaves the work to others
 */
export async function runOverQueue(
  servers: string,
  missing: ReadonlyMap<string, Job>,
  threads: number,
  signal: AbortSignal | undefined,
  onResult: (key: string, result: JobResult) => void,
): Promise<void> {
  const queue = await JobQueue.open({ servers, version: codeVersion() })
  const finished = new AbortController()
  const stop = signal ? AbortSignal.any([signal, finished.signal]) : finished.signal
  let trouble: Error | undefined
  const working = work(queue, { threads, signal: stop, onTrouble: (error) => (trouble = error) })
  try {
    let open = new Map(missing)
    let putAt = Number.NEGATIVE_INFINITY
    for (;;) {
      open = await collect(queue, open, onResult)
      if (open.size === 0) return
      signal?.throwIfAborted()
      if (trouble && !/timeout|connection/i.test(trouble.message)) throw trouble
      if (performance.now() - putAt > PUT_AGAIN * 1000) {
        await queue.put([...open].map(([key, job]) => ({ key, job })))
        putAt = performance.now()
      }
      await setTimeout(LOOK_EVERY)
    }
  } finally {
    finished.abort()
    await working
    await queue.close()
  }
}

async function collect(
  queue: JobQueue,
  open: ReadonlyMap<string, Job>,
  onResult: (key: string, result: JobResult) => void,
): Promise<Map<string, Job>> {
  const finished = await queue.finished()
  const rest = new Map(open)
  for (const key of open.keys()) {
    const result = finished.has(key) ? await queue.result(key) : undefined
    if (!result) continue
    onResult(key, result)
    rest.delete(key)
  }
  return rest
}
