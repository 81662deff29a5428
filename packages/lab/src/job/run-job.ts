import type { Extensions, Stream } from '@pb-oel/core'
import { loadExtensions } from '../modules/load-extensions.ts'
import { openStream } from '../streams/open-stream.ts'
import type { Job, StreamChoice } from './job.ts'
import { jobModules } from './job-modules.ts'
import { type RunWatch, runOnce } from './run.ts'
import type { RunResult } from './run-result.ts'
import { addPoint, emptyTrace, type Trace, traceInterval } from './trace.ts'

/** What one job gives. */
export interface JobResult {
  /** Length of the stream, and its number of levels. */
  samples: number
  levels: number
  result: RunResult
  trace: Trace
}

/** Streams opened in this thread, newest last: jobs of one stream come one after the other. */
const opened = new Map<string, Stream>()

/** Runs one job: the path of every run, in this thread, in a worker thread or on another machine. */
export async function runJob(job: Job, watch: Omit<RunWatch, 'every'> = {}): Promise<JobResult> {
  const extensions = await loadExtensions(jobModules(job))
  const stream = streamOf(job.stream, extensions)
  const trace = emptyTrace()
  const result = await runOnce(
    stream,
    job,
    {
      signal: watch.signal,
      every: traceInterval(stream.samples),
      onProgress: (progress) => {
        addPoint(trace, progress)
        watch.onProgress?.(progress)
      },
    },
    extensions,
  )
  return { samples: stream.samples, levels: stream.levels.length, result, trace }
}

/** Opens the stream of a job. */
export function streamOf(choice: StreamChoice, extensions: Extensions): Stream {
  const { address, ...options } = choice
  const key = JSON.stringify(choice)
  const found = opened.get(key) ?? openStream(address, options, extensions)
  opened.delete(key)
  opened.set(key, found)
  const [oldest] = opened.keys()
  if (opened.size > 2) opened.delete(oldest)
  return found
}
