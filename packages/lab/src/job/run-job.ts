import type { Stream } from '@pb-oel/core'
import { type RunProgress, type RunResult, runOnce } from '../run.ts'
import { openStream } from '../streams/open-stream.ts'
import type { Job } from './experiment.ts'
import { loadMethod } from './load-method.ts'

/** How a run went over time, at about 150 places; each list has one entry a place. */
export interface Trace {
  /** Number of samples so far. */
  samples: number[]
  /** Share of right assessments so far, and among the latest 1,000. */
  accuracy: number[]
  window: number[]
  /** Number of rebuilt experts so far. */
  drifts: number[]
  /**
   * Lower bound of the expected accuracy, accuracy of the best expert of each batch, and of the best single expert;
   * empty for a method without a bound.
   */
  bound: number[]
  ultimate: number[]
  bestExpert: number[]
}

/** What one job gives. */
export interface JobResult {
  /** Length of the stream. */
  samples: number
  result: RunResult
  trace: Trace
}

const PLACES = 150

/** Streams opened in this thread, newest last: jobs of one stream come one after the other. */
const opened = new Map<string, Stream>()

/** Runs one job. */
export async function runJob(job: Job): Promise<JobResult> {
  const stream = streamOf(job)
  const method = await loadMethod(job.method)
  const trace: Trace = { samples: [], accuracy: [], window: [], drifts: [], bound: [], ultimate: [], bestExpert: [] }
  const every = Math.max(1, Math.floor(stream.samples / PLACES))
  const onProgress = (progress: RunProgress) => record(trace, progress)
  const { rho, seed, options, people } = job
  const result = await runOnce(stream, { method, rho, seed, options, ...people }, { every, onProgress })
  return { samples: stream.samples, result, trace }
}

function record(trace: Trace, { done, accuracy, windowAccuracy, drifts, guarantee }: RunProgress): void {
  trace.samples.push(done)
  trace.accuracy.push(sixDigits(accuracy))
  trace.window.push(sixDigits(windowAccuracy))
  trace.drifts.push(drifts)
  if (!guarantee) return
  const { value, ultimate, bestExpertAccuracy } = guarantee()
  trace.bound.push(sixDigits(value))
  trace.ultimate.push(sixDigits(ultimate))
  trace.bestExpert.push(sixDigits(bestExpertAccuracy))
}

const sixDigits = (value: number): number => Math.round(value * 1e6) / 1e6

/** The stream of a job. */
export function streamOf({ stream }: Pick<Job, 'stream'>): Stream {
  const { address, ...options } = stream
  const key = JSON.stringify(stream)
  const found = opened.get(key) ?? openStream(address, options)
  opened.delete(key)
  opened.set(key, found)
  const [oldest] = opened.keys()
  if (opened.size > 2) opened.delete(oldest)
  return found
}
