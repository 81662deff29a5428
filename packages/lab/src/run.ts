import { setImmediate } from 'node:timers/promises'
import {
  createAssessor,
  type Guarantee,
  isBounded,
  type LabelledSample,
  OptionError,
  PrequentialMetrics,
  type Stream,
} from '@pb-oel/core'
import { SimulatedExpert } from './simulated-expert.ts'

/** One run of one method over one stream. */
export interface RunSettings {
  /** Name of the method. */
  method: string
  /** Share of full labels ρ, 0 … 1. */
  rho: number
  /** Seed of the method and of the simulated expert. */
  seed: number
  /** The method's own options; the paper's defaults when not given. */
  options?: Record<string, unknown>
}

/** What the theorems promised and what was reached, with every true level known. */
export interface BoundResult {
  /** Whether the guarantee holds for this run; `reason` says why not. */
  applies: boolean
  reason?: string
  /** Lower bound of the expected accuracy. */
  value: number | null
  /** The ultimate bound: mean accuracy of the best expert of each batch. */
  ultimate: number | null
  /** Ultimate bound minus realised accuracy. */
  regret: number | null
  /** Accuracy of the best single expert over the whole stream. */
  bestExpert: number | null
}

/** The figures of one run. */
export interface RunResult {
  seed: number
  accuracy: number
  macroF1: number
  kappa: number
  kappaTemporal: number
  gMean: number
  /** Samples assessed safer than they were. */
  misses: number
  /** Samples assessed less safe than they were. */
  falseAlarms: number
  /** Samples whose label was given. */
  labels: number
  /** How often an expert was rebuilt because of drift. */
  drifts: number
  /** Accuracy of repeating the previous true level. */
  noChange: number
  bound: BoundResult
  /** Assessments and answers learned per second of this run, on this machine. */
  samplesPerSecond: number
}

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
}

/** How a run is watched. */
export interface RunWatch {
  /** Called every 1,000 samples. */
  onProgress?(progress: RunProgress): void
  /** Ends the run early, with the signal's reason as error. */
  signal?: AbortSignal
}

/**
 * Runs a method over a stream the way the paper does: the first sample of each level warms it up, then every sample is
 * assessed, answered by the simulated expert, and learned.
 *
 * @example
 * import { openStream, runOnce } from '@pb-oel/lab'
 * const result = await runOnce(openStream('dive:samples=2000'), { method: 'pb-oel', rho: 0.1, seed: 1 })
 * result.accuracy > 0.8 // true
 */
export async function runOnce(stream: Stream, settings: RunSettings, watch: RunWatch = {}): Promise<RunResult> {
  const { method, rho, seed } = settings
  if (!(rho >= 0 && rho <= 1)) throw new OptionError('rho', rho, 'a number in [0, 1]')
  const levels = stream.levels.length
  const assessor = createAssessor(
    method,
    { channels: stream.channels.length, levels, seed, rho, horizon: stream.samples, warmUp: firstOfEachLevel(stream) },
    settings.options,
  )
  const audit = isBounded(assessor) ? assessor.audit() : undefined
  const expert = new SimulatedExpert(rho, seed)
  const metrics = new PrequentialMetrics({ levels })
  let labels = 0
  let drifts = 0
  let done = 0
  let waited = 0
  const start = performance.now()
  for (const { x, level: truth } of stream) {
    const mode = expert.next()
    const assessment = assessor.assess(x, mode)
    const assessed = assessment.level
    for (let n = 0; n < assessment.drifts.length; n++) drifts += assessment.drifts[n]
    audit?.record(truth, mode === 'full')
    metrics.add(truth, assessed)
    if (mode === 'full') labels++
    assessor.learn(assessment.id, expert.answer(mode, assessed, truth))
    done++
    if (done % 1000 !== 0) continue
    const pause = performance.now()
    const { confusion, windowAccuracy } = metrics
    const { accuracy } = confusion
    watch.onProgress?.({ done, total: stream.samples, accuracy, windowAccuracy, truth, assessed, drifts })
    // Lets signals and timers in; a run is one long computation otherwise.
    await setImmediate()
    watch.signal?.throwIfAborted()
    waited += performance.now() - pause
  }
  const seconds = (performance.now() - start - waited) / 1000
  const { confusion } = metrics
  return {
    seed,
    accuracy: confusion.accuracy,
    macroF1: confusion.macroF1,
    kappa: confusion.kappa,
    kappaTemporal: metrics.kappaTemporal,
    gMean: confusion.gMean,
    misses: confusion.misses,
    falseAlarms: confusion.falseAlarms,
    labels,
    drifts,
    noChange: metrics.noChangeAccuracy,
    bound: boundResult(audit?.report()),
    samplesPerSecond: done / seconds,
  }
}

/** The first sample of each level in the order of the stream: the paper's warm-up set. */
export function firstOfEachLevel(stream: Stream): LabelledSample[] {
  const found: LabelledSample[] = []
  for (const { x, level } of stream) {
    if (found.some((sample) => sample.level === level)) continue
    found.push({ x: [...x], level })
    if (found.length === stream.levels.length) break
  }
  return found
}

function boundResult(guarantee: Guarantee | undefined): BoundResult {
  if (!guarantee) {
    return {
      applies: false,
      reason: 'the method comes without a performance bound',
      value: null,
      ultimate: null,
      regret: null,
      bestExpert: null,
    }
  }
  const { applies, reason, value, ultimate, regret, bestExpertAccuracy } = guarantee
  return { applies, ...(reason && { reason }), value, ultimate, regret, bestExpert: bestExpertAccuracy }
}
