import { setImmediate } from 'node:timers/promises'
import {
  type Asked,
  Asker,
  type Extensions,
  FeedbackModel,
  findMethod,
  type Guarantee,
  isBounded,
  OptionError,
  orderedCosts,
  type Stream,
} from '@pb-oel/core'
import { auditOf } from './audit.ts'
import type { Job } from './job.ts'
import { RunFigures, type RunResult } from './run-result.ts'
import { warmUpOf } from './warm-up.ts'

/** Where a run stands. */
export interface RunProgress {
  done: number
  total: number
  accuracy: number
  windowAccuracy: number
  /** The true level and the assessed one of the latest sample. */
  truth: number
  assessed: number
  drifts: number
  /** What the theorems promise so far, for a method that comes with a bound. */
  guarantee?(): Guarantee
}

/** How a run is watched. */
export interface RunWatch {
  /** Called every `every` samples. */
  onProgress?(progress: RunProgress): void
  /** Default 1,000. */
  every?: number
  /** Ends the run early, with the signal's reason as error. */
  signal?: AbortSignal
}

/**
 * Runs a method over an open stream the way the paper does: the first sample of each level warms it up, then every
 * sample is assessed, answered by simulated reviewers, and learned.
 *
 * @param job what is run; its stream is the one given
 * @param extensions methods, detectors and learners that the job names by the paths of their modules
 *
 * @example
 * import { openStream, runOnce } from '@pb-oel/lab'
 * const result = await runOnce(openStream('dive:samples=2000'), { method: 'pb-oel', rho: 0.1, seed: 1 })
 * result.accuracy > 0.8 // true
 */
export async function runOnce(
  stream: Stream,
  job: Omit<Job, 'stream'>,
  watch: RunWatch = {},
  extensions: Extensions = {},
): Promise<RunResult> {
  const { rho, seed, people = {} } = job
  if (!(rho >= 0 && rho <= 1)) throw new OptionError('rho', rho, 'a number in [0, 1]')
  const levels = stream.levels.length
  const costs = typeof people.costs === 'number' ? orderedCosts(levels, people.costs) : people.costs
  const { length: channels } = stream.channels
  const method = findMethod(job.method, extensions)
  const warmUp = warmUpOf(stream, method.labelledFirst?.(job.options ?? {}))
  const task = { channels, levels, seed, rho, horizon: stream.samples, warmUp }
  const assessor = method.create({ ...task, ...(costs && { costs }) }, job.options, extensions)
  const audit = auditOf(assessor)
  const guarantee = audit && (() => audit.report())
  const reviewers = new FeedbackModel({ ...people.answers, levels, rho, seed })
  const asker = people.ask && new Asker({ seed, ...people.ask })
  const countAnswers = asker !== undefined || people.answers !== undefined
  const figures = new RunFigures({
    levels,
    costs,
    escalateAbove: people.escalateAbove,
    countAnswers,
    changes: stream.changes,
    samples: stream.samples,
  })
  const { every = 1000 } = watch
  let waited = 0
  const start = performance.now()
  for (const { x, level: truth } of stream) {
    const mode = asker ? 'unknown' : reviewers.mode()
    const assessment = assessor.assess(x, mode)
    audit?.record(assessment.level === truth, truth, mode === 'full')
    figures.assessed(truth, assessment)
    const asked = asker ? asker.consider(assessment) : mode === 'full' ? LABEL : VERDICT
    if (asker && isBounded(assessor)) {
      assessor.noteCoin(assessment.id, { probability: asker.probability, asked: asked !== undefined })
    }
    if (asked) reviewers.ask(assessment, truth, asked.kind, asked.probability)
    for (const { id, feedback } of reviewers.arrived()) {
      figures.answered(feedback)
      assessor.learn(id, feedback)
      asker?.hear(feedback)
    }
    if (figures.done % every !== 0) continue
    const pause = performance.now()
    watch.onProgress?.({ ...standing(figures), total: stream.samples, truth, assessed: assessment.level, guarantee })
    // Lets signals and timers in; a run is one long computation otherwise.
    await setImmediate()
    watch.signal?.throwIfAborted()
    waited += performance.now() - pause
  }
  const seconds = (performance.now() - start - waited) / 1000
  return figures.result(seed, audit?.report(), seconds)
}

const VERDICT: Asked = { kind: 'verdict', probability: 1 }
const LABEL: Asked = { kind: 'label', probability: 1 }

function standing({
  done,
  drifts,
  metrics,
}: RunFigures): Pick<RunProgress, 'done' | 'drifts' | 'accuracy' | 'windowAccuracy'> {
  return { done, drifts, accuracy: metrics.confusion.accuracy, windowAccuracy: metrics.windowAccuracy }
}
