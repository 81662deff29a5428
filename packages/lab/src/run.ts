import { setImmediate } from 'node:timers/promises'
import {
  type Asked,
  Asker,
  type AskingOptions,
  type CostMatrix,
  Escalation,
  FeedbackModel,
  type FeedbackModelOptions,
  findMethod,
  type Guarantee,
  isBounded,
  type LabelledSample,
  type Method,
  OptionError,
  orderedCosts,
  PrequentialMetrics,
  type RegretWithConfidence,
  type Stream,
} from '@pb-oel/core'
import { auditOf } from './audit.ts'

/** How people answer in a run, what they are asked, and what mistakes cost them. */
export interface People {
  /** How people answer: late, not always, wrongly, … Default: at once, always, rightly. */
  answers?: Omit<FeedbackModelOptions, 'levels' | 'rho' | 'seed'>
  /** Which samples are asked about, in place of all of them; `rho` then says nothing. */
  ask?: AskingOptions
  /** What mistakes cost, or how many false alarms a miss costs; methods that can decide by it do. */
  costs?: CostMatrix | number
  /** Disagreement of the experts above which an assessment is passed on to a person, 0 … 1. Default: never. */
  escalateAbove?: number
}

/** One run of one method over one stream. */
export interface RunSettings extends People {
  /** Name of a method that ships with the product, or one of your own. */
  method: string | Method
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
  /** What the bound is made of and what to compare it with, by name, for methods that tell. */
  terms?: Readonly<Record<string, number>>
  /** "No expert was better by more than this", with the stated probability, whatever the delays. */
  regretWithConfidence?: RegretWithConfidence
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
  /** Answers learned from, when not every sample was answered at once. */
  answers?: number
  /** Mean cost of a sample, when mistakes have costs. */
  cost?: number
  /** Share of the samples that were passed on to a person, and accuracy on the others. */
  escalated?: number
  accuracyKept?: number
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
  const costs = typeof settings.costs === 'number' ? orderedCosts(levels, settings.costs) : settings.costs
  const assessor = (typeof method === 'string' ? findMethod(method) : method).create(
    {
      channels: stream.channels.length,
      levels,
      seed,
      rho,
      horizon: stream.samples,
      warmUp: firstOfEachLevel(stream),
      ...(costs && { costs }),
    },
    settings.options,
  )
  const audit = auditOf(assessor)
  const guarantee = audit && (() => audit.report())
  const { every = 1000 } = watch
  const people = new FeedbackModel({ ...settings.answers, levels, rho, seed })
  const asker = settings.ask && new Asker({ seed, ...settings.ask })
  const escalation = new Escalation(settings.escalateAbove ?? 1)
  const metrics = new PrequentialMetrics({ levels })
  let labels = 0
  let answers = 0
  let cost = 0
  let keptRight = 0
  let drifts = 0
  let done = 0
  let waited = 0
  const start = performance.now()
  for (const { x, level: truth } of stream) {
    const mode = asker ? 'unknown' : people.mode()
    const assessment = assessor.assess(x, mode)
    const assessed = assessment.level
    for (let n = 0; n < assessment.drifts.length; n++) drifts += assessment.drifts[n]
    audit?.record(assessed === truth, truth, mode === 'full')
    metrics.add(truth, assessed)
    if (costs) cost += costs[truth][assessed]
    if (!escalation.check(assessment) && assessed === truth) keptRight++
    const question = asker ? asker.consider(assessment) : mode === 'full' ? LABEL : VERDICT
    if (asker && isBounded(assessor)) {
      assessor.noteCoin(assessment.id, { probability: asker.probability, asked: question !== undefined })
    }
    if (question) people.ask(assessment, truth, question.kind, question.probability)
    for (const { id, feedback } of people.arrived()) {
      if (feedback.kind === 'label') labels++
      answers++
      assessor.learn(id, feedback)
      asker?.hear(feedback)
    }
    done++
    if (done % every !== 0) continue
    const pause = performance.now()
    const { confusion, windowAccuracy } = metrics
    const { accuracy } = confusion
    watch.onProgress?.({ done, total: stream.samples, accuracy, windowAccuracy, truth, assessed, drifts, guarantee })
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
    ...((asker || settings.answers) && { answers }),
    ...(costs && { cost: cost / done }),
    ...(settings.escalateAbove !== undefined && {
      escalated: escalation.share,
      accuracyKept: keptRight / (done * (1 - escalation.share)),
    }),
    samplesPerSecond: done / seconds,
  }
}

const VERDICT: Asked = { kind: 'verdict', probability: 1 }
const LABEL: Asked = { kind: 'label', probability: 1 }

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
  const { applies, reason, value, ultimate, regret, bestExpertAccuracy, terms, regretWithConfidence } = guarantee
  return {
    applies,
    ...(reason && { reason }),
    value,
    ultimate,
    regret,
    bestExpert: bestExpertAccuracy,
    ...(terms && { terms }),
    ...(regretWithConfidence && { regretWithConfidence }),
  }
}
