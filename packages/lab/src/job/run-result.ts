import {
  type Assessment,
  type CostMatrix,
  Escalation,
  type Feedback,
  type Guarantee,
  PrequentialMetrics,
  type RegretWithConfidence,
} from '@pb-oel/core'
import { type Adaptation, AdaptationMeter } from './adaptation.ts'

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
  /** How often a network was refitted because of drift. */
  drifts: number
  /** Accuracy of repeating the previous true level. */
  noChange: number
  bound: BoundResult
  /** How fast each known change of the stream was followed. */
  adaptation?: Adaptation[]
  /** Answers learned from, when not every sample was answered at once. */
  answers?: number
  /** Mean cost per sample, when mistakes have costs. */
  cost?: number
  /** Share of the samples that were passed on to a reviewer, and accuracy on the others. */
  escalated?: number
  accuracyKept?: number
  /** Assessments and answers learned per second of this run, on this machine. */
  samplesPerSecond: number
}

/** Which of the figures a run has beyond the usual ones. */
export interface FiguresOptions {
  levels: number
  costs: CostMatrix | undefined
  escalateAbove: number | undefined
  /** Whether the number of answers is a figure: not every sample is answered at once. */
  countAnswers: boolean
  /** Where the stream is known to change, and how long it is. */
  changes?: readonly number[]
  samples?: number
}

/** The figures of a run while it is under way. */
export class RunFigures {
  readonly metrics: PrequentialMetrics
  private readonly adaptation: AdaptationMeter
  /** Samples assessed and networks refitted so far. */
  done = 0
  drifts = 0
  private labels = 0
  private answers = 0
  private cost = 0
  private keptRight = 0
  private readonly escalation: Escalation
  private readonly options: FiguresOptions

  constructor(options: FiguresOptions) {
    this.options = options
    this.metrics = new PrequentialMetrics({ levels: options.levels })
    this.adaptation = new AdaptationMeter(options.changes ?? [], options.samples ?? 0)
    this.escalation = new Escalation(options.escalateAbove ?? 1)
  }

  /** Counts an assessment of a sample whose true level is `truth`. */
  assessed(truth: number, assessment: Assessment): void {
    const { level, drifts } = assessment
    const { costs } = this.options
    for (let n = 0; n < drifts.length; n++) this.drifts += drifts[n]
    this.metrics.add(truth, level)
    this.adaptation.add(level === truth)
    if (costs) this.cost += costs[truth][level]
    if (!this.escalation.check(assessment) && level === truth) this.keptRight++
    this.done++
  }

  /** Counts an answer. */
  answered({ kind }: Feedback): void {
    if (kind === 'label') this.labels++
    this.answers++
  }

  /** The figures of the finished run. */
  result(seed: number, guarantee: Guarantee | undefined, seconds: number): RunResult {
    const { confusion, kappaTemporal, noChangeAccuracy } = this.metrics
    const { costs, escalateAbove, countAnswers } = this.options
    const { share } = this.escalation
    const adaptation = this.adaptation.result()
    return {
      seed,
      accuracy: confusion.accuracy,
      macroF1: confusion.macroF1,
      kappa: confusion.kappa,
      kappaTemporal,
      gMean: confusion.gMean,
      misses: confusion.misses,
      falseAlarms: confusion.falseAlarms,
      labels: this.labels,
      drifts: this.drifts,
      noChange: noChangeAccuracy,
      bound: boundResult(guarantee),
      ...(adaptation && { adaptation }),
      ...(countAnswers && { answers: this.answers }),
      ...(costs && { cost: this.cost / this.done }),
      ...(escalateAbove !== undefined && {
        escalated: share,
        accuracyKept: this.keptRight / (this.done * (1 - share)),
      }),
      samplesPerSecond: this.done / seconds,
    }
  }
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
