import type { StreamChoice } from '../job/job.ts'
import { jobModules } from '../job/job-modules.ts'
import { streamOf } from '../job/run-job.ts'
import { loadExtensions } from '../modules/load-extensions.ts'
import type { PromiseSetting } from './promise-setting.ts'
import { type PromiseRun, type PromiseTrialOptions, tryPromises } from './promise-trial.ts'

/** One run of a study, as it goes to a worker thread. */
export interface PromiseJob {
  readonly stream: StreamChoice
  readonly setting: PromiseSetting
  readonly options: PromiseTrialOptions
}

/** What a worker thread of the pool runs. */
export default async function work({ stream, setting, options }: PromiseJob): Promise<PromiseRun> {
  const { method, seed } = options
  const extensions = await loadExtensions(jobModules({ stream, method, seed, rho: 0 }))
  return tryPromises(streamOf(stream, extensions), setting, options, extensions)
}
