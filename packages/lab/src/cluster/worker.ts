import { codeVersion } from '../job/fingerprint.ts'

/** How a worker is watched. */
export interface WorkerWatch {
  /** Jobs at once. Default: one per core. */
  threads?: number
  /** Seconds without a sign after which the jobs of a worker go to another. Default 30. */
  patience?: number
  /** Ends the work; jobs under way go to others. */
  signal: AbortSignal
  /** Called for every job that is done. */
  onJob?: (key: string, seconds: number) => void
  /** Called when a job could not be done here. */
  onTrouble?: (error: Error) => void
}

/**
 * Works on the jobs that experiments put into the queue of some NATS servers, until the signal.
 *
 * @param servers addresses with commas between them
 */
export async function runWorker(servers: string, { patience, ...options }: WorkerWatch): Promise<void> {
  const [{ JobQueue }, { work }] = await Promise.all([import('./job-queue.ts'), import('./work.ts')])
  const queue = await JobQueue.open({ servers, version: codeVersion(), patience })
  try {
    await work(queue, options)
  } finally {
    await queue.close()
  }
}
