import {
  Asker,
  type BoundedAssessor,
  type Coin,
  createAssessor,
  type Extensions,
  FeedbackModel,
  isBounded,
  Promises,
  Random,
  type RegretWithConfidence,
  type ReliabilityBin,
  type Stream,
} from '@pb-oel/core'
import { firstOfEachLevel } from '../job/warm-up.ts'
import { emptyCurve, type PromiseCurve } from './promise-curve.ts'
import { brokenBySetting, type PromiseSetting } from './promise-setting.ts'
import { PromiseTruth } from './promise-truth.ts'

/** What became of the promises in one run. */
export interface PromiseRun {
  readonly accuracy: number
  /** True regret per sample against the best expert, and its bound at the end; undefined where it does not apply. */
  readonly regret: number | undefined
  readonly regretBound: number | undefined
  /** Certified accuracy at the end; undefined where it does not apply. */
  readonly certified: number | undefined
  /** Shares of samples whose level, and whose safe-side level, was safer than the truth. */
  readonly misses: number
  readonly safeSideMisses: number
  /** Share of samples whose safe-side level was above the assessed one: what the promise costs. */
  readonly safeSideAbove: number
  /** Expected calibration error over all samples: of the recalibrated confidence and of the raw one. */
  readonly calibrationError: number
  readonly rawCalibrationError: number
  readonly reliability: readonly ReliabilityBin[]
  readonly rawReliability: readonly ReliabilityBin[]
  /** Alarms of a fall of accuracy, and those among them while the accuracy of the latest samples was kept. */
  readonly falls: number
  readonly falseFalls: number
  /** Whether the bound of the regret, and the certificate, were ever below the truth. */
  readonly regretViolated: boolean
  readonly certificateViolated: boolean
  /** How often networks were refitted, and whether the bound of the regret since a refit was ever below the truth. */
  readonly refits: number
  readonly refitViolated: boolean
  readonly curve: PromiseCurve
}

/** What a trial is made of beside the stream. */
export interface PromiseTrialOptions {
  /** Name of a method, or path of a module whose default export is one. */
  readonly method: string
  readonly seed: number
  /** Share of samples whose safe-side level may be safer than the truth. Default 0.005. */
  readonly missTarget?: number
  /** How often the promises are compared with the truth, in samples. Default: a hundred times in all. */
  readonly every?: number
  /** Samples of a window. Default: an hour at one per second, a quarter of the stream where that is shorter. */
  readonly window?: number
}

/** Answers may come this many samples late. */
const PENDING = 4096
const EVERYTHING = { kind: 'verdict', probability: 1 } as const
/** An alarm is false when at least the accuracy that is to be kept was reached over this many latest samples. */
const LATEST = 1000

/** Follows a stream with every true level known and compares what is promised with what is true, time and again. */
export function tryPromises(
  stream: Stream,
  setting: PromiseSetting,
  options: PromiseTrialOptions,
  extensions?: Extensions,
): PromiseRun {
  const trial = new PromiseTrial(stream, setting, options, extensions)
  for (const { x, level } of stream) trial.sample(x, level)
  return trial.result()
}

/** One run: the assessor, the reviewers, the promises, and the truth beside them. */
class PromiseTrial {
  private readonly setting: PromiseSetting
  private readonly broken: ReturnType<typeof brokenBySetting>
  private readonly asker: Asker | undefined
  private readonly assessor: ReturnType<typeof createAssessor>
  private readonly bounded: BoundedAssessor | undefined
  private readonly reviewers: FeedbackModel
  private readonly promises: Promises
  private readonly checks: Random
  private readonly every: number
  private readonly truth = new PromiseTruth()
  private readonly curve = emptyCurve()
  private regretViolated = false
  private certificateViolated = false
  private refitViolated = false
  private falseFalls = 0

  constructor(stream: Stream, setting: PromiseSetting, options: PromiseTrialOptions, extensions?: Extensions) {
    const { method, seed, missTarget = 0.005 } = options
    const { samples } = stream
    const { wrong, wrongAtMost } = setting
    const levels = stream.levels.length
    const warmUp = firstOfEachLevel(stream)
    // Only PB-OEL+ can be told of wrong answers.
    const share = wrong ?? wrongAtMost
    const noise = share !== undefined && method === 'pb-oel-plus' ? { noise: share } : {}
    const task = { channels: stream.channels.length, levels, seed, warmUp, rho: 0 }
    this.setting = setting
    this.broken = brokenBySetting(setting)
    this.asker = setting.ask && new Asker({ seed, ...setting.ask })
    this.assessor = createAssessor(method, task, { ...noise, pending: PENDING }, extensions)
    this.bounded = isBounded(this.assessor) ? this.assessor : undefined
    this.reviewers = new FeedbackModel({ ...setting.answers, levels, seed })
    this.checks = new Random(seed, 'checks')
    this.every = options.every ?? Math.max(1, Math.floor(samples / 100))
    this.promises = new Promises({
      ...{ levels, warmUp, missTarget, pending: PENDING, wrong, wrongAtMost },
      floor: this.asker?.leastProbability ?? setting.check ?? 1,
      window: options.window ?? Math.max(2, Math.min(3600, Math.floor(samples / 4))),
    })
  }

  sample(x: Float64Array, level: number): void {
    const { asker, assessor, bounded, promises, reviewers, truth, setting } = this
    const assessment = assessor.assess(x, 'partial')
    const asked = asker ? asker.consider(assessment) : EVERYTHING
    const coin = this.coin(asked !== undefined)
    if (asker || setting.unasked) bounded?.noteCoin(assessment.id, coin)
    const promised = promises.open(assessment, coin)
    truth.count(assessment, promised, level)
    let fell = promised.fell
    if (asked) reviewers.ask(assessment, level, asked.kind, asked.probability)
    for (const { id, feedback } of reviewers.arrived()) {
      assessor.learn(id, feedback)
      fell = promises.settle(id, feedback) || fell
      asker?.hear(feedback)
    }
    if (fell && truth.accuracy(LATEST) >= promises.report().keptAccuracy) this.falseFalls++
    if (truth.samples % this.every === 0) this.look()
  }

  /** Whether the sample counts as a check, and with which probability it was to be one. */
  private coin(asked: boolean): Coin {
    const { asker, setting, checks } = this
    if (asker) return { probability: asker.probability, asked }
    if (setting.unasked) return { probability: 0, asked: false }
    const { check = 1 } = setting
    return { probability: check, asked: checks.uniform() < check }
  }

  /** Compares what is promised with what is true now. */
  private look(): void {
    const { truth, curve, broken } = this
    const { accuracy, windowAccuracy } = this.promises.report()
    curve.samples.push(truth.samples)
    curve.accuracy.push(truth.accuracy())
    curve.windowAccuracy.push(truth.accuracy(windowAccuracy.samples))
    curve.safeSideMisses.push(truth.safeSideMisses / truth.samples)
    if (broken.certificate === undefined) {
      this.certificateViolated ||= accuracy.wrongAtMost < truth.wrong
      curve.certified.push(accuracy.certified)
      curve.windowCertified.push(windowAccuracy.certified)
    }
    const bound = this.regretBound()
    if (bound === undefined) return
    const regret = truth.regret()
    const { sinceRefit } = bound
    this.regretViolated ||= bound.value < regret - 1e-12
    if (sinceRefit) this.refitViolated ||= sinceRefit.value < truth.regret(sinceRefit.samples) - 1e-12
    curve.regret.push(regret)
    curve.regretBound.push(bound.value)
  }

  private regretBound(): RegretWithConfidence | undefined {
    if (this.broken.regret !== undefined) return undefined
    return this.bounded?.guarantee().regretWithConfidence
  }

  result(): PromiseRun {
    const { truth, curve, broken } = this
    const { accuracy, falls } = this.promises.report()
    const regretBound = this.regretBound()
    return {
      accuracy: truth.accuracy(),
      regret: regretBound && truth.regret(),
      regretBound: regretBound?.value,
      certified: broken.certificate === undefined ? accuracy.certified : undefined,
      misses: truth.misses / truth.samples,
      safeSideMisses: truth.safeSideMisses / truth.samples,
      safeSideAbove: truth.safeSideAbove / truth.samples,
      calibrationError: truth.recalibrated.expectedError,
      rawCalibrationError: truth.raw.expectedError,
      reliability: truth.recalibrated.bins,
      rawReliability: truth.raw.bins,
      falls,
      falseFalls: this.falseFalls,
      regretViolated: this.regretViolated,
      certificateViolated: this.certificateViolated,
      refits: regretBound?.sinceRefit?.refits ?? 0,
      refitViolated: this.refitViolated,
      curve,
    }
  }
}
