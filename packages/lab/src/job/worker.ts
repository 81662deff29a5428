import type { Job } from './job.ts'
import { type JobResult, runJob } from './run-job.ts'

/** What a worker thread of the pool runs. */
export default function work(job: Job): Promise<JobResult> {
  return runJob(job)
}
