import { availableParallelism } from 'node:os'
import { findMethod, OptionError, type Stream } from '@pb-oel/core'
import { Tinypool } from 'tinypool'
import type { StreamChoice } from '../job/job.ts'
import { jobModules } from '../job/job-modules.ts'
import { streamOf } from '../job/run-job.ts'
import { loadExtensions } from '../modules/load-extensions.ts'
import { ownModule } from '../own-module.ts'
import { streamWarnings } from '../streams/table-stream.ts'
import { type PromiseRow, summarisePromises } from './promise-row.ts'
import { PROMISE_SETTINGS, type PromiseSetting } from './promise-setting.ts'
import type { PromiseRun } from './promise-trial.ts'
import type { PromiseJob } from './worker.ts'

/** What a study is made of. */
export interface PromiseStudyOptions {
  readonly stream: StreamChoice
  /** Name of a method, or path of a module whose default export is one. Default `pb-oel-plus`. */
  readonly method?: string
  /** Default: all of them. */
  readonly settings?: readonly PromiseSetting[]
  /** First seed; repeats count up from it. Default 1. */
  readonly seed?: number
  /** Runs of each setting. Default 3. */
  readonly repeats?: number
  /** Whether each run has a stream of its own: the seed of the generator is then that of the run. Default false. */
  readonly streamSeeds?: boolean
  /** Share of samples whose safe-side level may be safer than the truth. Default 0.005. */
  readonly missTarget?: number
  /** Worker threads. Default: one per core. The figures do not depend on it. */
  readonly workers?: number
  readonly signal?: AbortSignal
  /** Called with what a user should know about the stream, such as a guessed order of levels. */
  onWarning?(warning: string): void
  /** Called when a run is done. */
  onRun?(done: number, total: number, setting: PromiseSetting): void
  /** Called when all runs of a setting are done. */
  onRow?(row: PromiseRow): void
}

/** Every promise beside the truth, setting by setting, on one stream. */
export interface PromiseStudy {
  readonly stream: string
  readonly samples: number
  readonly method: string
  readonly repeats: number
  /** Whether each run had a stream of its own. */
  readonly streamSeeds: boolean
  readonly missTarget: number
  readonly rows: readonly PromiseRow[]
}

/** Compares every promise with the truth over delays, budgets, people and seeds, on worker threads. */
export async function studyPromises(options: PromiseStudyOptions): Promise<PromiseStudy> {
  const { stream, method = 'pb-oel-plus', settings = PROMISE_SETTINGS } = options
  const { seed = 1, repeats = 3, streamSeeds = false, missTarget = 0.005, signal } = options
  const samples = await tryOut(options, method)
  const total = settings.length * repeats
  const threads = Math.max(1, Math.min(total, options.workers ?? availableParallelism()))
  const filename = ownModule('./promises/worker').href
  const pool = new Tinypool({ filename, minThreads: threads, maxThreads: threads, isolateWorkers: false })
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  let done = 0
  const runOf = async (setting: PromiseSetting, repeat: number): Promise<PromiseRun> => {
    const run = seed + repeat
    const seeded = streamSeeds ? { ...stream, seed: run } : stream
    const job: PromiseJob = { stream: seeded, setting, options: { method, seed: run, missTarget } }
    const result: PromiseRun = await pool.run(job, { signal: stop })
    options.onRun?.(++done, total, setting)
    return result
  }
  const rowOf = async (setting: PromiseSetting): Promise<PromiseRow> => {
    const runs = await Promise.all(Array.from({ length: repeats }, (_, repeat) => runOf(setting, repeat)))
    const row = summarisePromises(setting, runs)
    options.onRow?.(row)
    return row
  }
  try {
    signal?.throwIfAborted()
    const rows = await Promise.all(settings.map(rowOf))
    return { stream: stream.address, samples, method, repeats, streamSeeds, missTarget, rows }
  } catch (error) {
    failed.abort()
    throw signal?.aborted ? signal.reason : error
  } finally {
    await pool.destroy()
  }
}

/** Opens the stream and makes the method once, so that wrong input is refused here and by name, not in a worker. */
async function tryOut(options: PromiseStudyOptions, method: string): Promise<number> {
  const { stream: choice, streamSeeds = false, onWarning } = options
  const extensions = await loadExtensions(jobModules({ stream: choice, method, seed: 1, rho: 0 }))
  const opened = streamOf(choice, extensions)
  for (const warning of streamWarnings(opened)) onWarning?.(warning)
  const { channels, levels, samples } = opened
  findMethod(method, extensions).create({ channels: channels.length, levels: levels.length, seed: 1 }, {}, extensions)
  if (
    streamSeeds &&
    sameStart(...([1, 2].map((seed) => streamOf({ ...choice, seed }, extensions)) as [Stream, Stream]))
  ) {
    throw new OptionError(
      'streamSeeds',
      choice.address,
      'left out, or used with a generator whose address names no seed',
    )
  }
  return samples
}

/** Whether two streams begin with the same sample. */
function sameStart(...streams: [Stream, Stream]): boolean {
  const [one, other] = streams.map((stream) => {
    for (const { x } of stream) return x.join()
    return ''
  })
  return one === other
}
